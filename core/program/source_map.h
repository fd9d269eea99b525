// The lines that people wrote, of a program whose text says where its operations came from (`loc(...)`).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program.h"
#include "core/text/location.h"

namespace ts {

// A line of one of SourceMap::files.
struct SourceLine {
  std::uint32_t file = 0, line = 0;
  auto operator<=>(const SourceLine&) const = default;
};

class SourceMap {
 public:
  explicit SourceMap(const Program& program);

  // No operation says where it came from.
  bool empty() const { return files_.empty(); }
  // As the locations spell them, in the order of the text.
  const std::vector<std::string>& files() const { return files_; }
  // Without the folders that it stands in, where that is of one file only.
  const std::string& short_name(std::uint32_t file) const { return short_names_[file]; }
  // "attn.py:41"; of an instruction that says not where it came from "".
  std::string told(SourceLine line) const;
  std::string told_of(std::uint32_t instruction) const;
  // By what a person types: the whole name, or its end from a slash on where that is of one file only.
  std::optional<std::uint32_t> find_file(std::string_view name) const;

  // Instructions of the same origin came from the same line, called from the same lines.
  static constexpr std::uint32_t kUnknown = 0;
  std::uint32_t origin_of(std::uint32_t instruction) const { return of_instructions_[instruction]; }
  // Of the loop that begins there in the text.
  std::uint32_t origin_of_loop(SourcePos pos) const;
  // The innermost first, then the lines it was called from; none: unknown.
  const std::vector<SourceLine>& lines(std::uint32_t origin) const { return origins_[origin]; }
  std::optional<SourceLine> line_of(std::uint32_t instruction) const;

 private:
  std::uint32_t number_of(const text::SourceOrigin& origin);
  std::uint32_t file_number(const std::string& name);

  void shorten_names();

  std::vector<std::string> files_, short_names_;
  std::map<std::string, std::uint32_t, std::less<>> file_numbers_;
  std::vector<std::vector<SourceLine>> origins_;
  std::map<std::vector<SourceLine>, std::uint32_t> origin_numbers_;
  std::vector<std::uint32_t> of_instructions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_loops_;  // by line and column of the text
};

}  // namespace ts
