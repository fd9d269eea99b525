// Scattering, a gather seen from the other side: elements and their indices above, a ruler over the result's bytes with
// the windows that they fall into, the result below. Where several lanes wanted one element, who won and who lost.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/micro/micro_parts.h"
#include "app/stage/motion/motion.h"
#include "app/stage/parts/followed.h"
#include "app/stage/parts/hues.h"
#include "app/stage/parts/ruler.h"
#include "app/stage/parts/tinted_grid.h"
#include "core/debug/origins/element_map.h"

namespace ts::ui {
namespace {

using LanePlace = std::pair<std::uint32_t, std::uint32_t>;

// Which lanes wanted which element of the result. The flow knows those that stayed; one that did not has the index of one
// that did (and its column, where an index names a row).
class ScatterLanes {
 public:
  ScatterLanes(const ElementMap& map, const Elements& indices, bool by_column) {
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> by_index;
    for (std::uint32_t row = 0; row < map.rows; ++row)
      for (std::uint32_t col = 0; col < map.cols; ++col) {
        const ElementOrigin& origin = map.at(row, col);
        if (origin.chosen_by < 0) continue;
        by_index[{origin.chosen_bits, by_column ? origin.chosen_col : 0}] = targets_.size();
        of_result_[{row, col}] = targets_.size();
        targets_.push_back({{row, col}, {origin.chosen_row, origin.chosen_col}, {}});
      }
    for (std::uint32_t row = 0; row < indices.valid_rows; ++row)
      for (std::uint32_t col = 0; col < indices.valid_cols; ++col) {
        const auto found = by_index.find({indices.at(row, col), by_column ? col : 0});
        if (found == by_index.end()) continue;
        Target& target = targets_[found->second];
        of_lane_[{row, col}] = found->second;
        if (target.winner != LanePlace{row, col}) target.losers.push_back({row, col});
      }
  }

  struct Target {
    LanePlace place, winner;
    std::vector<LanePlace> losers;  // in their order
  };
  const std::vector<Target>& targets() const { return targets_; }
  const Target* of_result(LanePlace place) const { return find(of_result_, place); }
  const Target* of_lane(LanePlace lane) const { return find(of_lane_, lane); }
  std::uint32_t number(const Target& target) const { return static_cast<std::uint32_t>(&target - targets_.data()); }

 private:
  const Target* find(const std::map<LanePlace, std::size_t>& map, LanePlace place) const {
    const auto found = map.find(place);
    return found == map.end() ? nullptr : &targets_[found->second];
  }
  std::vector<Target> targets_;
  std::map<LanePlace, std::size_t> of_result_, of_lane_;
};

class ScatterDrawing {
 public:
  ScatterDrawing(StageStep& step, const ElementMap& map, const StageOperand& src, const StageOperand& indices,
                 const StageOperand& dst)
      : step_(step),
        src_(src),
        indices_(indices),
        dst_(dst),
        lanes_(map, indices.picture->elements, step.bound.options->scatter_rows != 0) {
    if (step.focus && step.focus->operand == dst.index) focus_ = lanes_.of_result({step.focus->row, step.focus->col});
    const auto& pointed = step.memory.pointed;
    if (pointed && (pointed->operand == indices.index || pointed->operand == src.index)) {
      lane_ = LanePlace{pointed->row, pointed->col};
      focus_ = lanes_.of_lane(*lane_);
    }
    if (focus_ != nullptr && !lane_) lane_ = focus_->winner;
  }

