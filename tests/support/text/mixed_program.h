// A program of two halves: the cube core multiplies and hands each product through a queue to the vector cores, which add a
// number and store it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/isa/target.h"

namespace ts::test {

struct MixedProgram {
  Target target = Target::A5;
  std::uint32_t entries = 6, slots = 4;
  int split = 0;           // of the queue: 0 whole, 1 rows, 2 columns
  bool frees = true;       // a5: gives slots back
  std::uint32_t pops = 0;  // that differ from `entries`; 0: they do not
};

// The tiles that products go through.
inline constexpr const char* kMixedMatA = "!pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>";
inline constexpr const char* kMixedMatB = "!pto.tile_buf<mat, 32x64xf16, blayout=col_major, slayout=row_major>";
inline constexpr const char* kMixedLeft = "!pto.tile_buf<left, 16x32xf16, blayout=col_major, slayout=row_major>";
inline constexpr const char* kMixedRight = "!pto.tile_buf<right, 32x64xf16, slayout=col_major>";
inline constexpr const char* kMixedAcc =
    "!pto.tile_buf<acc, 16x64xf32, blayout=col_major, slayout=row_major, fractal=1024>";

inline constexpr std::uint32_t kMixedRows = 16, kMixedCols = 64, kMixedK = 32;
// out[entry * 16 + r][c] = 1 + sum over k of a[entry * 16 + r][k] * b[k][c]
std::string text_of(const MixedProgram& program);
// What a and b are made of in tests: small whole numbers, and so many of them in f16, times a factor.
double mixed_number(std::size_t i, std::uint32_t seed);
std::vector<std::byte> mixed_halves(std::size_t count, std::uint32_t seed, double times = 1);
// The other way: the vector cores load a, add nothing, and push it; the cube core multiplies and stores.
// out[entry * 16 + r][c] = sum over k of a[entry * 16 + r][k] * b[k][c]
std::string text_of_way_back(const MixedProgram& program);

}  // namespace ts::test
