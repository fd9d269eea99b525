// Instructions of the catalogue: a statement becomes a step.
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/left_out.h"
#include "core/compile/dialects.h"
#include "core/compile/signature_check.h"
#include "core/compile/statements.h"
#include "core/program/literal.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::ScalarKind;
using text::TypeId;
using text::TypeKind;

namespace {

bool is_number(const Item& item) { return item.kind == ItemKind::Int || item.kind == ItemKind::Float; }

// --- forms ---------------------------------------------------------------------------------------------------------

// Which scalars an instruction's inputs may be: by position in the first form that has so many inputs.
FormShape shape_of(const InstructionRow& row, std::size_t inputs) {
  FormShape shape;
  for (const FormRow& form : row.forms) {
    const bool with_optional = inputs != form.inputs(false);
    shape = {.results = form.results(), .scalar_in = {}};
    for (const OperandSpec& spec : form.operands)
      if (spec.is_input(with_optional)) shape.scalar_in.push_back(spec.kind == OperandKind::Scalar);
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
      if (spec.is_input(with_optional)) ins += fmt::format("{}{}", ins.empty() ? "" : ", ", spec.name);
    out += ins;
  }
  return out;
}

// A pointer where a part of a view is wanted: told, with how one is made of it. False: it is none.
bool tell_pointer(Compilation& c, const StatementOperand& operand) {
  if (operand.type == kNoType || c.tree.type(operand.type).kind != text::TypeKind::Ptr) return false;
  const std::string_view name = c.tree.text(*operand.item);
  c.messages.error(
      operand.item->range, "E-TYPE",
      fmt::format("{} is a pointer, {}; a part of a view is needed here", name, c.tree.type_text(operand.type)),
      "!pto.partition_tensor_view<...>",
      fmt::format("%v = pto.make_tensor_view {}, shape = [..], strides = [..], and of that pto.partition_view %v, "
                  "offsets = [..], sizes = [..]",
                  name));
  return true;
}

bool is_pointer_for_view(Compilation& c, const InstructionRow& row, const Statement& statement) {
  const auto is_view = [](const OperandSpec& spec) { return spec.kind == OperandKind::Global; };
  const auto takes_view = [&](const FormRow& form) { return std::ranges::any_of(form.operands, is_view); };
  return std::ranges::any_of(row.forms, takes_view) &&
         std::ranges::any_of(statement.ins, [&](const StatementOperand& one) { return tell_pointer(c, one); });
}

void no_form(Compilation& c, const Op& op, const InstructionRow& row, const Statement& statement) {
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const FormRow& candidate : row.forms) {
    least = std::min(least, candidate.inputs(false));
    most = std::max(most, candidate.inputs(true));
  }
  const std::size_t got = statement.ins.size();
  const auto& operands = row.forms.front().operands;
  if (is_pointer_for_view(c, row, statement)) return;
  const std::string hint = operands.empty() ? "" : fmt::format("{} takes {}", row.name, signature_text(row, true));
  if (got >= least && got <= most) {
    const std::size_t results = statement.outs.size();
    c.messages.error(op.name, "E-OPERANDS",
                     fmt::format("{} has no form with these kinds of operands and {} result{}", row.name, results,
                                 results == 1 ? "" : "s"),
                     signature_text(row, got > least), hint);
    return;
  }
  const bool scalar_last =
      std::ranges::any_of(operands, [](const OperandSpec& spec) { return spec.kind == OperandKind::Scalar; });
  c.messages.error(
      statement.operands_end, "E-OPERANDS",
      fmt::format("{} has {} operand{}, needs {}", row.name, got, got == 1 ? "" : "s", got < least ? least : most),
      signature_text(row, got > most), scalar_last && row.forms.size() == 1 ? "the scalar comes last" : hint);
}

// -1: told that there is none.
int choose_form(Compilation& c, const Op& op, const InstructionRow& row, const Statement& statement) {
  std::vector<OperandKind> kinds;
  for (const StatementOperand& operand : statement.ins)
    kinds.push_back(is_number(*operand.item) ? OperandKind::Scalar : c.tiles.kind_of(operand.type));
  const int form = find_form(row, kinds, statement.outs.size());
  if (form < 0) no_form(c, op, row, statement);
  return form;
}

