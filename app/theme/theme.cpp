// The themes, and the two heat scales.
#include "app/theme/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace ts::ui {
namespace {

// Cividis (Nunez, Anderton, Renslow 2018) at ninths; between them straight lines, which differ from it by less than
// anybody sees.
constexpr std::array<Color, 10> kCividis = {rgb(0x00224E), rgb(0x123570), rgb(0x3B496C), rgb(0x575D6D), rgb(0x707173),
                                            rgb(0x8A8678), rgb(0xA59C74), rgb(0xC3B369), rgb(0xE1CC55), rgb(0xFEE838)};

struct UserThemes {
  std::vector<std::shared_ptr<const Theme>> shown, before;  // those before may still be looked at
};
UserThemes& user() {
  static UserThemes made;
  return made;
}

}  // namespace

std::span<const Theme> themes() { return data::palettes(); }

const Theme* find_theme(std::string_view name) {
  for (const Theme& theme : themes())
    if (theme.name == name) return &theme;
  for (const auto& theme : user().shown)
    if (theme->name == name) return theme.get();
  return nullptr;
}

std::vector<std::string> theme_names() {
  std::vector<std::string> names;
  for (const Theme& theme : themes()) names.push_back(theme.name);
  for (const auto& theme : user().shown) names.push_back(theme->name);
  return names;
}

void set_user_themes(std::vector<Theme> themes) {
  UserThemes& all = user();
  all.before.insert(all.before.end(), all.shown.begin(), all.shown.end());
  all.shown.clear();
  for (Theme& theme : themes) all.shown.push_back(std::make_shared<const Theme>(std::move(theme)));
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
