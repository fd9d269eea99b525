// Windows of a map: one lane of the map as points in the plane, with what lies around it; on it the places that the filter
// looks at for the row in focus, and beside it the operand whose rows these windows become.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/row_parts.h"
#include "core/debug/picture/step_windows.h"

namespace ts::ui {
namespace {

class WindowsDrawing {
 public:
  WindowsDrawing(StageStep& step, const StageOperand& map, const StageOperand& dst, const MapWindows& how)
      : step_(step), map_(map), dst_(dst), how_(how) {
    if (step.focus && step.focus->operand == dst.index) focus_ = *step.focus;
    else focus_ = {dst.index, 0, 0};
    const TileRef& tile = dst.operand->tile;
    focus_.row = std::min(focus_.row, std::max(tile.valid_rows, 1u) - 1);
    focus_.col = std::min(focus_.col, std::max(tile.valid_cols, 1u) - 1);
    place_ = how.place(first("pos_m") + focus_.row, first("pos_k") + focus_.col);
  }

  void draw(const Rect& area) {
    const float line = line_step(look().fonts.small) + look().px(6), gap = look().px(30);
    put_text_cut(area.min, area.width(), sentence(), look().theme->text, look().fonts.small);
    const Rect body{{area.min.x, area.min.y + line}, area.max};
    const float middle = body.min.x + (body.width() - gap) * 0.5f;
    const Rect left{body.min, {middle, body.max.y}}, right{{middle + gap, body.min.y}, body.max};
    const float header = header_height();
    draw_header(map_, {left.min, {left.max.x, left.min.y + header}});
    draw_header(dst_, {right.min, {right.max.x, right.min.y + header}});
    draw_plane({{left.min.x, left.min.y + header + look().px(4)}, left.max});
    const GridWish wish{.least_width = 44, .seen = focus_};
    const CellGrid grid = place_grid(step_, dst_, {{right.min.x, right.min.y + header}, right.max}, wish);
    draw_grid(step_, grid, wish);
    draw_way(grid);
  }

 private:
  std::uint32_t first(const char* name) const {
    return step_.bound.has(name) ? static_cast<std::uint32_t>(step_.bound.scalar(name).bits) : 0;
  }

  std::string sentence() const {
    const std::uint32_t window = (first("pos_m") + focus_.row) % (how_.out_height() * how_.out_width());
    std::string text = fmt::format("row {}: the filter stands at ({}, {}) of {}x{} places, and looks at {}x{} points",
                                   focus_.row, window / how_.out_width(), window % how_.out_width(), how_.out_height(),
                                   how_.out_width(), how_.filter_height, how_.filter_width);
    if (how_.images * how_.depth > 1)
      text +=
          fmt::format(" of image {}{}", place_.image, how_.depth > 1 ? fmt::format(", depth {}", place_.depth) : "");
    return text + fmt::format("; channel {}", place_.group * how_.lanes + place_.lane);
  }

  // Row and column of a place in the plane, which begins with what lies above and left of the map.
  Rect rect_of(std::int64_t row, std::int64_t col) const {
    const float x = origin_.x + static_cast<float>(col + how_.left - cols_.first) * width_,
                y = origin_.y + static_cast<float>(row + how_.top - rows_.first) * height_;
    return {{x, y}, {x + width_ - 1, y + height_ - 1}};
  }
  bool in_sight(std::int64_t row, std::int64_t col) const {
    return row + how_.top >= rows_.first && row + how_.top < rows_.end() && col + how_.left >= cols_.first &&
           col + how_.left < cols_.end();
  }
  StageCell cell_of(std::int64_t row, std::int64_t col) const {
    MapWindows::Place at = place_;
    at.row = row;
    at.col = col;
    const auto number = how_.number(at);
    const std::uint32_t wide = map_.operand->tile.cols();
    return {map_.index, static_cast<std::uint32_t>(number / wide), static_cast<std::uint32_t>(number % wide)};
  }

  void place_plane(const Rect& area) {
    const std::uint32_t rows = how_.top + how_.height + how_.bottom, cols = how_.left + how_.width + how_.right;
    const auto room = [](float size, float least) {
      return std::max(1u, static_cast<std::uint32_t>(std::max(size / look().px(least), 0.0f)));
    };
    const auto around = [](std::int64_t at, std::uint32_t before, std::uint32_t all) {
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(at + before, 0, std::int64_t{all} - 1));
    };
    rows_ = shown_around(rows, room(area.height(), 20), around(place_.row, how_.top, rows));
    cols_ = shown_around(cols, room(area.width(), 48), around(place_.col, how_.left, cols));
    step_.note_shown(rows_.count * cols_.count, rows * cols);
    width_ = std::min(area.width() / static_cast<float>(cols_.count), look().px(64));
    height_ = std::min(area.height() / static_cast<float>(rows_.count), look().px(28));
    origin_ = area.min;
  }

