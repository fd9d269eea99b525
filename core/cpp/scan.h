// Functions of a source that a launch may start.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/target.h"

namespace ts::cpp {

struct SourceEntry {
  std::string name;  // with its namespaces: "kernels::add"
  std::uint32_t line = 0;
  std::vector<std::string> parameters;  // their names; one that has none is p0, p1
};
struct SourceScan {
  std::vector<SourceEntry> entries;    // those marked as kernels; where there are none, plain functions
  std::vector<SourceEntry> templates;  // a launch needs an instance of one
  bool has_main = false;
};
SourceScan scan_source(std::string_view text);

// The target that its first comment names, "// target: a5"; nothing: none.
std::optional<Target> target_of_source(std::string_view text);

// The first condition on which kind of core compiles the source, which may hide code: "line 12, #ifdef __DAV_CUBE__"; "":
// there is none.
std::string hiding_condition(std::string_view text);

// A loop: from the word that begins it to its last line.
struct SourceLoop {
  std::uint32_t begin = 0, end = 0, column = 0;
  bool holds(std::uint32_t line) const { return line >= begin && line <= end; }
};
// By their beginnings, so that outer ones come first.
std::vector<SourceLoop> scan_loops(std::string_view text);

}  // namespace ts::cpp
