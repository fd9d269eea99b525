// Pictures: reading and writing PNG, and whether two look the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ts::test {

struct Pixel {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Pixel&) const = default;
};

struct Picture {
  int width = 0, height = 0;
  std::vector<Pixel> pixels = {};  // row by row

  const Pixel& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
  Pixel& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  // What of it lies in the rectangle.
  Picture part(int x, int y, int wide, int high) const;
  // Different colours in it, up to `most`: a picture of nothing has few.
  std::size_t colors(std::size_t most = 1000) const;
};

std::optional<Picture> read_png(const std::string& path);
bool write_png(const std::string& path, const Picture& picture);

// How two pictures are held against each other. Colours are compared in YIQ, where distance is near to what the eye
// sees and a change of brightness counts more than one of hue. A pixel counts as different when its colour is farther
// than `color` (of 1: black to white) from every pixel beside the same place in the other picture: glyphs and lines
// that another version of the driver rasterises half a pixel away are the same picture, but a mark, number or line that
// is there or not is a difference. Pictures differ when more than `share` of the pixels do, so that a lone speck does
// not count while the smallest mark of a cell does.
struct Tolerance {
  double color = 0.08;
  double share = 0.00002;  // of 1600x1000: 32 pixels; a corner mark has 40
};

struct Comparison {
  bool same = false;
  std::size_t different = 0;  // pixels
  std::string text;           // "213 of 1600000 pixels differ, first at 40,77"
  // The first picture, the second, and where they differ, beside each other.
  Picture explained;
};
Comparison compare(const Picture& one, const Picture& other, const Tolerance& tolerance = {});

}  // namespace ts::test
