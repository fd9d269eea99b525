// The engine's value functions as plain functions of bytes and words, one table per SIMD level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/isa/dtype.h"
#include "core/isa/target.h"

namespace ts::test {

using RegBytes = std::array<std::uint8_t, VL>;
struct PredWords {
  std::uint64_t word[4];
  bool operator==(const PredWords&) const = default;
};
struct RegPairBytes {
  RegBytes lo, hi;
};
struct PredPairWords {
  PredWords lo, hi;
};

// Functions of lanes of one size.
struct LaneFunctions {
  PredWords (*first_lanes)(std::uint32_t count);
  bool (*all_lanes_on)(const PredWords&);
  PredWords (*active_bytes)(const PredWords&);
  std::uint64_t (*pack)(std::uint64_t);
  std::uint64_t (*spread)(std::uint64_t);
  PredWords (*load_lane_bits)(const std::uint8_t* from);
  RegPairBytes (*deinterleave)(const RegBytes&, const RegBytes&);
  RegBytes (*select)(const PredWords&, const RegBytes& on, const RegBytes& off);
  RegBytes (*zero_inactive)(const RegBytes&, const PredWords&);
  void (*store_lanes)(const RegBytes&, const PredWords&, std::uint8_t* to);
  RegBytes (*broadcast)(std::uint64_t bits);
};

struct ValueTable {
  LaneFunctions lanes[4];  // of 1, 2, 4, 8 bytes; some are null where no lowering needs them
  RegBytes (*add[kDTypes])(const RegBytes&, const RegBytes&);  // null for 64-bit types
  PredPairWords (*interleave16)(const PredWords&, const PredWords&);
  PredWords (*unpack_lower)(const PredWords&);
  PredWords (*load_pred)(const std::uint8_t* from);     // 32 bytes
  PredWords (*load_pred_us)(const std::uint8_t* from);  // 16 bytes
  RegBytes (*splice)(const RegBytes&, const RegBytes&, std::uint32_t count);
  RegBytes (*drop)(const RegBytes&, std::uint32_t from);
  void (*add_with_carry)(const RegBytes& a, const RegBytes& b, const PredWords& carry_in, RegBytes& sum,
                         PredWords& carry);
};

// Of the level that dynamic dispatch chooses now.
const ValueTable& value_table();

}  // namespace ts::test
