// Complex split: a radio gives complex numbers as one stream, real and imaginary parts alternating. TDEINTERLEAVE takes
// the stream's two halves and gives one tile of real and one of imaginary parts; their sum is kept where a mask says so.
//
// What to look at: 12 valid columns make halves of 6 floats = 24 bytes, no whole block. So the second half of every row
// goes out through the unaligned store stream (vstus, vstas), and the columns beyond 12 keep what they held.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kRows = 4, kCols = 12, kPadded = 16;
  std::vector<double> stream;  // row r, pair n: re = 10 r + n, im = -re / 8
  for (std::uint32_t r = 0; r < kRows; ++r) {
    for (std::uint32_t n = 0; n < kCols; ++n) {
      stream.push_back(10.0 * r + n);
      stream.push_back(-(10.0 * r + n) / 8);
    }
  }
  const std::vector<double> keep{0xB1, 0x0D, 0xFF, 0x0F, 0x00, 0x00, 0x55, 0x05};  // 12 bits a row, lowest first

  const BufferId iq = b.buffer("iq", DType::F32, stream);
  const BufferId bits = b.buffer("bits", DType::U8, keep);
  const BufferId result = b.buffer("result", DType::F32, kRows * kCols);

  const TileType type = vec_tile(DType::F32, kRows, kPadded, kRows, kCols);
  const TileType mask_type = vec_tile(DType::U8, kRows, 32, kRows, 2);
  const TileId first = b.tile("first", type), second = b.tile("second", type);
  const TileId re = b.tile("re", type), im = b.tile("im", type);
  const TileId sum = b.tile("sum", type), out = b.tile("out", type);
  const TileId mask = b.tile("mask", mask_type);

  b.add("tload", {View{iq, kRows, kCols, 2 * kCols, 0}}, {first});
  b.add("tload", {View{iq, kRows, kCols, 2 * kCols, kCols}}, {second});
  b.add("tload", {View{bits, kRows, 2}}, {mask});
  b.add("tdeinterleave", {first, second}, {re, im});
  b.add("tadd", {re, im}, {sum});
  b.add("tsels", {mask, sum, scalar_of(DType::F32, 0)}, {out});
  b.add("tstore", {out}, {View{result, kRows, kCols}});
}

}  // namespace

const Sample kComplexSplit{.name = "complex_split",
                           .summary = "splits a complex stream into real and imaginary parts, adds them, keeps what a mask allows",
                           .target = Target::A5,
                           .build = build,
                           .step = 3,
                           .tile = "im",
                           .row = 1,
                           .col = 7};

}  // namespace ts
