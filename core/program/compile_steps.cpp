// What becomes a step: instructions of the catalogue, and synchronisation.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/compiler_impl.h"
#include "core/program/execution.h"
#include "core/program/literal.h"
#include "core/program/sync.h"
#include "core/text/signature.h"

namespace ts {

using text::ItemKind;
using text::OpId;
using text::ScalarKind;
using text::TypeKind;

namespace {

// Which scalars an instruction's inputs may be: by place in the first form that has so many inputs.
FormShape shape_of(const InstructionRow& row, std::size_t inputs) {
  FormShape shape;
  for (const FormRow& form : row.forms) {
    const bool with_optional = inputs != form.inputs(false);
    shape = {.results = form.results(), .scalar_in = {}};
    for (const OperandSpec& spec : form.operands)
      if (spec.role != Role::Out && (with_optional || !spec.optional))
        shape.scalar_in.push_back(spec.kind == OperandKind::Scalar);
    if (inputs == shape.scalar_in.size()) break;
  }
  return shape;
}

std::string signature_text(const InstructionRow& row, bool with_optional) {
  std::string out;
  for (const FormRow& form : row.forms) {
    if (!out.empty()) out += "; or ";
    std::string ins;
    for (const OperandSpec& spec : form.operands)
      if (spec.role != Role::Out && (with_optional || !spec.optional))
        ins += fmt::format("{}{}", ins.empty() ? "" : ", ", spec.name);
    out += ins;
  }
  return out;
}

}  // namespace

bool Compiler::statement_of(const Op& op, const FormShape& shape, Statement& out) {
  TypeMismatch mismatch;
  out = read_statement(tree_, op, shape, mismatch);
  if (!mismatch) return true;
  const auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  if (op.result_count == mismatch.operands && !out.destinations && mismatch.types != 0)
    error(mismatch.where, "E-TYPES",
          fmt::format("op has {}, {} given", count(mismatch.operands, "result"), count(mismatch.types, "type")));
  else
    error(mismatch.where, "E-TYPES",
          fmt::format("{} for {}", count(mismatch.types, "type"), count(mismatch.operands, "operand")),
          fmt::format("{} separated by ','", count(mismatch.operands, "type")), "repeat the tile type");
  return false;
}

int Compiler::choose_form(const Op& op, const InstructionRow& row, const Statement& statement) {
  std::vector<OperandKind> kinds;
  for (const StatementOperand& operand : statement.ins) {
    const bool literal = operand.item->kind == ItemKind::Int || operand.item->kind == ItemKind::Float;
    kinds.push_back(literal ? OperandKind::Scalar : kind_of(operand.type));
  }
  const int form = find_form(row, kinds, statement.outs.size());
  if (form >= 0) return form;
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const FormRow& candidate : row.forms) {
    least = std::min(least, candidate.inputs(false));
    most = std::max(most, candidate.inputs(true));
  }
  const std::size_t got = statement.ins.size();
  const std::string hint =
      row.forms.front().operands.empty() ? "" : fmt::format("{} takes {}", row.name, signature_text(row, true));
  if (got < least || got > most) {
    const bool scalar_last = std::ranges::any_of(
        row.forms.front().operands, [](const OperandSpec& spec) { return spec.kind == OperandKind::Scalar; });
    error(statement.operands_end, "E-OPERANDS",
          fmt::format("{} has {} operand{}, needs {}", row.name, got, got == 1 ? "" : "s", got < least ? least : most),
          signature_text(row, got > most), scalar_last && row.forms.size() == 1 ? "the scalar comes last" : hint);
  } else {
    error(op.name, "E-OPERANDS",
          fmt::format("{} has no form with these kinds of operands and {} result{}", row.name, statement.outs.size(),
                      statement.outs.size() == 1 ? "" : "s"),
          signature_text(row, got > least), hint);
  }
  return -1;
}

void Compiler::elided_type(const StatementOperand& operand) {
  error(part_of(operand.type_range, "..."), "E-TYPE", "type parameters are elided", "!pto.tile<RxCxdtype>",
        fmt::format("write the type once; it can be inferred from the definition of {} if that has one",
                    text(*operand.item)));
}

