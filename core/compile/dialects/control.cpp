// Loops, branches, regions.
#include <fmt/format.h>

#include <algorithm>

#include "core/compile/dialects.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::ScalarKind;

namespace {

// What a loop starts with: `iter_args(%x = %y)`, or the group of scf.while.
std::vector<Slot> initial_values(Compilation& c, const Item* inits) {
  std::vector<Slot> slots;
  if (inits != nullptr)
    for (const Item& init : c.tree.children(*inits)) slots.push_back(c.names.use(c.tree.children(init).back()));
  return slots;
}

// The variables that a loop hands on from turn to turn.
std::vector<Slot> carried_values(Compilation& c, const Item* inits, const std::vector<Slot>& starts) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    slots.push_back(c.code.new_slot(c.code.type_of(starts[i])));
    c.names.bind(c.tree.children(c.tree.children(*inits)[i]).front(), slots.back());
  }
  return slots;
}

// The end of a turn, or of a way: what the region yields goes where it is wanted.
bool hand_on(Compilation& c, const Op& op, const std::vector<Slot>& values, const std::vector<Slot>& to) {
  if (!same_count(c, op, values.size(), to.size(), "yielded values") || any_missing(values)) return false;
  c.code.emit_move(op.range, values, to);
  return true;
}

// --- scf.for -------------------------------------------------------------------------------------------------------

struct ForParts {
  const Item *variable = nullptr, *inits = nullptr, *region = nullptr;
  std::vector<const Item*> bounds;
  bool is_unsigned = false;
};

ForParts parts_of(const Compilation& c, const Op& op) {
  ForParts parts{.inits = c.tree.find(op, "iter_args"), .region = c.tree.find(op, ItemKind::Region), .bounds = {}};
  for (const Item& item : c.tree.items(op)) {
    parts.is_unsigned = parts.is_unsigned || item.kind == ItemKind::Word;
    if (item.kind == ItemKind::Def) parts.variable = &item;
    if (item.kind == ItemKind::Use) parts.bounds.push_back(&item);
  }
  return parts;
}

void for_loop(Compilation& c, OpId, const Op& op) {
  const ForParts parts = parts_of(c, op);
  if (parts.variable == nullptr || parts.bounds.size() != 3 || parts.region == nullptr) return;
  std::vector<Slot> limits;
  for (const Item* bound : parts.bounds) limits.push_back(c.names.use(*bound));
  const std::vector<Slot> starts = initial_values(c, parts.inits);
  if (any_missing(limits) || any_missing(starts)) return;
  if (c.code.is_constant(limits[2]) && c.code.value(limits[2]).number() <= 0) {
    c.messages.error(parts.bounds[2]->range, "E-LOOP",
                     fmt::format("step must be positive; {} is {}", c.tree.text(*parts.bounds[2]),
                                 c.code.value(limits[2]).number()));
    return;
  }
  text::TypeId counter = c.tree.only_type(c.tree.find(op, ItemKind::Types));
  if (counter == kNoType) counter = c.code.type_of(limits[0]);
  const auto kind = static_cast<std::uint8_t>(counter == kNoType ? ScalarKind::Index : c.tree.type(counter).scalar);

  const std::size_t scope = c.names.enter_scope();
  const Slot turn = c.code.new_slot(counter);
  c.names.bind(*parts.variable, turn);
  const std::vector<Slot> carried = carried_values(c, parts.inits, starts);
  c.code.emit_move(op.range, starts, carried);
  const std::uint32_t enter = c.code.here();
  // Turns that nobody knows give what nobody knows.
  std::vector<Slot> made{turn};
  made.insert(made.end(), carried.begin(), carried.end());
  CodeOp& loop = c.code.emit(CodeKind::LoopEnter, op.range, limits, made);
  loop.type = kind;
  loop.to = parts.is_unsigned ? 1 : 0;
  const std::uint32_t body = c.code.here();
  const std::vector<Slot> values = compile_yielding(c, *parts.region, OpKind::Yield);
  c.names.leave_scope(scope);
  if (!hand_on(c, op, values, carried)) return;
  c.code.emit(CodeKind::LoopNext, op.range, {}, made, body).type = kind;
  c.code.set_target(enter, c.code.here());
  bind_pack(c, op, carried);
}

