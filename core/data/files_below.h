// The files below a folder, without going where a stranger's links lead.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

struct FilesBelow {
  std::vector<std::string> files = {};   // paths that begin with the folder's, sorted; of any kind but folders
  std::size_t links = 0;                 // of that ending, or to folders: none is followed
  std::vector<std::string> closed = {};  // folders that cannot be read
  bool complete = true;                  // false: there are more than are listed, or deeper ones
};

// The files whose names end so. The error: the folder itself cannot be read. `go_on` is asked now and then; false ends it.
std::variant<FilesBelow, Error> files_below(const std::string& folder, std::string_view ending,
                                            const std::function<bool()>& go_on = {});

}  // namespace ts::data
