// The tiles of a step as a whole: maps, what is chosen above them, the mouse; and when they are drawn instead of the
// family's own picture.
#include "app/stage/whole/whole.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/canvas.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/families/joins.h"
#include "app/stage/parts/parts.h"
#include "app/view/later.h"
#include "app/view/operand_element.h"
#include "app/view/targets.h"
#include "core/debug/session/session.h"

namespace ts::ui {
namespace {

// --- what the user chooses ---

constexpr const char *kView = "view", *kFit = "fit", *kPaint = "paint";
const std::vector<const char*> kViews = {"whole", "close up"};
const std::vector<const char*> kFits = {"Fit", "1:1", "this row", "all rows"};
const std::vector<const char*> kPaints = {"value", "origin", "changed"};

int chosen(const StageStep& step, const char* what, const std::vector<const char*>& among, int otherwise) {
  const auto kept = step.memory.modes.find(what);
  if (kept == step.memory.modes.end()) return otherwise;
  for (std::size_t i = 0; i < among.size(); ++i)
    if (kept->second == among[i]) return static_cast<int>(i);
  return otherwise;
}

float chips_width(const std::vector<const char*>& labels) {
  float width = 0;
  for (const char* label : labels) width += text_width(label, look().fonts.small) + look().px(18);
  return width;
}

// A row of buttons, as far as the line has room for it.
class ChipLine {
 public:
  ChipLine(StageStep& step, const Rect& line) : step_(step), at_(line.min), end_(line.max.x) {}
  // Gives what was clicked, or -1.
  int put(const char* what, const std::vector<const char*>& labels, int on) {
    if (at_.x + chips_width(labels) > end_) return -1;
    float end = at_.x;
    const int clicked = choose(what, at_, labels, on, &end);
    at_.x = end + look().px(12);
    if (clicked >= 0) step_.memory.modes[what] = labels[static_cast<std::size_t>(clicked)];
    return clicked;
  }
  ImVec2 at() const { return at_; }
  float room() const { return std::max(0.0f, end_ - at_.x); }

 private:
  StageStep& step_;
  ImVec2 at_;
  float end_;
};

constexpr float kLeastForJoins = 330;

// --- one map ---

class WholeDrawing {
 public:
  WholeDrawing(StageStep& step, const Rect& area) : step_(step), area_(area), memory_(*step.memory.whole) {
    flow_ = step.view.kept().of<Later<WholeFlow>>().get(
        step.view.answerer(), fmt::format("{}", step.step),
        [at = step.step](Session& session, const std::function<bool()>& go_on) {
          return whole_flow(session.recording(), at, session.flow_of(at), go_on);
        });
  }

  void draw(ChipLine& chips) {
    const int by_itself = flow_ != nullptr && moves_elements(*flow_) ? 1 : 0;
    paint_ = static_cast<Paint>(chosen(step_, kPaint, kPaints, by_itself));
    choose_fit(chips);
    const int painted = chips.put(kPaint, kPaints, static_cast<int>(paint_));
    if (painted >= 0) paint_ = static_cast<Paint>(painted);
    places_ = place_operands(step_, area_, memory_.has_gutters ? look().px(22) : 0);
    held_ = under_mouse();
    for (const OperandPlace& place : places_.operands) draw_operand(place);
    if (flow_ != nullptr) draw_bands(step_, places_, *flow_);
    if (step_.move) draw_moving_parts(step_, places_);
    // Numbers stand above what leads past them.
    draw_focus_flow(step_, places_);
    for (const OperandPlace& place : places_.operands)
      if (place.operand->picture != nullptr) draw_lens(step_, place, memory_.maps[place.operand->index]);
    draw_headers();
    memory_.selected = step_.view.selected();
  }

 private:
  void choose_fit(ChipLine& chips) {
    const int fit = chosen(step_, kFit, kFits, 0);
    const bool zoomed = std::ranges::any_of(memory_.maps, [](const auto& one) { return !one.second.grid.fits(); });
    const int clicked = chips.put(kFit, kFits, zoomed ? -1 : fit);
    if (clicked >= 0 || memory_.fit < 0) {
      memory_.fit = clicked >= 0 ? clicked : fit;
      ++fitted_;
    }
  }
  static bool fits_rows(int fit) { return fit == 0 || fit == 3; }
  static bool fits_cols(int fit) { return fit == 0 || fit == 2; }