// The value of an input or the tile of a result; a name that nothing makes is an input of a bare file.
Slot Compiler::operand_slot(const Statement& statement, const StatementOperand& operand, const OperandSpec& spec,
                            std::optional<ScalarKind> element) {
  const Item& item = *operand.item;
  TypeId id = operand.type;
  if (item.kind == ItemKind::Int || item.kind == ItemKind::Float || item.kind == ItemKind::Bool) {
    const ScalarKind kind = id == kNoType ? element.value_or(ScalarKind::I64) : type(id).scalar;
    const auto bits = parse_scalar(text(item), kind);
    if (bits) return new_slot(id, scalar_value(*bits));
    error(item.range, "E-NUMBER", fmt::format("{} does not fit {}", text(item), text::name(kind)));
    return kNoSlot;
  }
  const bool result = !statement.destinations && spec.role == Role::Out;
  if (item.kind != ItemKind::Use && item.kind != ItemKind::Def) {
    error(item.range, "E-OPERANDS", fmt::format("{} cannot be {}", text(item), spec.name), "a value");
    return kNoSlot;
  }
  const Binding* known = find_name(name_of(item));
  const bool elided = id != kNoType && type(id).kind == TypeKind::Elided;
  if (elided && known != nullptr && known->slot != kNoSlot && !result) id = slot_types_[known->slot];
  if (id != kNoType && type(id).kind == TypeKind::Elided) {
    elided_type(operand);
    return kNoSlot;
  }
  if (result) return tile_result(item, id);
  // What is only written needs nothing from outside.
  if (known == nullptr && bare_file_ && spec.role == Role::Out && id != kNoType && type(id).kind == TypeKind::Tile)
    return tile_result(item, id);
  if (known == nullptr && bare_file_) return free_name(item, id, element);
  const Slot slot = use(item);
  if (slot == kNoSlot) return kNoSlot;
  const TypeId defined = slot_types_[slot];
  if (defined == kNoType || id == kNoType || defined == id) return slot;
  // A part of a tile has no spelling of its own layout in memory.
  const bool same_tile = type(defined).kind == TypeKind::Tile && type(id).kind == TypeKind::Tile &&
                         (program_.slots[slot].known() && program_.tiles[program_.slots[slot].bits].alias);
  if (same_tile) return slot;
  error(operand.type_range, "E-TYPE", fmt::format("{} is {} here", text(item), type_text(id)), type_text(defined),
        "an operand's type is that of its definition");
  if (known != nullptr)
    out_.back().notes.push_back(
        {position(known->place), fmt::format("{} is defined here as {}", text(item), type_text(defined))});
  return kNoSlot;
}

// A name that nothing makes: in a bare list of statements, what the caller brings along.
Slot Compiler::free_name(const Item& item, TypeId id, std::optional<ScalarKind> element) {
  text::Type its;
  if (id != kNoType) its = type(id);
  if (id == kNoType && element) its.kind = TypeKind::Scalar, its.scalar = *element;
  if (its.kind == TypeKind::Tile) return bind_input(item, ProgramInput::Kind::Tile, id, its);
  if (its.kind == TypeKind::Scalar) return bind_input(item, ProgramInput::Kind::Scalar, id, its);
  if (its.kind == TypeKind::PartitionView || its.kind == TypeKind::TensorView)
    return bind_input(item, ProgramInput::Kind::Buffer, id, its);
  return use(item);  // tells that it is undefined
}

