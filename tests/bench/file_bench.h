// What it costs to save recordings, to open them, and to go to places in them.
#pragma once

#include <string>
#include <vector>

namespace ts::bench {

struct FileRow {
  std::string what;
  double value, target;
  std::string unit;
};

std::vector<FileRow> file_rows();

}  // namespace ts::bench
