// Few colours for a picture of many.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ts::data {

using Rgb = std::array<std::uint8_t, 3>;

// At most 255 colours, and which of them each pixel is: exact where there are no more, else each that of its part of the
// cube of colours, which is cut where most pixels are.
struct FewColors {
  std::vector<Rgb> colors;
  std::vector<std::uint8_t> pixels;
};
FewColors few_colors(std::span<const Rgb> pixels);

}  // namespace ts::data
