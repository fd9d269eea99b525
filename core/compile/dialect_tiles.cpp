// Tiles: where they stand, how much of them is valid, and other names for their bytes.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/compile/dialects.h"
#include "core/compile/walk.h"
#include "core/program/literal.h"

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using text::TypeId;
using text::TypeKind;

namespace {

std::string_view result_name(const Compilation& c, const Op& op) {
  return c.tree.value_name(c.tree.results(op).front());
}

// --- pto.alloc_tile ------------------------------------------------------------------------------------------------

struct Clause {
  const char* name;
  const char* dimension;
};
constexpr Clause kAddress{"addr", ""}, kValidRows{"valid_row", "row"}, kValidCols{"valid_col", "col"};

// The slot of a clause that must stand exactly where the type leaves its dimension open. Nothing: told why not.
std::optional<Slot> valid_clause(Compilation& c, const Op& op, const Clause& clause, const TileType& tile) {
  const Item* given = c.tree.find(op, clause.name);
  const bool rows = &clause == &kValidRows;
  const std::int32_t fixed = rows ? tile.valid_rows : tile.valid_cols;
  if (given == nullptr) {
    if (fixed != kDynamic) return kNoSlot;
    c.messages.error(op.name, "E-TILE", fmt::format("v_{0} is '?' but there is no valid_{0} operand", clause.dimension),
                     "valid_row = %r valid_col = %c", "or give numbers in valid=");
    return {};
  }
  if (fixed != kDynamic) {
    const auto size = [](std::int32_t valid) { return valid == kDynamic ? "?" : std::to_string(valid); };
    c.messages.error({given->range.begin, given->name_end}, "E-TILE",
                     fmt::format("{} given but v_{} is static {}", clause.name, clause.dimension, fixed),
                     rows ? fmt::format("drop the clause or use `valid=?x{}`", size(tile.valid_cols))
                          : fmt::format("drop the clause or use `valid={}x?`", size(tile.valid_rows)));
    return {};
  }
  const Slot slot = given->count == 0 ? kNoSlot : c.names.use_or_integer(c.tree.children(*given).front());
  if (slot == kNoSlot) return {};
  return slot;
}

std::optional<Slot> address_clause(Compilation& c, const Op& op) {
  const Item* given = c.tree.find(op, kAddress.name);
  if (given == nullptr) return kNoSlot;
  const Slot slot = given->count == 0 ? kNoSlot : c.names.use_or_integer(c.tree.children(*given).front());
  if (slot == kNoSlot) return {};
  return slot;
}

void alloc_tile(Compilation& c, OpId, const Op& op) {
  const Item* types = c.tree.find(op, ItemKind::Types);
  const TypeId type = c.tree.only_type(types);
  if (type == kNoType || op.result_count != 1) return;
  if (c.tree.type(type).kind != TypeKind::Tile) {
    c.messages.error(c.tree.children(*types).front().range, "E-TYPE",
                     fmt::format("{} is no tile", c.tree.type_text(type)), "!pto.tile_buf<vec, RxCxdtype>");
    return;
  }
  const TileType tile = c.tiles.type_of(type);
  std::optional<Slot> address = address_clause(c, op);
  if (!address) return;
  const std::optional<Slot> rows = valid_clause(c, op, kValidRows, tile);
  if (!rows) return;
  const std::optional<Slot> cols = valid_clause(c, op, kValidCols, tile);
  if (!cols) return;
  const std::uint32_t number = c.tiles.add(result_name(c, op), type);
  c.names.bind_result(op, 0, type, tile_value(number));
  if (*address != kNoSlot) c.tiles.set_placed(number);
  if (*address != kNoSlot && c.code.is_constant(*address)) {
    const std::int64_t fixed = c.code.value(*address).number();
    if (c.tiles.check_address(c.tree.children(*c.tree.find(op, kAddress.name)).front().range, tile, fixed, ""))
      c.tiles[number].address = static_cast<std::uint32_t>(fixed);
    address = kNoSlot;
  }
  c.tiles[number].unset = *rows != kNoSlot || *cols != kNoSlot;
  // Also where nothing is dynamic: in a loop, tassign may have moved the tile of the turn before.
  c.code.emit(CodeKind::PlaceTile, op.range, {*address, *rows, *cols}, {}, number);
}

// The old way to make a tile: rows side by side in the memory that the type names.
void alloc_memref(Compilation& c, OpId, const Op& op) {
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Types));
  if (op.result_count != 1 || type == kNoType || c.tree.type(type).kind != TypeKind::Memref) return;
  if (c.tiles.kind_of(type) == OperandKind::Tile) {
    c.tiles.add_result(c.tree.results(op).front(), type);
    return;
  }
  const auto buffer = static_cast<std::uint32_t>(c.program.buffers.size());
  c.names.bind_result(op, 0, type, c.arguments.host_view(c.tree.type(type), result_name(c, op), buffer));
}

