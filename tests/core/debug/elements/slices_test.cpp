// Slices of what has more than two dimensions, against plain loops over the index.
#include "core/debug/elements/slices.h"

#include <doctest/doctest.h>

#include <vector>

#include "core/debug/elements/elements.h"

namespace ts::test {
namespace {

BufferDecl buffer_of(std::vector<std::uint32_t> shape, std::uint32_t elements) {
  BufferDecl buffer;
  buffer.view_shape = std::move(shape);
  buffer.elements = elements;
  return buffer;
}

}  // namespace

TEST_CASE("slices: rows, numbers and names of elements are those of the array") {
  const BufferDecl buffer = buffer_of({2, 3, 1, 4, 5}, 2 * 3 * 4 * 5);
  const Slices slices = slices_of(buffer);
  REQUIRE(slices.count() == 6);
  CHECK(slices.choosing() == 3);
  CHECK(slices.rows() == 4);
  std::uint32_t slice = 0;
  for (std::uint32_t a = 0; a < 2; ++a)
    for (std::uint32_t b = 0; b < 3; ++b, ++slice) {
      CHECK(slices.index_of(slice) == std::vector<std::uint32_t>{a, b, 0});
      CHECK(slices.at({a, b, 0}) == slice);
      CHECK(slices.at({a, b}) == slice);
      CHECK(slices.of_row(slice * 4 + 3) == slice);
    }
  CHECK(slices.element_text(4 * 5 + 3, 2) == "[1,2,0,3,2]");
  CHECK(slices.with(0, 1, 2) == 2);
  CHECK(slices.with(2, 0, 1) == 5);
  // Beyond the last one.
  CHECK(slices.at({7, 7, 7, 7}) == 5);
  CHECK(shape_of(buffer).rows == slices.count() * slices.rows());
}

TEST_CASE("slices: of two dimensions, of one slice alone, and of a view that does not fit the buffer there are none") {
  CHECK(slices_of(buffer_of({4, 5}, 20)).count() == 0);
  CHECK(slices_of(buffer_of({}, 20)).count() == 0);
  CHECK(slices_of(buffer_of({1, 1, 1, 4, 5}, 20)).count() == 0);
  CHECK(slices_of(buffer_of({3, 4, 5}, 61)).count() == 0);
  CHECK(slices_of(buffer_of({3, 0, 5}, 60)).count() == 0);
  CHECK(slices_of(buffer_of({3, 4, 5}, 0)).count() == 0);
  CHECK(slices_of(buffer_of({3, 0xFFFFFFFF, 0xFFFFFFFF}, 60)).count() == 0);
  // A view of a part: the buffer has more of its slices.
  CHECK(slices_of(buffer_of({3, 4, 5}, 140)).count() == 7);
}

TEST_CASE("slices: tiles of convolutions have them too") {
  const Slices slices = slices_of(conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 8, 6, 16}));
  REQUIRE(slices.count() == 16);
  CHECK(slices.rows() == 6);
  CHECK(slices.element_text(6 * 9 + 1, 7) == "[0,1,1,1,7]");
  CHECK(slices_of(vec_tile(DType::F32, 16, 16)).count() == 0);
}

}  // namespace ts::test
