// Transpose: 3 rows of 8 floats become 8 rows of 3.
//
// What to look at: on a2a3 one vnchwconv turns 16 blocks over, and only 3 of them are rows of the source; the others are
// whatever stands at UB address 0. So five columns behind the three valid ones are overwritten, and marked as promised by
// nobody. On a5 every column is gathered by computed indices, and nothing else is touched.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  constexpr std::uint32_t kRows = 3, kCols = 8;
  std::vector<double> numbers;
  for (std::uint32_t r = 0; r < kRows; ++r)
    for (std::uint32_t c = 0; c < kCols; ++c) numbers.push_back(100.0 * r + c);
  const BufferId gm_in = b.buffer("numbers", DType::F32, numbers), gm_out = b.buffer("result", DType::F32, kCols * kRows);
  const TileId src = b.tile("src", vec_tile(DType::F32, kRows, kCols));
  const TileId dst = b.tile("dst", vec_tile(DType::F32, kCols, 16, kCols, kRows));
  b.add("tload", {View{gm_in, kRows, kCols}}, {src});
  b.add("ttrans", {src}, {dst});
  b.add("tstore", {dst}, {View{gm_out, kCols, kRows}});
}

}  // namespace

const Sample kTranspose{.name = "transpose",
                        .summary = "transposes a small tile, and shows what a block path overwrites beside it",
                        .target = Target::A2A3,
                        .build = build,
                        .step = 1,
                        .tile = "dst",
                        .row = 5,
                        .col = 2};

}  // namespace ts
