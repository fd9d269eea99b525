// The boxes that a tile stands in, over its cells: borders, numbers in the order of memory, and the way along the bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/tile_grid.h"

namespace ts::ui {
namespace {

// Closer together, lines are a grey area; smaller, numbers are no numbers.
constexpr float kLeastLines = 4, kLeastWay = 7, kLeastArrow = 44, kLeastLetters = 8, kLeastWayInside = 3;

Color way_color() { return look().theme->accent; }
// Lines are seen on every ground, be it as dark or as light as they are: another colour is on both sides of them.
ImU32 halo(double strength) { return ink(with_alpha(look().theme->pane, strength)); }

// On a line, where it leads.
void draw_arrow(ImDrawList& out, ImVec2 from, ImVec2 to, float size, ImU32 color) {
  const float x = to.x - from.x, y = to.y - from.y, length = std::sqrt(x * x + y * y);
  if (length < 1) return;
  // Not where the line crosses a border.
  const ImVec2 along{x / length * size, y / length * size}, middle{from.x + 0.65f * x, from.y + 0.65f * y};
  out.AddTriangleFilled({middle.x + along.x, middle.y + along.y},
                        {middle.x - along.x - along.y, middle.y - along.y + along.x},
                        {middle.x - along.x + along.y, middle.y - along.y - along.x}, color);
}

}  // namespace

Rect TileGrid::box_rect(const TileBox& box) const {
  return {corner(box.row, box.col), corner(box.row + box.rows, box.col + box.cols)};
}

// What stands below texts.
void TileGrid::draw_boxes(ImDrawList& out, const GridContent& content) {
  const TileBoxes& boxes = *content.boxes;
  draw_box_borders(out, boxes);
  draw_way(out, boxes);
  const auto& pointed = content.hovered ? content.hovered : content.selected;
  const bool inside = pointed && pointed->row < shape_.rows && pointed->col < shape_.cols;
  if (inside) draw_way_inside(out, boxes, boxes.in_order[boxes.number_at(pointed->row, pointed->col)]);
}

void TileGrid::draw_box_borders(ImDrawList& out, const TileBoxes& boxes) {
  const Window seen = visible(shape_, cells_);
  const ImVec2 end = corner(shape_.rows, shape_.cols), begin = corner(0, 0);
  const float thick =
      std::min(cell_.x * static_cast<float>(boxes.cols), cell_.y * static_cast<float>(boxes.rows)) < look().px(14)
          ? 1
          : std::max(1.0f, std::floor(look().px(2)));
  const bool outlined = thick > 1;
  const auto draw = [&](ImVec2 min, ImVec2 max) {
    if (outlined) out.AddRectFilled({min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, halo(0.75));
    out.AddRectFilled(min, max, ink(mix(way_color(), look().theme->text, 0.6)));
  };
  if (cell_.x * static_cast<float>(boxes.cols) >= look().px(kLeastLines))
    for (std::uint32_t col = seen.col / boxes.cols * boxes.cols; col <= seen.col + seen.cols; col += boxes.cols) {
      const float x = std::floor(corner(0, std::min(col, shape_.cols)).x - thick / 2);
      draw({x, begin.y}, {x + thick, end.y});
    }
  if (cell_.y * static_cast<float>(boxes.rows) >= look().px(kLeastLines))
    for (std::uint32_t row = seen.row / boxes.rows * boxes.rows; row <= seen.row + seen.rows; row += boxes.rows) {
      const float y = std::floor(corner(std::min(row, shape_.rows), 0).y - thick / 2);
      draw({begin.x, y}, {end.x, y + thick});
    }
}

// From the middle of each box to that of the next one in memory.
void TileGrid::draw_way(ImDrawList& out, const TileBoxes& boxes) {
  const float wide = cell_.x * static_cast<float>(boxes.cols), high = cell_.y * static_cast<float>(boxes.rows);
  if (std::min(wide, high) < look().px(kLeastWay)) return;
  const bool arrows = std::min(wide, high) >= look().px(kLeastArrow);
  const ImU32 color = ink(with_alpha(way_color(), has_text() ? 0.5 : 1));
  for (std::size_t i = 0; i + 1 < boxes.in_order.size(); ++i) {
    const ImVec2 from = box_rect(boxes.in_order[i]).center(), to = box_rect(boxes.in_order[i + 1]).center();
    if (std::max(from.x, to.x) < cells_.min.x || std::min(from.x, to.x) > cells_.max.x ||
        std::max(from.y, to.y) < cells_.min.y || std::min(from.y, to.y) > cells_.max.y)
      continue;
    if (!has_text()) out.AddLine(from, to, halo(0.75), arrows ? look().px(4) : look().px(2.5f));
    out.AddLine(from, to, color, arrows ? look().px(1.5f) : 1);
    if (arrows) draw_arrow(out, from, to, look().px(5), color);
  }
}

// From element to element; and a frame, so that it is told from the others.
void TileGrid::draw_way_inside(ImDrawList& out, const TileBoxes& boxes, const TileBox& box) {
  const Rect all = box_rect(box);
  const Color color = look().theme->select;
  out.AddRect({all.min.x - 1, all.min.y - 1}, {all.max.x + 2, all.max.y + 2}, halo(0.75), 0, 0, look().px(4));
  out.AddRect(all.min, {all.max.x + 1, all.max.y + 1}, ink(color), 0, 0, std::max(1.0f, look().px(2)));
  if (std::min(cell_.x, cell_.y) < look().px(kLeastWayInside)) return;
  // Below what is written in the cells.
  const float lower = has_text() ? cell_.y * 0.36f : 0;
  const auto middle_of = [&](std::uint32_t at) {
    const auto [row, col] = boxes.element(box, at);
    const ImVec2 middle = rect_of({row, col}).center();
    return ImVec2{middle.x, middle.y + lower};
  };
  // Line by line, as far as the tile has them, and from the end of each to the begin of the next.
  const std::uint32_t length = boxes.along_rows ? boxes.cols : boxes.rows,
                      lines = boxes.along_rows ? box.rows : box.cols,
                      last = (boxes.along_rows ? box.cols : box.rows) - 1;
  // What goes back to the begin of a line crosses texts.
  const auto draw = [&](ImU32 along, ImU32 back, float thick) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      out.AddLine(middle_of(line * length), middle_of(line * length + last), along, thick);
      if (line + 1 < lines) out.AddLine(middle_of(line * length + last), middle_of((line + 1) * length), back, thick);
    }
  };
  if (!has_text() && std::min(cell_.x, cell_.y) >= look().px(2 * kLeastWayInside))
    draw(halo(0.6), halo(0.6), look().px(3));
  draw(ink(with_alpha(color, has_text() ? 0.5 : 0.75)), ink(with_alpha(color, has_text() ? 0.2 : 0.75)), look().px(1));
  const float dot = std::min({cell_.x, cell_.y, look().px(8)}) * 0.35f;
  out.AddCircleFilled(middle_of(0), dot, ink(color));
  const ImVec2 end = middle_of((lines - 1) * length + last);
  out.AddTriangleFilled(boxes.along_rows ? ImVec2{end.x, end.y - dot} : ImVec2{end.x - dot, end.y},
                        boxes.along_rows ? ImVec2{end.x, end.y + dot} : ImVec2{end.x + dot, end.y},
                        boxes.along_rows ? ImVec2{end.x + 1.5f * dot, end.y} : ImVec2{end.x, end.y + 1.5f * dot},
                        ink(color));
}

