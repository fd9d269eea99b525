// Reading, writing and comparing pictures.
#include "tests/support/window/picture.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <tuple>

namespace {

// In memory of malloc. Pictures are kept in the repository, and zlib packs a fifth better than stb.
unsigned char* packed(unsigned char* data, int size, int* packed_size, int /*quality*/) {
  uLongf bytes = ::compressBound(static_cast<uLong>(size));
  auto* out = static_cast<unsigned char*>(std::malloc(bytes));
  if (out == nullptr || ::compress2(out, &bytes, data, static_cast<uLong>(size), Z_BEST_COMPRESSION) != Z_OK)
    std::abort();
  *packed_size = static_cast<int>(bytes);
  return out;
}

}  // namespace

// stb's headers are the libraries; warnings in them are not ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBIW_ZLIB_COMPRESS packed
#include <stb_image.h>
#include <stb_image_write.h>
#pragma GCC diagnostic pop

namespace ts::test {
namespace {

// The difference of two colours, 0 to 1, black to white: Kotsarenko and Ramos, "Measuring perceived color difference
// using YIQ NTSC transmission color space" (2010).
double distance(const Pixel& one, const Pixel& other) {
  const double r = one.r - other.r, g = one.g - other.g, b = one.b - other.b;
  const double y = 0.29889531 * r + 0.58662247 * g + 0.11448223 * b;
  const double i = 0.59597799 * r - 0.27417610 * g - 0.32180189 * b;
  const double q = 0.21147017 * r - 0.52261711 * g + 0.31114694 * b;
  return std::sqrt((0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q) / (0.5053 * 255 * 255));
}

// Whether the colour is in the picture at the place or beside it.
bool is_near(const Picture& picture, int x, int y, const Pixel& color, double most) {
  for (int row = std::max(0, y - 1); row <= std::min(picture.height - 1, y + 1); ++row)
    for (int col = std::max(0, x - 1); col <= std::min(picture.width - 1, x + 1); ++col)
      if (distance(picture.at(col, row), color) <= most) return true;
  return false;
}

// Faint and grey, so that what is painted over it stands out.
Pixel faint(const Pixel& pixel) {
  const auto grey = static_cast<std::uint8_t>(191 + (pixel.r + pixel.g + pixel.b) / 12);
  return {grey, grey, grey};
}

void put(Picture& on, const Picture& picture, int x) {
  for (int row = 0; row < picture.height; ++row)
    for (int col = 0; col < picture.width; ++col) on.at(x + col, row) = picture.at(col, row);
}

Picture beside(const Picture& one, const Picture& other, const Picture& differences) {
  Picture all{.width = one.width + other.width + differences.width,
              .height = std::max({one.height, other.height, differences.height})};
  all.pixels.resize(static_cast<std::size_t>(all.width) * all.height);
  put(all, one, 0);
  put(all, other, one.width);
  put(all, differences, one.width + other.width);
  return all;
}

std::string size_text(const Picture& picture) {
  return std::to_string(picture.width) + "x" + std::to_string(picture.height);
}

}  // namespace

Picture Picture::part(int x, int y, int wide, int high) const {
  const int left = std::clamp(x, 0, width), top = std::clamp(y, 0, height);
  Picture out{.width = std::clamp(x + wide, left, width) - left, .height = std::clamp(y + high, top, height) - top};
  for (int row = 0; row < out.height; ++row) {
    const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(top + row) * width + left;
    out.pixels.insert(out.pixels.end(), begin, begin + out.width);
  }
  return out;
}

std::size_t Picture::colors(std::size_t most) const {
  std::set<std::tuple<int, int, int>> seen;
  for (const Pixel& pixel : pixels) {
    seen.emplace(pixel.r, pixel.g, pixel.b);
    if (seen.size() >= most) break;
  }
  return seen.size();
}

std::optional<Picture> read_png(const std::string& path) {
  Picture picture;
  int channels = 0;
  unsigned char* data = ::stbi_load(path.c_str(), &picture.width, &picture.height, &channels, 3);
  if (data == nullptr) return std::nullopt;
  picture.pixels.resize(static_cast<std::size_t>(picture.width) * picture.height);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    picture.pixels[i] = {data[3 * i], data[3 * i + 1], data[3 * i + 2]};
  ::stbi_image_free(data);
  return picture;
}

bool write_png(const std::string& path, const Picture& picture) {
  static_assert(sizeof(Pixel) == 3);
  struct Freed {
    void operator()(unsigned char* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<unsigned char, Freed> smallest;
  int size = 0;
  // Rows as they are, or as differences, by row: flat panes are smaller in one way, maps in the other.
  for (const int filter : {0, -1}) {
    ::stbi_write_force_png_filter = filter;
    int bytes = 0;
    std::unique_ptr<unsigned char, Freed> file(
        ::stbi_write_png_to_mem(reinterpret_cast<const unsigned char*>(picture.pixels.data()), 3 * picture.width,
                                picture.width, picture.height, 3, &bytes));
    if (file == nullptr) return false;
    if (smallest != nullptr && bytes >= size) continue;
    smallest = std::move(file);
    size = bytes;
  }
  std::ofstream out(path, std::ios::binary);
  return out.write(reinterpret_cast<const char*>(smallest.get()), size).good();
}

Comparison compare(const Picture& one, const Picture& other, const Tolerance& tolerance) {
  Comparison result;
  if (one.width != other.width || one.height != other.height) {
    result.text = "sizes differ: " + size_text(one) + " and " + size_text(other);
    result.explained = beside(one, other, {});
    return result;
  }
  Picture shown = one;
  std::string first;
  for (int y = 0; y < one.height; ++y) {
    for (int x = 0; x < one.width; ++x) {
      shown.at(x, y) = faint(one.at(x, y));
      if (one.at(x, y) == other.at(x, y)) continue;
      // Both ways: else a mark that is only in one of them would be missed when the other has its colour beside it.
      if (is_near(other, x, y, one.at(x, y), tolerance.color) && is_near(one, x, y, other.at(x, y), tolerance.color))
        continue;
      shown.at(x, y) = {200, 0, 90};
      if (result.different++ == 0) first = std::to_string(x) + "," + std::to_string(y);
    }
  }
  const double pixels = static_cast<double>(one.pixels.size());
  result.same = static_cast<double>(result.different) <= tolerance.share * pixels;
  result.text = std::to_string(result.different) + " of " + std::to_string(one.pixels.size()) + " pixels differ" +
                (first.empty() ? "" : ", first at " + first);
  if (!result.same) result.explained = beside(one, other, shown);
  return result;
}

}  // namespace ts::test
