// A recording as a readable text: what `tilescope run` prints while there is no window.
#pragma once

#include <string>

#include "core/program/inputs.h"
#include "core/record/inspector.h"

namespace ts {

struct ReportOptions {
  int step = -1;         // the step shown in depth; -1: none
  std::string tile = {}; // one of its tiles; empty: its first result
  std::uint32_t row = 0, col = 0;
  bool micro_steps = true;
  bool trace_all = false;  // every step with its micro-operations, their registers and predicates
};

std::string report(const Recording& recording, const std::vector<InputSource>& inputs, const ReportOptions& options);

// A tile as a table at the memories' state, cut to what a terminal holds. Bytes that no instruction wrote are `··`,
// unspecified ones carry `?`, elements outside the valid region stand in brackets.
std::string tile_table(const Memory& memory, const TileRef& tile);

}  // namespace ts
