// The list of rows on pointers.
#include "core/catalogue/on_pointers.h"

#include <algorithm>
#include <deque>

namespace ts {
namespace {

std::deque<PointerRow>& pointer_rows() {
  static std::deque<PointerRow> rows;
  return rows;
}

}  // namespace

RegisteredOnPointers::RegisteredOnPointers(const PointerRow& row) { pointer_rows().push_back(row); }

PointerUse use_of(const Bound& bound) {
  return {[&bound](std::string_view name) { return static_cast<std::int64_t>(bound.scalar(name).bits); },
          [&bound](std::string_view name) { return std::int64_t{bound.attribute(name)}; }};
}

const PointerRow* find_on_pointers(std::string_view name) {
  const auto& rows = pointer_rows();
  const auto found = std::ranges::find_if(rows, [&](const PointerRow& one) { return name == one.row->name; });
  return found == rows.end() ? nullptr : &*found;
}

void settle_pointed(Bound& bound) {
  if (!bound.row->micro || bound.row->pipe == Pipe::V) return;
  const auto row = std::ranges::find(pointer_rows(), bound.row, &PointerRow::row);
  if (row == pointer_rows().end()) return;
  const PointerUse use = use_of(bound);
  for (Operand& operand : bound.operands) {
    if (operand.spec->kind != OperandKind::Tile) continue;
    operand.tile.type = row->type_of(operand.spec->name, operand.tile.type.dtype, use);
    operand.tile.valid_rows = operand.tile.type.widest_rows();
    operand.tile.valid_cols = operand.tile.type.widest_cols();
  }
}

TileType row_of_bytes(DType type, std::int64_t bytes) {
  constexpr std::int64_t kMost = 1 << 18;
  const std::int64_t size = size_bytes(type);
  return vec_tile(type, 1, static_cast<std::uint32_t>(std::clamp<std::int64_t>(bytes, size, kMost) / size));
}

}  // namespace ts
