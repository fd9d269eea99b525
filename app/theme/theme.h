// The colours of the window by what they mean. Every mark that a colour makes has a second sign beside it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/theme/color.h"
#include "core/data/palette.h"

namespace ts::ui {

using Theme = data::Palette;

// Those that the program brings along, dark first.
std::span<const Theme> themes();
// These, and the user's own (theme_files.h); null: no such theme. A theme that was found once stays valid.
const Theme* find_theme(std::string_view name);
// The names of all, in the order in which they follow each other.
std::vector<std::string> theme_names();
// The user's, instead of those before.
void set_user_themes(std::vector<Theme> themes);

// A number of 0..1 as a colour: cividis, for data of one sign.
Color heat_color(double share);
// -1..1: blue, the theme's middle, orange.
Color signed_heat_color(const Theme& theme, double share);

}  // namespace ts::ui
