// Masked sum: two tiles are added, and the sum is kept where a packed mask has a 1; elsewhere stands -1. Runs on both
// targets: on a5 the mask travels through predicate registers, on a2a3 the scalar goes through a scratch tile and CMPMASK.
//
// What to look at: the mask tile is 32 bytes wide although 8 bits a row would do; row r's bits start at byte r * 32.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kRows = 2, kCols = 8;
  std::vector<double> x, y;
  for (std::uint32_t i = 0; i < kRows * kCols; ++i) {
    x.push_back(i);
    y.push_back(100.0 * i);
  }
  const BufferId gm_x = b.buffer("x", DType::F32, x), gm_y = b.buffer("y", DType::F32, y);
  const BufferId gm_mask = b.buffer("bits", DType::U8, {0xB1, 0x0F}), gm_out = b.buffer("result", DType::F32, kRows * kCols);
  const TileType type = vec_tile(DType::F32, kRows, kCols);
  const TileId a = b.tile("a", type), c = b.tile("b", type), sum = b.tile("sum", type), out = b.tile("out", type);
  const TileId mask = b.tile("mask", vec_tile(DType::U8, kRows, 32, kRows, 1));
  b.add("tload", {View{gm_x, kRows, kCols}}, {a});
  b.add("tload", {View{gm_y, kRows, kCols}}, {c});
  b.add("tload", {View{gm_mask, kRows, 1}}, {mask});
  b.add("tadd", {a, c}, {sum});
  b.add("tsels", {mask, sum, scalar_of(DType::F32, -1)}, {out});
  b.add("tstore", {out}, {View{gm_out, kRows, kCols}});
}

}  // namespace

const Sample kMaskedSum{.name = "masked_sum",
                        .summary = "adds two tiles and keeps the sum where a packed mask has a 1",
                        .target = Target::A2A3,
                        .build = build,
                        .step = 4,
                        .tile = "out",
                        .row = 0,
                        .col = 4};

}  // namespace ts
