// One test per rule of TEXPANDS.
#include <doctest/doctest.h>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

ProgramBuilder fill(Target target, const TileType& dst, const Scalar& scalar, const Options& options = {}) {
  HandTiles tile(target);
  tile.builder.options() = options;
  tile.builder.add("texpands", {scalar}, {tile("d", dst, {.address = dst.loc == TileLoc::Vec ? 0x4000u : 0u})});
  return std::move(tile.builder);
}
ProgramBuilder fill(Target target, const TileType& dst) { return fill(target, dst, {dst.dtype, 1}); }

TileType in(TileLoc loc, TileType type) {
  type.loc = loc;
  return type;
}

}  // namespace

TEST_CASE("TXS-R1: vec and mat tiles") {
  for (const Target target : kBothTargets) {
    check_told(fill(target, in(TileLoc::Left, vec_tile(DType::F32, 16, 16))),
               {"TXS-R1", Severity::Error, "dst", {"dst", "left"}});
    check_told(fill(target, in(TileLoc::Acc, vec_tile(DType::F32, 16, 16))),
               {"TXS-R1", Severity::Error, "dst", {"dst", "acc"}});
    check_told(fill(target, in(TileLoc::Mat, vec_tile(DType::F32, 16, 16))), kNothing);
  }
}

TEST_CASE("TXS-R2: element types") {
  for (const Target target : kBothTargets)
    for (const DType type : {DType::I64, DType::U64})
      check_told(fill(target, vec_tile(type, 1, 8)),
                 {"TXS-R2", Severity::Error, "dst", {name(type), "not supported"}, true});
}

TEST_CASE("TXS-R3: vec tiles are row-major or col-major") {
  for (const Target target : kBothTargets) {
    check_told(fill(target, boxed(TileLoc::Vec, DType::F32, 16, 16, BoxOrder::ColMajor, InnerOrder::RowMajor)),
               {"TXS-R3", Severity::Error, "dst", {"dst", "nz"}});
    check_told(fill(target, col_major(vec_tile(DType::F32, 16, 16))), kNothing);
    // In L1 the order means nothing.
    check_told(fill(target, boxed(TileLoc::Mat, DType::F32, 16, 16, BoxOrder::ColMajor, InnerOrder::RowMajor)),
               kNothing);
  }
}

TEST_CASE("TXS-R4: a mat tile of more than 32767 blocks does not fit into L1 either, which is told first") {
  for (const Target target : kBothTargets) {
    check_told(fill(target, in(TileLoc::Mat, vec_tile(DType::F32, 2048, 64))), kNothing);
    check_told(fill(target, in(TileLoc::Mat, vec_tile(DType::F32, 2049, 64))),
               {"G3", Severity::Error, "dst", {"dst", "524288"}, true});
    check_told(fill(target, in(TileLoc::Mat, vec_tile(DType::F32, 4096, 64))),
               {"G3", Severity::Error, "dst", {"dst", "1048576", "524288"}, true});
  }
}

TEST_CASE("TXS-R5: a5: sizes of four-dimensional convolution tiles") {
  const TileType large = conv_tile(DType::I8, ConvLayout::NC1HWC0, {1, 2, 128, 128, 8});
  check_told(fill(Target::A5, large), {"TXS-R5", Severity::Error, "dst", {"32768", "32767"}});
  check_told(fill(Target::A2A3, large), kNothing);
  check_told(fill(Target::A5, conv_tile(DType::I8, ConvLayout::FractalZ, {16, 128, 16, 8})),
             {"TXS-R5", Severity::Error, "dst", {"262144", "32767"}});
  // 60 by the seed, though 30 blocks are filled.
  check_told(fill(Target::A5, conv_tile(DType::I16, ConvLayout::NC1HWC0, {2, 5, 2, 3, 8})), kNothing);
}

TEST_CASE("TXS-R6: a5: sizes of five-dimensional convolution tiles") {
  check_told(fill(Target::A5, conv_tile(DType::I8, ConvLayout::NDC1HWC0, {1, 2, 1, 128, 128, 8})),
             {"TXS-R6", Severity::Error, "dst", {"32768", "32767"}});
  check_told(fill(Target::A5, conv_tile(DType::I8, ConvLayout::NDC1HWC0, {1, 2, 1, 127, 128, 8})), kNothing);
}

TEST_CASE("TXS-R7: a scalar of the tile's type") {
  for (const Target target : kBothTargets)
    check_told(fill(target, vec_tile(DType::F32, 1, 8), {DType::F16, 0}),
               {"TXS-R7", Severity::Error, "scalar", {"f16", "f32"}});
}

TEST_CASE("TXS-W1: a2a3: the library fills a static valid shape narrower than the tile as one run") {
  const TileType narrow = vec_tile(DType::F32, 4, 16, 3, 10);
  check_told(fill(Target::A2A3, narrow), {"TXS-W1", kWarning, "dst", {"3x10", "4x16"}});
  check_told(fill(Target::A2A3, col_major(vec_tile(DType::F32, 16, 4, 10, 3))),
             {"TXS-W1", kWarning, "dst", {"10x3", "16x4"}});
  check_told(fill(Target::A5, narrow), kNothing);
  // One row, or a valid shape that the type does not know, is filled as it should be.
  check_told(fill(Target::A2A3, vec_tile(DType::F32, 4, 16, 1, 10)), kNothing);
  check_told(fill(Target::A2A3, vec_tile(DType::F32, 4, 16, 3, 16)), kNothing);
  HandTiles tile(Target::A2A3);
  tile.builder.add("texpands", {Scalar{DType::F32, 0}},
                   {tile("d", vec_tile(DType::F32, 4, 16, kDynamic, kDynamic), {.valid_rows = 3, .valid_cols = 10})});
  check_told(std::move(tile.builder), kNothing);
}

TEST_CASE("TXS-W2: the library sign-extends a negative i8 on its way into L1") {
  const TileType bytes = in(TileLoc::Mat, vec_tile(DType::I8, 4, 32));
  for (const Target target : kBothTargets) {
    check_told(fill(target, bytes, {DType::I8, 0xFE}), {"TXS-W2", kWarning, "scalar", {"-2"}});
    check_told(fill(target, bytes, {DType::I8, 2}), kNothing);
    check_told(fill(target, in(TileLoc::Mat, vec_tile(DType::U8, 4, 32)), {DType::U8, 0xFE}), kNothing);
    check_told(fill(target, vec_tile(DType::I8, 4, 32), {DType::I8, 0xFE}), kNothing);
  }
}

}  // namespace ts::test
