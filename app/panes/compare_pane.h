// What differs from another run, or from an array: with what tolerances, where, and how far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/pane.h"

namespace ts::ui {

class ComparePane final : public Pane {
 public:
  ComparePane();
  void draw(DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const nlohmann::json& settings) override;

 private:
  void begin(const DebugView& view);
  void draw_start(const DebugView& view, CommandQueue& out) const;
  void draw_head(const DebugView& view, CommandQueue& out) const;
  void draw_tolerances(const Against& against, CommandQueue& out);
  bool number_field(const char* id, const char* label, std::string& text, const char* tooltip);
  void draw_list(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_run_row(const DebugView& view, const ResultDifference& difference, const Rect& rect) const;
  void draw_array_row(const Against& against, const Difference& difference, const Rect& rect) const;
  void draw_details(DebugView& view, const Rect& area);
  void take_keys(CommandQueue& out);
  void choose(std::size_t row, CommandQueue& out);

  bool only_causes_ = false, nan_equal_ = true, all_ = false, changed_ = true;
  std::string abs_ = "0", rel_ = "0", ulp_ = "0";
  std::vector<std::uint32_t> rows_;  // by number in what was found
  std::optional<std::size_t> chosen_, followed_;
  std::uint64_t made_of_ = ~std::uint64_t{0};
  RowScroll scroll_;
  // What is said of the chosen one, as long as it is.
  std::optional<std::size_t> told_;
  std::string told_text_;
};

}  // namespace ts::ui
