// The numbers around an element of a map, with the part of the map that they are of.
#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/parts/parts.h"
#include "app/stage/whole/whole.h"

namespace ts::ui {
namespace {

CellGrid lens_cells(const StageOperand& operand, const Rect& area, const GridCell& around) {
  const Elements& elements = operand.picture->elements;
  const float left = row_number_width(elements.rows), top = col_number_height();
  const float wide = std::max(1.0f, area.width() - left), tall = std::max(1.0f, area.height() - top);
  const auto places = [](float length, float cell, std::uint32_t total) {
    return std::clamp(static_cast<std::uint32_t>(length / cell), 1u, std::max(total, 1u));
  };
  CellGrid grid{.operand = operand.index, .rows = {}, .cols = {}, .origin = {area.min.x + left, area.min.y + top}};
  grid.cols = shown_around(elements.cols, places(wide, look().px(52), elements.cols), around.col);
  grid.rows = shown_around(elements.rows, places(tall, look().px(20), elements.rows), around.row);
  grid.width = std::floor(std::min(wide / static_cast<float>(std::max(1u, grid.cols.count)), look().px(84)));
  grid.height = std::floor(std::min(tall / static_cast<float>(std::max(1u, grid.rows.count)), look().px(24)));
  return grid;
}

// From the part of the map to its numbers: what is between them is one thing seen from nearer.
void draw_rays(const Rect& part, const Rect& numbers) {
  const ImU32 fill = ink(with_alpha(look().theme->select, 0.07)), line = ink(with_alpha(look().theme->select, 0.35));
  ImVec2 a = part.min, b = part.max, c = numbers.max, d = numbers.min;
  if (numbers.min.x >= part.max.x) a.x = b.x, c.x = d.x;       // beside it, on the right
  else if (numbers.max.x <= part.min.x) b.x = a.x, d.x = c.x;  // on the left
  else if (numbers.max.y <= part.min.y) b.y = a.y, d.y = c.y;  // above it
  else a.y = b.y, c.y = d.y;
  canvas().AddQuadFilled(a, b, c, d, fill);
  canvas().AddLine(a, d, line);
  canvas().AddLine(b, c, line);
}

}  // namespace

void draw_lens(StageStep& step, const OperandPlace& place, OperandMap& map) {
  const StageOperand& operand = *place.operand;
  if (!place.has_lens() || map.grid.shows_numbers() || !map.lens) return;
  const CellGrid cells = lens_cells(operand, place.lens, *map.lens);
  if (cells.rows.count == 0 || cells.cols.count == 0) return;
  const Rect seen = map.grid.cells_area();
  const Rect first = map.grid.rect_of({cells.rows.first, cells.cols.first}),
             last = map.grid.rect_of({cells.rows.end() - 1, cells.cols.end() - 1});
  Rect part{{std::max(first.min.x, seen.min.x), std::max(first.min.y, seen.min.y)},
            {std::min(last.max.x, seen.max.x), std::min(last.max.y, seen.max.y)}};
  if (part.max.x >= part.min.x && part.max.y >= part.min.y) {
    // Seen however small its cells are.
    const float more_x = std::max(0.0f, look().px(5) - part.width()) / 2,
                more_y = std::max(0.0f, look().px(5) - part.height()) / 2;
    part = {{part.min.x - more_x, part.min.y - more_y}, {part.max.x + more_x, part.max.y + more_y}};
    draw_rays(part, cells.area());
    canvas().AddRect({part.min.x - 1, part.min.y - 1}, {part.max.x + 1, part.max.y + 1},
                     ink(with_alpha(look().theme->pane, 0.8)), 0, 0, look().px(3.5f));
    canvas().AddRect(part.min, part.max, ink(look().theme->select), 0, 0, look().px(1.5f));
  }
  draw_grid_numbers(step, cells);
  draw_cells(step, cells);
}

}  // namespace ts::ui
