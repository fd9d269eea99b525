// Maps of a step that moves: what is not written yet is covered, and parts are on their way.
#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/motion/rising_sums.h"
#include "app/stage/whole/whole.h"

namespace ts::ui {
namespace {

// Parts on their way that are drawn.
constexpr std::size_t kMostParts = 200;

// Of so many places one has to be asked for a picture of this length.
std::uint32_t stride(std::uint32_t count, float length) {
  return std::max(1u, static_cast<std::uint32_t>(std::floor(static_cast<float>(count) / std::max(1.0f, length))));
}

struct Run {
  std::uint32_t begin, end;
  bool operator==(const Run&) const = default;
};

// Covers runs of elements; equal ones of lines below each other as one.
class Cover {
 public:
  Cover(const TileGrid& grid, std::uint32_t row_step, double strength)
      : grid_(grid), row_step_(row_step), strength_(strength), seen_(grid.cells_area()) {}
  void add(std::uint32_t row, const std::vector<Run>& runs) {
    if (runs == runs_ && row == end_) {
      end_ = row + row_step_;
      return;
    }
    flush();
    runs_ = runs;
    begin_ = row;
    end_ = row + row_step_;
  }
  void flush() {
    for (const Run& run : runs_) {
      const Rect first = grid_.rect_of({begin_, run.begin}), last = grid_.rect_of({end_ - 1, run.end - 1});
      const Rect part{{std::max(first.min.x, seen_.min.x), std::max(first.min.y, seen_.min.y)},
                      {std::min(last.max.x, seen_.max.x), std::min(last.max.y, seen_.max.y)}};
      if (part.max.x > part.min.x && part.max.y > part.min.y)
        canvas().AddRectFilled(part.min, part.max, ink(with_alpha(look().theme->pane, strength_)));
    }
    runs_.clear();
  }

