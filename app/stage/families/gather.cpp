// Gathering: a ruler over the source's bytes, and for every offset the window that it drops onto the result.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

struct GatherAnswer {
  ElementMap map;
  std::vector<GatherWindow> windows;
  GatherCoverage coverage;
  std::vector<std::uint32_t> window_of;  // by element of the result: its window's number and 1, or 0
};

GatherAnswer find_answer(Session& session, std::uint32_t step, int result, ByteRange source,
                         const std::function<bool()>& go_on) {
  GatherAnswer answer;
  answer.map = element_map(session.flow_of(step), session.recording().bound(step), result, go_on);
  answer.windows = gather_windows(answer.map);
  answer.coverage = coverage_of(answer.windows, source);
  answer.window_of.resize(answer.map.origins.size());
  for (std::uint32_t i = 0; i < answer.windows.size(); ++i)
    for (std::uint32_t k = 0; k < answer.windows[i].cols; ++k)
      answer.window_of[std::size_t{answer.windows[i].row} * answer.map.cols + answer.windows[i].col + k] = i + 1;
  return answer;
}

class GatherDrawing {
 public:
  GatherDrawing(StageStep& step, const GatherAnswer& answer, const StageOperand& src, const StageOperand& offsets,
                const StageOperand& dst)
      : step_(step), answer_(answer), src_(src), offsets_(offsets), dst_(dst), source_(src.operand->tile.range()) {
    for (const GatherWindow& window : answer.windows)
      by_offset_.emplace(std::pair{window.origin.chosen_row, window.origin.chosen_col}, &window);
    if (step.focus && step.focus->operand == dst.index) focus_ = window_at(step.focus->row, step.focus->col);
    if (step.memory.pointed && step.memory.pointed->operand == offsets.index)
      focus_ = window_by_offset(*step.memory.pointed);
  }

  void draw(const Rect& area) {
    // Lines lie below cells and texts.
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.ChannelsSplit(2);
    canvas.ChannelsSetCurrent(1);
    float y = area.min.y;
    draw_badges({area.min.x + look().px(150), y}, area.max.x);
    y += chip_height() + look().px(8);
    y = draw_source({{area.min.x, y}, area.max});
    const float left = area.max.y - y;
    std::vector<CellGrid> grids;
    if (left < look().px(kBesideBelow)) return draw_beside({{area.min.x, y}, area.max}, canvas);
    const float strip = std::min(left * 0.5f, std::clamp(left * 0.36f, look().px(64), look().px(190)));
    const Rect middle{{area.min.x, y}, {area.max.x, y + strip}};
    put_grid(offsets_, middle, grids, 72);
    put_grid(dst_, {{area.min.x, middle.max.y + look().px(8)}, area.max}, grids, 52);
    finish(canvas, grids);
  }

 private:
  static constexpr float kBesideBelow = 150;
  // Where there is little height, offsets and results stand side by side.
  void draw_beside(const Rect& area, ImDrawList& canvas) {
    std::vector<CellGrid> grids;
    const float middle = area.center().x, gap = look().px(10);
    put_grid(offsets_, {area.min, {middle - gap, area.max.y}}, grids, 52);
    put_grid(dst_, {{middle + gap, area.min.y}, area.max}, grids, 52);
    finish(canvas, grids);
  }
  void finish(ImDrawList& canvas, const std::vector<CellGrid>& grids) {
    canvas.ChannelsSetCurrent(0);
    draw_drop(grids);
    canvas.ChannelsMerge();
  }
  const GatherWindow* window_at(std::uint32_t row, std::uint32_t col) const {
    const std::size_t at = std::size_t{row} * answer_.map.cols + col;
    if (at >= answer_.window_of.size() || answer_.window_of[at] == 0) return nullptr;
    return &answer_.windows[answer_.window_of[at] - 1];
  }
  const GatherWindow* window_by_offset(const StageCell& cell) const {
    const auto found = by_offset_.find({cell.row, cell.col});
    return found == by_offset_.end() ? nullptr : found->second;
  }
  bool outside(const GatherWindow& window) const {
    return !window.place.in_same_memory(source_) || window.place.address < source_.address ||
           std::uint64_t{window.place.address} + window.place.size > std::uint64_t{source_.address} + source_.size;
  }
  // Indices count elements, offsets bytes.
  bool by_index() const { return offsets_.operand->spec->name == "indices"; }
  bool whole_blocks() const {
    return !answer_.windows.empty() && answer_.windows.front().place.size > dst_.operand->tile.elem_bytes();
  }
  static Color hue(const GatherWindow& window, const GatherAnswer& answer) {
    return row_hue(static_cast<std::uint32_t>(&window - answer.windows.data()));
  }

