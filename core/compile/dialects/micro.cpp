// Micro-instructions of the vector unit: what they are called with, and what they make.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/a5/micro_instruction.h"
#include "core/catalogue/beside.h"
#include "core/catalogue/on_pointers.h"
#include "core/compile/clauses.h"
#include "core/compile/dialects.h"
#include "core/compile/has_meaning.h"
#include "core/compile/statements.h"
#include "core/compile/walk.h"
#include "core/isa/mask_lanes.h"
#include "core/isa/special_registers.h"
#include "core/program/scalar_ops.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OperandSort;
using text::OpId;
using text::OpKind;
using text::SignatureForm;
using text::SignatureOperand;
using text::TypeId;
using text::TypeKind;

namespace {

// --- the rows ------------------------------------------------------------------------------------------------------

bool is_register(OperandSort sort) {
  return sort == OperandSort::Vector || sort == OperandSort::Mask || sort == OperandSort::Align;
}
bool is_pointer(OperandSort sort) { return sort == OperandSort::Pointer || sort == OperandSort::Element; }

OperandSpec spec_of(const SignatureOperand& operand, bool made, bool writes, bool as_register) {
  OperandSpec spec{.name = operand.name, .role = made ? Role::Out : Role::In};
  if (is_register(operand.sort) || (operand.sort == OperandSort::Any && as_register)) {
    spec.loc = TileLoc::Register;
  } else if (is_pointer(operand.sort)) {
    if (writes) spec.role = Role::Out;
  } else {
    spec.role = Role::Scalar;
    spec.kind = OperandKind::Scalar;
  }
  return spec;
}

// Operands of one form: words and what follows a pointer are no operands of the step.
FormRow form_of(const SignatureForm& signature, bool as_register) {
  FormRow form{"", {}, ""};
  const bool makes = std::ranges::any_of(signature.results, [](const auto& one) {
    return one.sort == OperandSort::Vector || one.sort == OperandSort::Mask;
  });
  for (const SignatureOperand& operand : signature.operands)
    if (operand.sort != OperandSort::Word && operand.sort != OperandSort::Clause)
      form.operands.push_back(spec_of(operand, false, !makes && operand.name == "dst", as_register));
  for (const SignatureOperand& result : signature.results)
    if (is_register(result.sort)) form.operands.push_back(spec_of(result, true, false, false));
  return form;
}

// The operand whose lanes are those of the operation: what the pointer of a load points to, or the first register.
std::string_view typed_by(const SignatureForm& form) {
  if (!form.operands.empty() && is_pointer(form.operands.front().sort)) return form.operands.front().name;
  const auto first = [](const std::vector<SignatureOperand>& of, OperandSort sort) {
    return std::ranges::find(of, sort, &SignatureOperand::sort);
  };
  for (const OperandSort sort : {OperandSort::Vector, OperandSort::Pointer, OperandSort::Mask}) {
    if (const auto found = first(form.operands, sort); found != form.operands.end()) return found->name;
    // A pointer among the results is where another one moved to, and no operand of the step.
    if (sort == OperandSort::Pointer) continue;
    if (const auto found = first(form.results, sort); found != form.results.end()) return found->name;
  }
  return form.results.empty() ? "" : form.results.front().name;
}

struct MicroOperation {
  const InstructionRow* row = nullptr;
  const SignatureForm* form = nullptr;
};

// Attributes that stand for the word where the operands hold none.
std::string_view word_name(const SignatureForm& form) {
  const auto word = std::ranges::find(form.operands, OperandSort::Word, &SignatureOperand::sort);
  if (word != form.operands.end()) return word->name;
  if (form.operands.empty()) return "";
  if (form.operands.front().sort == OperandSort::Element || form.operands.back().sort == OperandSort::Mask)
    return std::ranges::any_of(form.operands, [](const auto& one) { return is_pointer(one.sort); }) ? "dist"
                                                                                                    : "position";
  return form.operands.front().name == "start" ? "order" : "";
}

MicroOperation made_of(const text::OpRow& row, text::OpCode code) {
  const text::Signature& signature = text::signature(code);
  if (row.group != text::OpGroup::Micro || row.kind != OpKind::Other || !row.current.empty() ||
      signature.forms.size() != 1)
    return {};
  const SignatureForm& form = signature.forms.front();
  a5::MicroText text;
  text.spelled = row.name.data() + row.name.find('.') + 1;
  text.summary = row.meaning.data();
  text.name = text.spelled;
  if (row.mask_bits != 0) {
    text.name = text.name.substr(0, text.name.rfind("_b"));
    text.mask_lanes = mask_lanes(row.mask_bits);
  }
  text.typed_by = typed_by(form);
  text.word = word_name(form);
  text.forms.push_back(form_of(form, true));
  if (std::ranges::find(form.operands, OperandSort::Any, &SignatureOperand::sort) != form.operands.end())
    text.forms.push_back(form_of(form, false));
  return {a5::make_micro_instruction(std::move(text)), &form};
}

const MicroOperation& operation(text::OpCode code) {
  static const std::vector<MicroOperation> made = [] {
    std::vector<MicroOperation> all;
    for (const text::OpRow& row : text::op_rows()) all.push_back(made_of(row, static_cast<text::OpCode>(all.size())));
    return all;
  }();
  return made[code];
}

// --- one statement -------------------------------------------------------------------------------------------------

// Reads the statement of one operation, operand by operand.
class Reading {
 public:
  Reading(Compilation& c, OpId id, const Op& op)
      : c_(c), op_(op), operation_(operation(op.code)), form_(*operation_.form) {
    step_ = {.row = operation_.row,
             .fixed = false,
             .pos = c.messages.position(op.name),
             .op = id,
             .operands = {},
             .attributes = {}};
    TypeMismatch ignored;
    statement_ = read_statement(c.tree.tree(), op, {}, ignored);
  }

