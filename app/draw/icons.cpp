// Drawing icons.
#include "app/draw/icons.h"

#include <algorithm>

#include "app/draw/focus.h"
#include "app/draw/look.h"

namespace ts::ui {
namespace {

// Shapes in a square of 1 by 1.
struct Pen {
  ImDrawList& out;
  Rect rect;
  ImU32 color;
  float thick;

  ImVec2 at(float x, float y) const { return {rect.min.x + x * rect.width(), rect.min.y + y * rect.height()}; }
  void line(float x0, float y0, float x1, float y1) const { out.AddLine(at(x0, y0), at(x1, y1), color, thick); }
  void box(float x0, float y0, float x1, float y1) const { out.AddRectFilled(at(x0, y0), at(x1, y1), color); }
  void frame(float x0, float y0, float x1, float y1) const { out.AddRect(at(x0, y0), at(x1, y1), color, 0, 0, thick); }
  void triangle(float x0, float y0, float x1, float y1, float x2, float y2) const {
    out.AddTriangleFilled(at(x0, y0), at(x1, y1), at(x2, y2), color);
  }
  void right(float x, float wide) const { triangle(x, 0.18f, x + wide, 0.5f, x, 0.82f); }
  void left(float x, float wide) const { triangle(x, 0.18f, x, 0.82f, x - wide, 0.5f); }
};

void draw_arrow_down(const Pen& pen, bool dot) {
  pen.line(0.5f, 0.12f, 0.5f, 0.55f);
  pen.triangle(0.28f, 0.48f, 0.72f, 0.48f, 0.5f, 0.74f);
  if (dot) pen.out.AddCircleFilled(pen.at(0.5f, 0.88f), pen.rect.width() * 0.08f, pen.color);
}

void draw_arrow_up(const Pen& pen) {
  pen.line(0.5f, 0.3f, 0.5f, 0.72f);
  pen.triangle(0.28f, 0.36f, 0.5f, 0.1f, 0.72f, 0.36f);
  pen.out.AddCircleFilled(pen.at(0.5f, 0.88f), pen.rect.width() * 0.08f, pen.color);
}

}  // namespace

void draw_icon(ImDrawList& out, Icon icon, const Rect& rect, ImU32 color) {
  const Pen pen{out, rect, color, std::max(1.5f, rect.width() / 11)};
  switch (icon) {
    case Icon::ToStart:
      pen.box(0.12f, 0.2f, 0.22f, 0.8f);
      pen.left(0.85f, 0.55f);
      break;
    case Icon::RunBack:
      pen.left(0.5f, 0.4f);
      pen.left(0.92f, 0.4f);
      break;
    case Icon::StepBack: pen.left(0.75f, 0.5f); break;
    case Icon::StepOn: pen.right(0.25f, 0.5f); break;
    case Icon::RunOn:
      pen.right(0.08f, 0.4f);
      pen.right(0.5f, 0.4f);
      break;
    case Icon::ToEnd:
      pen.right(0.15f, 0.55f);
      pen.box(0.78f, 0.2f, 0.88f, 0.8f);
      break;
    case Icon::StepInto: draw_arrow_down(pen, true); break;
    case Icon::StepOut: draw_arrow_up(pen); break;
    case Icon::Maximise: pen.frame(0.2f, 0.2f, 0.8f, 0.8f); break;
    case Icon::Restore:
      pen.frame(0.15f, 0.35f, 0.65f, 0.85f);
      pen.line(0.35f, 0.15f, 0.85f, 0.15f);
      pen.line(0.85f, 0.15f, 0.85f, 0.65f);
      break;
    case Icon::Close:
      pen.line(0.25f, 0.25f, 0.75f, 0.75f);
      pen.line(0.75f, 0.25f, 0.25f, 0.75f);
      break;
    case Icon::Finding: pen.triangle(0.5f, 0.12f, 0.92f, 0.85f, 0.08f, 0.85f); break;
    case Icon::Folder:
      pen.box(0.08f, 0.22f, 0.45f, 0.4f);
      pen.box(0.08f, 0.34f, 0.92f, 0.82f);
      break;
    case Icon::File:
      pen.frame(0.22f, 0.1f, 0.78f, 0.9f);
      pen.line(0.36f, 0.4f, 0.64f, 0.4f);
      pen.line(0.36f, 0.6f, 0.64f, 0.6f);
      break;
  }
}

bool icon_button(const char* id, Icon icon, const char* tooltip, bool enabled, float size) {
  const Theme& theme = *look().theme;
  const ImVec2 at = ImGui::GetCursorScreenPos(), extent{look().px(size), look().px(size)};
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::InvisibleButton(id, extent);
  ImGui::EndDisabled();
  const Rect rect{at, {at.x + extent.x, at.y + extent.y}};
  const bool hovered = enabled && ImGui::IsItemHovered();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  if (hovered || (enabled && last_item_has_focus()))
    out.AddRectFilled(rect.min, rect.max, ink(ImGui::IsItemActive() ? theme.pressed : theme.hovered), look().px(4));
  draw_icon(out, icon, rect.shrunk(extent.x * 0.22f),
            ink(enabled ? theme.text : mix(theme.window, theme.text_quiet, 0.5)));
  if (hovered && tooltip != nullptr) ImGui::SetTooltip("%s", tooltip);
  return pressed;
}

}  // namespace ts::ui
