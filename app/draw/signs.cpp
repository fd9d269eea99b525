// Drawing signs.
#include "app/draw/signs.h"

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/subjects.h"

namespace ts::ui {
namespace {

// The largest square in the middle of a rectangle, not larger than `side`.
Rect square_in(const Rect& rect, float side) {
  side = std::min({side, rect.width(), rect.height()});
  const ImVec2 middle = rect.center();
  const float x = std::floor(middle.x - side / 2), y = std::floor(middle.y - side / 2);
  return {{x, y}, {x + side, y + side}};
}

}  // namespace

void draw_here(ImDrawList& out, const Rect& rect, Here here) {
  note_mark(here == Here::Next ? "here-next" : here == Here::Made ? "here-made" : "here-inside", rect);
  const Theme& theme = *look().theme;
  const Rect box = square_in(rect, look().px(11));
  const ImU32 color = ink(theme.accent);
  const float middle = (box.min.y + box.max.y) / 2, half = box.width() / 2;
  if (here == Here::Inside) {
    for (const float at : {box.min.x, box.min.x + half}) {
      out.AddTriangleFilled({at, box.min.y}, {at + half, middle}, {at, box.max.y}, color);
    }
    return;
  }
  // A shaft and a head, so that it is not taken for the handle of a fold.
  const float neck = box.min.x + half * 0.8f, thin = box.height() * 0.22f;
  const ImVec2 points[] = {{box.min.x, middle - thin}, {neck, middle - thin}, {neck, box.min.y},
                           {box.max.x, middle},        {neck, box.max.y},     {neck, middle + thin},
                           {box.min.x, middle + thin}};
  if (here == Here::Made) {
    out.AddPolyline(points, 7, color, ImDrawFlags_Closed, look().px(1.4f));
    return;
  }
  out.AddRectFilled({box.min.x, middle - thin}, {neck + 1, middle + thin}, color);
  out.AddTriangleFilled({neck, box.min.y}, {box.max.x, middle}, {neck, box.max.y}, color);
}

void draw_stop(ImDrawList& out, const Rect& rect, StopSign sign) {
  constexpr const char* kRows[] = {"stop-on", "stop-off", "stop-log", "stop-offered"};
  note_mark(kRows[static_cast<int>(sign)], rect);
  const Theme& theme = *look().theme;
  const ImVec2 at = rect.center();
  const float radius = std::min({rect.width(), rect.height(), look().px(11)}) / 2;
  switch (sign) {
    case StopSign::On: out.AddCircleFilled(at, radius, ink(theme.finding), 20); break;
    case StopSign::Off: out.AddCircle(at, radius - 1, ink(theme.finding), 20, look().px(1.5f)); break;
    case StopSign::Offered: out.AddCircleFilled(at, radius, ink(with_alpha(theme.finding, 0.35)), 20); break;
    case StopSign::Log:
      out.AddQuadFilled({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
                        ink(theme.finding));
      break;
  }
}

Color color_of(Severity severity) {
  const Theme& theme = *look().theme;
  if (severity == Severity::Error) return theme.finding;
  return severity == Severity::Warning ? theme.src1 : theme.read;
}

void draw_severity(ImDrawList& out, const Rect& rect, Severity severity) {
  note_mark(severity == Severity::Error     ? "severity-error"
            : severity == Severity::Warning ? "severity-warning"
                                            : "severity-note",
            rect);
  const Rect box = square_in(rect, look().px(12));
  const Color color = color_of(severity);
  const float x = (box.min.x + box.max.x) / 2, side = box.width();
  if (severity == Severity::Note) {
    out.AddCircle(box.center(), side * 0.4f, ink(color), 16, look().px(1.3f));
    out.AddCircleFilled(box.center(), side * 0.13f, ink(color), 8);
    return;
  }
  const ImVec2 top{x, box.min.y}, left{box.min.x, box.max.y - 1}, right{box.max.x, box.max.y - 1};
  const bool error = severity == Severity::Error;
  if (error) out.AddTriangleFilled(top, right, left, ink(color));
  else out.AddTriangle(top, right, left, ink(color), look().px(1.4f));
  const ImU32 stroke = ink(error ? text_on(color) : color);
  const float thick = std::max(1.0f, side * 0.12f);
  out.AddLine({x, box.min.y + side * 0.38f}, {x, box.min.y + side * 0.66f}, stroke, thick);
  out.AddLine({x, box.min.y + side * 0.76f}, {x, box.min.y + side * 0.86f}, stroke, thick);
}

void draw_different(ImDrawList& out, const Rect& rect) {
  note_mark("different", rect);
  const Rect box = square_in(rect, look().px(12));
  const ImU32 color = ink(look().theme->difference);
  const float thick = look().px(1.6f), high = box.height();
  for (const float at : {0.38f, 0.66f})
    out.AddLine({box.min.x, box.min.y + high * at}, {box.max.x, box.min.y + high * at}, color, thick);
  out.AddLine({box.min.x + high * 0.22f, box.max.y}, {box.max.x - high * 0.22f, box.min.y}, color, thick);
}

void draw_fold(ImDrawList& out, const Rect& rect, bool open, ImU32 color) {
  note_mark(open ? "fold-open" : "fold-closed", rect);
  const Rect box = square_in(rect, look().px(8));
  const ImVec2 middle = box.center();
  if (open)
    out.AddTriangleFilled({box.min.x, box.min.y + 1}, {box.max.x, box.min.y + 1}, {middle.x, box.max.y - 1}, color);
  else out.AddTriangleFilled({box.min.x + 1, box.min.y}, {box.max.x - 1, middle.y}, {box.min.x + 1, box.max.y}, color);
}

void draw_cross(ImDrawList& out, const Rect& rect, ImU32 color) {
  note_mark("cross", rect);
  const Rect box = square_in(rect, look().px(8));
  out.AddLine(box.min, box.max, color, look().px(1.5f));
  out.AddLine({box.min.x, box.max.y}, {box.max.x, box.min.y}, color, look().px(1.5f));
}

void draw_from(ImDrawList& out, const Rect& rect, ImU32 color) {
  note_mark("from", rect);
  const float y = std::floor(rect.center().y) + 0.5f, tip = look().px(3.5f);
  out.AddLine({rect.min.x, y}, {rect.max.x, y}, color, look().px(1.2f));
  out.AddLine({rect.min.x, y}, {rect.min.x + tip, y - tip}, color, look().px(1.2f));
  out.AddLine({rect.min.x, y}, {rect.min.x + tip, y + tip}, color, look().px(1.2f));
}

void draw_wave(ImDrawList& out, ImVec2 from, float width, ImU32 color) {
  note_mark("wave", {{from.x, from.y - look().fonts.mono->FontSize}, {from.x + width, from.y + look().px(3)}});
  const float step = look().px(3), high = look().px(2);
  for (float x = 0; x < width; x += step) {
    const bool up = static_cast<int>(x / step) % 2 == 0;
    out.AddLine({from.x + x, from.y + (up ? high : 0)}, {from.x + std::min(x + step, width), from.y + (up ? 0 : high)},
                color, look().px(1.2f));
  }
}

namespace {

void draw_page(ImDrawList& out, const Rect& box) {
  const Theme& theme = *look().theme;
  const float fold = box.width() * 0.42f, inset = box.width() * 0.08f;
  const ImVec2 page[] = {{box.min.x + inset, box.min.y},
                         {box.max.x - fold, box.min.y},
                         {box.max.x - inset, box.min.y + fold},
                         {box.max.x - inset, box.max.y},
                         {box.min.x + inset, box.max.y}};
  out.AddConvexPolyFilled(page, 5, ink(theme.good));
  out.AddPolyline(page, 5, ink(with_alpha(text_on(theme.good), 0.8)), ImDrawFlags_Closed, 1);
  const float left = box.min.x + box.width() * 0.28f, right = box.max.x - box.width() * 0.28f;
  for (const float at : {0.52f, 0.74f}) {
    const float y = std::floor(box.min.y + box.height() * at);
    out.AddRectFilled({left, y}, {right, y + std::max(1.0f, look().px(1))}, ink(text_on(theme.good)));
  }
}

}  // namespace

void draw_note_sign(ImDrawList& out, const Rect& rect) {
  note_mark("note", rect);
  draw_page(out, square_in(rect, look().px(11)));
}

float note_corner_side(const Rect& cell) {
  return std::min({cell.height() * 0.5f, cell.width() * 0.4f, look().px(11)});
}

void draw_note_corner(ImDrawList& out, const Rect& cell) {
  const float side = note_corner_side(cell);
  draw_page(out, {{cell.min.x + 1, cell.max.y - side - 1}, {cell.min.x + 1 + side, cell.max.y - 1}});
}

void draw_changed(ImDrawList& out, const Rect& rect, ImU32 color) {
  note_mark("changed", rect);
  const Rect box = square_in(rect, look().px(8));
  const ImVec2 at = box.center();
  out.AddQuadFilled({at.x, box.min.y}, {box.max.x, at.y}, {at.x, box.max.y}, {box.min.x, at.y}, color);
}

}  // namespace ts::ui