// A vector among the results that no operation reads: its type and its name are looked at, and nothing is kept of it. The
// scratch then goes to the inputs, where one document has it among the results. False: told.
bool take_unread_result(Compilation& c, const Op& op, const InstructionRow& row, Statement& statement) {
  if (row.unread_result.empty() || statement.outs.size() < 2) return true;
  const StatementOperand last = statement.outs.back();
  if (last.type == kNoType || c.tree.type(last.type).kind != TypeKind::Vector) return true;
  if (c.tree.type_text(last.type) != row.unread_result) {
    c.messages.error(last.type_range, "E-TYPE",
                     fmt::format("{} is {}", c.tree.text(*last.item), c.tree.type_text(last.type)),
                     std::string(row.unread_result));
    return false;
  }
  const std::size_t place = statement.outs.size() - 1;
  if (!statement.destinations) c.names.bind_result(op, place, last.type);
  else if (!c.arguments.is_free(*last.item) && c.names.use(*last.item) == kNoSlot) return false;
  statement.outs.pop_back();
  if (statement.outs.size() == 2) {
    statement.ins.push_back(statement.outs.back());
    statement.outs.pop_back();
  }
  return true;
}

// The statement and its form; -1: told what is wrong with it.
int read_form(Compilation& c, const Op& op, const InstructionRow& row, Statement& statement) {
  const auto inputs = static_cast<std::size_t>(std::ranges::count_if(
      c.tree.items(op), [](const Item& item) { return item.kind == ItemKind::Use || is_number(item); }));
  const FormShape shape = shape_of(row, op.form == text::OpForm::Destination && inputs > 0 ? inputs - 1 : inputs);
  if (op.form == text::OpForm::Bare) {
    // How many operands there are is told before their types are dealt out.
    TypeMismatch ignored;
    statement = read_statement(c.tree.tree(), op, shape, ignored);
    if (choose_form(c, op, row, statement) < 0) return -1;
  }
  if (!read_statement(c, op, shape, statement)) return -1;
  tile_goes_out(row, statement);
  if (!take_unread_result(c, op, row, statement)) return -1;
  return choose_form(c, op, row, statement);
}

// --- operands ------------------------------------------------------------------------------------------------------

// Inputs chose the form by their kinds; results did not.
bool of_kind(Compilation& c, const StatementOperand& operand, const OperandSpec& spec) {
  const bool wrong_result = spec.role == Role::Out && c.tiles.kind_of(operand.type) != spec.kind;
  const bool no_integer =
      spec.role == Role::Address && operand.type != kNoType && text::is_float(c.tree.type(operand.type).scalar);
  if (!wrong_result && !no_integer) return true;
  if (wrong_result && spec.kind == OperandKind::Global && tell_pointer(c, operand)) return false;
  const char* wanted = no_integer ? "an integer" : spec.kind == OperandKind::Tile ? "a tile" : "a view";
  c.messages.error(
      operand.type_range, "E-TYPE",
      fmt::format("{} is {}, needs {}", c.tree.text(*operand.item), c.tree.type_text(operand.type), wanted));
  return false;
}

Slot literal_slot(Compilation& c, const Item& item, TypeId type, std::optional<ScalarKind> element) {
  const ScalarKind kind = type == kNoType ? element.value_or(ScalarKind::I64) : c.tree.type(type).scalar;
  if (const auto bits = parse_scalar(c.tree.text(item), kind)) return c.code.new_slot(type, scalar_value(*bits));
  c.messages.error(item.range, "E-NUMBER", fmt::format("{} does not fit {}", c.tree.text(item), text::name(kind)));
  return kNoSlot;
}

