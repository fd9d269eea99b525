// The sign of an operation, as a shape.
#pragma once

#include <imgui.h>

#include <string>

namespace ts::ui {

// In a circle; only a dot where the radius is too small for it. "+", "-", "=", "*" are drawn, other signs are words,
// for which there is `room`.
void draw_sign(ImVec2 middle, const std::string& sign, float radius, float room = 1000);

}  // namespace ts::ui
