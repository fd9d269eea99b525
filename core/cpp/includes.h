// A source with the files of its own that it includes: parts for other cores, and macros that are asked for, stand there too.
#pragma once

#include <string>
#include <vector>

namespace ts::cpp {

struct Included {
  std::string text;
  std::vector<std::string> files;  // without the source's own
};
// `text`, and behind it each file that it names in quotes, as it is found beside the one that names it or in a folder;
// those that they name as well, each once.
Included with_included(const std::string& path, const std::string& text, const std::vector<std::string>& folders);

}  // namespace ts::cpp
