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

struct TileClause {
  const char* name;
  const char* dimension;
};
constexpr TileClause kAddress{"addr", ""}, kValidRows{"valid_row", "row"}, kValidCols{"valid_col", "col"};

// The slot of a clause that must stand exactly where the type leaves its dimension open. Nothing: told why not.
std::optional<Slot> valid_clause(Compilation& c, const Op& op, const TileClause& clause, const TileType& tile) {
  const Item* given = c.tree.find(op, clause.name);
  const bool rows = &clause == &kValidRows;
  const std::int32_t fixed = rows ? tile.valid_rows : tile.valid_cols;
  if (given == nullptr) {
    if (fixed != kDynamic) return kNoSlot;
    c.messages.error(op.name, "V60-10", fmt::format("v_{0} is '?' but there is no valid_{0} operand", clause.dimension),
                     "valid_row = %r valid_col = %c", "or give numbers in valid=");
    return {};
  }
  if (fixed != kDynamic) {
    const auto size = [](std::int32_t valid) { return valid == kDynamic ? "?" : std::to_string(valid); };
    c.messages.error(c.tree.tree().name_range(*given), "V60-11",
                     fmt::format("{} given but v_{} is static {}", clause.name, clause.dimension, fixed),
                     rows ? fmt::format("drop the clause or use `valid=?x{}`", size(tile.valid_cols))
                          : fmt::format("drop the clause or use `valid={}x?`", size(tile.valid_rows)));
    return {};
  }
  const Slot slot = given->count == 0 ? kNoSlot : c.names.use_or_integer(c.tree.children(*given).front());
  if (slot == kNoSlot) return {};
  const std::uint32_t most = rows ? tile.rows : tile.cols;
  if (c.code.is_constant(slot) && c.code.value(slot).number() > most) {
    c.messages.error(
        c.tree.children(*given).front().range, "V60-12",
        fmt::format("valid {} exceeds {} {}", c.code.value(slot).number(), most, rows ? "rows" : "columns"),
        fmt::format("0 to {}", most), "a valid region is no larger than its tile");
    return {};
  }
  return slot;
}

std::optional<Slot> address_clause(Compilation& c, const Op& op) {
  const Item* given = c.tree.find(op, kAddress.name);
  if (given == nullptr) return kNoSlot;
  const Slot slot = given->count == 0 ? kNoSlot : c.names.use_or_integer(c.tree.children(*given).front());
  if (slot == kNoSlot) return {};
  return slot;
}

// What pto.alloc_tile and pto.alloc_multi_tile have in common. Nothing: told why.
struct AllocClauses {
  TypeId type = kNoType;
  TileType tile;
  Slot address = kNoSlot, rows = kNoSlot, cols = kNoSlot;
  text::SourceRange address_at;
};
std::optional<AllocClauses> read_clauses(Compilation& c, const Op& op, TypeKind kind) {
  const Item* types = c.tree.find(op, ItemKind::Types);
  AllocClauses read{.type = c.tree.only_type(types), .tile = {}, .address_at = {}};
  if (read.type == kNoType || op.result_count != 1) return {};
  if (c.tree.type(read.type).kind != kind) {
    const bool one = kind == TypeKind::Tile;
    c.messages.error(c.tree.children(*types).front().range, "E-TYPE",
                     fmt::format("{} is no {}", c.tree.type_text(read.type), one ? "tile" : "row of tiles"),
                     one ? "!pto.tile_buf<vec, RxCxdtype>" : "!pto.multi_tile_buf<vec, RxCxdtype, count=2>");
    return {};
  }
  read.tile = c.tiles.type_of(read.type);
  const std::optional<Slot> address = address_clause(c, op);
  if (!address) return {};
  const std::optional<Slot> rows = valid_clause(c, op, kValidRows, read.tile);
  if (!rows) return {};
  const std::optional<Slot> cols = valid_clause(c, op, kValidCols, read.tile);
  if (!cols) return {};
  read.address = *address;
  read.rows = *rows;
  read.cols = *cols;
  if (read.address != kNoSlot) read.address_at = c.tree.children(*c.tree.find(op, kAddress.name)).front().range;
  return read;
}

