// Parts around a tile's grid: its statistics in a line, the scale of its heat, its histogram.
#pragma once

#include <optional>
#include <string>

#include "app/draw/rect.h"
#include "app/view/debug_view.h"
#include "core/debug/elements/statistics.h"
#include "core/debug/picture/tile_boxes.h"
#include "core/debug/picture/tile_reduce.h"

namespace ts::ui {

// The next item on this line if there is room for it, else on the next.
void same_line_if_fits(float width, float gap = 0);

// Which class of elements was clicked in the line.
enum class HealthPart : std::uint8_t { Nan, Inf, Denormal, Undefined };
std::optional<HealthPart> draw_statistics(const TilePicture& picture);

// In a tooltip: what the other side of a comparison has there, and how far it is; what was found there in the shown
// step. `row` and `col` are those of the picture.
void tell_other_side(DebugView& view, const Owner& owner, const TilePicture& mine, std::uint32_t row,
                     std::uint32_t col);
struct GridCell;
// Which of the tile's boxes the cell stands in, and where that is in memory.
void tell_box(const TileRef& tile, const TileBoxes& boxes, const GridCell& cell);
void tell_findings(DebugView& view, const Owner& owner, const GridCell& cell);

// The scale with its ends; marked where values lie beyond them.
void draw_heat_scale(const HeatRange& range, const TilePicture& picture, float width);

class HistogramPlot {
 public:
  void draw(const Rect& area, const TilePicture& picture);

 private:
  void count(const TilePicture& picture);
  void draw_labels(const Rect& plot) const;
  std::string words_of(std::size_t bar) const;

  Histogram made_;
  std::vector<CodeCount> codes_;  // of types that have few: a bar each
  const ElementFormat* format_ = nullptr;
  std::uint64_t of_ = 0;
};

}  // namespace ts::ui
