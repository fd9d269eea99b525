// Bands between maps: from the part of an operand to the part of a result that was made of it, by the recorded flow.
#include <algorithm>
#include <cmath>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/stage/motion/motion.h"
#include "app/stage/parts/parts.h"
#include "app/stage/whole/whole.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

// From here on a part does not lead straight out of its map: it takes most of the side that faces the other one.
constexpr float kMostFacing = 0.6f;

ImVec2 turned(ImVec2 point, bool turn) { return turn ? ImVec2{point.y, point.x} : point; }
Rect turned(const Rect& rect, bool turn) { return {turned(rect.min, turn), turned(rect.max, turn)}; }

// A map, a part of it, and where a band meets it; as if inputs always stood on the left.
struct BandEnd {
  Rect map, part;
  bool visible = false;
  bool aside = false;  // the part is a column: the band goes along the map's lower side
};

// `place`: all that is drawn for the operand; bands end outside of it, so that they cross neither numbers nor names.
BandEnd band_end(const OperandPlace& place, const OperandMap* map, const Window& window, bool turn) {
  BandEnd end;
  if (map == nullptr) {
    const Rect cell = scalar_cell(place);
    return {turned(cell, turn), turned(cell, turn), true, false};
  }
  const TileGrid& grid = map->grid;
  const BufferShape shape = place.operand->picture->shape;
  const Rect cells = grid.cells_area(), first = grid.rect_of({window.row, window.col}),
             last = grid.rect_of({window.row + window.rows - 1, window.col + window.cols - 1});
  const Rect part{{std::max(first.min.x, cells.min.x), std::max(first.min.y, cells.min.y)},
                  {std::min(last.max.x, cells.max.x), std::min(last.max.y, cells.max.y)}};
  end.visible = part.max.x > part.min.x - 0.01f && part.max.y > part.min.y - 0.01f;
  const Rect outer{{place.map.min.x, turn ? place.header.min.y : cells.min.y}, cells.max};
  end.map = turned(outer, turn);
  end.part = turned(part, turn);
  const float rows = static_cast<float>(window.rows) / static_cast<float>(std::max(1u, shape.rows)),
              cols = static_cast<float>(window.cols) / static_cast<float>(std::max(1u, shape.cols));
  const float facing = turn ? cols : rows, across = turn ? rows : cols;
  end.aside = facing > kMostFacing && across < kMostFacing && across < facing;
  return end;
}

// Draws with the two axes exchanged where operands stand above each other.
class BandPen {
 public:
  BandPen(bool turn, Color color, bool decided) : turn_(turn), color_(color), decided_(decided) {}

  // Two sides of a ribbon that bends from one height to another.
  void ribbon(float x0, float top0, float bottom0, float x1, float top1, float bottom1) const {
    constexpr int kParts = 16;
    const ImU32 fill = ink(with_alpha(color_, decided_ ? 0.16 : 0.26)), line = ink(with_alpha(color_, 0.55));
    std::vector<ImVec2> upper, lower;
    for (int i = 0; i <= kParts; ++i) {
      const float t = static_cast<float>(i) / kParts, bend = t * t * (3 - 2 * t), x = x0 + (x1 - x0) * t;
      upper.push_back(turned({x, top0 + (top1 - top0) * bend}, turn_));
      lower.push_back(turned({x, bottom0 + (bottom1 - bottom0) * bend}, turn_));
    }
    // Softened edges of parts that touch would be seen as lines.
    const ImDrawListFlags flags = canvas().Flags;
    canvas().Flags &= ~ImDrawListFlags_AntiAliasedFill;
    for (std::size_t i = 0; i + 1 < upper.size(); ++i)
      canvas().AddQuadFilled(upper[i], upper[i + 1], lower[i + 1], lower[i], fill);
    canvas().Flags = flags;
    const int count = static_cast<int>(upper.size());
    canvas().AddPolyline(upper.data(), count, line, 0, 1);
    canvas().AddPolyline(lower.data(), count, line, 0, 1);
  }
  // A bar along the side of a map.
  void bar(ImVec2 from, ImVec2 to) const {
    canvas().AddLine(turned(from, turn_), turned(to, turn_), ink(color_), look().px(2.5f));
  }
  void path(const std::vector<ImVec2>& points) const {
    std::vector<ImVec2> all;
    for (const ImVec2 point : points) all.push_back(turned(point, turn_));
    canvas().AddPolyline(all.data(), static_cast<int>(all.size()), ink(with_alpha(color_, 0.8)), 0, look().px(1.6f));
  }

 private:
  bool turn_;
  Color color_;
  bool decided_;
};

struct BandSide {
  float x, top, bottom;
};