// One tile, or one of several: `place` says which.
std::uint32_t new_tile(Compilation& c, const Op& op, const AllocClauses& clauses, std::string_view name,
                       std::uint32_t place) {
  const std::uint32_t number = c.tiles.add(name, clauses.type);
  Slot address = clauses.address;
  if (address != kNoSlot) c.tiles.set_placed(number);
  if (address != kNoSlot && c.code.is_constant(address)) {
    const std::int64_t fixed =
        c.code.value(address).number() + place * static_cast<std::int64_t>(clauses.tile.size_bytes());
    if (c.tiles.check_address(clauses.address_at, clauses.tile, fixed, "", "V60-13"))
      c.tiles[number].address = static_cast<std::uint32_t>(fixed);
    address = kNoSlot;
  }
  c.tiles[number].open_address = address != kNoSlot;
  c.tiles[number].unset = clauses.rows != kNoSlot || clauses.cols != kNoSlot;
  // Also where nothing is dynamic: in a loop, tassign may have moved the tile of the turn before.
  c.code.emit(CodeKind::PlaceTile, op.range, {address, clauses.rows, clauses.cols}, {}, number).type =
      static_cast<std::uint8_t>(place);
  return number;
}

void alloc_tile(Compilation& c, OpId, const Op& op) {
  const std::optional<AllocClauses> clauses = read_clauses(c, op, TypeKind::Tile);
  if (!clauses) return;
  const std::uint32_t number = new_tile(c, op, *clauses, result_name(c, op), 0);
  c.names.bind_result(op, 0, clauses->type, tile_value(number));
}

// --- several tiles in one ------------------------------------------------------------------------------------------

void alloc_multi_tile(Compilation& c, OpId, const Op& op) {
  const std::optional<AllocClauses> clauses = read_clauses(c, op, TypeKind::MultiTile);
  if (!clauses) return;
  std::uint32_t first = 0;
  for (std::uint32_t place = 0; place < c.tree.type(clauses->type).dims[0]; ++place) {
    const std::size_t told = c.messages.count();
    const std::uint32_t number = new_tile(c, op, *clauses, fmt::format("{}.{}", result_name(c, op), place), place);
    c.tiles.set_touched(number);
    if (place == 0) first = number;
    if (c.messages.count() != told) break;  // the others would say the same
  }
  c.names.bind_result(op, 0, clauses->type, tile_value(first));
}

// %t = pto.multi_tile_get %m[%k] : M -> T
void multi_tile_get(Compilation& c, OpId, const Op& op) {
  const Item *element = c.tree.find(op, ItemKind::Element), *arrow = c.tree.find(op, ItemKind::Arrow);
  const TypeId type = c.tree.only_type(arrow);
  if (element == nullptr || c.tree.children(*element).size() != 2 || type == kNoType || op.result_count != 1) return;
  const auto parts = c.tree.children(*element);
  const std::vector<Slot> ins{c.names.use(parts[0]), c.names.use_or_integer(parts[1])};
  if (any_missing(ins) || !needs_kind(c, parts[0], ins[0], TypeKind::MultiTile, "several tiles")) return;
  text::Type one = c.tree.type(c.code.type_of(ins[0]));
  const auto count = static_cast<std::uint32_t>(one.dims[0]);
  one.kind = TypeKind::Tile;
  one.dims.clear();
  if (c.tree.type(type) != one) {
    c.messages.error(c.tree.children(*arrow).front().range, "E-TYPE",
                     fmt::format("{} has no {} in it", c.tree.text(parts[0]), c.tree.type_text(type)),
                     c.tree.tree().types.print(one));
    return;
  }
  if (!c.code.is_constant(ins[1]) || !c.code.value(ins[0]).known()) {
    const Slot out = c.names.bind_result(op, 0, type);
    c.code.emit(CodeKind::PickTile, op.range, ins, {out}, count);
    return;
  }
  const std::int64_t place = c.code.value(ins[1]).number();
  if (place < 0 || place >= count) {
    c.messages.error(parts[1].range, "V60-22", fmt::format("slot {} outside 0..{}", place, count - 1),
                     fmt::format("0 to {}", count - 1), "the slot's number is not turned round by itself");
    return;
  }
  const auto tile = static_cast<std::uint32_t>(c.code.value(ins[0]).bits + static_cast<std::uint64_t>(place));
  c.names.bind_result(op, 0, type, tile_value(tile));
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
    c.messages.error(first->range, "V60-15",
                     fmt::format("set_validshape needs a tile with v_row=?, v_col=?; {} has a static valid region",
                                 c.tree.text(*first)),
                     "a tile of valid=?x?", "write v_row=?, v_col=? in its type, and its sizes at alloc_tile");
    return;
  }
  const std::uint32_t most[] = {tile.rows, tile.cols};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!c.code.is_constant(ins[1 + i])) continue;
    const std::int64_t size = c.code.value(ins[1 + i]).number();
    if (size >= 0 && size <= most[i]) continue;
    c.messages.error(first[1 + i].range, "V60-16",
                     fmt::format("{} {} {} {}", size, i == 0 ? "rows" : "columns",
                                 size < 0 ? "are fewer than none of" : "exceed", most[i]),
                     fmt::format("0 to {}", most[i]), "a valid region is no larger than its tile");
    return;
  }
  c.code.emit(CodeKind::SetValid, op.range, ins);
}