bool Compiler::set_attributes(const Statement& statement, Instruction& instruction) {
  // Hints for the assembler that mean nothing to a result.
  static constexpr std::string_view kIgnored[] = {"layout", "pto.inferred_layout", "stPhase", "precision_mode"};
  const auto& specs = instruction.row->attributes;
  instruction.attributes.assign(specs.size(), 0);
  if (!statement.attributes.empty() && !verify_words(*statement.op)) return false;
  for (const StatementAttribute& given : statement.attributes) {
    const auto spec = std::ranges::find_if(specs, [&](const AttributeSpec& s) { return given.name == s.name; });
    if (spec == specs.end()) {
      if (std::ranges::find(kIgnored, given.name) != std::end(kIgnored)) continue;
      warn(given.named->range, "E-ATTRIBUTE",
           fmt::format("{} knows no attribute {}; it changes nothing", instruction.row->name, given.name));
      continue;
    }
    const std::string_view word = given.value == nullptr ? std::string_view{} : word_of(tree_, *given.value);
    const auto number = attribute_number(*spec, word);
    if (!number) {
      error(given.value == nullptr ? given.named->range : given.value->range, "E-ATTRIBUTE",
            fmt::format("unknown {} '{}'", given.name, word), spec->values);
      return false;
    }
    instruction.attributes[static_cast<std::size_t>(spec - specs.begin())] = *number;
  }
  return true;
}

// Inputs chose the form by their kinds; results did not.
bool Compiler::of_kind(const StatementOperand& operand, const OperandSpec& spec) {
  const bool wrong_result = spec.role == Role::Out && kind_of(operand.type) != spec.kind;
  const bool no_integer =
      spec.role == Role::Address && operand.type != kNoType && text::is_float(type(operand.type).scalar);
  if (!wrong_result && !no_integer) return true;
  error(operand.type_range, "E-TYPE",
        fmt::format("{} is {}, needs {}", text(*operand.item), type_text(operand.type),
                    no_integer                       ? "an integer"
                    : spec.kind == OperandKind::Tile ? "a tile"
                                                     : "a view"));
  return false;
}

bool Compiler::refused_in_vecscope(const Op& op) {
  if (vecscopes_ == 0) return false;
  error(op.name, "E-SCOPE", "tile op inside vecscope", "", "move it out; use `pto.tile_buf_addr` and vlds");
  return true;
}

void Compiler::instruction(OpId id, const Op& op, const InstructionRow& row) {
  if (refused_in_vecscope(op)) return;
  std::size_t inputs = 0;
  for (const Item& item : tree_.op_items(op))
    inputs += item.kind == ItemKind::Use || item.kind == ItemKind::Int || item.kind == ItemKind::Float ? 1 : 0;
  FormShape shape = shape_of(row, op.form == text::OpForm::Destination && inputs > 0 ? inputs - 1 : inputs);
  Statement statement;
  if (op.form == text::OpForm::Bare) {
    // How many operands there are is told before their types are dealt out.
    TypeMismatch ignored;
    statement = read_statement(tree_, op, shape, ignored);
    if (choose_form(op, row, statement) < 0) return;
  }
  if (!statement_of(op, shape, statement)) return;
  tile_goes_out(row, statement);
  const int form = choose_form(op, row, statement);
  if (form < 0) return;

  Instruction instruction{.row = &row,
                          .form = static_cast<std::uint8_t>(form),
                          .pos = position(op.name),
                          .op = id,
                          .operands = {},
                          .attributes = {}};
  const FormRow& chosen = row.forms[static_cast<std::size_t>(form)];
  const bool with_optional = statement.ins.size() != chosen.inputs(false);
  // A scalar without a type of its own has that of the tiles.
  std::optional<ScalarKind> element;
  for (const StatementOperand& operand : statement.ins)
    if (kind_of(operand.type) == OperandKind::Tile) element = type(operand.type).scalar;
  std::size_t next_in = 0, next_out = 0;
  bool whole = true, emulated = true;
  for (const OperandSpec& spec : chosen.operands) {
    if (spec.role != Role::Out && spec.optional && !with_optional) continue;
    const StatementOperand& operand = spec.role == Role::Out ? statement.outs[next_out++] : statement.ins[next_in++];
    const bool scalar = spec.kind == OperandKind::Scalar;
    const Slot slot =
        of_kind(operand, spec) ? operand_slot(statement, operand, spec, scalar ? element : std::nullopt) : kNoSlot;
    whole = whole && slot != kNoSlot;
    if (slot == kNoSlot) continue;
    const TypeId its = slot_types_[slot] != kNoType ? slot_types_[slot] : operand.type;
    const auto dtype = its != kNoType ? text::dtype(type(its).scalar) : element ? text::dtype(*element) : std::nullopt;
    emulated = emulated && (dtype || scalar);
    if (program_.slots[slot].kind == ValueKind::Tile && spec.role != Role::Tmp) touched_[program_.slots[slot].bits] = 1;
    instruction.operands.push_back({.spec = &spec, .slot = slot, .dtype = dtype.value_or(DType::I64)});
    instruction.fixed = instruction.fixed && !variable_[slot];
  }
  if (!whole || !set_attributes(statement, instruction)) return;
  if (!emulated) return missing(id, op);
  program_.instructions.push_back(std::move(instruction));
  add_scratch(program_.instructions.back());
  emit(CodeKind::Step, op.range, {}, {}, static_cast<std::uint32_t>(program_.instructions.size() - 1));
}

