// Tiles of the cube core.
#include "tests/support/instructions/cube_tiles.h"

#include "tests/support/instructions/shapes.h"

namespace ts::test {

TileType cube_tile(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, Target target) {
  TileType tile{.loc = loc, .dtype = type, .blayout = BoxOrder::ColMajor, .slayout = InnerOrder::RowMajor};
  if (loc == TileLoc::Left && target == Target::A2A3) tile.blayout = BoxOrder::RowMajor;
  if (loc == TileLoc::Right) tile.blayout = BoxOrder::RowMajor, tile.slayout = InnerOrder::ColMajor;
  if (loc == TileLoc::Acc) tile.fractal = 1024;
  const bool line = loc == TileLoc::Bias || loc == TileLoc::Scaling;
  if (line) tile.blayout = BoxOrder::RowMajor, tile.slayout = InnerOrder::None;
  const Box box = box_of(tile);
  tile.rows = line ? 1 : rounded_up(rows, box.rows);
  tile.cols = rounded_up(cols, line ? 16 : box.cols);
  tile.valid_rows = static_cast<std::int32_t>(rows);
  tile.valid_cols = static_cast<std::int32_t>(cols);
  return tile;
}

TileType scale_tile(TileLoc loc, bool left, std::uint32_t rows, std::uint32_t cols) {
  TileType tile{.loc = loc, .dtype = DType::E8M0, .fractal = 32};
  tile.blayout = left ? BoxOrder::RowMajor : BoxOrder::ColMajor;
  tile.slayout = left ? InnerOrder::RowMajor : InnerOrder::ColMajor;
  const Box box = box_of(tile);
  tile.rows = left && rows == 1 ? 1 : rounded_up(rows, box.rows);
  tile.cols = rounded_up(cols, box.cols);
  tile.valid_rows = static_cast<std::int32_t>(rows);
  tile.valid_cols = static_cast<std::int32_t>(cols);
  return tile;
}

TileType ordered_tile(TileLoc loc, DType dtype, TileOrder order, std::uint32_t rows, std::uint32_t cols) {
  TileType type = vec_tile(dtype, rows, cols);
  type.loc = loc;
  using enum BoxOrder;
  const auto boxes = [&](BoxOrder outer, InnerOrder inner, std::uint32_t bytes) {
    type.blayout = outer;
    type.slayout = inner;
    type.fractal = bytes;
  };
  switch (order) {
    case TileOrder::Rows: break;
    case TileOrder::Cols: type.blayout = ColMajor; break;
    case TileOrder::Nz: boxes(ColMajor, InnerOrder::RowMajor, 512); break;
    case TileOrder::Zn: boxes(RowMajor, InnerOrder::ColMajor, 512); break;
    case TileOrder::Zz: boxes(RowMajor, InnerOrder::RowMajor, 512); break;
    case TileOrder::Nn: boxes(ColMajor, InnerOrder::ColMajor, 512); break;
    case TileOrder::Sums: boxes(ColMajor, InnerOrder::RowMajor, 1024); break;
    case TileOrder::LeftScales: boxes(RowMajor, InnerOrder::RowMajor, 32); break;
    case TileOrder::RightScales: boxes(ColMajor, InnerOrder::ColMajor, 32); break;
  }
  return type;
}

TileId CubeBuilder::tile(const char* name, TileType type, std::uint32_t first_free) {
  const auto rows = static_cast<std::uint32_t>(type.valid_rows), cols = static_cast<std::uint32_t>(type.valid_cols);
  if (random_.one_in(3)) type.valid_rows = kDynamic;
  if (random_.one_in(3)) type.valid_cols = kDynamic;
  return builder_.tile(name, type,
                       {.address = first_free + 512 * random_.below(4), .valid_rows = rows, .valid_cols = cols});
}

}  // namespace ts::test
