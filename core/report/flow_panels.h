// What a picture of a step shows: its operands as parts of grids around the element that is explained, with what stands
// in them and where it came from. Nothing of how it is drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/debug/picture/stage_window.h"
#include "core/report/report_subject.h"

namespace ts {

struct GridCell {
  StepElement element;
  ByteRange place;
  std::uint64_t bits = 0;
  Definedness worth = Definedness::Written;
  bool valid = true, in_view = true, written = false;
  bool source = false, explained = false, found = false;
  int origin = -1;  // the operand that it is the value of
};

struct Panel {
  int operand = -1;
  const Operand* what = nullptr;
  bool result = false;
  std::string role;  // "a", "b", "mask", "tmp", "out": of the style sheet
  char letter = 0;
  std::uint32_t rows = 0, cols = 0;
  Shown shown_rows = {}, shown_cols = {};
  std::vector<GridCell> cells = {};  // of the part that is shown
  std::size_t hidden = 0;            // sources outside of that part
  // Where it is drawn; of the drawing.
  int y = 0, width = 0;
  std::vector<int> row_y = {};

  GridCell* at(const StepElement& element) {
    if (element.operand != operand || !shown_rows.holds(element.row) || !shown_cols.holds(element.col)) return nullptr;
    return &cells[std::size_t{element.row - shown_rows.first} * shown_cols.count + (element.col - shown_cols.first)];
  }
};

// A byte of a mask whose bits decided.
struct MaskStrip {
  int operand = -1;
  std::uint32_t address = 0, bits = 0, decided = 0;
  Definedness worth = Definedness::Written;
  std::vector<std::string> texts = {};  // "bit 3 governs [1,3]"
  int y = 0;                            // of the drawing
};

struct FlowPanels {
  std::vector<Panel> panels = {};  // inputs first
  std::vector<MaskStrip> strips = {};
  std::vector<Source> sources = {};  // of the explained element
  bool wrote = false;                // the step wrote it
};
// For a step that moves bytes.
FlowPanels flow_panels(Session& session, const ReportSubject& subject);

// How wide a cell is drawn, and so how many of them there are.
int cell_width(const Operand& operand);

}  // namespace ts