void Compiler::add_scratch(Instruction& instruction) {
  if (instruction.row->scratch == nullptr || instruction.row->types(program_.target, program_.options).empty()) return;
  for (const OperandSpec& spec : instruction.row->forms[instruction.form].operands) {
    const bool given =
        std::ranges::any_of(instruction.operands, [&](const OperandUse& use) { return use.spec == &spec; });
    if (!spec.optional || given) continue;
    const std::optional<Bound> bound = bind_widest(instruction);
    const TileType type = bound ? instruction.row->scratch(*bound) : TileType{.rows = 0};
    if (type.rows == 0) continue;
    const std::uint32_t number = declare_tile(
        {.name = fmt::format("{}.{}", spec.name, program_.instructions.size()), .type = type, .implicit = true});
    touched_[number] = 1;
    const Slot slot = new_slot(kNoType, tile_value(number));
    instruction.operands.push_back({.spec = &spec, .slot = slot});
    if (op_id_ != text::kNoId)
      tell(Severity::Note, tree_.ops[op_id_].name, "E-SCRATCH",
           fmt::format("{} operand missing; running with an internal scratch of {}", spec.name, type.describe()), "",
           fmt::format("the assembler's form names it: ins(..., %{} : ..., {})", spec.name, "T"));
  }
}

// The instruction with every tile as large as it can be: enough for all that its scratch must hold.
std::optional<Bound> Compiler::bind_widest(const Instruction& instruction) const {
  Bound bound{.row = instruction.row,
              .form = instruction.form,
              .target = program_.target,
              .options = &program_.options,
              .pos = instruction.pos,
              .operands = {},
              .attributes = instruction.attributes};
  for (const OperandUse& use : instruction.operands) {
    Operand operand;
    operand.spec = use.spec;
    const Value value = program_.slots[use.slot];
    if (use.spec->kind == OperandKind::Tile) {
      const TypeId id = slot_types_[use.slot];
      if (value.kind != ValueKind::Tile && id == kNoType) return {};
      const TileType tile = value.kind == ValueKind::Tile ? program_.tiles[value.bits].type : tile_type(id);
      operand.tile = {tile, 0, tile.widest_rows(), tile.widest_cols()};
    }
    bound.operands.push_back(operand);
  }
  return bound;
}

// --- synchronisation -----------------------------------------------------------------------------------------------

// pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>], pto.barrier <PIPE_ALL>
void Compiler::synchronisation(OpId id, const Op& op, const InstructionRow& row) {
  std::vector<const Item*> words;
  for (const Item& item : tree_.op_items(op)) {
    if (item.kind == ItemKind::List) {
      for (const Item& entry : tree_.children(item)) words.push_back(&entry);
    } else if (item.kind == ItemKind::Enum || item.kind == ItemKind::String || item.kind == ItemKind::Use ||
               item.kind == ItemKind::Word || item.kind == ItemKind::Attr) {
      words.push_back(&item);
    }
  }
  if (!same_count(op, words.size(), row.attributes.size(), "operands")) return;
  Instruction instruction{.row = &row, .pos = position(op.name), .op = id, .operands = {}, .attributes = {}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Item& item = *words[i];
    if (item.kind == ItemKind::Use) {
      const Slot slot = use(item);
      if (slot == kNoSlot) return;
      instruction.operands.push_back({.spec = &kEventOperand, .slot = slot, .dtype = DType::I64});
      instruction.attributes.push_back(0);
      continue;
    }
    const std::string_view word = word_of(tree_, item);
    const int number = sync_value(row.attributes[i], word);
    if (number < 0) {
      const std::string_view values = row.attributes[i].values;
      const bool event = values.starts_with("EVENT_ID0");
      error(item.kind == ItemKind::String ? SourceRange{item.range.begin + 1, item.range.end - 1} : item.range,
            "E-SYNC",
            fmt::format("unknown {} {}",
                        event                                 ? "event"
                        : row.attributes.size() == 1 || i < 2 ? "pipe"
                                                              : "class",
                        word),
            event ? "EVENT_ID0..EVENT_ID7" : std::string(values));
      return;
    }
    instruction.attributes.push_back(static_cast<std::uint8_t>(number));
  }
  program_.instructions.push_back(std::move(instruction));
  emit(CodeKind::Step, op.range, {}, {}, static_cast<std::uint32_t>(program_.instructions.size() - 1));
}

// --- what nobody emulates yet --------------------------------------------------------------------------------------

void Compiler::missing(OpId id, const Op& op) {
  const text::OpRow& row = text::op_rows()[op.code];
  const bool a5 = request_.target == Target::A5;
  if (!row.only.empty() && (row.only == "a5") != a5) {
    error(op.name, "E-TARGET", fmt::format("{} is only supported on {}", row.name, row.only == "a5" ? "A5" : "A2A3"),
          "", fmt::format("the target is {}", name(request_.target)));
    return;
  }
  if (row.group <= text::OpGroup::TileCube && refused_in_vecscope(op)) return;
  verify_signature(op);
  std::vector<Slot> outs;
  for (const Item& result : tree_.results(op)) {
    const std::uint32_t count = std::max<std::uint32_t>(result.extra, 1);
    const Slot first = new_slot(kNoType);
    for (std::uint32_t i = 1; i < count; ++i) new_slot(kNoType);
    for (std::uint32_t i = 0; i < count; ++i) outs.push_back(first + i);
    bind_name(result, first, count);
  }
  // The types of the results, where the operation says them.
  const std::vector<TypeId> types =
      types_of(find(op, find(op, ItemKind::Arrow) != nullptr ? ItemKind::Arrow : ItemKind::Types));
  for (std::size_t i = 0; i < std::min(types.size(), outs.size()); ++i) {
    slot_types_[outs[i]] = types[i];
    if (kind_of(types[i]) != OperandKind::Tile) continue;
    const std::uint32_t tile =
        add_tile(name_of(tree_.results(op)[std::min<std::size_t>(i, op.result_count - 1)]), types[i]);
    program_.slots[outs[i]] = tile_value(tile);
    touched_[tile] = 1;
  }
  touch_tiles(op);
  emit(CodeKind::Missing, op.range, {}, outs, id);
  for (const Item& item : tree_.op_items(op))
    if (item.kind == ItemKind::Region) compile_body(item);
}

// Tiles that such an operation names keep their bytes.
void Compiler::touch_tiles(const Op& op) {
  const auto touch = [&](const Item& item) {
    if (item.kind != ItemKind::Use) return;
    const Binding* binding = find_name(name_of(item));
    if (binding == nullptr) return void(bare_file_ ? kNoSlot : use(item));
    if (binding->slot == kNoSlot) return;
    const Value value = program_.slots[binding->slot];
    if (value.kind == ValueKind::Tile) touched_[value.bits] = 1;
  };
  for (const Item& item : tree_.op_items(op)) {
    touch(item);
    if (item.kind == ItemKind::Group || item.kind == ItemKind::Element)
      for (const Item& child : tree_.children(item)) touch(child);
  }
}

}  // namespace ts
