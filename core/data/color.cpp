// Mixing and measuring colours.
#include "core/data/color.h"

#include <algorithm>
#include <cmath>

namespace ts::data {
namespace {

std::uint8_t mix_channel(std::uint8_t a, std::uint8_t b, double share) {
  return static_cast<std::uint8_t>(std::lround(a + (b - a) * std::clamp(share, 0.0, 1.0)));
}

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

Color mix(Color a, Color b, double share) {
  return {mix_channel(a.r, b.r, share), mix_channel(a.g, b.g, share), mix_channel(a.b, b.b, share),
          mix_channel(a.a, b.a, share)};
}

Color over(Color ground, Color top) {
  Color seen = mix(ground, top, top.a / 255.0);
  seen.a = 255;
  return seen;
}

double luminance(Color color) { return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b); }

double contrast(Color a, Color b) {
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

Color text_on(Color ground) {
  constexpr Color kBlack = rgb(0x000000), kWhite = rgb(0xFFFFFF);
  return contrast(ground, kBlack) >= contrast(ground, kWhite) ? kBlack : kWhite;
}

}  // namespace ts::data
