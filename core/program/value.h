// What a name in a program stands for while it runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/isa/dtype.h"
#include "core/tile/operands.h"

namespace ts {

// Every value of a program has a slot; a program without recursion needs each of them once.
using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = 0xFFFFFFFFu;

enum class ValueKind : std::uint8_t {
  Unknown,  // not known yet; when a program is only checked, perhaps never
  Scalar,   // bits
  Tile,     // bits: number of the tile
  View,     // bits: place in the table of views
  Pointer,  // bits: byte address, counted from `buffer` in global memory
  Array,    // bits: number of the scalar unit's array
};

struct Value {
  std::uint64_t bits = 0;
  std::uint32_t buffer = 0;
  ValueKind kind = ValueKind::Unknown;
  bool operator==(const Value&) const = default;
  bool known() const { return kind != ValueKind::Unknown; }
  std::int64_t number() const { return static_cast<std::int64_t>(bits); }
};
constexpr Value scalar_value(std::uint64_t bits) { return {bits, 0, ValueKind::Scalar}; }
constexpr Value tile_value(std::uint32_t tile) { return {tile, 0, ValueKind::Tile}; }
constexpr Value view_value(std::uint32_t view) { return {view, 0, ValueKind::View}; }

// Numbers of a program may be anything; what does not fit 32 bits is beyond every memory, and the rules say so.
constexpr std::uint32_t clamped(std::int64_t value) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, 0xFFFFFFFF));
}

// A view of global memory before its buffer has a place: strides in elements, dimensions padded in front with ones.
struct ViewValue {
  std::uint32_t buffer = 0;
  DType dtype = DType::F32;
  GlobalLayout layout = GlobalLayout::ND;
  bool either = false;  // one column of neighbours that nobody called nd or dn: the tile it meets decides
  std::uint8_t rank = 5;
  std::int64_t offset = 0;  // bytes, in the buffer
  std::array<std::int64_t, 5> shape{1, 1, 1, 1, 1}, stride{1, 1, 1, 1, 1};
};

}  // namespace ts
