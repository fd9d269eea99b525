// The executed steps as a list: loops folded, filtered by the line above it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/program/margin.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/session/step_filter.h"
#include "core/debug/session/step_rows.h"

namespace ts::ui {

class StepList {
 public:
  // With a recording that has steps. `generation` is another number for every document.
  void draw(DebugView& view, CommandQueue& out, const Rect& area, std::uint64_t generation);
  // The next frame puts the cursor into the filter line.
  void focus_filter() { wants_focus_ = true; }
  // The step that was clicked last.
  std::optional<std::uint32_t> cursor() const { return cursor_; }
  const std::string& filter() const { return filter_; }
  void set_filter(std::string text);

 private:
  void start();
  // --- the filter ---
  void draw_filter(DebugView& view, const Rect& area);
  void draw_filter_help() const;
  void read_filter_line(const Recording& recording);
  void search_on(DebugView& view);
  std::string search_status(const Recording& recording) const;
  bool filters() const { return query_.has_value(); }
  // --- the rows ---
  void draw_rows(DebugView& view, CommandQueue& out, const Rect& area);
  void follow(const DebugView& view);
  std::uint32_t row_count() const;
  StepRow row_at(std::uint32_t row) const;
  // The row that shows a step, where it is in the list.
  std::optional<std::uint32_t> row_of(std::uint32_t step) const;
  void draw_row(DebugView& view, const StepRow& what, const Rect& rect, bool hovered);
  void draw_margin(DebugView& view, const StepRow& what, const Rect& rect, bool hovered);
  void draw_step(DebugView& view, const StepRow& what, const Rect& rect);
  void draw_fold_row(DebugView& view, const StepRow& what, const Rect& rect);
  void take_mouse(DebugView& view, CommandQueue& out);
  void take_keys(DebugView& view, CommandQueue& out);
  void draw_menu(DebugView& view, CommandQueue& out);
  void tell_findings(DebugView& view, const StepRow& what) const;
  float indent_x(const StepRow& what, const Rect& rect) const;
  const std::string& loop_title(const Recording& recording, SourcePos pos);

  std::uint64_t generation_ = ~std::uint64_t{0};
  RowScroll scroll_;
  Later<std::shared_ptr<const LoopIndex>> index_;
  std::optional<StepRows> rows_;
  Moment followed_;
  bool wants_focus_ = false;
  std::optional<std::uint32_t> cursor_, menu_step_;
  std::optional<std::uint32_t> cursor_row_;                // where keys have moved it
  std::unordered_map<std::uint32_t, std::string> titles_;  // of loops, by line
  // --- the filter ---
  std::string filter_, read_filter_;
  std::optional<StepQuery> query_;
  std::optional<WrongFilter> wrong_;
  Later<StepsFound> found_;
  std::vector<std::uint32_t> hits_;
  std::uint32_t searched_ = 0;  // steps looked at
};

}  // namespace ts::ui