// Where a band leaves its map: beside the part, or, where that stands aside, below the map, `depth` under it.
BandSide draw_band_end(const BandPen& pen, const BandEnd& end, float x, float depth) {
  if (!end.aside) {
    const float top = end.part.min.y, bottom = std::max(end.part.max.y, top + 1);
    pen.bar({x, top}, {x, bottom});
    return {x, top, bottom};
  }
  const float half = look().px(1.5f), below = end.map.max.y + look().px(2), y = end.map.max.y + depth;
  pen.bar({end.part.min.x, below}, {end.part.max.x, below});
  pen.path({{end.part.center().x, below}, {end.part.center().x, y}, {x, y}});
  return {x, y - half, y + half};
}

// `number` of all bands tells those apart that run beside each other.
void draw_band(const BandPen& pen, const BandEnd& from, const BandEnd& to, float number) {
  const float depth = look().px(5) + number * look().px(2);
  const BandSide begin = draw_band_end(pen, from, from.map.max.x + look().px(2), depth),
                 end = draw_band_end(pen, to, to.map.min.x - look().px(2), depth);
  pen.ribbon(begin.x, begin.top, begin.bottom, end.x, end.top, end.bottom);
}

// What was made of what is a thing that tests can find: "band/src0[0,0]+16x64>dst[0,0]+16x64".
std::string band_name(const StageStep& step, const FlowBand& band) {
  const auto part = [&](int operand, const Window& window) {
    if (step.operand(operand)->picture == nullptr) return step.operand(operand)->title;
    return step.view.name_of(step.element_at({operand, window.row, window.col})) + "+" + std::to_string(window.rows) +
           "x" + std::to_string(window.cols);
  };
  return "band/" + part(band.from, band.source) + ">" + part(band.to, band.result);
}

}  // namespace

void draw_bands(StageStep& step, const WholePlaces& places, const WholeFlow& flow) {
  WholeMemory& memory = *step.memory.whole;
  const bool turn = !places.sideways;
  bool gutters = false;
  std::map<std::pair<int, int>, int> numbers;
  // In the room between both sides, and in the gutters beside maps.
  for (const FlowBand& band : flow.bands) {
    const StageOperand* source = step.operand(band.from);
    const auto from = std::ranges::find(places.operands, source, &OperandPlace::operand),
               to = std::ranges::find(places.operands, step.operand(band.to), &OperandPlace::operand);
    if (source == nullptr || source->result || from == places.operands.end() || to == places.operands.end()) continue;
    const BandEnd a = band_end(*from, source->picture == nullptr ? nullptr : &memory.maps[band.from], band.source,
                               turn),
                  b = band_end(*to, &memory.maps[band.to], band.result, turn);
    gutters = gutters || a.aside || b.aside;
    if (!a.visible || !b.visible) continue;
    Color color = source->color;
    if (source->picture != nullptr && !band.decided && source->letter == 'a' && step.find(Role::In, 1) == nullptr) {
      const Color own = origin_color(step, *source, band.source.row, band.source.col, true);
      const bool part_of_rows = band.source.rows * 2 <= source->picture->shape.rows;
      if (part_of_rows) color = own;
    }
    draw_band(BandPen(turn, color, band.decided), a, b, static_cast<float>(numbers[{band.from, band.to}]++));
    if (targets_wanted()) {
      const Rect middle = turned(Rect{{a.map.max.x, a.part.min.y}, {b.map.min.x, b.part.max.y}}, turn);
      note_target(band_name(step, band), middle);
    }
  }
  memory.has_gutters = gutters;
}

void draw_focus_flow(StageStep& step, const WholePlaces& places) {
  constexpr std::size_t kMostLinks = 12;
  WholeMemory& memory = *step.memory.whole;
  const auto grid_of = [&](const StageCell& cell) -> const TileGrid* {
    const auto map = memory.maps.find(cell.operand);
    if (map == memory.maps.end()) return nullptr;
    const TileGrid& grid = map->second.grid;
    return grid.cells_area().shrunk(-1).holds(grid.rect_of({cell.row, cell.col}).center()) ? &grid : nullptr;
  };
  if (!step.focus) return;
  const TileGrid* to = grid_of(*step.focus);
  if (to == nullptr || step.sources.size() > kMostLinks) return;
  const Rect end = to->rect_of({step.focus->row, step.focus->col});
  canvas().PushClipRect(places.operands.front().header.min, canvas().GetClipRectMax(), true);
  for (const Source& source : step.sources)
    for (const StageCell& cell : step.cells_of(source)) {
      const TileGrid* from = grid_of(cell);
      if (from == nullptr) continue;
      const Rect begin = from->rect_of({cell.row, cell.col});
      const Color color = step.operand(cell.operand)->color;
      const float done = way_done(step, cell, *step.focus);
      // Where there are numbers it goes between them.
      if (from->shows_numbers() || to->shows_numbers())
        draw_routed_link(begin, from->cells_area(), end, to->cells_area(), color, source.decided, done);
      else draw_link(begin.center(), end.center(), color, source.decided, 0.8f, done);
    }
  canvas().PopClipRect();
}

}  // namespace ts::ui
