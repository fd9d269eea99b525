// Masked select: where a packed mask has a 1 the element comes from one tile, where it has a 0 from another.
//
// What to look at: 70 columns of 16-bit integers need 9 mask bytes a row, the mask tile has 32; row r's bits start at byte
// r * 32. On a2a3 the address of each mask row goes through a scratch tile that the program does not name to CMPMASK.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kRows = 2, kCols = 70, kPadded = 80, kMaskBytes = 9;
  std::vector<double> ones, tens, bits;
  for (std::uint32_t i = 0; i < kRows * kCols; ++i) {
    ones.push_back(i);
    tens.push_back(1000.0 + i);
  }
  for (std::uint32_t i = 0; i < kRows * kMaskBytes; ++i) bits.push_back(i % 2 == 0 ? 0xF0 : 0x3C);
  const BufferId gm_a = b.buffer("x", DType::I16, ones), gm_b = b.buffer("y", DType::I16, tens), gm_bits = b.buffer("bits", DType::U8, bits);
  const BufferId result = b.buffer("result", DType::I16, kRows * kCols);
  const TileType type = vec_tile(DType::I16, kRows, kPadded, kRows, kCols);
  const TileId x = b.tile("a", type), y = b.tile("b", type), out = b.tile("out", type);
  const TileId mask = b.tile("mask", vec_tile(DType::U8, kRows, 32, kRows, kMaskBytes));
  b.add("tload", {View{gm_a, kRows, kCols}}, {x});
  b.add("tload", {View{gm_b, kRows, kCols}}, {y});
  b.add("tload", {View{gm_bits, kRows, kMaskBytes}}, {mask});
  b.add("tsel", {mask, x, y}, {out});
  b.add("tstore", {out}, {View{result, kRows, kCols}});
}

}  // namespace

const Sample kMaskedSelect{.name = "masked_select",
                           .summary = "takes each element from one of two tiles, as a packed mask says",
                           .target = Target::A2A3,
                           .build = build,
                           .step = 3,
                           .tile = "out",
                           .row = 1,
                           .col = 66};

}  // namespace ts