// The value of an input or the tile of a result; a name that nothing makes is an input of a bare file.
Slot operand_slot(Compilation& c, const Statement& statement, const StatementOperand& operand, const OperandSpec& spec,
                  std::optional<ScalarKind> element) {
  const Item& item = *operand.item;
  TypeId type = operand.type;
  if (is_number(item) || item.kind == ItemKind::Bool) return literal_slot(c, item, type, element);
  const bool result = !statement.destinations && spec.role == Role::Out;
  if (item.kind != ItemKind::Use && item.kind != ItemKind::Def) {
    c.messages.error(item.range, "E-OPERANDS", fmt::format("{} cannot be {}", c.tree.text(item), spec.name), "a value");
    return kNoSlot;
  }
  const auto is = [&](TypeKind kind) { return type != kNoType && c.tree.type(type).kind == kind; };
  const Names::Binding* known = c.names.find(item);
  if (is(TypeKind::Elided) && known != nullptr && known->slot != kNoSlot && !result) type = c.code.type_of(known->slot);
  if (is(TypeKind::Elided)) {
    refuse_elided(c, operand);
    return kNoSlot;
  }
  if (result) return c.tiles.add_result(item, type);
  if (c.arguments.is_free(item)) {
    // What is only written needs nothing from outside.
    const bool only_written = spec.role == Role::Out && is(TypeKind::Tile);
    return only_written ? c.tiles.add_result(item, type) : c.arguments.bind_free_name(item, type, element);
  }
  const Slot slot = c.names.use(item);
  return slot != kNoSlot && has_stated_type(c, item, type, operand.type_range, slot) ? slot : kNoSlot;
}

// A number among the attributes; 0 where it is left out.
bool bind_attribute(Compilation& c, const Statement& statement, const OperandSpec& spec, Instruction& instruction) {
  const StatementAttribute* given = statement.attribute(spec.name);
  const std::string_view word = given == nullptr          ? "0"
                                : given->value == nullptr ? ""
                                                          : word_of(c.tree.tree(), *given->value);
  const auto bits = parse_scalar(word, ScalarKind::I32);
  if (!bits) {
    c.messages.error(given->value == nullptr ? given->named->range : given->value->range, "E-ATTRIBUTE",
                     fmt::format("{} '{}' is no number of 32 bits", spec.name, word));
    return false;
  }
  instruction.operands.push_back(
      {.spec = &spec, .slot = c.code.new_slot(kNoType, scalar_value(*bits)), .dtype = DType::I32});
  return true;
}

enum class Bind : std::uint8_t { Whole, Failed, NotEmulated };

// The operands of an instruction, in the order of its form. Not emulated: of a type that no lowering knows.
Bind bind_operands(Compilation& c, const Statement& statement, Instruction& instruction) {
  const FormRow& form = instruction.row->forms[instruction.form];
  const bool with_optional = statement.ins.size() != form.inputs(false);
  // A scalar without a type of its own has that of the tiles.
  std::optional<ScalarKind> element;
  for (const StatementOperand& operand : statement.ins)
    if (c.tiles.kind_of(operand.type) == OperandKind::Tile) element = c.tree.type(operand.type).scalar;
  std::size_t next_in = 0, next_out = 0;
  bool whole = true, emulated = true;
  for (const OperandSpec& spec : form.operands) {
    if (spec.by_attribute) {
      whole = bind_attribute(c, statement, spec, instruction) && whole;
      continue;
    }
    if (spec.role != Role::Out && spec.optional && !with_optional) continue;
    const StatementOperand& operand = spec.role == Role::Out ? statement.outs[next_out++] : statement.ins[next_in++];
    const bool scalar = spec.kind == OperandKind::Scalar;
    const Slot slot = of_kind(c, operand, spec)
                          ? operand_slot(c, statement, operand, spec, scalar ? element : std::nullopt)
                          : kNoSlot;
    whole = whole && slot != kNoSlot;
    if (slot == kNoSlot) continue;
    const TypeId type = c.code.type_of(slot) != kNoType ? c.code.type_of(slot) : operand.type;
    const auto dtype = type != kNoType ? text::dtype(c.tree.type(type).scalar)
                       : element       ? text::dtype(*element)
                                       : std::nullopt;
    emulated = emulated && (dtype || scalar);
    if (spec.role != Role::Tmp) c.tiles.touch(slot);
    instruction.operands.push_back({.spec = &spec, .slot = slot, .dtype = dtype.value_or(DType::I64)});
    instruction.fixed = instruction.fixed && !c.code.is_variable(slot);
  }
  return !whole ? Bind::Failed : emulated ? Bind::Whole : Bind::NotEmulated;
}