void set_validshape(Compilation& c, OpId, const Op& op) {
  const Item* first = c.tree.first_operand(op);
  const std::vector<Slot> ins = c.names.use_operands(op);
  if (!same_count(c, op, ins.size(), 3, "operands") || any_missing(ins) ||
      !needs_kind(c, *first, ins[0], TypeKind::Tile, "a tile"))
    return;
  const TileType& tile = c.tree.type(c.code.type_of(ins[0])).tile;
  if (tile.valid_rows != kDynamic || tile.valid_cols != kDynamic) {
    c.messages.error(first->range, "E-TILE", fmt::format("{} has a static valid region", c.tree.text(*first)),
                     "a tile of valid=?x?");
    return;
  }
  c.code.emit(CodeKind::SetValid, op.range, ins);
}

// --- pto.subset ----------------------------------------------------------------------------------------------------

// The type of a part with these sizes; nothing: told why there is none.
std::optional<TileType> part_type(Compilation& c, const TileType& whole, const Item& sizes) {
  const auto rows = parse_integer(c.tree.text(c.tree.children(sizes)[0])),
             cols = parse_integer(c.tree.text(c.tree.children(sizes)[1]));
  if (!rows || !cols || *rows <= 0 || *cols <= 0 || *rows > whole.rows || *cols > whole.cols) {
    c.messages.error(sizes.range, "E-TILE", fmt::format("no part of a tile of {}x{}", whole.rows, whole.cols),
                     "two numbers no larger than the tile");
    return {};
  }
  const bool by_rows = whole.blayout == BoxOrder::RowMajor;
  if (whole.boxed() && (by_rows ? *cols != whole.cols : *rows != whole.rows)) {
    c.messages.error(
        sizes.range, "E-TILE",
        fmt::format("a part of a {} tile keeps all {}", whole.layout_name(), by_rows ? "columns" : "rows"));
    return {};
  }
  TileType part = whole;
  part.rows = static_cast<std::uint32_t>(*rows);
  part.cols = static_cast<std::uint32_t>(*cols);
  const bool one_line = (by_rows ? part.rows : part.cols) == 1;
  part.pitch = whole.boxed() || one_line ? 0 : whole.line_pitch();
  part.valid_rows = part.valid_cols = kDynamic;
  return part;
}

// %s = pto.subset %t[%i, %j] sizes [R, C] : T
void subset(Compilation& c, OpId, const Op& op) {
  const Item *element = c.tree.find(op, ItemKind::Element), *sizes = c.tree.find(op, ItemKind::List);
  if (const Item* named = c.tree.find(op, "sizes"); sizes == nullptr && named != nullptr && named->count != 0)
    sizes = &c.tree.children(*named).front();
  if (element == nullptr || sizes == nullptr || c.tree.children(*element).size() != 3 || sizes->count != 2 ||
      op.result_count != 1) {
    c.messages.error(op.name, "E-SYNTAX", "pto.subset needs a tile with two offsets, and two sizes",
                     "%t[%i, %j] sizes [R, C]");
    return;
  }
  const auto parts = c.tree.children(*element);
  const std::vector<Slot> ins{c.names.use(parts[0]), c.names.use_or_integer(parts[1]),
                              c.names.use_or_integer(parts[2])};
  if (any_missing(ins) || !needs_kind(c, parts[0], ins[0], TypeKind::Tile, "a tile")) return;
  // A window of a window is one of what that is, not of the type that was written first.
  const Value parent = c.code.value(ins[0]);
  const TileType whole = parent.known() ? c.tiles[parent.bits].type : c.tiles.type_of(c.code.type_of(ins[0]));
  const std::optional<TileType> part = part_type(c, whole, *sizes);
  if (!part) return;
  const std::uint32_t number = c.tiles.declare_alias({.name = std::string(result_name(c, op)), .type = *part});
  c.code.emit(CodeKind::Window, op.range, ins, {}, number);
  c.names.bind_result(op, 0, c.code.type_of(ins[0]), tile_value(number));
}