void TileGrid::draw_box_numbers(ImDrawList& out, const TileBoxes& boxes) {
  for (std::uint32_t number = 0; number < boxes.in_order.size(); ++number)
    if (!draw_box_number(out, boxes, number)) return;
}

// In the middle, as a stop of the way; where the cells have texts, in a corner. False: numbers have no room.
bool TileGrid::draw_box_number(ImDrawList& out, const TileBoxes& boxes, std::uint32_t number) {
  const float wide = cell_.x * static_cast<float>(boxes.cols), high = cell_.y * static_cast<float>(boxes.rows);
  ImFont* font = look().fonts.mono_small;
  // As large as the longest of them has room for, so that all are alike.
  const auto digits = static_cast<float>(fmt::formatted_size("{}", boxes.in_order.size() - 1));
  const bool roomy = std::min(wide, high) >= look().px(kLeastArrow);
  const float advance = font->GetCharAdvance('0'), pad = roomy ? look().px(3) : 1;
  const float size = std::min({font->FontSize, high * 0.6f, font->FontSize * (wide - 2) / (digits * advance)});
  if (size < look().px(kLeastLetters)) return false;
  const Rect box = box_rect(boxes.in_order[number]);
  if (box.max.x < cells_.min.x || box.min.x > cells_.max.x || box.max.y < cells_.min.y || box.min.y > cells_.max.y)
    return true;
  const std::string text = fmt::format("{}", number);
  const float width = advance * static_cast<float>(text.size()) * size / font->FontSize;
  const float chip = std::min(width + 2 * pad, wide), tall = std::min(roomy ? size + look().px(1) : size, high);
  ImVec2 at{box.center().x - chip / 2, box.center().y - tall / 2};
  if (has_text()) at = {box.min.x, std::max(box.min.y - tall / 2, cells_.min.y)};
  at = {std::floor(at.x), std::floor(at.y)};
  out.AddRectFilled(at, {at.x + chip, at.y + tall}, ink(way_color()), look().px(2));
  out.AddText(font, size, {std::floor(at.x + (chip - width) / 2), std::floor(at.y + (tall - size) / 2)},
              ink(text_on(way_color())), text.c_str());
  return true;
}

}  // namespace ts::ui