  // Which operand the mouse is over: its numbers (then nothing moves), or its map.
  struct UnderMouse {
    int numbers = -1, map = -1;
    bool inside = false;
  };
  UnderMouse under_mouse() const {
    UnderMouse found;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || !area_.holds(mouse)) return found;
    found.inside = true;
    for (const OperandPlace& place : places_.operands) {
      if (place.has_lens() && place.lens.holds(mouse)) found.numbers = place.operand->index;
      if (place.map.holds(mouse)) found.map = place.operand->index;
    }
    return found;
  }

  std::optional<GridCell> to_be_seen(int operand) const {
    if (step_.focus && step_.focus->operand == operand) return GridCell{step_.focus->row, step_.focus->col};
    for (const StageCell& cell : step_.source_cells)
      if (cell.operand == operand) return GridCell{cell.row, cell.col};
    return beside_focus(operand);
  }

  // What feeds a neighbour of the focus is seen, too: of two inputs that take turns both.
  std::optional<GridCell> beside_focus(int operand) const {
    const StageOperand* shown = step_.operand(operand);
    if (!step_.focus || shown == nullptr || shown->result) return std::nullopt;
    const auto [rows, cols] = shape_of_operand(step_.program(), *step_.operand(step_.focus->operand)->operand);
    constexpr std::uint32_t kNear[][2] = {{0, 1}, {0, ~0u}, {1, 0}, {~0u, 0}};
    for (const auto& [down, right] : kNear) {
      const StageCell near{step_.focus->operand, step_.focus->row + down, step_.focus->col + right};
      if (near.row >= rows || near.col >= cols) continue;
      for (const Source& source : step_.sources_of(near))
        if (const auto cell = step_.cell_of(source); cell && cell->operand == operand)
          return GridCell{cell->row, cell->col};
    }
    return std::nullopt;
  }

  // Of what has no part in the focus: while the step moves, the row that the move has come to.
  GridCell without_part(int operand) const {
    const std::uint32_t rows = step_.operand(operand)->picture->elements.rows;
    return step_.move && step_.focus ? GridCell{std::min(step_.focus->row, std::max(rows, 1u) - 1), 0} : GridCell{0, 0};
  }

  // Where the pointer is, else what is selected; it stays while the pointer goes to the numbers.
  void move_lens(int operand, OperandMap& map, const std::optional<GridCell>& hovered) const {
    if (held_.numbers == operand) return;
    if (hovered) {
      map.lens = hovered;
      return;
    }
    const bool rests = held_.inside && held_.map < 0 && held_.numbers < 0;
    const bool told = step_.is_new || memory_.selected != step_.view.selected() || step_.memory.plays;
    if (!map.lens || told || !rests) {
      if (const auto seen = to_be_seen(operand)) map.lens = seen;
      else if (!map.lens || step_.move) map.lens = without_part(operand);
    }
  }

  void draw_operand(const OperandPlace& place) {
    const StageOperand& operand = *place.operand;
    if (operand.picture == nullptr) {
      draw_header(operand, place.header);
      draw_scalar_cell(step_, operand, scalar_cell(place));
      return;
    }
    OperandMap& map = memory_.maps[operand.index];
    const TilePicture& picture = *operand.picture;
    if (picture.elements.rows == 0 || picture.elements.cols == 0) {
      put_text_cut(place.map.min, place.map.width(), "nothing: no rows or no columns", look().theme->text_quiet,
                   look().fonts.small);
      return;
    }
    if (fitted_ > 0 || map.grid.zoom() <= 0) {
      map.grid.fill(fits_rows(memory_.fit), fits_cols(memory_.fit));
      map.grid.fit();
      map.grid.fill(fits_rows(memory_.fit), fits_cols(memory_.fit));
      if (const auto seen = to_be_seen(operand.index)) map.grid.reveal(*seen);
    } else if (step_.focus_moved && held_.map != operand.index) {
      if (const auto seen = to_be_seen(operand.index)) map.grid.reveal(*seen);
    }
    GridContent content = content_of(operand, map);
    std::vector<GridRing> rings = rings_of(operand);
    content.rings = rings;
    const GridInput input = map.grid.draw(fmt::format("map{}", operand.index).c_str(), place.map, content);
    map.grid.clear_range();
    take_mouse(operand, map, input);
    move_lens(operand.index, map, input.hovered);
    note_target("map/" + operand.title, map.grid.cells_area());
    if (step_.move && operand.result) draw_unwritten(step_, operand, map.grid);
    draw_region(operand, map);
    if (map.grid.shows_numbers()) mark_cells(operand, map);
  }

