// Choices where documents and hardware differ, by the names of the ISA pages. Defaults first.
#pragma once

#include <string>
#include <string_view>

namespace ts {

struct Options {
  bool library_types = false;             // types: seed | library
  bool strict = false;                    // strict: off | on
  bool tdeinterleave_allow_narrow = false;
  bool pad_to_block = false;              // A5 TLOAD padding: to the row's end, or to the 32-byte boundary
  bool operator==(const Options&) const = default;
};

struct OptionRow {
  const char* name;
  const char* values;  // default first
  const char* effect;
  bool Options::*flag;  // true = the second value
};
extern const OptionRow kOptions[];
extern const int kOptionCount;

// Sets `name` to `value`; false when either is unknown.
bool set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace ts