  void draw(const Rect& area) {
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.ChannelsSplit(2);
    canvas.ChannelsSetCurrent(1);
    float y = area.min.y;
    draw_badges({area.min.x + look().px(150), y}, area.max.x);
    y += chip_height() + look().px(6);
    tell_focus({area.min.x, y}, area.width());
    y += ImGui::GetFontSize() + look().px(6);
    // Where there is little height the cells have it, and not the ruler.
    const bool roomy = area.max.y - y > look().px(kRulerFrom);
    const float bar = roomy ? ruler_height() + ruler_label_height() + look().px(20) : 0,
                top = (area.max.y - y - bar) * 0.46f, middle = area.center().x, gap = look().px(10);
    std::vector<CellGrid> grids;
    put_grid(src_, {{area.min.x, y}, {middle - gap, y + top}}, grids);
    put_grid(indices_, {{middle + gap, y}, {area.max.x, y + top}}, grids);
    y += top + look().px(8);
    if (roomy) draw_result_ruler({{area.min.x + look().px(20), y}, {area.max.x - look().px(20), y + ruler_height()}});
    y += bar;
    put_grid(dst_, {{area.min.x, y}, area.max}, grids);
    canvas.ChannelsSetCurrent(0);
    draw_fall(grids);
    canvas.ChannelsMerge();
  }

 private:
  static constexpr float kRulerFrom = 220;
  ByteRange bytes_of(LanePlace place) const {
    const TileRef& tile = dst_.operand->tile;
    return tile.place_of(place.first, place.second);
  }
  bool on_a5() const { return step_.bound.target == Target::A5; }

  // What is special about these indices, in boxes.
  void draw_badges(ImVec2 at, float end) const {
    const Theme& theme = *look().theme;
    FactRow facts{at, end};
    const auto disputed = std::ranges::count_if(lanes_.targets(), [](const auto& one) { return !one.losers.empty(); });
    facts.put(step_.bound.options->scatter_rows != 0 ? "row index" : "element index", theme.mask, true);
    if (disputed > 0)
      facts.put(
          fmt::format("! {} element{} wanted by several lanes: the last one {}", disputed, disputed == 1 ? "" : "s",
                      on_a5() ? "is taken here, a5 promises no order" : "stays, row by row"),
          theme.finding, true);
    const Elements& elements = dst_.picture->elements;
    facts.put(fmt::format("{} elements written, {} become zero", lanes_.targets().size(),
                          std::size_t{elements.rows} * elements.cols - lanes_.targets().size()),
              theme.line);
  }

  std::string lane_text(LanePlace lane) const { return fmt::format("[{},{}]", lane.first, lane.second); }
  // One line about the lane in focus.
  void tell_focus(ImVec2 at, float room) const {
    const Theme& theme = *look().theme;
    std::string text = "Point at an element, an index or the result.";
    bool disputed = false;
    if (focus_ != nullptr) {
      disputed = !focus_->losers.empty();
      const bool won = *lane_ == focus_->winner;
      text = fmt::format(
          "lane {}: index {} {} {} {}", lane_text(*lane_), indices_.picture->elements.at(lane_->first, lane_->second),
          won ? "puts its element to" : "loses", dst_.title.substr(0, dst_.title.find(' ')), lane_text(focus_->place));
      if (!won) text += fmt::format(" to lane {}, which comes later", lane_text(focus_->winner));
      else if (disputed) {
        text += ", over what came before from";
        for (std::size_t i = 0; i < std::min<std::size_t>(focus_->losers.size(), 4); ++i)
          text += " " + lane_text(focus_->losers[i]);
        if (focus_->losers.size() > 4) text += fmt::format(" and {} more", focus_->losers.size() - 4);
      }
    } else if (lane_) {
      text = fmt::format("lane {}: its index is outside, or not valid; nothing goes anywhere", lane_text(*lane_));
    } else if (step_.focus && step_.focus->operand == dst_.index) {
      text = "no index names this element: it is zero now";
    }
    put_text_cut(at, room, text, disputed ? theme.finding : theme.text, look().fonts.small);
  }

  Color hue(const ScatterLanes::Target& target) const {
    return target.losers.empty() ? row_hue(lanes_.number(target)) : look().theme->finding;
  }
  void draw_result_ruler(const Rect& rect) {
    const ByteRange whole = dst_.operand->tile.range();
    ruler_ = place_ruler(rect, whole);
    draw_ruler(ruler_, whole.address);
    for (const ScatterLanes::Target& target : lanes_.targets())
      if (&target != focus_) draw_window(ruler_, bytes_of(target.place), hue(target), WindowLook::Ghost);
    if (focus_ != nullptr) window_ = draw_window(ruler_, bytes_of(focus_->place), hue(*focus_), WindowLook::Strong);
  }

