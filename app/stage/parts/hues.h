// Hues that tell rows apart, all of them equally light, so that none stands out.
#pragma once

#include <cstdint>

#include "app/theme/color.h"

namespace ts::ui {

// Of row `row`; the hues come again after 12. Neighbours are far apart.
Color row_hue(std::uint32_t row);
// The letter that says the same without colour: A, B, ..., Z, A, ...
inline char row_letter(std::uint32_t row) { return static_cast<char>('A' + row % 26); }

}  // namespace ts::ui
