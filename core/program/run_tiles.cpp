// Tiles: where they stand, how much of them is valid.
#include <fmt/format.h>

#include <algorithm>

#include "core/program/run_code.h"

namespace ts {
namespace {

// What the type of an alias leaves open is as in `from`. Beside a fixed dimension of another shape it is what makes as
// many valid elements: a column of ten seen as a line is a line of ten.
void take_valid_shape(const TileType& type, const TileType& parent, const Environment::TileState& from,
                      Environment::TileState& now) {
  const bool rows_fixed = type.valid_rows != kDynamic, cols_fixed = type.valid_cols != kDynamic;
  if (!rows_fixed) now.valid_rows = from.valid_rows;
  if (!cols_fixed) now.valid_cols = from.valid_cols;
  if (rows_fixed == cols_fixed || (type.rows == parent.rows && type.cols == parent.cols)) return;
  std::uint32_t& open = rows_fixed ? now.valid_cols : now.valid_rows;
  const std::uint32_t fixed = rows_fixed ? now.valid_rows : now.valid_cols, most = rows_fixed ? type.cols : type.rows;
  const std::uint64_t elements = std::uint64_t{from.valid_rows} * from.valid_cols;
  open = fixed == 0 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>((elements + fixed - 1) / fixed, most));
}

// The sizes that a statement gives.
bool check_valid(WalkState& state, const CodeOp& op, const TileDecl& tile, const Environment::TileState& now) {
  const bool rows = now.valid_rows > tile.type.rows;
  if (!rows && now.valid_cols <= tile.type.cols) return true;
  return state.fail(op.pos, "V60-12",
                    fmt::format("%{}: valid {} exceeds {} {}", tile.name, rows ? now.valid_rows : now.valid_cols,
                                rows ? tile.type.rows : tile.type.cols, rows ? "rows" : "columns"),
                    "a valid region is no larger than its tile; make the tile larger, or the part smaller");
}

}  // namespace

bool place_tile(WalkState& state, const CodeOp& op) {
  const TileDecl& tile = state.program.tiles[op.data];
  Environment::TileState now{tile.address, tile.valid_rows, tile.valid_cols, true};
  std::uint32_t* const fields[] = {&now.address, &now.valid_rows, &now.valid_cols};
  for (std::size_t i = 0; i < 3; ++i) {
    if (state.in(op, i) == kNoSlot) continue;
    const Value value = state.value_in(op, i);
    if (!value.known()) {
      now.known = false;
      continue;
    }
    if (value.number() < 0 || value.number() > 0x7FFFFFFF)
      return state.fail(op.pos, "E-TILE",
                        fmt::format("%{}: {} is {}", tile.name,
                                    i == 0   ? "its address"
                                    : i == 1 ? "valid_row"
                                             : "valid_col",
                                    value.number()));
    *fields[i] = static_cast<std::uint32_t>(value.bits);
  }
  if (!check_valid(state, op, tile, now)) return false;
  if (op.type != 0 && state.in(op, 0) != kNoSlot)  // one of several stands behind the others
    now.address = clamped(now.address + std::int64_t{op.type} * static_cast<std::int64_t>(tile.type.size_bytes()));
  state.set_tile(op.data, now);
  return true;
}

void get_valid(WalkState& state, const CodeOp& op) {
  const Value tile = state.value_in(op, 0);
  const Environment::TileState now = tile.known() ? state.environment.tiles[tile.bits] : Environment::TileState{};
  const bool known = tile.known() && now.known;
  const auto give = [&](std::size_t out, std::uint32_t size) {
    state.slots[state.out(op, out)] = known ? scalar_value(size) : Value{};
  };
  if (op.to != 2) give(0, now.valid_rows);
  if (op.to != 1) give(op.to == 0 ? 1 : 0, now.valid_cols);
}

bool pick_tile(WalkState& state, const CodeOp& op) {
  const Value first = state.value_in(op, 0), which = state.value_in(op, 1);
  if (which.known() && (which.number() < 0 || which.number() >= op.data))
    return state.fail(op.pos, "V60-22", fmt::format("slot {} outside 0..{}", which.number(), op.data - 1),
                      "the slot's number is not turned round by itself: arith.remsi does that");
  const bool known = first.kind == ValueKind::Tile && which.known();
  state.set_out(op, known ? tile_value(static_cast<std::uint32_t>(first.bits + which.bits)) : Value{});
  return true;
}

bool set_valid(WalkState& state, const CodeOp& op) {
  const Value tile = state.value_in(op, 0), rows = state.value_in(op, 1), cols = state.value_in(op, 2);
  if (!tile.known()) return true;
  Environment::TileState now = state.environment.tiles[tile.bits];
  now.known = rows.known() && cols.known();
  const TileDecl& decl = state.program.tiles[tile.bits];
  if (now.known) {
    const bool rows_fit = rows.number() >= 0 && rows.number() <= decl.type.rows;
    if (!rows_fit || cols.number() < 0 || cols.number() > decl.type.cols)
      return state.fail(op.pos, "V60-16",
                        fmt::format("%{}: {} {} {} {}", decl.name, rows_fit ? cols.number() : rows.number(),
                                    rows_fit ? "columns" : "rows",
                                    (rows_fit ? cols : rows).number() < 0 ? "are fewer than none of" : "exceed",
                                    rows_fit ? decl.type.cols : decl.type.rows),
                        fmt::format("0x0 to {}x{} may be valid of it", decl.type.rows, decl.type.cols));
    now.valid_rows = static_cast<std::uint32_t>(rows.bits);
    now.valid_cols = static_cast<std::uint32_t>(cols.bits);
  }
  state.set_tile(static_cast<std::uint32_t>(tile.bits), now);
  return true;
}