// --- scf.if --------------------------------------------------------------------------------------------------------

// One way of a branch.
bool way(Compilation& c, const Op& op, const Item& region, const std::vector<Slot>& results) {
  const std::size_t scope = c.names.enter_scope();
  const std::vector<Slot> values = compile_yielding(c, region, OpKind::Yield);
  c.names.leave_scope(scope);
  return hand_on(c, op, values, results);
}

void branch(Compilation& c, OpId, const Op& op) {
  const Item *condition = c.tree.find(op, ItemKind::Use), *then_region = nullptr, *else_region = nullptr;
  for (const Item& item : c.tree.items(op))
    if (item.kind == ItemKind::Region) (then_region == nullptr ? then_region : else_region) = &item;
  const std::vector<text::TypeId> types = c.tree.types_of(c.tree.find(op, ItemKind::Arrow));
  if (condition == nullptr || then_region == nullptr) return;
  if (else_region == nullptr && !types.empty()) {
    c.messages.error(op.name, "E-REGION", "results need an else region", "else { ... scf.yield ... }");
    return;
  }
  const Slot test = c.names.use(*condition);
  if (test == kNoSlot) return;
  std::vector<Slot> results;
  for (const text::TypeId id : types) results.push_back(c.code.new_slot(id));
  const std::uint32_t unless = c.code.here();
  c.code.emit(CodeKind::BranchUnless, op.range, {test}, results);
  if (!way(c, op, *then_region, results)) return;
  const std::uint32_t jump = c.code.here();
  c.code.emit(CodeKind::Jump, op.range);
  c.code.set_target(unless, c.code.here());
  if (else_region != nullptr && !way(c, op, *else_region, results)) return;
  c.code.set_target(jump, c.code.here());
  bind_pack(c, op, results);
}

// --- scf.while -----------------------------------------------------------------------------------------------------

// The parameters of the second region's block: what the test handed on.
void bind_block_arguments(Compilation& c, const Item& region, const std::vector<Slot>& slots) {
  if (region.first == text::kNoId) return;
  const text::Tree& tree = c.tree.tree();
  const auto params = tree.args(tree.blocks[region.first]);
  for (std::size_t i = 0; i < std::min(params.size(), slots.size()); ++i)
    c.names.bind(tree.children(params[i]).front(), slots[i]);
}

// { ...; scf.condition(%c) %v } do { ^bb0(%p): ...; scf.yield %w }
void while_loop(Compilation& c, OpId, const Op& op) {
  std::vector<const Item*> regions;
  for (const Item& item : c.tree.items(op))
    if (item.kind == ItemKind::Region) regions.push_back(&item);
  const Item* inits = c.tree.find(op, ItemKind::Group);
  if (regions.size() != 2) return;
  const std::size_t scope = c.names.enter_scope();
  const std::vector<Slot> starts = initial_values(c, inits);
  if (any_missing(starts)) return;
  const std::vector<Slot> before = carried_values(c, inits, starts);
  c.code.emit_move(op.range, starts, before);
  c.code.emit(CodeKind::WhileEnter, op.range, {}, before);
  const std::uint32_t test = c.code.here();
  std::vector<Slot> given = compile_yielding(c, *regions[0], OpKind::Condition);
  if (given.empty())
    c.messages.error(op.name, "E-REGION", "the first region of scf.while ends in scf.condition", "scf.condition(%c)");
  if (given.empty() || any_missing(given)) return;
  const Slot condition = given.front();
  given.erase(given.begin());
  std::vector<Slot> after;
  for (const Slot slot : given) after.push_back(c.code.new_slot(c.code.type_of(slot)));
  c.code.emit_move(op.range, given, after);
  const std::uint32_t leave = c.code.here();
  c.code.emit(CodeKind::WhileTest, op.range, {condition}, after);
  bind_block_arguments(c, *regions[1], after);
  const std::vector<Slot> values = compile_yielding(c, *regions[1], OpKind::Yield);
  c.names.leave_scope(scope);
  if (!hand_on(c, op, values, before)) return;
  c.code.emit(CodeKind::WhileNext, op.range, {}, {}, test);
  c.code.set_target(leave, c.code.here());
  bind_pack(c, op, after);
}

