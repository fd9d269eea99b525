// The picture of a step on a page: its operands as grids around the element that is explained, and lines from what it
// was made of. Made of the step's data flow, so it is right for every instruction.
#pragma once

#include <string>
#include <vector>

#include "core/report/report_subject.h"

namespace ts {

struct FlowDrawing {
  std::string svg;                 // empty: the step moves nothing
  std::vector<std::string> signs;  // classes of the marks in it, for the legend
  std::vector<Source> sources;     // of the explained element
  bool wrote = false;              // the step wrote it
};
FlowDrawing draw_flow(Session& session, const ReportSubject& subject);

// A swatch of a mark, and what it means, for each of the signs.
std::string legend_of(const std::vector<std::string>& signs);

}  // namespace ts
