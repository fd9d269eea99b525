// What of a run is printed.
#pragma once

#include <cstdint>
#include <string>

#include "app/files/hint.h"

namespace ts {

struct ReportOptions {
  int step = -1;          // the step shown in depth; -1: none
  std::string tile = {};  // the tile whose element is followed; empty: the step's first result
  std::uint32_t row = 0, col = 0;
  bool by_source = false;  // one line for each visit to a line that the program came from
  bool trace_all = false;  // every step with its micro-operations, their registers and predicates
  void show(const CellName& cell) { tile = cell.tile, row = cell.row, col = cell.col; }
};

}  // namespace ts
