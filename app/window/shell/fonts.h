// The fonts: Inter for sentences, JetBrains Mono for numbers and program text.
#pragma once

#include <string>

#include "app/draw/look.h"

namespace ts::ui {

// Into ImGui's atlas, for this scale. Where a font is not installed, another one or ImGui's own takes its place;
// `missing` then names it.
Fonts load_fonts(float scale, std::string* missing = nullptr);

}  // namespace ts::ui