// A part of a tile. Its valid region is what the part has of the tile's, unless the statement says it; then that must lie
// in the tile, and the rest of the part may reach beyond.
bool window(WalkState& state, const CodeOp& op) {
  const auto known = [&](std::size_t i) { return state.in(op, i) == kNoSlot || state.value_in(op, i).known(); };
  for (std::size_t i = 0; i < op.ins; ++i) {
    if (known(i)) continue;
    state.set_tile(op.data, {0, 0, 0, false});
    return true;
  }
  const auto parent = static_cast<std::uint32_t>(state.value_in(op, 0).bits);
  const TileDecl& of = state.program.tiles[parent];
  const TileType &whole = of.type, &part = state.program.tiles[op.data].type;
  const std::int64_t row = state.value_in(op, 1).number(), col = state.value_in(op, 2).number();
  const bool says = op.ins == 5;
  const std::int64_t rows = says ? state.value_in(op, 3).number() : part.rows,
                     cols = says ? state.value_in(op, 4).number() : part.cols;
  if (says && (rows < 0 || rows > part.rows || cols < 0 || cols > part.cols))
    return state.fail(op.pos, "V60-12",
                      fmt::format("valid {}x{} exceeds the part's {}x{}", rows, cols, part.rows, part.cols),
                      "sizes [R, C] must hold the valid part");
  const bool fits =
      row >= 0 && col >= 0 && row <= std::int64_t{whole.rows} - rows && col <= std::int64_t{whole.cols} - cols;
  if (!fits && (!says || (rows != 0 && cols != 0) || row < 0 || col < 0 || row > whole.rows || col > whole.cols))
    return state.fail(op.pos, says ? "V60-17" : "E-TILE",
                      says ? fmt::format("valid part {}x{} at ({}, {}) leaves the {}x{} tile %{}", rows, cols, row, col,
                                         whole.rows, whole.cols, of.name)
                           : fmt::format("{}x{} at [{}, {}] is not inside %{}, which is {}x{}", rows, cols, row, col,
                                         of.name, whole.rows, whole.cols),
                      says ? "make the valid part smaller at the tile's end; sizes may stay" : "");
  if (rows != 0 && cols != 0 && !may_begin_at(whole, row, col)) {
    const Box box = box_of(whole);
    return state.fail(
        op.pos, "V60-18",
        fmt::format("a part of %{} at ({}, {}) cuts boxes of {}x{}", of.name, row, col, box.rows, box.cols),
        fmt::format("begin it at multiples of them; of {} tiles {} may begin anywhere", whole.layout_name(),
                    may_begin_at(whole, 1, 0)   ? "rows"
                    : may_begin_at(whole, 0, 1) ? "columns"
                                                : "neither rows nor columns"));
  }
  const Environment::TileState& from = state.environment.tiles[parent];
  const auto left = [](std::uint32_t valid, std::int64_t offset, std::uint32_t size) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{valid} - offset, 0, size));
  };
  const TileRef parent_tile{whole, from.address, from.valid_rows, from.valid_cols};
  const bool empty = row == whole.rows || col == whole.cols;  // behind the last element
  const std::uint32_t address =
      empty ? from.address : parent_tile.at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col));
  state.set_tile(op.data,
                 {address, says ? static_cast<std::uint32_t>(rows) : left(from.valid_rows, row, part.rows),
                  says ? static_cast<std::uint32_t>(cols) : left(from.valid_cols, col, part.cols), from.known});
  return true;
}

// The same bytes under another type, or the same type at other bytes.
void alias_tile(WalkState& state, const CodeOp& op) {
  const Value parent = state.value_in(op, 0);
  const TileDecl& decl = state.program.tiles[op.data];
  Environment::TileState now{0, decl.valid_rows, decl.valid_cols, parent.known()};
  if (parent.known()) {
    const Environment::TileState& from = state.environment.tiles[parent.bits];
    now.address = from.address;
    now.known = from.known;
    if (decl.unset) take_valid_shape(decl.type, state.program.tiles[parent.bits].type, from, now);
  }
  if (op.kind == CodeKind::Rebase) {
    const Value address = state.value_in(op, 1);
    now.known = now.known && address.known();
    now.address = clamped(address.number());
  }
  state.set_tile(op.data, now);
}

// The first place that no value stands in which may still be needed.
void pick_register(WalkState& state, const CodeOp& op) {
  const RegisterPlaces& places = state.program.register_places[op.data];
  std::uint32_t tile = places.first;
  const auto is_held = [&](Slot slot) {
    return state.slots[slot].kind == ValueKind::Tile && state.slots[slot].bits == tile;
  };
  while (tile + 1 < places.first + places.count && std::ranges::any_of(places.handed_on, is_held)) ++tile;
  state.set_out(op, tile_value(tile));
}

// What stands behind a pointer, index elements on. An address beyond every memory is told by whoever goes there.
void point_tile(WalkState& state, const CodeOp& op) {
  const TileDecl& decl = state.program.tiles[op.data];
  Environment::TileState now{0, decl.valid_rows, decl.valid_cols, state.all_known(op)};
  if (now.known) {
    const std::int64_t index = op.ins > 1 ? state.value_in(op, 1).number() : 0;
    now.address =
        clamped(state.value_in(op, 0).number() + index * static_cast<std::int64_t>(size_bytes(decl.type.dtype)));
  }
  state.set_tile(op.data, now);
}

}  // namespace ts
