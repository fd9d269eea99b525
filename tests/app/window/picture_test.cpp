// Comparing pictures: what counts as the same and what does not.
#include <doctest/doctest.h>

#include <cstdint>

#include "tests/support/process/temp_folder.h"
#include "tests/support/window/picture.h"

namespace ts::test {
namespace {

Picture blank(int width, int height, Pixel color) {
  return {
      .width = width, .height = height, .pixels = std::vector<Pixel>(static_cast<std::size_t>(width) * height, color)};
}

void fill(Picture& picture, int x, int y, int wide, int high, Pixel color) {
  for (int row = y; row < y + high; ++row)
    for (int col = x; col < x + wide; ++col) picture.at(col, row) = color;
}

constexpr Pixel kDark{27, 32, 39}, kLight{228, 232, 238}, kGreen{18, 184, 134};

// A page with a few lines of what could be text.
Picture page() {
  Picture picture = blank(400, 300, kDark);
  for (int line = 0; line < 10; ++line)
    for (int word = 0; word < 12; ++word) fill(picture, 10 + 30 * word, 20 + 25 * line, 20, 2, kLight);
  return picture;
}

}  // namespace

TEST_CASE("pictures: what is written is read") {
  const TempFolder folder;
  Picture picture = page();
  fill(picture, 3, 4, 5, 6, kGreen);
  REQUIRE(write_png(folder / "a.png", picture));
  const auto read = read_png(folder / "a.png");
  REQUIRE(read);
  CHECK(read->width == 400);
  CHECK(read->height == 300);
  CHECK(read->pixels == picture.pixels);
  CHECK(!read_png(folder / "none.png"));
}

TEST_CASE("pictures: the same, and shades nobody sees") {
  CHECK(compare(page(), page()).same);
  Picture other = page();
  for (Pixel& pixel : other.pixels) pixel.g = static_cast<std::uint8_t>(pixel.g + 2);
  CHECK(compare(page(), other).same);
}

TEST_CASE("pictures: a line one pixel off is the same, four pixels off is not") {
  Picture one = page(), near = page(), far = page();
  fill(one, 50, 200, 100, 2, kGreen);
  fill(near, 50, 201, 100, 2, kGreen);
  fill(far, 50, 204, 100, 2, kGreen);
  CHECK(compare(one, near).same);
  CHECK(!compare(one, far).same);
}

TEST_CASE("pictures: a mark that is missing is a difference, whichever picture has it") {
  Picture marked = page();
  fill(marked, 100, 100, 6, 6, kGreen);
  const Comparison gone = compare(marked, page()), came = compare(page(), marked);
  CHECK(!gone.same);
  CHECK(!came.same);
  CHECK(gone.different == came.different);
  // The pixels inside; those at the edge have the other's ground beside them.
  CHECK(gone.different >= 16);
  CHECK(gone.text == "36 of 120000 pixels differ, first at 100,100");
}

TEST_CASE("pictures: a difference is explained by a picture of three parts") {
  Picture marked = page();
  fill(marked, 100, 100, 20, 20, kGreen);
  const Comparison result = compare(page(), marked);
  REQUIRE(result.explained.width == 1200);
  CHECK(result.explained.at(110, 110) == kDark);
  CHECK(result.explained.at(510, 110) == kGreen);
  CHECK(result.explained.at(910, 110) == Pixel{200, 0, 90});
}

TEST_CASE("pictures: of different sizes are different") {
  const Comparison result = compare(blank(10, 20, kDark), blank(20, 10, kDark));
  CHECK(!result.same);
  CHECK(result.text == "sizes differ: 10x20 and 20x10");
  CHECK(result.explained.width == 30);
}

TEST_CASE("pictures: parts, and how many colours they have") {
  Picture picture = page();
  fill(picture, 0, 0, 1, 1, kGreen);
  CHECK(picture.colors() == 3);
  CHECK(picture.colors(2) == 2);
  const Picture part = picture.part(390, 290, 50, 50);
  CHECK(part.width == 10);
  CHECK(part.height == 10);
  CHECK(part.colors() == 1);
}

}  // namespace ts::test