  // What is special about these offsets, in boxes.
  void draw_badges(ImVec2 at, float end) const {
    const Theme& theme = *look().theme;
    FactRow facts{at, end};
    facts.put(by_index() ? "element index" : "byte offsets", theme.mask, true);
    facts.put(whole_blocks() ? "a window is a block of 32 bytes"
                             : fmt::format("a window is one element of {} bytes", dst_.operand->tile.elem_bytes()),
              theme.line);
    const GatherCoverage& coverage = answer_.coverage;
    facts.put(fmt::format("{} windows; source bytes read {}, more than once {}, never {}", answer_.windows.size(),
                          coverage.read, coverage.shared, coverage.gaps),
              theme.line);
    if (coverage.outside > 0)
      facts.put(fmt::format("! {} outside {}", coverage.outside, src_.title), theme.finding, true);
    const auto unaligned = std::ranges::count_if(
        answer_.windows, [](const GatherWindow& one) { return one.place.size == BLK && one.place.address % BLK != 0; });
    if (unaligned > 0) facts.put(fmt::format("! {} not block aligned", unaligned), theme.finding, true);
  }

  // The ruler over the source and all windows.
  float draw_source(const Rect& area) {
    const float half = area.min.x + area.width() * 0.34f;
    draw_header(src_, {area.min, {half, area.min.y + header_height()}});
    tell_window(half + look().px(8), area.min.y + look().px(2), area.max.x - half - look().px(8));
    const float y = area.min.y + header_height() + look().px(4), pad = look().px(20);
    ByteRange reach = source_;
    for (const GatherWindow& window : answer_.windows) {
      if (window.place.space != reach.space) continue;
      const std::uint32_t end = std::max(reach.address + reach.size, window.place.address + window.place.size);
      reach.address = std::min(reach.address, window.place.address);
      reach.size = end - reach.address;
    }
    const float bar = ruler_height() * (area.height() < look().px(kBesideBelow) ? 0.6f : 1.4f);
    ruler_ = place_ruler({{area.min.x + pad, y}, {area.max.x - pad, y + bar}}, reach);
    draw_ruler(ruler_, source_.address);
    for (const GatherWindow& window : answer_.windows)
      if (&window != focus_)
        draw_window(ruler_, window.place, outside(window) ? look().theme->finding : hue(window, answer_),
                    WindowLook::Ghost);
    if (focus_ != nullptr)
      seen_window_ = draw_window(ruler_, focus_->place,
                                 outside(*focus_) ? look().theme->finding : hue(*focus_, answer_), WindowLook::Strong);
    const float right = ruler_.x_of(static_cast<double>(source_.address) + source_.size);
    if (right < ruler_.rect.max.x - 1)
      ImGui::GetWindowDrawList()->AddLine({right, y - look().px(3)}, {right, ruler_.rect.max.y + look().px(3)},
                                          ink(look().theme->finding), 2);
    take_mouse();
    return ruler_.rect.max.y + ruler_label_height() + look().px(12);
  }
  // A click on the ruler goes to an element that the byte went to.
  void take_mouse() const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) || !ruler_.rect.holds(mouse)) return;
    const auto address = static_cast<std::uint32_t>(ruler_.address_at(mouse.x));
    std::string fetched;
    for (const GatherWindow& window : answer_.windows) {
      if (address < window.place.address || address >= window.place.address + window.place.size) continue;
      if (fetched.empty() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        step_.point_at({dst_.index, window.row, window.col});
      if (fetched.size() < 100)
        fetched += fmt::format("\nto [{},{}] by {} [{},{}]", window.row, window.col, by_index() ? "index" : "offset",
                               window.origin.chosen_row, window.origin.chosen_col);
      else if (!fetched.ends_with("...")) fetched += "\n...";
    }
    step_.view.hover(source_.with(address, 1));
    ImGui::SetTooltip("byte %lld from the source's address%s",
                      static_cast<long long>(std::int64_t{address} - source_.address),
                      !fetched.empty() ? fetched.c_str()
                      : by_index()     ? "\nno index fetches it"
                                       : "\nno offset fetches it");
  }
  // One line about the window in focus.
  void tell_window(float x, float y, float room) const {
    const Theme& theme = *look().theme;
    std::string text =
        fmt::format("Point at {} or at an element of the result.", by_index() ? "an index" : "an offset");
    bool wrong = false;
    if (focus_ != nullptr) {
      const ElementOrigin& by = focus_->origin;
      text = by_index() ? fmt::format("index [{},{}] = element {}: ", by.chosen_row, by.chosen_col, by.chosen_bits)
                        : fmt::format("offset [{},{}] = {} bytes: ", by.chosen_row, by.chosen_col, by.chosen_bits);
      if (by.kind == ElementOrigin::Kind::Element && by.operand == src_.index)
        text += fmt::format("from element [{},{}] on, ", by.row, by.col);
      text += fmt::format("{} bytes to row {}, column{} {}", focus_->place.size, focus_->row,
                          focus_->cols > 1 ? "s" : "", focus_->col);
      if (focus_->cols > 1) text += fmt::format("..{}", focus_->col + focus_->cols - 1);
      wrong = outside(*focus_);
      if (wrong) text += "   ! outside the source: what stands there is taken";
    } else if (step_.focus && step_.focus->operand == dst_.index) {
      text = fmt::format("this element keeps what it held: no {} fetches it", by_index() ? "index" : "offset");
    }
    put_text_cut({x, y}, room, text, wrong ? theme.finding : theme.text, look().fonts.small);
  }

  Tint tint() {
    return [this](const StageCell& cell, CellLook& cell_look) {
      const GatherWindow* window =
          cell.operand == offsets_.index ? window_by_offset(cell) : window_at(cell.row, cell.col);
      if (window == nullptr) {
        if (cell.operand == offsets_.index) cell_look.marks = cell_look.marks | Mark::Faded;  // nobody reads it
        return;
      }
      const bool letter = cell.operand == offsets_.index || cell.col == window->col;
      const auto number = static_cast<std::uint32_t>(window - answer_.windows.data());
      tint_cell(cell_look, hue(*window, answer_), letter ? row_letter(number) : '\0');
      if (!letter) cell_look.source.reset();
      if (outside(*window)) cell_look.marks = cell_look.marks | Mark::Finding;
    };
  }
  void put_grid(const StageOperand& operand, const Rect& area, std::vector<CellGrid>& grids, float least) {
    grids.push_back(draw_tinted_operand(step_, operand, area, least, tint(), operand.index == offsets_.index));
  }

  // From the offset up to the window, and from the window down to the result.
  void draw_drop(const std::vector<CellGrid>& grids) const {
    if (focus_ == nullptr || !seen_window_) return;
    const StageCell offset{offsets_.index, focus_->origin.chosen_row, focus_->origin.chosen_col};
    const ImVec2 window{seen_window_->center().x, seen_window_->max.y};
    if (grids[0].shows(offset)) {
      const Rect rect = grids[0].rect_of(offset.row, offset.col);
      draw_link({rect.center().x, rect.min.y}, window, look().theme->mask, true);
    }
    if (const auto cell = end_of_drop(grids[1])) {
      const Rect rect = grids[1].rect_of(cell->row, cell->col);
      draw_link(window, {rect.center().x, rect.min.y}, src_.color, false, 1, way_done_to_focus(step_));
    }
  }
  // The element in focus, or the first one in sight of those that its window brought.
  std::optional<StageCell> end_of_drop(const CellGrid& grid) const {
    if (step_.focus && step_.focus->operand == dst_.index && grid.shows(*step_.focus)) return step_.focus;
    for (std::uint32_t i = 0; i < focus_->cols; ++i) {
      const StageCell cell{dst_.index, focus_->row, focus_->col + i};
      if (grid.shows(cell)) return cell;
    }
    return std::nullopt;
  }

  StageStep& step_;
  const GatherAnswer& answer_;
  const StageOperand &src_, &offsets_, &dst_;
  ByteRange source_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, const GatherWindow*> by_offset_;
  const GatherWindow* focus_ = nullptr;
  Ruler ruler_;
  std::optional<Rect> seen_window_;
};

void draw_gather(StageStep& step, const Rect& area) {
  const StageOperand *src = step.find(Role::In), *offsets = step.find(Role::Offsets), *dst = step.find(Role::Out);
  if (src == nullptr || offsets == nullptr || dst == nullptr || dst->picture == nullptr || src->picture == nullptr ||
      offsets->picture == nullptr)
    return draw_general(step, area);
  const int mode = choose_mode(step, "gather", area.min, {"windows", "how"});
  if (mode == 1) return draw_mover(step, {{area.min.x, area.min.y + chip_height() + look().px(8)}, area.max});
  const ByteRange source = src->operand->tile.range();
  const auto* answer = followed<GatherAnswer>(
      step, area, "Following every offset of the step...",
      [at = step.step, result = dst->index, source](Session& session, const std::function<bool()>& go_on) {
        return find_answer(session, at, result, source, go_on);
      });
  if (answer == nullptr) return;
  GatherDrawing(step, *answer, *src, *offsets, *dst).draw(area);
}

const RegisteredDrawing kGatherDrawing(Drawing::Gather, draw_gather);

}  // namespace
}  // namespace ts::ui
