// Drawing one cell.
#include "app/draw/cells.h"

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/signs.h"
#include "app/draw/subjects.h"
#include "app/draw/text.h"

namespace ts::ui {
namespace {

struct MarkRow {
  Mark mark;
  const char* row;  // of the legend
};
constexpr MarkRow kMarkRows[] = {
    {Mark::Undefined, "cell-undefined"}, {Mark::Unspecified, "cell-unspecified"},
    {Mark::Padding, "cell-padding"},     {Mark::Written, "cell-written"},
    {Mark::Read, "cell-read"},           {Mark::Finding, "cell-finding"},
    {Mark::Different, "cell-different"}, {Mark::Noted, "cell-noted"},
    {Mark::Selected, "cell-selected"},   {Mark::Provenance, "cell-provenance"},
    {Mark::Faded, "cell-faded"},
};

// What is seen of a cell, for who asks about it. That it is under the mouse needs no words.
void note_marks(const Rect& rect, const CellLook& cell) {
  for (const MarkRow& row : kMarkRows)
    if (has(cell.marks, row.mark)) note_mark(row.row, rect);
  if (cell.source)
    note_mark(*cell.source == look().theme->mask ? "cell-mask"
              : cell.edge_right                  ? "cell-source1"
                                                 : "cell-source0",
              rect);
}

bool has_text(const Rect& rect, const CellLook& cell) {
  return rect.width() >= 18 && !cell.text.empty() && !has(cell.marks, Mark::Padding);
}

// What the text in the middle leaves at either end.
float beside_text(const Rect& rect, const CellLook& cell) {
  if (!has_text(rect, cell)) return rect.width();
  return std::max(0.0f, (rect.width() - text_width(cell.text, look().fonts.mono)) / 2);
}

// The letter stands in an upper corner, where it does not lie on the number.
void draw_edge(ImDrawList& out, const Rect& rect, const CellLook& cell, Color ground) {
  const float thick = std::clamp(rect.width() / 12, 2.0f, look().px(4));
  const ImU32 color = ink(*cell.source);
  if (cell.edge_right) out.AddRectFilled({rect.max.x - thick, rect.min.y}, rect.max, color);
  else out.AddRectFilled(rect.min, {rect.min.x + thick, rect.max.y}, color);
  if (cell.letter == 0 || rect.height() < look().px(24) || rect.width() < look().px(36)) return;
  const char letter[2] = {cell.letter, 0};
  ImFont* font = look().fonts.mono_small;
  const float size = font->FontSize * 0.85f, wide = font->CalcTextSizeA(size, FLT_MAX, 0, letter).x;
  if (beside_text(rect, cell) < thick + 2 + wide) return;
  const float x = cell.edge_right ? rect.max.x - thick - 1 - wide : rect.min.x + thick + 1;
  out.AddText(font, size, {x, rect.min.y}, ink(mix(text_on(ground), *cell.source, 0.4)), letter);
}

void draw_ground_marks(ImDrawList& out, const Rect& rect, Mark marks, Color ground) {
  const Color line = with_alpha(text_on(ground), 0.30);
  const float gap = look().px(6);
  if (has(marks, Mark::Padding)) {
    hatch(out, rect, ink(with_alpha(line, 0.18)), gap, true);
    hatch(out, rect, ink(with_alpha(line, 0.18)), gap, false);
  }
  if (has(marks, Mark::Undefined)) hatch(out, rect, ink(line), gap, true);
  if (has(marks, Mark::Unspecified))
    for (float x = rect.min.x + 3; x < rect.max.x - 2; x += look().px(5))
      out.AddCircleFilled({x, rect.max.y - look().px(3)}, look().px(1.2f), ink(with_alpha(text_on(ground), 0.7)));
}

void draw_rings(ImDrawList& out, const Rect& rect, Mark marks) {
  const Theme& theme = *look().theme;
  if (has(marks, Mark::Read)) dashed_rect(out, rect.shrunk(1.5f), ink(theme.read), 2, 1.5f);
  if (has(marks, Mark::Finding)) {
    out.AddRect(rect.min, rect.max, ink(theme.finding), 0, 0, 1.5f);
    out.AddRect(rect.shrunk(3).min, rect.shrunk(3).max, ink(theme.finding), 0, 0, 1.5f);
  }
  if (has(marks, Mark::Provenance)) dashed_rect(out, rect.shrunk(1), ink(theme.select), look().px(5), 2.5f);
  if (has(marks, Mark::Hovered)) out.AddRect(rect.min, rect.max, ink(theme.select), 0, 0, 1.5f);
  if (has(marks, Mark::Selected)) out.AddRect(rect.min, rect.max, ink(theme.select), 0, 0, 2.5f);
}

void draw_corner_marks(ImDrawList& out, const Rect& rect, Mark marks) {
  const Theme& theme = *look().theme;
  const float side = std::min(rect.height() * 0.35f, look().px(9));
  if (has(marks, Mark::Written))
    out.AddTriangleFilled({rect.max.x - side, rect.min.y}, {rect.max.x, rect.min.y}, {rect.max.x, rect.min.y + side},
                          ink(theme.written));
  if (has(marks, Mark::Finding) && rect.height() >= look().px(16)) {
    const float x = rect.min.x + look().px(6), y = rect.min.y + look().px(4), thick = look().px(2);
    out.AddRectFilled({x, y}, {x + thick, y + look().px(6)}, ink(theme.finding));
    out.AddRectFilled({x, y + look().px(7.5f)}, {x + thick, y + look().px(9.5f)}, ink(theme.finding));
  }
  if (has(marks, Mark::Noted)) draw_note_corner(out, rect);
  if (has(marks, Mark::Different) && rect.height() >= look().px(14)) {
    const float x = rect.max.x - look().px(13), y = rect.max.y - look().px(10), wide = look().px(8);
    out.AddLine({x, y}, {x + wide, y}, ink(theme.difference), 1.5f);
    out.AddLine({x, y + look().px(4)}, {x + wide, y + look().px(4)}, ink(theme.difference), 1.5f);
    out.AddLine({x + look().px(1), y + look().px(7)}, {x + wide - look().px(1), y - look().px(3)},
                ink(theme.difference), 1.5f);
  }
}

}  // namespace

void draw_text_in(ImDrawList& out, const Rect& rect, const std::string& text, ImU32 color, ImFont* font) {
  std::string shown = cut_text(text, rect.width() - look().px(4), font);
  // A single character, such as the bit of a predicate, is better too wide than not there.
  if (shown.empty()) shown = text.substr(0, 1);
  const ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, shown.c_str());
  const ImVec2 at{std::floor(rect.min.x + (rect.width() - size.x) / 2),
                  std::floor(rect.min.y + (rect.height() - size.y) / 2)};
  out.AddText(font, font->FontSize, at, color, shown.c_str());
}

