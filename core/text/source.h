// A program's text: its bytes, its name for messages, and where its lines begin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/diagnostic.h"

namespace ts::text {

// Bytes [begin, end) of a source.
struct SourceRange {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const SourceRange&) const = default;
};

class Source {
 public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(SourceRange range) const { return text().substr(range.begin, range.end - range.begin); }
  std::uint32_t lines() const { return static_cast<std::uint32_t>(line_starts_.size()); }
  // Lines and columns count from 1; a column is a code point, and a tab is one.
  SourcePos position(std::uint32_t offset) const;
  // Code points of the range, at least 1, not beyond its first line.
  std::uint32_t span(SourceRange range) const;
  std::string_view line(std::uint32_t number) const;  // without its line break
  // Offset of the first byte that is not UTF-8, or the text's size.
  std::uint32_t first_bad_utf8() const;

 private:
  std::uint32_t code_points_before(std::uint32_t offset) const;

  std::string name_, text_;
  std::vector<std::uint32_t> line_starts_;
  // Code points before every so many bytes: a line may be as long as the text, and every statement of it has a position.
  std::vector<std::uint32_t> code_points_before_;
};

}  // namespace ts::text