  void draw_plane(const Rect& area) {
    place_plane(area);
    const ElementFormat& format = element_format(map_.operand->tile.type.dtype);
    const CellLook outside{.text = value_text(format, how_.outside, Definedness::Written, width_),
                           .marks = Mark::Faded};
    for (std::uint32_t r = rows_.first; r < rows_.end(); ++r)
      for (std::uint32_t c = cols_.first; c < cols_.end(); ++c) {
        const std::int64_t row = std::int64_t{r} - how_.top, col = std::int64_t{c} - how_.left;
        const bool on_map = row >= 0 && col >= 0 && row < how_.height && col < how_.width;
        if (on_map) cells_.add(cell_of(row, col), rect_of(row, col));
        else draw_cell(canvas(), rect_of(row, col), outside);
      }
    cells_.draw(step_);
    draw_window();
  }

  // Rings around what the filter sees: where the flow says that an element of the row came from, or, of those that came
  // from nowhere, around the places outside of the map.
  void draw_window() {
    const std::uint32_t of_filter = how_.filter_height * how_.filter_width, pos_m = first("pos_m"),
                        pos_k = first("pos_k");
    const TileRef& tile = dst_.operand->tile;
    for (std::uint32_t tap = 0; tap < of_filter; ++tap) {
      const std::uint32_t col = (place_.group * of_filter + tap) * how_.lanes + place_.lane;
      if (col < pos_k || col - pos_k >= tile.valid_cols) continue;
      const StageCell element{dst_.index, focus_.row, col - pos_k};
      const bool is_focus = element.col == focus_.col;
      if (const Rect* source = source_of(element)) {
        ring(*source, is_focus);
        continue;
      }
      const MapWindows::Place at = how_.place(pos_m + focus_.row, col);
      const bool on_map = at.row >= 0 && at.col >= 0 && at.row < how_.height && at.col < how_.width;
      if (!on_map && in_sight(at.row, at.col)) ring(rect_of(at.row, at.col), is_focus);
    }
  }
  const Rect* source_of(const StageCell& element) {
    for (const Source& source : step_.sources_of(element))
      if (const auto cell = step_.cell_of(source); cell && cell->operand == map_.index) return cells_.find(*cell);
    return nullptr;
  }
  void ring(const Rect& rect, bool strong) const {
    canvas().AddRect(rect.min, rect.max, ink(dst_.color), 0, 0, look().px(strong ? 3 : 1.5f));
  }

  void draw_way(const CellGrid& grid) {
    const Rect* from = source_of(focus_);
    if (from == nullptr || !grid.shows(focus_)) return;
    // From side to side: cells are not crossed.
    const float y = grid.rect_of(focus_.row, focus_.col).center().y;
    draw_link({origin_.x + static_cast<float>(cols_.count) * width_ + look().px(4), from->center().y},
              {grid.area().min.x - row_number_width(dst_.picture->elements.rows), y}, map_.color, false);
  }

  StageStep& step_;
  const StageOperand &map_, &dst_;
  const MapWindows how_;
  StageCell focus_;            // an element of dst
  MapWindows::Place place_{};  // that it looks at
  FreeCells cells_;
  Shown rows_, cols_;  // of the plane
  ImVec2 origin_{};
  float width_ = 0, height_ = 0;
};

void draw_windows(StageStep& step, const Rect& area) {
  const StageOperand *map = step.find(Role::In), *dst = step.find(Role::Out);
  const bool has_tiles = map != nullptr && dst != nullptr && map->picture != nullptr && dst->picture != nullptr;
  if (!has_tiles || area.width() < look().px(300) || area.height() < look().px(120)) return draw_general(step, area);
  const auto how = windows_of_step(step.bound, flow_of(step).flow.before());
  if (!how) return draw_general(step, area);
  WindowsDrawing(step, *map, *dst, *how).draw(area);
}

const RegisteredDrawing kWindowsDrawing(Drawing::Windows, draw_windows);

}  // namespace
}  // namespace ts::ui
