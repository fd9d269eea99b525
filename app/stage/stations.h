// What becomes of one value on its way to the element in focus: a row of stations with the value after each.
#pragma once

#include "app/stage/drawing.h"

namespace ts::ui {

// How high the row wants to be; 0: nothing is between the element and its source.
float stations_height(StageStep& step);
void draw_stations(StageStep& step, const Rect& area);

}  // namespace ts::ui
