// Operations on pointers and numbers: each statement becomes a step.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/on_pointers.h"
#include "core/compile/dialects.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OperandSort;
using text::OpId;
using text::SignatureOperand;
using text::TypeKind;

namespace {

// The row of an operation; of an older spelling that of what it is called now. Null: it is none of these.
const PointerRow* row_for(const text::OpRow& row) {
  if (row.group != text::OpGroup::Micro || row.kind != text::OpKind::Other) return nullptr;
  const std::string_view name = row.current.empty() ? row.name : row.current;
  return find_on_pointers(name.substr(name.find('.') + 1));
}
const PointerRow* row_of(text::OpCode code) {
  static const std::vector<const PointerRow*> rows = [] {
    std::vector<const PointerRow*> all;
    for (const text::OpRow& row : text::op_rows()) all.push_back(row_for(row));
    return all;
  }();
  return rows[code];
}

class PointerStep {
 public:
  PointerStep(Compilation& c, OpId id, const Op& op)
      : c_(c), id_(id), op_(op), pointers_(*row_of(op.code)), row_(*pointers_.row) {}

  void compile() {
    if (!read()) return;
    const FormRow* form = fitting_form();
    Instruction step{.row = &row_,
                     .form = static_cast<std::uint8_t>(form == nullptr ? 0 : form - row_.forms.data()),
                     .fixed = false,
                     .pos = c_.messages.position(op_.name),
                     .op = id_,
                     .operands = {},
                     .attributes = {}};
    if (form == nullptr || !read_attributes(step) || says_more() ||
        (pointers_.waits != nullptr && pointers_.waits(use_)))
      return known_by_signature(c_, id_, op_);
    for (const OperandSpec& spec : form->operands)
      if (!add(step, spec, *given_for(spec))) return;
    c_.code.emit_step(op_.range, std::move(step));
  }

 private:
  struct Given {
    std::string_view name;
    Slot slot;
    const Item* item;
  };

  // Operands by the names that the signature gives them: those of the operation itself, then those in its clauses.
  bool read() {
    const std::vector<SignatureOperand>& all = text::signature(op_.code).forms.front().operands;
    std::vector<SignatureOperand> direct;
    for (const SignatureOperand& operand : all) {
      if (operand.sort != OperandSort::Clause) direct.push_back(operand);
      // The generic form has all numbers in a row.
      else if (op_.form == text::OpForm::Generic)
        direct.insert(direct.end(), operand.operands.begin(), operand.operands.end());
    }
    take(c_.tree.items(op_), direct);
    for (const SignatureOperand& operand : all)
      if (operand.sort == OperandSort::Clause && op_.form != text::OpForm::Generic)
        if (const Item* group = c_.tree.find(op_, operand.name); group != nullptr)
          take(c_.tree.children(*group), operand.operands);
    return std::ranges::find(given_, kNoSlot, &Given::slot) == given_.end();
  }
  template <class Items>
  void take(const Items& items, const std::vector<SignatureOperand>& operands) {
    auto operand = operands.begin();
    for (const Item& item : items) {
      if (item.kind == ItemKind::Named) take_named(item, operands);
      if ((item.kind == ItemKind::Use || item.kind == ItemKind::Int) && operand != operands.end())
        given_.push_back({operand++->name, c_.names.use_or_integer(item), &item});
    }
  }
  // `clip = %most`
  void take_named(const Item& item, const std::vector<SignatureOperand>& operands) {
    const auto operand = std::ranges::find(operands, c_.tree.tree().name_of(item), &SignatureOperand::name);
    if (operand == operands.end()) return;
    for (const Item& child : c_.tree.children(item))
      if (child.kind == ItemKind::Use || child.kind == ItemKind::Int)
        given_.push_back({operand->name, c_.names.use_or_integer(child), &child});
  }

  const Given* given(std::string_view name) const {
    const auto found = std::ranges::find(given_, name, &Given::name);
    return found == given_.end() ? nullptr : &*found;
  }
  const ScalesOf* scales_of(const OperandSpec& spec) const {
    const auto found = std::ranges::find(pointers_.scales, spec.name, &ScalesOf::scales);
    return found == pointers_.scales.end() ? nullptr : &*found;
  }
  const Given* given_for(const OperandSpec& spec) const {
    const ScalesOf* scales = scales_of(spec);
    return given(scales == nullptr ? spec.name : scales->operand);
  }
  bool is_pointer(const Given& one) const {
    const text::TypeId type = c_.code.type_of(one.slot);
    return type != kNoType && c_.tree.type(type).kind == TypeKind::Ptr;
  }