// %r, %c = pto.get_validshape %t : T; %r = pto.tile_valid_rows %t : T -> index
void get_validshape(Compilation& c, OpId, const Op& op) {
  const OpKind kind = text::kind_of(op.code);
  const Item* first = c.tree.first_operand(op);
  const std::vector<Slot> ins = c.names.use_operands(op);
  if (!same_count(c, op, ins.size(), 1, "operands") || any_missing(ins) ||
      !same_count(c, op, op.result_count, kind == OpKind::GetValidShape ? 2 : 1, "results") ||
      !needs_kind(c, *first, ins[0], TypeKind::Tile, "a tile"))
    return;
  const TypeId type = c.tree.only_type(c.tree.find(op, ItemKind::Arrow));
  std::vector<Slot> outs;
  for (std::size_t i = 0; i < op.result_count; ++i) outs.push_back(c.names.bind_result(op, i, type));
  c.code.emit(CodeKind::GetValid, op.range, ins, outs).to = kind == OpKind::GetValidShape ? 0
                                                            : kind == OpKind::ValidRows   ? 1
                                                                                          : 2;
}

// --- other names for a tile's bytes --------------------------------------------------------------------------------

// The same bytes as a tile of another shape (treshape) or element type (bitcast).
void alias_tile(Compilation& c, OpId, const Op& op) {
  const Item *source = c.tree.first_operand(op), *arrow = c.tree.find(op, ItemKind::Arrow);
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
    c.messages.error(
        where, "V60-20",
        fmt::format("{} has {} bytes, {} has {}", from.describe(), from.size_bytes(), to.describe(), to.size_bytes()),
        "the same location, bytes and kind of layout",
        "rows * columns * element size must agree; a part of a tile is pto.subview");
    return;
  }
  // A reshaped tile is valid as a whole where its type leaves it open; the same tile in other elements is so as it was.
  const bool reshaped = text::op_row(op.code).instruction != nullptr;
  const bool open = !reshaped && (to.valid_rows == kDynamic || to.valid_cols == kDynamic);
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
      {OpKind::GetValidShape, get_validshape},
      {OpKind::ValidRows, get_validshape},
      {OpKind::ValidCols, get_validshape},
      {OpKind::AllocMultiTile, alloc_multi_tile},
      {OpKind::MultiTileGet, multi_tile_get},
      {OpKind::AliasTile, alias_tile},
      {OpKind::AssignTile, assign_tile},
      {OpKind::AllocMemref, alloc_memref},
      {OpKind::FreeMemref, [](Compilation&, OpId, const Op&) {}},
  };
  return kRows;
}

}  // namespace ts