  void compile(OpId id) {
    if (!operands() || !words()) return;
    if (post_updates()) moved_by_ = moved_by();
    if (!emulated_ || (post_updates() && moved_by_ == kNoSlot)) return known_by_signature(c_, id, op_);
    point();
    if (!results()) return;
    if (!emulated_) return known_by_signature(c_, id, op_);
    finish();
    c_.code.emit_step(op_.range, std::move(step_));
    left_over();
  }

 private:
  const std::vector<OperandSpec>& specs() const { return operation_.row->forms[step_.form].operands; }

  bool operands() {
    std::size_t spec = 0;
    for (std::size_t i = 0; i < form_.operands.size() && i < statement_.ins.size(); ++i) {
      const SignatureOperand& meant = form_.operands[i];
      const Item& item = *statement_.ins[i].item;
      if (meant.sort == OperandSort::Word) {
        word_ = &item;
        continue;
      }
      if (is_pointer(meant.sort)) {
        if (!pointer(item, spec)) return false;
      } else if (!value(item, meant, spec)) {
        return false;
      }
      ++spec;
    }
    return true;
  }

  bool value(const Item& item, const SignatureOperand& meant, std::size_t spec) {
    const Slot slot = c_.names.use_or_integer(item);
    if (slot == kNoSlot) return false;
    const TypeId type = c_.code.type_of(slot);
    const bool held = c_.registers.tile_of(type).has_value();
    if (is_register(meant.sort) ||
        (meant.sort == OperandSort::Any && type != kNoType && c_.tree.type(type).kind == TypeKind::Vreg)) {
      if (!has_sort(c_, item, meant.sort)) return false;
      emulated_ = emulated_ && held;
      step_.operands.push_back({&specs()[spec], slot, DType::U8});
      return true;
    }
    if (meant.sort == OperandSort::Any) step_.form = 1;
    if (meant.name == "count") count_ = slot;
    if (meant.name == "step") step_by_ = slot;
    if (meant.sort == OperandSort::Integer && !has_sort(c_, item, meant.sort)) return false;
    if (type != kNoType && c_.tree.type(type).kind != TypeKind::Scalar) {
      c_.messages.error(item.range, "E-TYPE",
                        fmt::format("{} is {}, needs a number", c_.tree.text(item), c_.tree.type_text(type)));
      return false;
    }
    const auto dtype = type == kNoType ? std::optional(DType::I64) : text::dtype(c_.tree.type(type).scalar);
    emulated_ = emulated_ && (dtype || meant.sort == OperandSort::Integer);
    step_.operands.push_back({&specs()[spec], slot, dtype.value_or(DType::I64)});
    return true;
  }

