// A bar that asks something: its words, behind which buttons stand.
#pragma once

#include <string>

#include "app/draw/rect.h"

namespace ts::ui {

float question_height();
// Draws the bar; the words take at most that share of its width, and the next widget stands behind them.
void put_question(const Rect& area, const std::string& words, float share);

}  // namespace ts::ui
