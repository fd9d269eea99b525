// Operations that are known by their signature only: what they make is unknown, and the run stops at them.
#include <fmt/format.h>

#include <algorithm>

#include "core/compile/dialects.h"
#include "core/compile/signature_check.h"
#include "core/compile/statements.h"
#include "core/compile/walk.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::TypeId;

bool refused_on_target(Compilation& c, const Op& op, const text::OpRow& row) {
  const bool a5 = c.program.target == Target::A5;
  if (row.only.empty() || (row.only == "a5") == a5) return false;
  c.messages.error(op.name, "E-TARGET",
                   fmt::format("{} is only supported on {}", row.name, row.only == "a5" ? "A5" : "A2A3"), "",
                   fmt::format("the target is {}", name(c.program.target)));
  return true;
}

namespace {

std::vector<Slot> bind_results(Compilation& c, const Op& op) {
  std::vector<Slot> outs;
  for (const Item& result : c.tree.results(op)) {
    const std::uint32_t count = result.pack_size();
    const Slot first = c.code.new_slot(kNoType);
    for (std::uint32_t i = 1; i < count; ++i) c.code.new_slot(kNoType);
    for (std::uint32_t i = 0; i < count; ++i) outs.push_back(first + i);
    c.names.bind(result, first, count);
  }
  return outs;
}

// The types of the results, where the operation says them; a tile among them has a place.
void set_types(Compilation& c, const Op& op, const std::vector<Slot>& outs) {
  const Item* arrow = c.tree.find(op, ItemKind::Arrow);
  const std::vector<TypeId> types = c.tree.types_of(arrow != nullptr ? arrow : c.tree.find(op, ItemKind::Types));
  for (std::size_t i = 0; i < std::min(types.size(), outs.size()); ++i) {
    c.code.set_type(outs[i], types[i]);
    if (c.tiles.kind_of(types[i]) != OperandKind::Tile) continue;
    const Item& result = c.tree.results(op)[std::min<std::size_t>(i, op.result_count - 1)];
    const std::uint32_t tile = c.tiles.add(c.tree.value_name(result), types[i]);
    c.code.set_value(outs[i], tile_value(tile));
    c.tiles.set_touched(tile);
  }
}

// Tiles that such an operation names keep their bytes.
void touch_tiles(Compilation& c, const Item& item) {
  switch (item.kind) {
    case ItemKind::Use:
      if (c.arguments.is_free(item)) return;
      if (c.names.find(item) == nullptr) return void(c.names.use(item));  // tells that it is undefined
      return c.tiles.touch(c.names.find(item)->slot);
    case ItemKind::Group:
    case ItemKind::Named:
    case ItemKind::List:
    case ItemKind::Element:
      for (const Item& child : c.tree.children(item)) touch_tiles(c, child);
      return;
    default: return;
  }
}

}  // namespace

void known_by_signature(Compilation& c, OpId id, const Op& op) {
  const text::OpRow& row = text::op_row(op.code);
  if (refused_on_target(c, op, row)) return;
  if (row.group <= text::OpGroup::TileCube && refused_in_vecscope(c, op)) return;
  // Of what only the cube does with an instruction of both, there is no signature here.
  const bool other_form = !op.in_place || row.cube_path;
  if (!other_form) check_signature(c, op);
  const std::vector<Slot> outs = bind_results(c, op);
  set_types(c, op, outs);
  for (const Item& item : c.tree.items(op)) touch_tiles(c, item);
  c.code.emit(CodeKind::Missing, op.range, {}, outs, id);
  for (const Item& item : c.tree.items(op))
    if (item.kind == ItemKind::Region) compile_body(c, item);
}

}  // namespace ts
