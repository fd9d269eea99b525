// TMOV of column-major tiles against its oracle; rows are drawn with the other vector instructions.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/instructions/stage.h"

namespace ts::test {
namespace {

TileType columns(DType type, std::uint32_t rows, std::uint32_t cols, std::uint32_t valid_rows,
                 std::uint32_t valid_cols) {
  TileType tile =
      vec_tile(type, rows, cols, static_cast<std::int32_t>(valid_rows), static_cast<std::int32_t>(valid_cols));
  tile.blayout = BoxOrder::ColMajor;
  return tile;
}

}  // namespace

TEST_CASE("tmov: columns move as the oracle says, whole, in part, and one alone") {
  struct Shape {
    std::uint32_t rows, cols, valid_rows, valid_cols;
    bool a2a3;
  };
  Random random(2404);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : {DType::U8, DType::F16, DType::F32, DType::I64}) {
      for (const Shape& shape : {Shape{32, 4, 32, 4, true}, Shape{64, 1, 64, 1, true}, Shape{64, 1, 33, 1, true},
                                 Shape{320, 3, 320, 3, true}, Shape{32, 4, 17, 3, false}, Shape{64, 8, 64, 5, false}}) {
        if (target == Target::A2A3 && !shape.a2a3) continue;
        for (const bool blocks : {false, true}) {
          ProgramBuilder builder(target, "columns");
          builder.options().quirk_blocks = blocks ? 1 : 0;
          const TileType its = columns(type, shape.rows, shape.cols, shape.valid_rows, shape.valid_cols);
          builder.add("tmov", {builder.tile("src", its)}, {builder.tile("dst", its)});
          const Program program = build(builder);
          stage.fill(program, random, Values::AnyBits);
          stage.check(program, random);
        }
      }
    }
  }
}

}  // namespace ts::test
