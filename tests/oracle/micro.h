// What the A5 vector micro-operations do, stated on plain bytes and bits that know where they came from. Shares nothing
// with the engine but the names of the element types.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/isa/dtype.h"
#include "tests/oracle/number.h"

namespace ts::oracle {

// Numbers of sources, sorted, each once.
using Sources = std::vector<std::uint64_t>;
Sources joined(const Sources& a, const Sources& b);
// Bits of bytes that are sources have numbers of their own.
inline constexpr std::uint64_t kFirstBitSource = std::uint64_t{1} << 40;
inline std::uint64_t bit_source(std::uint64_t byte, std::uint32_t bit) { return kFirstBitSource + 8 * byte + bit; }

struct Byte {
  std::uint8_t value = 0;
  Sources from;
};
struct Bit {
  bool on = false;
  Sources from;
};
using Register = std::array<Byte, 256>;
using Predicate = std::array<Bit, 256>;

// What a lane holds.
struct LaneValue {
  std::uint64_t bits = 0;
  Sources from;
};
LaneValue lane(const Register& reg, DType type, std::uint32_t i);
void set_lane(Register& reg, DType type, std::uint32_t i, const LaneValue& value);
inline std::uint32_t lanes(DType type) { return 256 / size_bytes(type); }

struct MicroWork {
  DType type = DType::U8, other = DType::U8;
  std::string_view word;
  std::array<Register, 3> reg;
  std::array<Predicate, 3> pred;
  LaneValue scalar;
  std::vector<Byte> memory;  // in which `address` is a place
  std::uint32_t address = 0, count = 0;
  std::array<std::uint32_t, 2> stride{};
  Rounding rounding = Rounding::NearestEven;
  Overflow overflow = Overflow::Wrap;
  std::uint32_t part = 0;

  std::vector<Register> made;
  std::vector<Predicate> made_pred;

  bool on(std::uint32_t i, int which = 0) const { return bit(i, which).on; }  // lane i of `type`
  const Bit& bit(std::uint32_t i, int which = 0) const {
    return pred[static_cast<std::size_t>(which)][i * size_bytes(type)];
  }
};

// Does it, or says that it is not known.
bool micro(std::string_view name, MicroWork& work);
// Of which that is made: lanes that are computed, and bytes and bits that move.
bool micro_lanes(std::string_view name, MicroWork& work);
bool micro_moves(std::string_view name, MicroWork& work);

}  // namespace ts::oracle