  // %p[%i], or %p alone.
  bool pointer(const Item& item, std::size_t spec) {
    const bool element = item.kind == ItemKind::Element;
    const Item& base = element ? c_.tree.children(item).front() : item;
    pointer_ = c_.names.use(base);
    if (pointer_ == kNoSlot || !needs_kind(c_, base, pointer_, TypeKind::Ptr, "a pointer")) return false;
    if (element) {
      index_ = c_.names.use_or_integer(c_.tree.children(item)[1]);
      if (index_ == kNoSlot) return false;
    }
    pointer_item_ = &item;
    pointer_operand_ = step_.operands.size();
    const auto dtype = text::dtype(c_.tree.type(c_.code.type_of(pointer_)).scalar);
    emulated_ = emulated_ && dtype;
    step_.operands.push_back({&specs()[spec], kNoSlot, dtype.value_or(DType::U8)});
    return true;
  }

  // The lanes that the operation has, as far as its operands say: a store without a word stores such lanes.
  DType lanes() const {
    for (const OperandUse& use : step_.operands)
      if (use.slot != kNoSlot && use.spec->kind == OperandKind::Tile)
        if (const auto tile = c_.registers.tile_of(c_.code.type_of(use.slot)); tile && tile->size_bytes() == VL)
          return tile->dtype;
    return DType::U8;
  }

  bool words() {
    const std::vector<AttributeSpec>& attributes = operation_.row->attributes;
    step_.attributes.resize(attributes.size());
    if (attributes.size() == 1) step_.attributes[0] = a5::usual_word(*operation_.row, lanes());
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const StatementAttribute* given = statement_.attribute(attributes[i].name);
      const Item* item = given != nullptr ? given->value : attributes.size() == 1 ? word_ : nullptr;
      if (item == nullptr) continue;
      const std::string_view word = word_of(c_.tree.tree(), *item);
      const auto number = attribute_number(attributes[i], word);
      if (!number) {
        c_.messages.error(item->range, "E-ATTRIBUTE",
                          fmt::format("{} has no {} {}", operation_.row->name, attributes[i].name, word),
                          attributes[i].values);
        return false;
      }
      step_.attributes[i] = *number;
    }
    return true;
  }

  bool post_updates() const {
    return op_.result_count > 0 && form_.results.size() == op_.result_count &&
           form_.results.back().sort == OperandSort::Pointer;
  }
  // By how many elements the pointer moves on; none: nobody knows.
  Slot moved_by() {
    if (index_ != kNoSlot) return index_;
    if (step_by_ != kNoSlot) return step_by_;
    const std::uint32_t bytes = a5::moved_bytes(*operation_.row, step_.operands[pointer_operand_].dtype),
                        size = size_bytes(step_.operands[pointer_operand_].dtype);
    if (count_ != kNoSlot || bytes == 0) return count_;
    const auto repeats = std::ranges::find(step_.operands, std::string_view("repeat_stride"),
                                           [](const OperandUse& use) { return use.spec->name; });
    if (repeats == step_.operands.end()) return c_.code.constant(bytes / size);
    // The access is at the pointer itself; it moves on behind it.
    const Slot stride = std::exchange(repeats->slot, c_.code.constant(0));
    const Slot elements = c_.code.new_variable(kNoType);
    compute("arith.muli", text::ScalarKind::I64, {stride, c_.code.constant(bytes / size)}, elements);
    return elements;
  }

