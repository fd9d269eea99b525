#pragma once

#include <imgui.h>

namespace ts::ui {

/// What the current window draws on.
inline ImDrawList& canvas() { return *ImGui::GetWindowDrawList(); }

}  // namespace ts::ui
