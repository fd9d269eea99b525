// Small pictures on buttons, drawn as shapes: the fonts lack most of them.
#pragma once

#include <imgui.h>

#include "app/draw/rect.h"

namespace ts::ui {

enum class Icon : unsigned char {
  ToStart,
  RunBack,
  StepBack,
  StepOn,
  RunOn,
  ToEnd,
  StepInto,
  StepOut,
  Maximise,
  Restore,
  Close,
  Finding,
  Folder,
  File,
};
void draw_icon(ImDrawList& out, Icon icon, const Rect& rect, ImU32 color);
// A button with an icon; true when it was pressed.
bool icon_button(const char* id, Icon icon, const char* tooltip, bool enabled = true, float size = 26);

}  // namespace ts::ui
