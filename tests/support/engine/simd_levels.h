// Running the same code on every SIMD level that this build has and this CPU can.
#pragma once

#include <cstdint>
#include <vector>

namespace ts::test {

// The levels as Highway's target bits, best first. One only when the build has one only.
const std::vector<std::int64_t>& simd_levels();
const char* simd_level_name(std::int64_t level);

// While it lives, dynamic dispatch goes to this level.
class OnSimdLevel {
 public:
  explicit OnSimdLevel(std::int64_t level);
  ~OnSimdLevel();
  OnSimdLevel(const OnSimdLevel&) = delete;
  OnSimdLevel& operator=(const OnSimdLevel&) = delete;
};

}  // namespace ts::test
