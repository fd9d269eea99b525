// Colours, and how far apart they look: those of core, which pages and pictures are drawn with too.
#pragma once

#include "core/data/color.h"

namespace ts::ui {

using data::Color;
using data::contrast;
using data::luminance;
using data::mix;
using data::over;
using data::rgb;
using data::text_on;
using data::with_alpha;

}  // namespace ts::ui
