// Registers and predicates as plain bytes, for machines that keep them in memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/engine/lane_types.h"
#include "core/isa/target.h"

namespace ts {

// The C library's copy, which moves as much at once as the host can. A copy that g++ makes inline moves 16 bytes, and a
// wider load that comes soon after waits for all of them.
void copy_widely(void* to, const void* from, std::size_t size);

// A register's value. It is made by whoever fills it, so it is not cleared first.
struct Block {
  Block() {}
  Block(const Block& other) { copy_widely(bytes, other.bytes, VL); }
  Block& operator=(const Block& other) {
    copy_widely(bytes, other.bytes, VL);
    return *this;
  }
  alignas(64) std::uint8_t bytes[VL];
};

// A predicate's raw image: one bit per byte of a register. A lane of s bytes is on iff the lowest of its s bits is.
struct VPred {
  std::uint64_t word[4];
};
struct VPredPair {
  VPred lo, hi;
};

// The element type of lanes, where a template knows it ...
template <class T>
struct Lane {
  using type = T;
  constexpr operator DType() const { return dtype_of<T>; }
  static constexpr std::uint32_t bytes() { return sizeof(T); }
  static constexpr std::uint32_t lanes() { return VL / sizeof(T); }
};
// ... and where only the instruction does.
struct AnyLane {
  DType dtype = DType::U8;
  operator DType() const { return dtype; }
  std::uint32_t bytes() const { return size_bytes(dtype); }
  std::uint32_t lanes() const { return VL / bytes(); }
};
template <class T>
using LaneOf = std::conditional_t<std::is_same_v<T, AnyLane>, AnyLane, Lane<T>>;

// The unsigned type of the same size: lanes' bits without their meaning.
constexpr DType bits_of(DType type) {
  switch (size_bytes(type)) {
    case 1: return DType::U8;
    case 2: return DType::U16;
    case 4: return DType::U32;
    default: return DType::U64;
  }
}
constexpr AnyLane bits_of(AnyLane lane) { return {bits_of(lane.dtype)}; }
template <class T>
constexpr Lane<BitsOf<T>> bits_of(Lane<T>) {
  return {};
}

inline bool lane_is_on(const VPred& pred, std::uint32_t first_byte) {
  return pred.word[first_byte / 64] >> (first_byte % 64) & 1;
}
inline bool block_active(const VPred& pred, std::uint32_t block) {
  return (pred.word[block / 2] >> (block % 2 * 32) & 0xFFFFFFFFull) != 0;
}
inline void set_bit(VPred& pred, std::uint32_t bit) { pred.word[bit / 64] |= 1ull << (bit % 64); }
inline constexpr std::uint64_t lane_bits(std::uint32_t width) {
  return width == 1   ? ~0ull
         : width == 2 ? 0x5555555555555555ull
         : width == 4 ? 0x1111111111111111ull
                      : 0x0101010101010101ull;
}
inline bool all_on(const VPred& pred, std::uint32_t width) {
  const std::uint64_t lanes = lane_bits(width);
  return (pred.word[0] & pred.word[1] & pred.word[2] & pred.word[3] & lanes) == lanes;
}
// How many lanes are on before the first one that is not.
inline std::uint32_t leading_lanes(const VPred& pred, std::uint32_t width) {
  const std::uint64_t lanes = lane_bits(width);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint64_t off = ~pred.word[i] & lanes;
    if (off != 0) return (64 * i + static_cast<std::uint32_t>(std::countr_zero(off))) / width;
  }
  return VL / width;
}
// The first `count` lanes of this width.
inline VPred first_lanes_of(std::uint32_t width, std::uint32_t count) {
  const std::uint64_t lanes = lane_bits(width);
  if (count >= VL / width) return {{lanes, lanes, lanes, lanes}};
  // All words at once: they stay in the host's registers until somebody keeps them.
  const auto word = [lanes, bits = count * width](std::uint32_t before) {
    const std::uint32_t here = bits > before ? bits - before : 0;
    return here >= 64 ? lanes : lanes & ((1ull << here) - 1);
  };
  return {{word(0), word(64), word(128), word(192)}};
}

}  // namespace ts
