// What a frame of the window costs, drawn as on a screen that nobody sees.
#pragma once

#include <string>
#include <vector>

namespace ts::bench {

struct FrameRow {
  std::string what;
  double value, target;
  std::string unit;
};

// Nothing where there is no screen.
std::vector<FrameRow> frame_rows();

}  // namespace ts::bench