MarkRoom mark_room(Mark marks, const Rect& cell) {
  MarkRoom room;
  if (has(marks, Mark::Noted)) room.left = note_corner_side(cell) + look().px(2);
  if (has(marks, Mark::Finding) && cell.height() >= look().px(16)) room.left = std::max(room.left, look().px(9));
  if (has(marks, Mark::Different) && cell.height() >= look().px(14)) room.right = look().px(14);
  return room;
}

namespace {

// In the middle, or, where marks stand there, in the middle of what they leave.
void draw_text_beside(ImDrawList& out, const Rect& rect, const CellLook& cell, ImU32 color) {
  ImFont* font = look().fonts.mono;
  const MarkRoom marks = mark_room(cell.marks, rect);
  const float free = (rect.width() - text_width(cell.text, font)) / 2;
  if (free >= std::max(marks.left, marks.right)) return draw_text_in(out, rect, cell.text, color, font);
  const Rect room{{rect.min.x + marks.left, rect.min.y}, {rect.max.x - marks.right, rect.max.y}};
  if (marks.left + marks.right == 0) return draw_text_in(out, room, cell.text, color, font);
  const std::string shown = cut_text(cell.text, room.width(), font);
  if (!shown.empty()) draw_text_in(out, room.shrunk(-look().px(2)), shown, color, font);
}

}  // namespace

void draw_cell(ImDrawList& out, const Rect& rect, const CellLook& cell) {
  const Theme& theme = *look().theme;
  const bool faded = has(cell.marks, Mark::Faded);
  Color ground = cell.ground.value_or(theme.cell);
  if (faded) ground = mix(theme.pane, ground, 0.35);
  out.AddRectFilled(rect.min, rect.max, ink(ground));
  if (rect.width() < 3 || rect.height() < 3) return;
  if (subjects_wanted()) note_marks(rect, cell);
  draw_ground_marks(out, rect, cell.marks, ground);
  if (cell.source) {
    CellLook edge = cell;
    if (faded) edge.source = mix(theme.pane, *cell.source, 0.35);
    draw_edge(out, rect, edge, ground);
  }
  if (has_text(rect, cell)) {
    const Color text = text_on(ground);
    draw_text_beside(out, rect, cell, ink(faded ? mix(ground, text, 0.45) : text));
  }
  draw_corner_marks(out, rect, cell.marks);
  draw_rings(out, rect, cell.marks);
}

}  // namespace ts::ui