  // The form that takes most of what is given. With one form only, what is no pointer is told of below.
  const FormRow* fitting_form() const {
    const FormRow* best = nullptr;
    for (const FormRow& form : row_.forms) {
      const bool fits = std::ranges::all_of(form.operands, [&](const OperandSpec& spec) {
        const Given* one = given_for(spec);
        return one != nullptr && (row_.forms.size() == 1 || (spec.kind == OperandKind::Scalar) != is_pointer(*one));
      });
      if (fits && (best == nullptr || form.operands.size() > best->operands.size())) best = &form;
    }
    return best;
  }

  // What a clause or an attribute says beside values: `sat`, `{transpose = true}`, `pre_relu(mode = normal_relu)`.
  bool read_attributes(Instruction& step) {
    for (const AttributeSpec& spec : row_.attributes) {
      const auto value = value_of(spec);
      if (!value) return false;
      step.attributes.push_back(*value);
    }
    attributes_ = step.attributes;
    return true;
  }
  std::optional<std::uint8_t> value_of(const AttributeSpec& spec) {
    for (const Item& item : c_.tree.items(op_)) {
      if (item.kind == ItemKind::Dict)
        for (const Item& entry : c_.tree.children(item))
          if (c_.tree.tree().name_of(entry) == spec.name) {
            said_.push_back(&entry);
            const std::string_view word = c_.tree.first_word(&entry);
            return word.empty() || word == "true" ? 1 : attribute_number(spec, word == "false" ? "off" : word);
          }
      const std::string_view name = clause_name(item);
      if (name.empty()) continue;
      if (name == spec.name) {
        said_.push_back(&item);
        // `disable_gemv` alone says yes; of dst_mode(%core) the operand says more.
        const std::string_view word = word_of(item);
        return word.empty() ? std::optional<std::uint8_t>(item.kind == ItemKind::Word) : attribute_number(spec, word);
      }
      if (const auto number = attribute_number(spec, name)) {
        said_.push_back(&item);
        return number;
      }
    }
    return 0;
  }
  // Of `nz2nd`, `unit_flag(check_only)`; empty: it is none.
  std::string_view clause_name(const Item& item) const {
    if (item.kind == ItemKind::Group) return c_.tree.tree().name_of(item);
    return item.kind == ItemKind::Word ? c_.tree.text(item) : std::string_view{};
  }
  // `split_m` of dst_mode(split_m), `add` of atomic(type = f32, op = add); empty: there are values only.
  std::string_view word_of(const Item& clause) const {
    for (const Item& child : c_.tree.children(clause)) {
      if (child.kind == ItemKind::Word) return c_.tree.text(child);
      const std::string_view name = child.kind == ItemKind::Named ? c_.tree.tree().name_of(child) : std::string_view{};
      if (name == "mode" || name == "op") return c_.tree.first_word(&child);
    }
    return {};
  }
  // Something that no attribute, no operand and no idle clause is.
  bool says_more() const {
    for (const Item& item : c_.tree.items(op_)) {
      if (item.kind == ItemKind::Dict)
        for (const Item& entry : c_.tree.children(item))
          if (std::ranges::find(said_, &entry) == said_.end()) return true;
      const std::string_view name = clause_name(item);
      if (name.empty() || std::ranges::find(said_, &item) != said_.end()) continue;
      if (!holds_operands(name) && !is_idle(name)) return true;
    }
    return false;
  }
  bool is_idle(std::string_view clause) const {
    return fmt::format(" {} ", pointers_.idle).find(fmt::format(" {} ", clause)) != std::string::npos;
  }
  bool holds_operands(std::string_view clause) const {
    for (const SignatureOperand& operand : text::signature(op_.code).forms.front().operands)
      if (operand.sort == OperandSort::Clause && operand.name == clause)
        return std::ranges::any_of(operand.operands, [&](const SignatureOperand& one) {
          return std::ranges::any_of(row_.forms, [&](const FormRow& form) {
            return std::ranges::find(form.operands, one.name, &OperandSpec::name) != form.operands.end();
          });
        });
    return false;
  }