  // The bytes behind the pointer, as a tile.
  void point() {
    if (pointer_ == kNoSlot) return;
    const DType type = step_.operands[pointer_operand_].dtype;
    const std::uint32_t bytes = a5::reached_bytes(*operation_.row, step_.attributes, type);
    // What a pointer is moved on by has no say where it stands now.
    std::vector<Slot> ins{pointer_};
    if (index_ != kNoSlot && !post_updates()) ins.push_back(index_);
    step_.operands[pointer_operand_].slot = c_.tiles.add_pointed(
        op_.range, c_.tree.text(*pointer_item_), vec_tile(type, 1, std::max(bytes / size_bytes(type), 1u)), ins);
  }

  bool results() {
    const std::vector<TypeId> types = c_.tree.types_of(c_.tree.find(op_, ItemKind::Arrow));
    const std::vector<TypeId> said = types.empty() ? c_.tree.types_of(c_.tree.find(op_, ItemKind::Types)) : types;
    for (std::size_t i = 0; i < op_.result_count && i < form_.results.size(); ++i) {
      if (!is_register(form_.results[i].sort)) continue;
      const TypeId type = i < said.size() ? said[i] : kNoType;
      if (type == kNoType || !is_of_sort(c_, form_.results[i].sort, type)) {
        c_.messages.error(op_.name, "E-TYPE",
                          fmt::format("{} makes a {}", operation_.row->name, text::name(form_.results[i].sort)),
                          "the type of each result behind ->");
        return false;
      }
      if (!c_.registers.tile_of(type)) {
        emulated_ = false;
        return true;
      }
      told_of_end(i);
      made_.push_back({nullptr, c_.registers.add_result(op_, i, type), DType::U8});
    }
    return true;
  }

  // A stream of stores that nobody ends keeps its last bytes.
  void told_of_end(std::size_t result) {
    const bool stores = form_.results[result].sort == OperandSort::Align && form_.operands.size() > 1 &&
                        form_.operands.front().sort == OperandSort::Align;
    const Item& named = c_.tree.results(op_)[result];
    if (!stores || c_.registers.is_used(c_.tree.value_name(named))) return;
    c_.messages.warn(named.range, "STREAM-END",
                     fmt::format("nobody writes the bytes that {} still holds", c_.tree.text(named)),
                     "end the stream: pto.vstas, or pto.vstar where it counts in AR");
  }

  // The operands that the text does not name, and the results, in the order of the form.
  void finish() {
    if (a5::may_count(*operation_.row) && c_.registers.counts()) step_.form = 1;
    // What was read before the form was known has its place in it.
    for (OperandUse& use : step_.operands) use.spec = &*std::ranges::find(specs(), use.spec->name, &OperandSpec::name);
    std::size_t made = 0;
    for (std::size_t spec = step_.operands.size(); spec < specs().size(); ++spec) {
      const OperandSpec& one = specs()[spec];
      if (one.name == a5::kAr || one.name == a5::kSqueezed)
        step_.operands.push_back({&one, c_.registers.counter(one.name), DType::U64});
      // What the text may leave out, and does, is none.
      else if (one.role == Role::Out && made < made_.size())
        step_.operands.push_back({&one, made_[made++].slot, DType::U8});
    }
  }

  // Results that are numbers and pointers, which the scalar unit makes.
  void left_over() {
    if (post_updates()) {
      const TypeId type = c_.code.type_of(pointer_);
      const Slot out = c_.names.bind_result(op_, op_.result_count - 1, type);
      c_.code.emit(CodeKind::AddPointer, op_.range, {pointer_, moved_by_}, {out}).type =
          static_cast<std::uint8_t>(c_.tree.type(type).scalar);
      return;
    }
    if (form_.results.size() == 2 && op_.result_count == 2 && form_.results[1].sort == OperandSort::Integer) rest();
  }