// --- other names for a tile's bytes --------------------------------------------------------------------------------

// The same bytes as a tile of another shape (treshape) or element type (bitcast).
void alias_tile(Compilation& c, OpId, const Op& op) {
  const Item *source = c.tree.find(op, ItemKind::Use), *arrow = c.tree.find(op, ItemKind::Arrow);
  const TypeId type = c.tree.only_type(arrow);
  if (source == nullptr || type == kNoType || op.result_count != 1) return;
  const Slot slot = c.names.use(*source);
  if (!needs_kind(c, *source, slot, TypeKind::Tile, "a tile")) return;
  const text::SourceRange where = c.tree.children(*arrow).front().range;
  if (c.tree.type(type).kind != TypeKind::Tile) {
    c.messages.error(where, "E-TYPE", fmt::format("{} is no tile", c.tree.type_text(type)));
    return;
  }
  const TileType from = c.tiles.type_of(c.code.type_of(slot)), to = c.tiles.type_of(type);
  if (from.size_bytes() != to.size_bytes() || from.loc != to.loc || from.boxed() != to.boxed()) {
    c.messages.error(where, "E-TILE",
                     fmt::format("{} of {} bytes cannot stand for {} of {}", to.describe(), to.size_bytes(),
                                 from.describe(), from.size_bytes()),
                     "the same location, bytes and kind of layout");
    return;
  }
  const bool open = to.valid_rows == kDynamic || to.valid_cols == kDynamic;
  const std::uint32_t number = c.tiles.add_alias(result_name(c, op), type, open);
  c.code.emit(CodeKind::Alias, op.range, {slot}, {}, number);
  c.names.bind_result(op, 0, type, tile_value(number));
}

// Three spellings: the directive, read beforehand; `%r = pto.tassign %t, %addr : T -> T`, another tile at that address;
// `pto.tassign %t, %addr`, a step that moves the tile.
void assign_tile(Compilation& c, OpId id, const Op& op) {
  if (c.tree.find(op, ItemKind::Address) != nullptr) return;
  if (op.result_count == 0) return catalogue_instruction(c, id, op);
  const Item* first = c.tree.first_operand(op);
  const std::vector<Slot> ins = c.names.use_operands(op);
  if (!same_count(c, op, ins.size(), 2, "operands") || any_missing(ins) ||
      !needs_kind(c, *first, ins[0], TypeKind::Tile, "a tile"))
    return;
  const TypeId type = c.code.type_of(ins[0]);
  const std::uint32_t number = c.tiles.add_alias(result_name(c, op), type, true);
  if (c.code.is_constant(ins[1]))
    c.tiles.check_address(op.range, c.tiles.type_of(type), c.code.value(ins[1]).number(), "");
  c.code.emit(CodeKind::Rebase, op.range, ins, {}, number);
  c.names.bind_result(op, 0, type, tile_value(number));
}

}  // namespace

std::span<const DialectRow> tile_dialect() {
  static constexpr DialectRow kRows[] = {
      {OpKind::AllocTile, alloc_tile},
      {OpKind::SetValidShape, set_validshape},
      {OpKind::Subset, subset},
      {OpKind::AliasTile, alias_tile},
      {OpKind::AssignTile, assign_tile},
      {OpKind::AllocMemref, alloc_memref},
      {OpKind::FreeMemref, [](Compilation&, OpId, const Op&) {}},
  };
  return kRows;
}

}  // namespace ts