  GridContent content_of(const StageOperand& operand, OperandMap& map) {
    const TilePicture& picture = *operand.picture;
    const DebugView::MoreSigns& more = step_.view.more_signs(owner_of(*operand.operand), picture);
    GridContent content{.picture = &picture, .more = more.signs, .more_number = more.number};
    content.show_changes = operand.result && step_.made;
    if (map.range_of != picture.number) {
      map.range_of = picture.number;
      map.range = robust_range(picture);
    }
    content.plain = true;
    content.only = operand.slice;
    // What only chooses, such as indices, is no origin.
    const bool chooses = operand.letter == 0 && !operand.result && operand.operand->spec->role != Role::Tmp;
    const bool by_value = paint_ == Paint::Value || (paint_ == Paint::Origin && chooses);
    if (by_value && !map.grid.shows_numbers()) content.heat = map.range;
    if (paint_ == Paint::Origin && !chooses && flow_ != nullptr && !map.grid.shows_numbers()) {
      paint_origins(step_, operand, *flow_, map);
      content.colors = map.colors;
      content.colors_number = map.colors_number;
    }
    const auto own = [&](const std::optional<StageCell>& cell) -> std::optional<GridCell> {
      if (!cell || cell->operand != operand.index) return std::nullopt;
      return GridCell{cell->row, cell->col};
    };
    content.hovered = own(step_.focus);
    if (step_.view.selected() && step_.view.selected()->owner == owner_of(*operand.operand))
      content.selected = GridCell{step_.view.selected()->row, step_.view.selected()->col};
    return content;
  }

  // What the focus was made of, and what an input that is pointed at took part in.
  std::vector<GridRing> rings_of(const StageOperand& operand) const {
    constexpr std::size_t kMostRings = 64;
    std::vector<GridRing> rings;
    const auto add = [&](const StageCell& cell, Color color) {
      if (cell.operand == operand.index && rings.size() < kMostRings) rings.push_back({{cell.row, cell.col}, color});
    };
    for (const StageCell& cell : step_.reached) add(cell, look().theme->select);
    if (step_.source_cells.size() <= kMostRings)
      for (const StageCell& cell : step_.source_cells) add(cell, operand.color);
    return rings;
  }

  // Of many sources the part that they stand in.
  void draw_region(const StageOperand& operand, const OperandMap& map) const {
    constexpr std::size_t kMostRings = 64;
    if (step_.source_cells.size() <= kMostRings) return;
    std::optional<Rect> part;
    for (const StageCell& cell : step_.source_cells) {
      if (cell.operand != operand.index) continue;
      const Rect rect = map.grid.rect_of({cell.row, cell.col});
      if (!part) part = rect;
      part = Rect{{std::min(part->min.x, rect.min.x), std::min(part->min.y, rect.min.y)},
                  {std::max(part->max.x, rect.max.x), std::max(part->max.y, rect.max.y)}};
    }
    if (!part) return;
    const Rect seen = map.grid.cells_area();
    canvas().PushClipRect(seen.shrunk(-look().px(3)).min, seen.shrunk(-look().px(3)).max, true);
    canvas().AddRect(part->shrunk(-2).min, part->shrunk(-2).max, ink(with_alpha(look().theme->pane, 0.8)), 0, 0,
                     look().px(4));
    canvas().AddRect(part->shrunk(-2).min, part->shrunk(-2).max, ink(operand.color), 0, 0, look().px(2));
    canvas().PopClipRect();
  }

  // Over all that leads past them.
  void draw_headers() {
    for (const OperandPlace& place : places_.operands) {
      const StageOperand& operand = *place.operand;
      if (operand.picture == nullptr) continue;
      const auto map = memory_.maps.find(operand.index);
      if (map == memory_.maps.end() || operand.picture->elements.rows == 0) draw_header(operand, place.header);
      else draw_map_header(operand, place.header, map->second);
    }
  }