// Hints for the assembler that mean nothing to a result.
bool is_ignored(std::string_view attribute) {
  constexpr std::string_view kIgnored[] = {"layout",
                                           "pto.inferred_layout",
                                           "stPhase",
                                           "accPhase",
                                           "precision_mode",
                                           "operandSegmentSizes",
                                           "resultSegmentSizes",
                                           "precisionType",
                                           "src0eqdst",
                                           "highPrecision"};
  return std::ranges::find(kIgnored, attribute) != std::end(kIgnored);
}

bool is_operand(const Instruction& instruction, std::string_view attribute) {
  return std::ranges::any_of(instruction.operands, [&](const OperandUse& use) {
    return use.spec->by_attribute && use.spec->name == attribute;
  });
}

// What the library would compute otherwise for it, nobody says; the default asks for nothing.
void note_precision(Compilation& c, const Instruction& instruction, const StatementAttribute& given) {
  const std::string_view word = given.value == nullptr ? std::string_view{} : word_of(c.tree.tree(), *given.value);
  if (word.ends_with("default")) return;
  c.messages.tell(Severity::Note, given.named->range, "E-ATTRIBUTE",
                  fmt::format("{}: precisionType = {} is taken and changes nothing here", instruction.row->name, word),
                  "", "what a device computes for it is not known (unverified)");
}

bool set_attributes(Compilation& c, const Statement& statement, Instruction& instruction) {
  const auto& specs = instruction.row->attributes;
  instruction.attributes.assign(specs.size(), 0);
  if (!statement.attributes.empty() && !check_words(c, *statement.op)) return false;
  for (const StatementAttribute& given : statement.attributes) {
    const std::string_view called = given.name == "highPrecision" ? "precision_mode" : given.name;
    if (is_operand(instruction, given.name)) continue;
    const auto spec = std::ranges::find_if(specs, [&](const AttributeSpec& s) { return called == s.name; });
    if (spec == specs.end()) {
      if (given.name == "precisionType") note_precision(c, instruction, given);
      else if (!is_ignored(given.name))
        c.messages.warn(given.named->range, "E-ATTRIBUTE",
                        fmt::format("{} knows no attribute {}; it changes nothing", instruction.row->name, given.name));
      continue;
    }
    const bool unit = given.value == nullptr && called != given.name;
    const std::string_view word = unit                     ? "true"
                                  : given.value == nullptr ? std::string_view{}
                                                           : word_of(c.tree.tree(), *given.value);
    const auto number = attribute_number(*spec, word);
    if (!number) {
      c.messages.error(given.value == nullptr ? given.named->range : given.value->range, "E-ATTRIBUTE",
                       fmt::format("unknown {} '{}'", given.name, word), spec->values);
      return false;
    }
    instruction.attributes[static_cast<std::size_t>(spec - specs.begin())] = *number;
  }
  return true;
}

// --- scratch -------------------------------------------------------------------------------------------------------

// The instruction with every tile as large as it can be: enough for all that its scratch must hold.
std::optional<Bound> bind_widest(Compilation& c, const Instruction& instruction) {
  Bound bound{.row = instruction.row,
              .form = instruction.form,
              .target = c.program.target,
              .options = &c.program.options,
              .pos = instruction.pos,
              .operands = {},
              .attributes = instruction.attributes};
  for (const OperandUse& use : instruction.operands) {
    Operand operand;
    operand.spec = use.spec;
    const Value& value = c.code.value(use.slot);
    if (use.spec->kind == OperandKind::Tile) {
      const TypeId type = c.code.type_of(use.slot);
      if (value.kind != ValueKind::Tile && type == kNoType) return {};
      const TileType tile = value.kind == ValueKind::Tile ? c.tiles[value.bits].type : c.tiles.type_of(type);
      operand.tile = {tile, 0, tile.widest_rows(), tile.widest_cols()};
    }
    bound.operands.push_back(operand);
  }
  return bound;
}

// Whether a statement that names the scratch is still of this form: with another tile it may be of a form before it.
bool can_name_scratch(const InstructionRow& row, std::uint8_t form) {
  std::vector<OperandKind> inputs;
  for (const OperandSpec& spec : row.forms[form].operands)
    if (spec.is_input(true)) inputs.push_back(spec.kind);
  return find_form(row, inputs, row.forms[form].results()) == form;
}

