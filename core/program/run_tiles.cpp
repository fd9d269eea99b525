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
  state.set_tile(op.data, now);
  return true;
}

bool set_valid(WalkState& state, const CodeOp& op) {
  const Value tile = state.value_in(op, 0), rows = state.value_in(op, 1), cols = state.value_in(op, 2);
  if (!tile.known()) return true;
  Environment::TileState now = state.environment.tiles[tile.bits];
  now.known = rows.known() && cols.known();
  const TileDecl& decl = state.program.tiles[tile.bits];
  if (now.known) {
    if (rows.number() < 0 || rows.number() > decl.type.rows || cols.number() < 0 || cols.number() > decl.type.cols)
      return state.fail(op.pos, "E-TILE",
                        fmt::format("%{}: {}x{} of a tile of {}x{} cannot be valid", decl.name, rows.number(),
                                    cols.number(), decl.type.rows, decl.type.cols));
    now.valid_rows = static_cast<std::uint32_t>(rows.bits);
    now.valid_cols = static_cast<std::uint32_t>(cols.bits);
  }
  state.set_tile(static_cast<std::uint32_t>(tile.bits), now);
  return true;
}

// A part of a tile: its valid region is what the part has of the tile's.
bool window(WalkState& state, const CodeOp& op) {
  if (!state.all_known(op)) {
    state.set_tile(op.data, {0, 0, 0, false});
    return true;
  }
  const auto parent = static_cast<std::uint32_t>(state.value_in(op, 0).bits);
  const TileType &whole = state.program.tiles[parent].type, &part = state.program.tiles[op.data].type;
  const std::int64_t row = state.value_in(op, 1).number(), col = state.value_in(op, 2).number();
  if (row < 0 || col < 0 || row > std::int64_t{whole.rows} - part.rows || col > std::int64_t{whole.cols} - part.cols)
    return state.fail(op.pos, "E-TILE",
                      fmt::format("{}x{} at [{}, {}] is not inside %{}, which is {}x{}", part.rows, part.cols, row, col,
                                  state.program.tiles[parent].name, whole.rows, whole.cols));
  const Environment::TileState& from = state.environment.tiles[parent];
  const auto left = [](std::uint32_t valid, std::int64_t offset, std::uint32_t size) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{valid} - offset, 0, size));
  };
  const TileRef parent_tile{whole, from.address, from.valid_rows, from.valid_cols};
  state.set_tile(op.data, {parent_tile.at(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)),
                           left(from.valid_rows, row, part.rows), left(from.valid_cols, col, part.cols), from.known});
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

}  // namespace ts