  // What plt leaves: max(count - lanes, 0).
  void rest() {
    const TypeId type = c_.code.type_of(count_);
    const Slot less = c_.code.new_slot(type), out = c_.names.bind_result(op_, 1, type);
    const text::ScalarKind kind = type == kNoType ? text::ScalarKind::I32 : c_.tree.type(type).scalar;
    const std::uint32_t lanes = VL * 8 / text::op_row(op_.code).mask_bits;
    compute("arith.subi", kind, {count_, c_.code.constant(lanes)}, less);
    compute("arith.maxsi", kind, {less, c_.code.constant(0)}, out);
  }

  void compute(const char* name, text::ScalarKind kind, std::vector<Slot> ins, Slot to) {
    CodeOp& code =
        c_.code.emit(CodeKind::Compute, op_.range, ins, {to}, static_cast<std::uint32_t>(find_scalar_op(name)));
    code.type = code.to = static_cast<std::uint8_t>(kind);
  }

  Compilation& c_;
  const Op& op_;
  const MicroOperation& operation_;
  const SignatureForm& form_;
  Statement statement_;
  Instruction step_;
  std::vector<OperandUse> made_;
  const Item *word_ = nullptr, *pointer_item_ = nullptr;
  Slot pointer_ = kNoSlot, index_ = kNoSlot, count_ = kNoSlot, step_by_ = kNoSlot, moved_by_ = kNoSlot;
  std::size_t pointer_operand_ = 0;
  bool emulated_ = true;
};

// pto.sprclr "AR": an empty stream.
void clear_special(Compilation& c, OpId id, const Op& op) {
  if (!in_vecscope(c, op)) return;
  const Item* word = c.tree.find(op, ItemKind::String);
  if (word == nullptr || word_of(c.tree.tree(), *word) != "AR") {
    c.messages.error(op.name, "E-ATTRIBUTE", "sprclr clears AR alone", "\"AR\"");
    return;
  }
  const InstructionRow& row = *find_beside("store_scalar.ub");
  const auto& operands = row.forms.front().operands;
  const Slot zero = c.code.constant(0);
  c.code.emit_step(op.range, {.row = &row,
                              .fixed = false,
                              .pos = c.messages.position(op.name),
                              .op = id,
                              .operands = {{&operands[0], zero, DType::I64},
                                           {&operands[1], zero, DType::U64},
                                           {&operands[2], c.registers.counter(a5::kAr), DType::U64}},
                              .attributes = {}});
}

// pto.set_ctrl %value
void set_control(Compilation& c, OpId id, const Op& op) {
  const Item* value = c.tree.first_operand(op);
  const Slot slot = value == nullptr ? kNoSlot : c.names.use_or_integer(*value);
  if (slot == kNoSlot) return;
  const InstructionRow& row = *find_beside("set_ctrl");
  c.code.emit_step(op.range, {.row = &row,
                              .fixed = false,
                              .pos = c.messages.position(op.name),
                              .op = id,
                              .operands = {{&row.forms.front().operands[0], slot, DType::U64}},
                              .attributes = {}});
}

// pto.get_NAME reads the special register NAME. Null: it reads none.
const SpecialRegister* register_read_by(std::string_view operation) {
  constexpr std::string_view kReads = "pto.get_";
  if (!operation.starts_with(kReads)) return nullptr;
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  for (const SpecialRegister& one : special_registers(Target::A5))
    if (std::ranges::equal(std::string_view(one.name), operation.substr(kReads.size()), same)) return &one;
  return nullptr;
}

