// Twelve hues on a circle of the OKLab space (Ottosson 2020), taken in steps of five.
#include "app/stage/parts/hues.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/draw/look.h"

namespace ts::ui {
namespace {

std::uint8_t encoded(double linear) {
  const double share = std::clamp(linear, 0.0, 1.0);
  const double value = share <= 0.0031308 ? 12.92 * share : 1.055 * std::pow(share, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * value));
}

Color from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

using Hues = std::array<Color, 12>;
Hues make_hues(double lightness) {
  Hues hues;
  for (std::size_t i = 0; i < hues.size(); ++i) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(i * 5 % hues.size()) / static_cast<double>(hues.size());
    hues[i] = from_oklab(lightness, 0.11 * std::cos(angle), 0.11 * std::sin(angle));
  }
  return hues;
}

}  // namespace

Color row_hue(std::uint32_t row) {
  static const Hues kOnDark = make_hues(0.70), kOnLight = make_hues(0.62);
  const Hues& hues = look().theme->dark ? kOnDark : kOnLight;
  return hues[(row + 8) % hues.size()];
}

}  // namespace ts::ui