// --- sections ------------------------------------------------------------------------------------------------------

// Asked only where it matters: a file may have many functions, and each is compiled by itself.
bool has_vector_section(Compilation& c) {
  if (!c.has_vector_section)
    c.has_vector_section = std::ranges::any_of(
        c.tree.tree().ops, [](const Op& op) { return text::kind_of(op.code) == OpKind::VectorSection; });
  return *c.has_vector_section;
}

void section(Compilation& c, OpId, const Op& op) {
  if (const Item* region = c.tree.find(op, ItemKind::Region)) compile_body(c, *region);
}

// A core runs its own sections. A program for one core passes over the cube's where it has others.
void cube_section(Compilation& c, OpId id, const Op& op) {
  if (c.kind == CoreKind::Cube || (c.kind == CoreKind::Joint && !has_vector_section(c))) section(c, id, op);
}
void vector_section(Compilation& c, OpId id, const Op& op) {
  if (c.kind != CoreKind::Cube) section(c, id, op);
}

void vecscope(Compilation& c, OpId id, const Op& op) {
  const Item* region = c.tree.find(op, ItemKind::Region);
  if (region == nullptr) return;
  if (c.registers.in_scope()) {
    c.messages.error(op.name, "E-SCOPE", "a vecscope inside of another", "",
                     "end the outer one first: a scope is one launch");
    return;
  }
  c.registers.enter_scope(*region);
  c.code.emit(CodeKind::RegionEnter, op.range);
  section(c, id, op);
  c.code.emit(CodeKind::RegionLeave, op.range);
  c.registers.leave_scope();
}

// It sees its arguments alone.
void strict_vecscope(Compilation& c, OpId id, const Op& op) {
  const Item *region = c.tree.find(op, ItemKind::Region), *group = c.tree.find(op, ItemKind::Group);
  if (region == nullptr) return;
  std::vector<Slot> given;
  if (group != nullptr)
    for (const Item& item : c.tree.children(*group))
      if (item.kind == ItemKind::Use) given.push_back(c.names.use(item));
  if (any_missing(given)) return;
  const text::Tree& tree = c.tree.tree();
  const std::size_t wanted = region->first == text::kNoId ? 0 : tree.args(tree.blocks[region->first]).size();
  if (!same_count(c, op, given.size(), wanted, "operands")) return;
  auto around = c.names.hide();
  const std::size_t scope = c.names.enter_scope();
  bind_block_arguments(c, *region, given);
  vecscope(c, id, op);
  c.names.leave_scope(scope);
  c.names.restore(std::move(around));
}

// Blocks of one region that jump to each other.
void branching_blocks(Compilation& c, OpId, const Op& op) {
  c.messages.error(op.name, "V60-04", "branching blocks are not supported", "scf.if or scf.while",
                   "write scf.if / scf.while: an earlier pass of the assembler has them still");
}

// Ends of regions are read by what they end.

}  // namespace

std::span<const DialectRow> control_dialect() {
  // clang-format off
  static constexpr DialectRow kRows[] = {
      {OpKind::For, for_loop},             {OpKind::If, branch},
      {OpKind::While, while_loop},         {OpKind::Yield, makes_nothing},
      {OpKind::Condition, makes_nothing},  {OpKind::VectorSection, vector_section},
      {OpKind::CubeSection, cube_section}, {OpKind::VecScope, vecscope},
      {OpKind::StrictVecScope, strict_vecscope},
      {OpKind::BlockBranch, branching_blocks},
  };
  // clang-format on
  return kRows;
}

}  // namespace ts
