// The files that a program came from, as far as they can be found: line by line, and whether they are still the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/source.h"

namespace ts {

struct SourceText {
  std::shared_ptr<const text::Source> text = {};  // null: it was not found
  bool changed_since = false;                     // a line may be another one than the program came from
  std::string path = {};                          // where it is; empty: the program brought it along
};

class SourceTexts {
 public:
  // Of the program in this file; looked for in these folders first, then beside it. A sample's are brought along. `sums`: of
  // what files held when the program was kept, by their names; a case.json beside the program has such, too. A file has
  // changed where its sum is another one; where nobody kept one, where it is newer than the program.
  SourceTexts(std::string program_path, std::vector<std::string> folders, std::map<std::string, std::string> sums = {});

  // Each is read once. `file` is spelled as the program's locations spell it.
  const SourceText& find(const std::string& file);

  struct Line {
    std::string_view text;
    bool changed_since = false;
  };
  // Of these files, as far as they are found, what a recording keeps of them; empty where one has changed.
  std::map<std::string, std::string> sums(const std::vector<std::string>& files);
  // Nothing: there is no such file, or no such line in it.
  std::optional<Line> line(const std::string& file, std::uint32_t number);

 private:
  SourceText look_for(const std::string& file) const;
  bool has_changed(const std::string& file, const std::string& path, std::span<const std::byte> bytes) const;

  std::string program_path_;
  bool is_sample_;
  std::vector<std::string> folders_;
  std::map<std::string, std::string> sums_;
  std::map<std::string, SourceText> found_;
};

}  // namespace ts