// Scratch that the text leaves out.
void add_scratch(Compilation& c, Instruction& instruction) {
  if (instruction.row->scratch == nullptr) return;
  const std::optional<Bound> bound = bind_widest(c, instruction);
  if (!bound) return;
  for (const auto& [spec, type] : scratch_left_out(*bound)) {
    const std::uint32_t number = c.tiles.declare(
        {.name = fmt::format("{}.{}", spec->name, c.program.instructions.size() + 1), .type = type, .implicit = true});
    c.tiles.set_touched(number);
    instruction.operands.push_back({.spec = spec, .slot = c.code.new_slot(kNoType, tile_value(number))});
    c.messages.tell(
        Severity::Note, c.tree.op(instruction.op).name, "E-SCRATCH",
        fmt::format("{} operand missing; running with an internal scratch of {}", spec->name, type.describe()), "",
        can_name_scratch(*instruction.row, instruction.form)
            ? fmt::format("the assembler's form names it: ins(..., %{} : ..., T)", spec->name)
            : "no text names it");
  }
}

}  // namespace

namespace {

// The types of the tiles that it names, in their order.
std::vector<TileType> tile_types(const Compilation& c, const Op& op) {
  std::vector<TileType> out;
  const auto add = [&](const Item& types) {
    for (const Item& item : c.tree.children(types))
      if (item.kind == ItemKind::Type && c.tree.type(item.first).kind == TypeKind::Tile)
        out.push_back(c.tree.type(item.first).tile);
  };
  for (const Item& item : c.tree.items(op)) {
    if (item.kind == ItemKind::Types || item.kind == ItemKind::Arrow) add(item);
    if (item.kind != ItemKind::Group) continue;
    for (const Item& child : c.tree.children(item))
      if (child.kind == ItemKind::Types) add(child);
  }
  return out;
}

// Legal, and done between memories of the cube core, or into boxes: no lowering does it.
bool has_no_lowering(const Compilation& c, const Op& op) {
  const text::OpRow& row = text::op_row(op.code);
  if (!row.cube_path) return false;
  const bool stores = row.instruction->forms.front().operands.back().kind == OperandKind::Global;
  // A tile in L1 is loaded and stored by this core's engines as well.
  const bool transfer = stores || row.group == text::OpGroup::TileMove;
  const std::vector<TileType> tiles = tile_types(c, op);
  // What has a part for the cube core knows itself which of its moves nobody does yet.
  const bool knows = row.instruction->other_machines != nullptr;
  const auto out_of_reach = [&](const TileType& tile) {
    if (tile.loc != TileLoc::Mat) return tile.loc != TileLoc::Vec && !knows;
    const bool known_boxes = !tile.boxed() || tile.fractal == 512 || tile.in_scale_boxes();
    return (!transfer && !knows) || !known_boxes;
  };
  return std::ranges::any_of(tiles, out_of_reach);
}

bool waits(Compilation& c, const Instruction& instruction) {
  if (instruction.row->waits == nullptr || instruction.row->types(c.program.target, c.program.options).empty())
    return false;
  const std::optional<Bound> bound = bind_widest(c, instruction);
  return bound && instruction.row->waits(*bound);
}

}  // namespace

void catalogue_instruction(Compilation& c, OpId id, const Op& op) {
  if (refused_in_vecscope(c, op)) return;
  if (has_no_lowering(c, op)) return known_by_signature(c, id, op);
  const InstructionRow& row = *text::op_row(op.code).instruction;
  Statement statement;
  const int form = read_form(c, op, row, statement);
  if (form < 0) return;
  Instruction instruction{.row = &row,
                          .form = static_cast<std::uint8_t>(form),
                          .pos = c.messages.position(op.name),
                          .op = id,
                          .operands = {},
                          .attributes = {}};
  const Bind bound = bind_operands(c, statement, instruction);
  if (bound == Bind::Failed || !set_attributes(c, statement, instruction)) return;
  const bool of_cube = text::op_row(op.code).group == text::OpGroup::TileCube;
  if (of_cube && !check_locations(c, statement, text::signature(op.code))) return;
  if (bound == Bind::NotEmulated || waits(c, instruction)) return known_by_signature(c, id, op);
  add_scratch(c, instruction);
  c.code.emit_step(op.range, std::move(instruction));
}

}  // namespace ts