 private:
  const TileGrid& grid_;
  std::uint32_t row_step_, begin_ = 0, end_ = 0;
  double strength_;
  Rect seen_;
  std::vector<Run> runs_;
};

std::optional<Rect> part_of_map(const TileGrid& grid, const Window& window) {
  const Rect seen = grid.cells_area(), first = grid.rect_of({window.row, window.col}),
             last = grid.rect_of({window.row + window.rows - 1, window.col + window.cols - 1});
  const Rect part{{std::max(first.min.x, seen.min.x), std::max(first.min.y, seen.min.y)},
                  {std::min(last.max.x, seen.max.x), std::min(last.max.y, seen.max.y)}};
  if (part.max.x < part.min.x || part.max.y < part.min.y) return std::nullopt;
  // Seen however small it is.
  const float more_x = std::max(0.0f, look().px(3) - part.width()) / 2,
              more_y = std::max(0.0f, look().px(3) - part.height()) / 2;
  return Rect{{part.min.x - more_x, part.min.y - more_y}, {part.max.x + more_x, part.max.y + more_y}};
}

Rect between(const Rect& a, const Rect& b, float at) {
  const auto mixed = [at](ImVec2 from, ImVec2 to) {
    return ImVec2{from.x + (to.x - from.x) * at, from.y + (to.y - from.y) * at};
  };
  return {mixed(a.min, b.min), mixed(a.max, b.max)};
}

// Of the sum in focus: the columns of the left operand and the rows of the right one that are summed up.
template <class MapOf>
void draw_terms_done(StageStep& step, MapOf map_of) {
  const std::optional<std::uint32_t> done = step.focus ? terms_done(step, *step.focus) : std::nullopt;
  if (!done || *done == 0) return;
  const ProductSize size = product_size(step.bound);
  for (const StageOperand& operand : step.operands) {
    const std::string_view name = operand.operand->spec->name;
    if (name != "lhs" && name != "rhs") continue;
    const Window summed = name == "lhs" ? Window{0, 0, size.rows, *done} : Window{0, 0, *done, size.cols},
                 last = name == "lhs" ? Window{0, *done - 1, size.rows, 1} : Window{*done - 1, 0, 1, size.cols};
    const auto part = map_of(operand.index, summed), edge = map_of(operand.index, last);
    if (!part || !edge) continue;
    canvas().AddRectFilled(part->min, part->max, ink(with_alpha(operand.color, 0.3)));
    canvas().AddRectFilled(edge->min, edge->max, ink(with_alpha(operand.color, 0.9)));
    canvas().AddRect(edge->min, edge->max, ink(look().theme->text), 0, 0, 1);
  }
}

}  // namespace

void draw_unwritten(StageStep& step, const StageOperand& operand, const TileGrid& grid) {
  const Elements& elements = operand.picture->elements;
  const Rect seen = grid.cells_area();
  if (grid.shows_numbers()) {
    for (std::uint32_t row = 0; row < elements.rows; ++row)
      for (std::uint32_t col = 0; col < elements.cols; ++col) {
        const StageCell cell{operand.index, row, col};
        const Rect rect = grid.rect_of({row, col});
        if (!seen.holds(rect.center()) || step.has_landed(cell)) continue;
        draw_cell(canvas(), rect, step.look_of(cell, rect.width()));
      }
    return;
  }
  const Rect one = grid.rect_of({0, 0});
  const std::uint32_t row_step = stride(elements.rows, one.height() * static_cast<float>(elements.rows)),
                      col_step = stride(elements.cols, one.width() * static_cast<float>(elements.cols));
  // Sums come out of the dark as they rise.
  constexpr double kCovered = 0.88;
  const bool rises = step.bound.row->product != nullptr;
  Cover cover(grid, row_step, rises ? kCovered * (1 - 0.75 * step.move->progress) : kCovered);
  std::vector<Run> runs;
  for (std::uint32_t row = 0; row < elements.rows; row += row_step) {
    const Rect line = grid.rect_of({row, 0});
    if (line.max.y < seen.min.y || line.min.y > seen.max.y) continue;
    runs.clear();
    for (std::uint32_t col = 0; col < elements.cols; col += col_step) {
      if (step.has_landed({operand.index, row, col})) continue;
      const std::uint32_t end = std::min(col + col_step, elements.cols);
      if (!runs.empty() && runs.back().end == col) runs.back().end = end;
      else runs.push_back({col, end});
    }
    cover.add(row, runs);
  }
  cover.flush();
}

void draw_moving_parts(StageStep& step, const WholePlaces& places) {
  WholeMemory& memory = *step.memory.whole;
  const auto map_of = [&](int operand, const Window& window) -> std::optional<Rect> {
    const auto place = std::ranges::find(places.operands, step.operand(operand), &OperandPlace::operand);
    if (place == places.operands.end()) return std::nullopt;
    if (place->operand->picture == nullptr) return scalar_cell(*place);
    const auto map = memory.maps.find(operand);
    return map == memory.maps.end() ? std::nullopt : part_of_map(map->second.grid, window);
  };
  if (step.bound.row->product != nullptr) return draw_terms_done(step, map_of);
  const MoveView& move = *step.move;
  const Theme& theme = *look().theme;
  for (const Travel* one : move.motion->under_way(move.mode, move.progress, kMostParts)) {
    const StageOperand* source = step.operand(one->from);
    const auto from = map_of(one->from, one->source), to = map_of(one->to, one->result);
    if (source == nullptr || !from || !to) continue;
    const Color color = one->decided ? theme.mask : source->color;
    canvas().AddRect(from->min, from->max, ink(color), 0, 0, look().px(1.5f));
    canvas().AddRect(to->min, to->max, ink(theme.written), 0, 0, look().px(1.5f));
    if (one->decided) continue;
    const double at = one->way.at(move.progress);
    const Rect part = between(*from, *to, static_cast<float>(at * at * (3 - 2 * at)));
    canvas().AddRectFilled(part.min, part.max, ink(with_alpha(color, 0.75)), look().px(2));
    canvas().AddRect(part.min, part.max, ink(theme.text), look().px(2), 0, 1);
  }
}

}  // namespace ts::ui
