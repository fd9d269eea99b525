// The boxes of a tile in the order of memory, against the formulas of the four layouts.
#include "core/debug/picture/tile_boxes.h"

#include <doctest/doctest.h>

#include "core/tile/tile_type.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// Columns of boxes one after the other, or rows of them; and in a box rows, or columns.
struct Order {
  TileOrder order;
  bool down_first, along_rows;
  std::uint32_t box_bytes;
};
constexpr Order kOrders[] = {{TileOrder::Nz, true, true, 512},         {TileOrder::Zn, false, false, 512},
                             {TileOrder::Zz, false, true, 512},        {TileOrder::Nn, true, false, 512},
                             {TileOrder::LeftScales, false, true, 32}, {TileOrder::RightScales, true, false, 32},
                             {TileOrder::Sums, true, true, 1024}};

}  // namespace

TEST_CASE("tile boxes: their order, and the way inside of each") {
  for (const Order& one : kOrders)
    for (const DType type : {DType::I8, DType::F16, DType::F32, DType::E2M1}) {
      if (one.order == TileOrder::Sums && type != DType::F32) continue;
      if (one.box_bytes == 32 && type != DType::I8) continue;
      const TileType tile = ordered_tile(TileLoc::Mat, type, one.order, 128, 192);
      CAPTURE(tile.describe());
      const auto boxes = boxes_of(tile);
      REQUIRE(boxes);
      const std::uint32_t elements = one.box_bytes * 8 / size_bits(type);
      CHECK(boxes->rows * boxes->cols == elements);
      CHECK(boxes->along_rows == one.along_rows);
      CHECK(boxes->down * boxes->rows == 128);
      CHECK(boxes->across * boxes->cols == 192);
      REQUIRE(boxes->in_order.size() == std::size_t{boxes->down} * boxes->across);
      for (std::uint32_t down = 0; down < boxes->down; ++down)
        for (std::uint32_t across = 0; across < boxes->across; ++across) {
          const std::uint32_t number = one.down_first ? across * boxes->down + down : down * boxes->across + across;
          const TileBox& box = boxes->in_order[number];
          const TileBox wanted{down * boxes->rows, across * boxes->cols, boxes->rows, boxes->cols,
                               std::uint64_t{number} * elements};
          CHECK(box == wanted);
          CHECK(boxes->number_at(box.row + boxes->rows - 1, box.col + boxes->cols - 1) == number);
          const auto second = one.along_rows ? std::pair{box.row, box.col + 1} : std::pair{box.row + 1, box.col};
          CHECK(boxes->element(box, 1) == second);
          CHECK(boxes->element(box, elements - 1) == std::pair{box.row + boxes->rows - 1, box.col + boxes->cols - 1});
        }
    }
}

TEST_CASE("tile boxes: a row more than the boxes have, a part of a tile, and tiles without boxes") {
  TileType tile = ordered_tile(TileLoc::Vec, DType::F16, TileOrder::Nz, 33, 32);
  const auto boxes = boxes_of(tile);
  REQUIRE(boxes);
  REQUIRE(boxes->in_order.size() == 6);
  CHECK(boxes->in_order[2] == TileBox{32, 0, 1, 16, 512});
  CHECK(boxes->in_order[3] == TileBox{0, 16, 16, 16, 528});
  const TileType part = part_of(ordered_tile(TileLoc::Mat, DType::F16, TileOrder::Nz, 128, 64), 32, 32);
  const auto of_part = boxes_of(part);
  REQUIRE(of_part);
  CHECK(of_part->in_order[1] == TileBox{16, 0, 16, 16, 256});
  CHECK(of_part->in_order[2] == TileBox{0, 16, 16, 16, 2048});
  CHECK(!boxes_of(vec_tile(DType::F16, 16, 16)));
  CHECK(!boxes_of(ordered_tile(TileLoc::Mat, DType::F16, TileOrder::Nz, 1, 32)));
  CHECK(!boxes_of(conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 1, 4, 4, 16})));
}

}  // namespace ts::test
