// A scroll bar over numbered rows. Rows are counted in doubles: pixels in floats are not exact in long lists.
#pragma once

#include "app/draw/rect.h"

namespace ts::ui {

// `at` is the row (or column) at the start of what is seen. Nothing is drawn where all of them are.
void scroll_bar(const char* id, const Rect& bar, bool vertical, double& at, double seen, double all);
// `at` where it may be.
double within_scroll(double at, double seen, double all);

}  // namespace ts::ui
