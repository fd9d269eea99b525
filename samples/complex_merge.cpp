// Complex merge: the way back from complex_split. A tile of real and one of imaginary parts become one stream of pairs;
// TINTERLEAVE puts its first half into one tile and its second half into another, and both are stored side by side.
//
// What to look at: 12 valid columns give halves of 6 pairs, and 6 floats are no whole block. So the second half is loaded
// through the unaligned stream (vldas, vldus), from column 6 of both sources.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kRows = 4, kCols = 12, kPadded = 16;
  std::vector<double> real, imaginary;
  for (std::uint32_t i = 0; i < kRows * kCols; ++i) {
    real.push_back(i);
    imaginary.push_back(-0.5 * i);
  }
  const BufferId gm_re = b.buffer("real", DType::F32, real), gm_im = b.buffer("imaginary", DType::F32, imaginary);
  const BufferId stream = b.buffer("stream", DType::F32, kRows * 2 * kCols);
  const TileType type = vec_tile(DType::F32, kRows, kPadded, kRows, kCols);
  const TileId re = b.tile("re", type), im = b.tile("im", type), first = b.tile("first", type), second = b.tile("second", type);
  b.add("tload", {View{gm_re, kRows, kCols}}, {re});
  b.add("tload", {View{gm_im, kRows, kCols}}, {im});
  b.add("tinterleave", {re, im}, {first, second});
  b.add("tstore", {first}, {View{stream, kRows, kCols, 2 * kCols, 0}});
  b.add("tstore", {second}, {View{stream, kRows, kCols, 2 * kCols, kCols}});
}

}  // namespace

const Sample kComplexMerge{.name = "complex_merge",
                           .summary = "joins real and imaginary parts into one stream of pairs",
                           .target = Target::A5,
                           .build = build,
                           .step = 2,
                           .tile = "second",
                           .row = 1,
                           .col = 3};

}  // namespace ts
