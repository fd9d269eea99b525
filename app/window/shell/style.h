// ImGui's own colours and distances, from the theme.
#pragma once

#include "app/draw/look.h"

namespace ts::ui {

void style_widgets(const Look& look);

}  // namespace ts::ui
