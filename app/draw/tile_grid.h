// A tile as a grid of cells: where cells stand on the screen, scrolling and zooming, and drawing them with as much
// detail as their size has room for. Panes keep one for each grid they show.
#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/draw/rect.h"
#include "app/draw/texture.h"
#include "core/debug/elements/cell_text.h"
#include "core/debug/picture/tile_boxes.h"
#include "core/debug/picture/tile_reduce.h"

namespace ts::ui {

// Of the whole tile or buffer, not of the picture's window.
struct GridCell {
  std::uint32_t row = 0, col = 0;
  bool operator==(const GridCell&) const = default;
};

// A cell with a ring: a source of what is hovered, a stop of the trail.
struct GridRing {
  GridCell cell;
  Color color;
  int number = 0;        // of a trail's stop; 0: none
  bool decided = false;  // it chose the value: a thinner ring
};

struct GridContent {
  const TilePicture* picture = nullptr;
  std::span<const Sign> more = {};  // signs that the picture does not have itself, by element; empty: none
  std::uint64_t more_number = 0;    // another one whenever they change
  NumberStyle numbers = NumberStyle::Decimal;
  std::optional<HeatRange> heat = {};  // else only cells that are too small for text are coloured by their values
  bool show_changes = true;
  bool plain = false;  // no colours by values, however small the cells are
  // The rows that are seen, as if there were no others: a slice; their numbers count from it. Nothing: all of them.
  std::optional<Window> only = {};
  std::optional<GridCell> selected = {}, hovered = {};
  std::span<const GridRing> rings = {};
  // Of scripts, row by row of the whole tile or buffer; empty: none. A colour is 0xRRGGBB, -1 none; another number comes
  // with others.
  std::span<const std::int32_t> colors = {};
  std::span<const std::string> marks = {}, texts = {};
  std::uint64_t colors_number = 0, texts_number = 0;
  const TileBoxes* boxes = nullptr;  // drawn over the cells; null: none
};

struct GridInput {
  std::optional<GridCell> hovered = {};
  bool clicked = false, double_clicked = false, menu = false;
};

class TileGrid {
 public:
  // Draws into the area, which is an ImGui item of its own. True in the answer is what the mouse did.
  GridInput draw(const char* id, const Rect& area, const GridContent& content);

  // The part that is seen in an area of this size: to make a picture of it first.
  Window visible(BufferShape shape, const Rect& area) const;
  // Scrolls until the cell is seen.
  void reveal(GridCell cell) { reveal_ = cell; }
  // As large as the area has room for, within reason, until the user zooms.
  void fit() { fit_ = true, row_ = col_ = 0; }
  bool fits() const { return fit_; }
  // From now on cells take what room there is, in each direction alone: as many as there are where that direction fits,
  // else as large as numbers need them. Until the user zooms.
  void fill(bool fit_rows, bool fit_cols);
  // Whether all of it is in sight.
  bool shows_all() const;
  // Cells have room for numbers.
  bool shows_numbers() const { return has_text(); }
  // Where the cells stand, as far as there are any.
  Rect cells_area() const;
  // What was marked by dragging; nothing: no more than a cell.
  const std::optional<Window>& range() const { return range_; }
  void clear_range() { range_.reset(); }
  Rect rect_of(GridCell cell) const;
  float zoom() const { return zoom_; }
  void set_zoom(float zoom) { zoom_ = zoom, fit_ = false; }
  // The cell at the upper left corner, with parts of cells.
  double row() const { return row_; }
  double col() const { return col_; }
  void scroll_to(double row, double col) { row_ = row, col_ = col; }

