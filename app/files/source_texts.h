// The files that a program came from, as far as they can be found: line by line, and whether they are still the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/source.h"

namespace ts {

class SourceTexts {
 public:
  // Of the program in this file; looked for beside it, and first in these folders.
  SourceTexts(std::string program_path, std::vector<std::string> folders);

  struct Line {
    std::string_view text;
    bool changed_since = false;  // the file is newer than the program: the line may be another one
  };
  // Nothing: there is no such file, or no such line in it. `file` is spelled as the program's locations spell it.
  std::optional<Line> line(const std::string& file, std::uint32_t number);

 private:
  struct Found {
    std::optional<text::Source> text;
    bool changed_since = false;
  };
  const Found& find(const std::string& file);

  std::string program_path_;
  std::vector<std::string> folders_;
  std::map<std::string, Found> found_;
};

}  // namespace ts
