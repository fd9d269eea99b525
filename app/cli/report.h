// A recording as a readable text: what `tilescope run` prints while there is no window.
#pragma once

#include <cstdio>
#include <string>

#include "app/files/hint.h"
#include "core/program/inputs.h"
#include "core/record/inspector.h"

namespace ts {

struct ReportOptions {
  int step = -1;          // the step shown in depth; -1: none
  std::string tile = {};  // the tile whose element is followed; empty: the step's first result
  std::uint32_t row = 0, col = 0;
  bool trace_all = false;  // every step with its micro-operations, their registers and predicates
  void show(const CellName& cell) { tile = cell.tile, row = cell.row, col = cell.col; }
};

// `told` has been said before the run.
void print_report(std::FILE* out, const Recording& recording, const std::vector<InputSource>& inputs, const Diagnostics& told,
                  const ReportOptions& options);

}  // namespace ts