  // Its name, and at the right end what its colours mean.
  void draw_map_header(const StageOperand& operand, const Rect& header, const OperandMap& map) const {
    Rect line = header;
    const bool scaled = paint_ == Paint::Value && map.range && !map.grid.shows_numbers();
    if (scaled && header.width() > look().px(300)) {
      const HeatRange& range = *map.range;
      const std::string low = fmt::format("{:.3g}", range.low), high = fmt::format("{:.3g}", range.high);
      const TilePicture& picture = *operand.picture;
      const std::optional<HeatRange> all = auto_range(picture);
      const bool cut = all && (all->low < range.low || all->high > range.high);
      const std::string text = cut ? "≤ " + low + " to ≥ " + high : low + " to " + high;
      const float bar = look().px(46), wide = text_width(text, look().fonts.small), x = header.max.x - wide;
      put_text({x, header.min.y + look().px(2)}, text, look().theme->text_quiet, look().fonts.small);
      const float y = header.min.y + look().px(5), tall = look().fonts.small->FontSize - look().px(5);
      constexpr int kParts = 16;
      for (int i = 0; i < kParts; ++i) {
        const float from = x - look().px(8) - bar + bar * static_cast<float>(i) / kParts;
        const double share = (i + 0.5) / kParts;
        const Color color = range.is_signed ? signed_heat_color(*look().theme, 2 * share - 1) : heat_color(share);
        canvas().AddRectFilled({from, y}, {from + bar / kParts + 1, y + tall}, ink(color));
      }
      line.max.x = x - bar - look().px(16);
    }
    draw_header_over(operand, line);
  }

  void take_mouse(const StageOperand& operand, OperandMap& map, const GridInput& input) {
    if (!input.hovered) return;
    const StageCell cell{operand.index, input.hovered->row, input.hovered->col};
    step_.point_at(cell);
    if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) map.dragged = true;
    if (map.dragged && ImGui::IsMouseReleased(ImGuiMouseButton_Left)) {
      map.dragged = false;
      const Element element = step_.element_at(cell);
      step_.out.push("select", {step_.view.name_of(element.owner), static_cast<std::int64_t>(cell.row),
                                static_cast<std::int64_t>(cell.col)});
    }
  }

  // Tests and the tour find cells by their names where these have numbers.
  void mark_cells(const StageOperand& operand, const OperandMap& map) const {
    if (!targets_wanted()) return;
    const Rect seen = map.grid.cells_area();
    const Elements& elements = operand.picture->elements;
    for (std::uint32_t row = 0; row < elements.rows; ++row)
      for (std::uint32_t col = 0; col < elements.cols; ++col) {
        const Rect rect = map.grid.rect_of({row, col});
        if (seen.holds(rect.center())) step_.mark_target({operand.index, row, col}, rect);
      }
  }

  StageStep& step_;
  Rect area_;
  WholeMemory& memory_;
  const WholeFlow* flow_ = nullptr;  // null: it is being followed
  Paint paint_ = Paint::Value;
  WholePlaces places_;
  UnderMouse held_;
  int fitted_ = 0;
};

// Steps that move elements between tiles; others have a sentence.
bool can_be_whole(const StageStep& step) {
  const bool moves = step.bound.row->effect == Effect::None && machines_for(step.bound).tag != nullptr;
  return moves && std::ranges::any_of(step.operands, [](const StageOperand& one) { return one.picture != nullptr; });
}

// Below the maps of a reduction stands in which order the result in focus was joined.
void draw_with_joins(StageStep& step, const Rect& area, ChipLine& chips) {
  Room room(area);
  const Reduction* reduction = area.height() >= look().px(kLeastForJoins) ? reduction_in_focus(step) : nullptr;
  const Rect joins = reduction != nullptr
                         ? room.bottom(std::clamp(area.height() * 0.36f, look().px(120), look().px(260)), look().px(10))
                         : Rect{};
  WholeDrawing(step, room.rest()).draw(chips);
  if (reduction != nullptr) draw_joins(step, *reduction, joins);
}

}  // namespace

void draw_stage_step(StageStep& step, const Rect& area) {
  const DrawStep family = drawing_of(step.bound.row->draw);
  if (!can_be_whole(step)) return family(step, area);
  if (step.memory.whole == nullptr) step.memory.whole = std::make_shared<WholeMemory>();
  const bool enough = shows_enough(step, area, family, step.memory.whole->enough);
  if (enough && chosen(step, kView, kViews, 1) == 1) return family(step, area);
  const float line = chip_height() + look().px(6);
  if (area.height() < 4 * line) {
    if (enough) family(step, area);
    else WholeDrawing(step, area).draw(*std::make_unique<ChipLine>(step, Rect{area.min, area.min}));
    return;
  }
  ChipLine chips(step, {area.min, {area.max.x, area.min.y + line}});
  const int view = chosen(step, kView, kViews, enough ? 1 : 0);
  const int clicked = chips.put(kView, kViews, view);
  const Rect rest{{area.min.x, area.min.y + line}, area.max};
  if ((clicked >= 0 ? clicked : view) == 1) return family(step, rest);
  draw_with_joins(step, rest, chips);
}

}  // namespace ts::ui
