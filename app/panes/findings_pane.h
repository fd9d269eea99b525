// What is wrong in the program: the list of findings, what is said of one, and what is looked for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/pane.h"

namespace ts::ui {

class FindingsPane final : public Pane {
 public:
  FindingsPane();
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const nlohmann::json& settings) override;

 private:
  // A finding by its number in the list of all, or the heading of a kind.
  struct Row {
    std::uint32_t finding = 0;
    bool heading = false;
  };
  void begin(const DebugView& view);
  void make_rows(const DebugView& view);
  void count(const std::vector<Finding>& findings);
  bool passes(const Finding& finding) const;
  bool filters() const;
  std::optional<std::uint32_t> row_of(std::size_t finding) const;

  void draw_bar(DebugView& view, CommandQueue& out);
  void draw_state(const DebugView& view) const;
  void draw_nothing(const DebugView& view, CommandQueue& out);
  void draw_list(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_row(DebugView& view, const Finding& finding, const Rect& rect, bool hovered, bool chosen) const;
  void draw_heading(const Finding& first, const Rect& rect) const;
  void draw_details(DebugView& view, CommandQueue& out, const Rect& area) const;
  void draw_levels(const DebugView& view, CommandQueue& out);
  void take_keys(const DebugView& view, CommandQueue& out);
  const Finding* chosen(const DebugView& view) const;  // null: none

  std::array<bool, kFindingKinds> only_{};  // these kinds; none chosen: all
  std::array<bool, 3> only_severity_{};
  bool by_kind_ = false, levels_ = false, changed_ = true;
  std::array<std::uint32_t, kFindingKinds> counts_{};
  std::array<std::uint32_t, 3> severities_{};
  std::vector<Row> rows_;
  std::optional<std::size_t> chosen_, followed_;
  std::uint64_t opening_ = 0, made_of_ = ~std::uint64_t{0};
  RowScroll scroll_;
};

}  // namespace ts::ui
