// Colours, and how far apart they look.
#pragma once

#include <cstdint>

namespace ts::data {

struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};
constexpr Color rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16), static_cast<std::uint8_t>(hex >> 8), static_cast<std::uint8_t>(hex)};
}
constexpr Color with_alpha(Color color, double alpha) {
  color.a = static_cast<std::uint8_t>(alpha * 255 + 0.5);
  return color;
}
// `share` 0: a; 1: b.
Color mix(Color a, Color b, double share);
// `top`, by its alpha, on an opaque ground.
Color over(Color ground, Color top);

// As the Web Content Accessibility Guidelines have them: luminance 0 to 1, contrast 1 to 21. Alpha is not looked at.
double luminance(Color color);
double contrast(Color a, Color b);
// Black or white, whichever reads better on this ground: at least 4.5 : 1.
Color text_on(Color ground);

}  // namespace ts::data