 private:
  // --- tile_grid.cpp: geometry and the mouse ---
  void place(const Rect& area, BufferShape shape, const GridContent& content);
  void place_readable(const GridContent& content);
  void place_filled(const GridContent& content);
  void set_sizes(const GridContent& content);
  void zoom_about(ImVec2 mouse, float factor);
  void clamp_scroll();
  void take_wheel();
  GridInput take_mouse();
  void note_signs(const GridContent& content, GridCell cell) const;
  std::optional<GridCell> cell_at(ImVec2 point) const;
  // --- tile_grid_paint.cpp ---
  void paint(ImDrawList& out, const GridContent& content);
  void make_texture(const GridContent& content);
  ImVec2 corner(double row, double col) const;
  Window visible_spots(const Reduced& spots) const;
  void draw_ground(ImDrawList& out);
  void draw_lines(ImDrawList& out);
  void draw_patterns(ImDrawList& out);
  void draw_spot_signs(ImDrawList& out, const GridContent& content);
  void draw_written_frame(ImDrawList& out, const Elements& elements);
  void draw_runs(ImDrawList& out, const Reduced& spots, Sign sign, ImTextureID pattern, ImU32 ink, float period);
  void draw_texts(ImDrawList& out, const GridContent& content);
  void draw_text(ImDrawList& out, const GridContent& content, GridCell cell);
  void draw_corner(ImDrawList& out, const Rect& rect, Sign signs);
  void color_spots(const GridContent& content);
  void blend_spots(const GridContent& content);
  void draw_own_mark(ImDrawList& out, const GridContent& content, GridCell cell, const Rect& rect, Color ground);
  void draw_headers(ImDrawList& out);
  void draw_rings(ImDrawList& out, const GridContent& content);
  void draw_valid_region(ImDrawList& out, const TilePicture& picture);
  const std::string& text_of(const GridContent& content, std::size_t at, std::size_t most);
  std::string own_text(const GridContent& content, std::size_t at, std::size_t most) const;
  std::uint32_t rows_seen() const { return std::max(1u, end_row_ - first_row_); }
  bool has_text() const { return cell_.x >= text_from_ && cell_.y >= least_text_height_; }

  // --- tile_grid_boxes.cpp ---
  void draw_boxes(ImDrawList& out, const GridContent& content);
  void draw_box_borders(ImDrawList& out, const TileBoxes& boxes);
  void draw_way(ImDrawList& out, const TileBoxes& boxes);
  void draw_way_inside(ImDrawList& out, const TileBoxes& boxes, const TileBox& box);
  void draw_box_numbers(ImDrawList& out, const TileBoxes& boxes);
  bool draw_box_number(ImDrawList& out, const TileBoxes& boxes, std::uint32_t number);
  Rect box_rect(const TileBox& box) const;

  // --- where everything stands ---
  Rect area_{}, cells_{};  // all of it; without headers and bars
  BufferShape shape_{0, 0};
  Window window_;                              // of the picture
  std::uint32_t first_row_ = 0, end_row_ = 0;  // of the rows that are seen
  float zoom_ = 0;
  ImVec2 cell_{0, 0};
  float text_from_ = 18, least_text_height_ = 0;
  double row_ = 0, col_ = 0;  // at the upper left corner
  bool fit_ = true;
  bool filled_ = false, fit_rows_ = true, fit_cols_ = true;
  std::optional<GridCell> reveal_, drag_from_;
  std::optional<Window> range_;

  // --- what is made of a picture, and kept ---
  struct Made {
    std::uint64_t picture = 0, more = 0;
    std::optional<HeatRange> heat = {};
    const void* theme = nullptr;
    std::uint32_t row_step = 0, col_step = 0;
    bool changes = false, plain = false;
    std::uint64_t colors = 0;
    bool operator==(const Made&) const = default;
  };
  Made made_;
  std::vector<Sign> signs_;
  std::vector<Color> grounds_;  // by spot
  Reduced spots_, coarse_;      // one texel each; as large as a sign needs it
  std::uint64_t coarse_of_ = 0;
  Sign any_spot_ = Sign::None;  // that some spot has
  bool all_written_ = false;    // by the step: every spot of the valid region
  Texture texture_;
  struct Texts {
    std::uint64_t picture = 0;
    NumberStyle style{};
    std::size_t most = 0;
    std::uint64_t own = 0;
    std::unordered_map<std::size_t, std::string> texts = {};
  };
  Texts texts_;
};

}  // namespace ts::ui