  bool add(Instruction& step, const OperandSpec& spec, const Given& given) {
    if (spec.kind == OperandKind::Scalar) {
      const text::TypeId type = c_.code.type_of(given.slot);
      const auto dtype = type == kNoType ? std::nullopt : text::dtype(c_.tree.type(type).scalar);
      step.operands.push_back({&spec, given.slot, dtype && is_float(*dtype) ? *dtype : DType::I64});
      return true;
    }
    if (!needs_kind(c_, *given.item, given.slot, TypeKind::Ptr, "a pointer")) return false;
    const text::Type& pointer = c_.tree.type(c_.code.type_of(given.slot));
    const auto dtype = text::dtype(pointer.scalar);
    if (!dtype || is_packed(*dtype)) {
      known_by_signature(c_, id_, op_);
      return false;
    }
    if (spec.kind == OperandKind::Global) return add_view(step, spec, given, pointer, *dtype);
    const bool scales = scales_of(spec) != nullptr;
    const TileType type = pointers_.type_of(spec.name, scales ? DType::E8M0 : *dtype, use_);
    if (pointer.word != pointed_space(type)) return refuse_space(spec, given, pointer.word, pointed_space(type));
    const Slot place = scales ? quotient_of(c_, op_.range, given.slot, kScalesPart) : given.slot;
    const Slot tile = c_.tiles.add_pointed(op_.range, c_.tree.text(*given.item), type, {place});
    step.operands.push_back({&spec, tile, type.dtype});
    return true;
  }

  // What pointers call the memories of tiles.
  static std::string_view pointed_space(const TileType& type) {
    switch (type.space()) {
      case Space::Bias: return "bt";
      case Space::Fixpipe: return "fb";
      case Space::L0aScales: return "l0a";
      case Space::L0bScales: return "l0b";
      default: return name(type.space());
    }
  }
  static constexpr std::int64_t kScalesPart = 16;
  bool refuse_space(const OperandSpec& spec, const Given& given, std::string_view word, std::string_view wanted) {
    c_.messages.error(given.item->range, "E-TYPE",
                      fmt::format("{} of {} stands in {}; {} points to {}", spec.name, row_.name, wanted,
                                  c_.tree.text(*given.item), word));
    return false;
  }

  bool add_view(Instruction& step, const OperandSpec& spec, const Given& given, const text::Type& pointer,
                DType dtype) {
    if (pointer.word != "gm") return refuse_space(spec, given, pointer.word, "gm");
    const std::vector<PointedDimension> dimensions = pointers_.view_of(use_);
    std::vector<Slot> shape, strides;
    for (const PointedDimension& one : dimensions) {
      shape.push_back(slot_of(one.count));
      const Slot stride = slot_of(one.stride);
      strides.push_back(one.stride_in_bytes ? quotient_of(c_, op_.range, stride, size_bytes(dtype)) : stride);
    }
    const Slot view = pointed_view(c_, op_.range, given.slot, shape, strides, dtype);
    step.operands.push_back({&spec, view, dtype});
    return true;
  }
  Slot slot_of(std::string_view name) {
    const Given* one = name.empty() ? nullptr : given(name);
    return one == nullptr ? c_.code.constant(1) : one->slot;
  }

  Compilation& c_;
  OpId id_;
  const Op& op_;
  const PointerRow& pointers_;
  const InstructionRow& row_;
  std::vector<Given> given_;
  std::vector<const Item*> said_;  // by an attribute
  std::vector<std::uint8_t> attributes_;
  PointerUse use_{[this](std::string_view name) {
                    const Given* number = given(name);
                    return number != nullptr && c_.code.is_constant(number->slot) ? c_.code.value(number->slot).number()
                                                                                  : std::int64_t{0};
                  },
                  [this](std::string_view name) {
                    const auto found = std::ranges::find(
                        row_.attributes, name, [](const AttributeSpec& one) { return std::string_view(one.name); });
                    return std::int64_t{attributes_.at(static_cast<std::size_t>(found - row_.attributes.begin()))};
                  }};
};

}  // namespace

bool is_pointer_step(text::OpCode code) { return code < text::op_rows().size() && row_of(code) != nullptr; }

DTypeSet pointer_types(text::OpCode code) { return row_of(code)->row->types(Target::A5, {}); }

void pointer_step(Compilation& c, OpId id, const Op& op) { PointerStep(c, id, op).compile(); }

}  // namespace ts
