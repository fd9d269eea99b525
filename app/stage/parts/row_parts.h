// Drawings that show one row of the tiles at a time: the row picker, lanes in columns, cells put freely, ribbons.
#pragma once

#include <string>
#include <vector>

#include "app/stage/drawing.h"
#include "core/debug/picture/stage_rows.h"
#include "core/debug/picture/stage_window.h"

namespace ts::ui {

inline StepFlow flow_of(StageStep& step) {
  return {*step.view.recording(), step.view.flow(step.step), step.memory.map};
}

// "row 1 of 4" with buttons before and behind; the wheel over `area` turns it, too. Follows the focus when that moves.
// Gives the row; `line` is what is left of the line. Up and down, left and right turn it, too, where the keys are ours.
// `focus_row`: where the rows are not those of the element in focus.
std::uint32_t pick_row(StageStep& step, Rect& line, const Rect& area, std::uint32_t rows,
                       std::optional<std::uint32_t> focus_row = {});
float picker_height();

// Places side by side of equal width, of which a window is in sight.
struct Slots {
  Shown shown;
  float left = 0, width = 0;
  std::uint32_t total = 0;
  bool holds(std::uint32_t slot) const { return shown.holds(slot); }
  float x(std::uint32_t slot) const { return left + static_cast<float>(slot - shown.first) * width; }
  float right() const { return left + static_cast<float>(shown.count) * width; }
  Rect cell(std::uint32_t slot, float y, float height) const {
    return {{x(slot), y}, {x(slot) + width - 1, y + height - 1}};
  }
};
// Around `focus` when the focus moved; Shift and the wheel over `area` scroll. Slots behind the first `meant` are padding: they
// need not be in sight.
Slots place_slots(StageStep& step, const Rect& area, std::uint32_t total, std::optional<std::uint32_t> focus,
                  float least, float most, std::uint32_t meant = ~0u);
// Where not all slots are in sight: which part is, with a handle to pull.
void draw_slots_overview(StageStep& step, const Slots& slots, float y);

// Cells anywhere, with their look and the mouse.
class FreeCells {
 public:
  void add(const StageCell& cell, const Rect& rect) { cells_.push_back({cell, rect}); }
  // With the numbers of columns above inputs and below results, where there is room for them; `without` this mark.
  void draw(StageStep& step, const std::vector<StageCell>& faded = {}, bool numbers = false,
            Mark without = Mark::None) const;
  const Rect* find(const StageCell& cell) const;

 private:
  struct One {
    StageCell cell;
    Rect rect;
  };
  std::vector<One> cells_;
};

void draw_col_number(std::uint32_t col, const Rect& cell, bool below, bool strong);
float col_number_room();
// A band in a value's colour that leads from a cell down to another one.
void draw_ribbon(const Rect& from, const Rect& to, Color color, bool strong);
// The name of an operand at the left of its line: its colour, letter and name.
void draw_label(const StageOperand& operand, const Rect& rect);
// How wide labels are in this area.
float label_width(const Rect& area);

}  // namespace ts::ui