  Tint tint() {
    return [this](const StageCell& cell, CellLook& cell_look) {
      const bool result = cell.operand == dst_.index;
      const LanePlace here{cell.row, cell.col};
      const ScatterLanes::Target* target = result ? lanes_.of_result(here) : lanes_.of_lane(here);
      if (target == nullptr) {
        cell_look.marks = cell_look.marks | Mark::Faded;
        return;
      }
      const bool lost = !result && target->winner != here;
      tint_cell(cell_look, row_hue(lanes_.number(*target)), row_letter(lanes_.number(*target)));
      if (lost) cell_look.marks = cell_look.marks | Mark::Faded;
      if (!target->losers.empty() && !lost) cell_look.marks = cell_look.marks | Mark::Finding;
    };
  }
  void put_grid(const StageOperand& operand, const Rect& area, std::vector<CellGrid>& grids) {
    grids.push_back(draw_tinted_operand(step_, operand, area, 52, tint(), operand.index == indices_.index));
  }

  // From the element and its index down to the window, and on to the result; losers end at the window.
  void draw_fall(const std::vector<CellGrid>& grids) const {
    if (focus_ == nullptr || !window_) return;
    const ImVec2 top{window_->center().x, window_->min.y}, bottom{window_->center().x, window_->max.y};
    const auto from = [&](const CellGrid& grid, int operand, LanePlace lane, Color color, bool decided,
                          float strength) {
      if (!grid.shows({operand, lane.first, lane.second})) return;
      const Rect rect = grid.rect_of(lane.first, lane.second);
      draw_link({rect.center().x, rect.max.y}, top, color, decided, strength);
    };
    for (const LanePlace& lane : focus_->losers)
      from(grids[1], indices_.index, lane, look().theme->finding, true, 0.6f);
    from(grids[0], src_.index, focus_->winner, src_.color, false, 1);
    from(grids[1], indices_.index, focus_->winner, look().theme->mask, true, 1);
    const StageCell cell{dst_.index, focus_->place.first, focus_->place.second};
    if (!grids[2].shows(cell)) return;
    const Rect rect = grids[2].rect_of(cell.row, cell.col);
    draw_link(bottom, {rect.center().x, rect.min.y}, src_.color, false, 1, way_done_to_focus(step_));
  }

  StageStep& step_;
  const StageOperand &src_, &indices_, &dst_;
  const ScatterLanes lanes_;
  const ScatterLanes::Target* focus_ = nullptr;
  std::optional<LanePlace> lane_;  // the one that is told of
  Ruler ruler_;
  std::optional<Rect> window_;
};

void draw_scatter(StageStep& step, const Rect& area) {
  const StageOperand *src = step.find(Role::In), *indices = step.find(Role::Offsets), *dst = step.find(Role::Out);
  if (src == nullptr || indices == nullptr || dst == nullptr || dst->picture == nullptr || src->picture == nullptr ||
      indices->picture == nullptr)
    return draw_general(step, area);
  const int mode = choose_mode(step, "scatter", area.min, {"windows", "how"});
  if (mode == 1) return draw_mover(step, {{area.min.x, area.min.y + chip_height() + look().px(8)}, area.max});
  const auto* answer =
      followed<ElementMap>(step, area, "Following every index of the step...",
                           [at = step.step, result = dst->index](Session& session, const std::function<bool()>& go_on) {
                             return element_map(session.flow_of(at), session.recording().bound(at), result, go_on);
                           });
  if (answer == nullptr) return;
  ScatterDrawing(step, *answer, *src, *indices, *dst).draw(area);
}

const RegisteredDrawing kScatterDrawing(Drawing::Scatter, draw_scatter);

}  // namespace
}  // namespace ts::ui
