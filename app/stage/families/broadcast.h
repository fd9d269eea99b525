// Values that are spread over rows or columns: what is drawn of them, and where.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "app/stage/parts/parts.h"
#include "core/debug/picture/stage_rows.h"

namespace ts::ui {

class BroadcastDrawing {
 public:
  BroadcastDrawing(StageStep& step, const Spread& spread, const StageOperand& dst);
  void draw(const Rect& area);

 private:
  // A tile as it stands in the equation.
  struct Sheet {
    const StageOperand* operand;
    CellGrid grid;
    bool small;
    Rect header = {};
  };
  void find_read();
  bool is_read(const StageCell& cell) const { return std::ranges::binary_search(read_, cell); }
  bool gives_block() const;
  std::uint32_t read_col() const;
  std::uint32_t small_lines() const;
  float place_side_by_side(const Rect& area);
  float place_above_each_other(const Rect& area);
  void follow(CellGrid& grid, bool small) const;
  void draw_sheet(Sheet& sheet);
  void draw_pipes(const Sheet& from, const Sheet& to);
  void draw_jets();
  void draw_full_link();
  void draw_pipe(const CellGrid& from, const CellGrid& to, std::uint32_t line, Color color, bool strong);
  void draw_signs();
  std::string formula() const;
  std::string note() const;

  StageStep& step_;
  Spread spread_;
  const StageOperand &small_, &dst_;
  const StageOperand* tmp_;      // null where the step does without it
  std::vector<Sheet> sheets_;    // in the order of the text, the result last
  std::vector<StageCell> read_;  // of the spread source, sorted
  float gap_ = 0;
};

}  // namespace ts::ui
