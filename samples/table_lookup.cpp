// Table lookup: a tile of byte offsets picks elements out of a table of squares.
//
// What to look at: offsets are bytes from the table's address, so element n stands at 4 n. One offset an element is what
// the shapes say here; on hardware an offset fetches a block of 32 bytes, and `granularity = block` does that.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kEntries = 32, kRows = 2, kCols = 8;
  std::vector<double> squares, offsets;
  for (std::uint32_t n = 0; n < kEntries; ++n) squares.push_back(n * n);
  for (std::uint32_t i = 0; i < kRows * kCols; ++i) offsets.push_back(4.0 * (i * 7 % kEntries));
  const BufferId gm_table = b.buffer("squares", DType::F32, squares), gm_offsets = b.buffer("where", DType::U32, offsets);
  const BufferId result = b.buffer("result", DType::F32, kRows * kCols);
  const TileId table = b.tile("table", vec_tile(DType::F32, 1, kEntries)), picks = b.tile("picks", vec_tile(DType::U32, kRows, kCols));
  const TileId out = b.tile("out", vec_tile(DType::F32, kRows, kCols));
  b.add("tload", {View{gm_table, 1, kEntries}}, {table});
  b.add("tload", {View{gm_offsets, kRows, kCols}}, {picks});
  b.add("tgatherb", {table, picks}, {out}, {{"granularity", "element"}});
  b.add("tstore", {out}, {View{result, kRows, kCols}});
}

}  // namespace

const Sample kTableLookup{.name = "table_lookup",
                          .summary = "picks elements of a table by byte offsets",
                          .target = Target::A5,
                          .build = build,
                          .step = 2,
                          .tile = "out",
                          .row = 1,
                          .col = 3};

}  // namespace ts