// The same bits under another type.
void cast_register(Compilation& c, OpId id, const Op& op) {
  if (!in_vecscope(c, op)) return;
  const Item* source = c.tree.first_operand(op);
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  if (source == nullptr || type == kNoType || op.result_count != 1) return;
  const Slot slot = c.names.use(*source);
  if (slot == kNoSlot) return;
  const auto from = c.registers.tile_of(c.code.type_of(slot)), to = c.registers.tile_of(type);
  const std::string_view name = c.tree.value_name(c.tree.results(op).front());
  if (!from || !to) return known_by_signature(c, id, op);
  if (from->size_bytes() != to->size_bytes()) {
    c.messages.error(op.range, "E-TYPE",
                     fmt::format("{} is no {}", c.tree.type_text(c.code.type_of(slot)), c.tree.type_text(type)));
    return;
  }
  // What loops and branches hand on has bytes of its own.
  if (c.registers.is_handed_on(name)) {
    const std::string_view spelled = text::op_row(op.code).name;
    const InstructionRow& row = *find_beside(spelled.substr(spelled.find('.') + 1));
    const auto& operands = row.forms.front().operands;
    Instruction step{.row = &row,
                     .fixed = false,
                     .pos = c.messages.position(op.name),
                     .op = id,
                     .operands = {{&operands[0], slot, DType::U8}},
                     .attributes = {}};
    step.operands.push_back({&operands[1], c.registers.add_result(op, 0, type), DType::U8});
    return c.code.emit_step(op.range, std::move(step));
  }
  const std::uint32_t tile = c.tiles.declare_alias({.name = std::string(name), .type = *to});
  c.code.emit(CodeKind::Alias, op.range, {slot}, {}, tile);
  c.names.bind_result(op, 0, type, tile_value(tile));
}

}  // namespace

bool reads_special(text::OpCode code) {
  return code < text::op_rows().size() && register_read_by(text::op_row(code).name) != nullptr;
}

// %a, %b, %c, %d = pto.get_vms4_sr: its fields of 16 bits, one a result, as the scalar unit reads them. %c = pto.get_ctrl:
// all of it.
void special_register(Compilation& c, OpId id, const Op& op) {
  const SpecialRegister& read = *register_read_by(text::op_row(op.code).name);
  const std::vector<TypeId> types = c.tree.types_of(c.tree.find(op, ItemKind::Types));
  const bool whole = op.result_count == 1;
  const std::uint32_t field_bytes = whole ? sizeof(std::uint64_t) : sizeof(std::uint16_t);
  if (op.result_count * field_bytes != read.size_bytes || types.size() != op.result_count)
    return known_by_signature(c, id, op);
  for (std::uint32_t i = 0; i < op.result_count; ++i) {
    const Slot out = c.names.bind_result(op, i, types[i]);
    CodeOp& code = c.code.emit(CodeKind::LoadScalar, op.range, {}, {out}, read.address + i * field_bytes);
    code.type = static_cast<std::uint8_t>(whole ? text::ScalarKind::I64 : text::ScalarKind::I16);
  }
}

bool is_counted_stream(text::OpCode code) {
  return is_micro_operation(code) && a5::counts_stored(*operation(code).row);
}
bool is_micro_operation(text::OpCode code) { return code < text::op_rows().size() && operation(code).row != nullptr; }

DTypeSet micro_types(text::OpCode code) {
  if (is_micro_operation(code)) return a5::lane_types(*operation(code).row);
  if (is_pointer_step(code) && text::op_row(code).current.empty()) return pointer_types(code);
  const OpKind kind = text::kind_of(code);
  const bool copies = kind == OpKind::CopyToUb || kind == OpKind::CopyFromUb || kind == OpKind::CopyToL1;
  return copies ? kCopiedTypes : DTypeSet{};
}

void micro_operation(Compilation& c, OpId id, const Op& op) {
  if (in_vecscope(c, op)) Reading(c, id, op).compile(id);
}

std::span<const DialectRow> micro_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::CastRegister, checked<cast_register>},
      {OpKind::ClearSpecial, checked<clear_special>},
      {OpKind::SetControl, checked<set_control>},
  };
  return kRows;
}

}  // namespace ts
