// Fill with tails: bytes are filled in rows of 5, a number that is nobody's multiple.
//
// What to look at: a2a3 fills bytes in pairs, so a sixth byte of every row changes too, inside the row's padding. On a5 a
// predicate cuts exactly behind the fifth. The float tile beside it is 40 wide and whole, so it is filled as one run of 80.
#include "samples/samples.h"

namespace ts {
namespace {

void build(ProgramBuilder& b) {
  const BufferId bytes_out = b.buffer("bytes", DType::I8, 10), floats_out = b.buffer("floats", DType::F32, 80);
  const TileId bytes = b.tile("bytes", vec_tile(DType::I8, 2, 32, kDynamic, kDynamic), {.valid_rows = 2, .valid_cols = 5});
  const TileId floats = b.tile("floats", vec_tile(DType::F32, 2, 40));
  b.add("texpands", {scalar_of(DType::I8, 0x7B)}, {bytes});
  b.add("texpands", {scalar_of(DType::F32, 1.5)}, {floats});
  b.add("tstore", {bytes}, {View{bytes_out, 2, 5}});
  b.add("tstore", {floats}, {View{floats_out, 2, 40}});
}

}  // namespace

const Sample kFillTails{.name = "fill_tails",
                        .summary = "fills rows that end in the middle of a block",
                        .target = Target::A2A3,
                        .build = build,
                        .step = 0,
                        .tile = "bytes",
                        .row = 1,
                        .col = 4};

}  // namespace ts
