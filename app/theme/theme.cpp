// The themes, and the two heat scales.
#include "app/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ts::ui {
namespace {

// Data colours: Okabe and Ito's palette, which stays apart for the common kinds of colour vision. On the light theme
// the same hues, darkened where a thin line has to be seen on white.
constexpr Theme kThemes[] = {
    {.name = "dark",
     .dark = true,
     .window = rgb(0x0F1216),
     .pane = rgb(0x171B21),
     .raised = rgb(0x1F252D),
     .hovered = rgb(0x2A323C),
     .pressed = rgb(0x303A46),
     .line = rgb(0x2C343F),
     .text = rgb(0xE4E8EE),
     .text_quiet = rgb(0x98A3B1),
     .accent = rgb(0x4FA3E0),
     .accent_text = rgb(0x0B0E12),
     .cell = rgb(0x1B2027),
     .grid = rgb(0x2B333D),
     .src0 = rgb(0x2F8FD0),
     .src1 = rgb(0xE69F00),
     .mask = rgb(0xCC79A7),
     .scratch = rgb(0x999999),
     .written = rgb(0x12B886),
     .read = rgb(0x56B4E9),
     .finding = rgb(0xF0692A),
     .difference = rgb(0xF0E442),
     .select = rgb(0xFFFFFF),
     .heat_zero = rgb(0xE8EAED),
     .good = rgb(0x12B886)},
    {.name = "light",
     .dark = false,
     .window = rgb(0xE3E6EA),
     .pane = rgb(0xFBFCFD),
     .raised = rgb(0xEFF1F4),
     .hovered = rgb(0xE1E6EC),
     .pressed = rgb(0xD4DBE4),
     .line = rgb(0xD3D9E0),
     .text = rgb(0x1A2028),
     .text_quiet = rgb(0x56616E),
     .accent = rgb(0x0066A8),
     .accent_text = rgb(0xFFFFFF),
     .cell = rgb(0xFFFFFF),
     .grid = rgb(0xDDE2E8),
     .src0 = rgb(0x0072B2),
     .src1 = rgb(0xAD7700),
     .mask = rgb(0xA8527F),
     .scratch = rgb(0x6E6E6E),
     .written = rgb(0x007652),
     .read = rgb(0x2A86BD),
     .finding = rgb(0xB04300),
     .difference = rgb(0x8C7F00),
     .select = rgb(0x000000),
     .heat_zero = rgb(0xF4F5F6),
     .good = rgb(0x007652)},
};

// Cividis (Nunez, Anderton, Renslow 2018) at ninths; between them straight lines, which differ from it by less than
// anybody sees.
constexpr std::array<Color, 10> kCividis = {rgb(0x00224E), rgb(0x123570), rgb(0x3B496C), rgb(0x575D6D), rgb(0x707173),
                                            rgb(0x8A8678), rgb(0xA59C74), rgb(0xC3B369), rgb(0xE1CC55), rgb(0xFEE838)};

}  // namespace

std::span<const Theme> themes() {
  return kThemes;
}

const Theme* find_theme(std::string_view name) {
  const auto* found = std::ranges::find(kThemes, name, [](const Theme& theme) { return std::string_view(theme.name); });
  return found == std::end(kThemes) ? nullptr : found;
}

Color heat_color(double share) {
  const double at = std::clamp(share, 0.0, 1.0) * (kCividis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), kCividis.size() - 2);
  return mix(kCividis[below], kCividis[below + 1], at - static_cast<double>(below));
}

Color signed_heat_color(const Theme& theme, double share) {
  constexpr Color kLow = rgb(0x0B5FA5), kHigh = rgb(0xD97700);
  return mix(theme.heat_zero, share < 0 ? kLow : kHigh, std::abs(std::clamp(share, -1.0, 1.0)));
}

}  // namespace ts::ui
