// Choices where documents and hardware differ, by the names of the ISA pages. Defaults first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ts {

// Each is the number of its value in the table, 0 the default: so an off|on option reads as a truth value.
struct Options {
  std::uint8_t library_types = 0;
  std::uint8_t strict = 0;
  std::uint8_t tdeinterleave_allow_narrow = 0;
  std::uint8_t tinterleave_allow_odd = 0;
  std::uint8_t ttrans_valid_domain = 0;
  std::uint8_t ttrans_poison_tail = 0;
  std::uint8_t ttrans_col_major = 0;
  std::uint8_t tgatherb_granularity = 0;  // a Granularity
  std::uint8_t quirk_tsel = 0, quirk_tgatherb = 0, quirk_texpands = 0;
  std::uint8_t a2a3_interleave = 0;
  std::uint8_t pad_to_block = 0;
  std::uint8_t load_view_rows = 0;
  std::uint8_t pad_float = 0;  // 0 as the program's kind has it, 1 infinities, 2 finite
  bool operator==(const Options&) const = default;
};

struct OptionRow {
  const char* name;
  const char* values;  // default first
  const char* effect;
  std::uint8_t Options::*value;
};
extern const OptionRow kOptions[];
extern const int kOptionCount;

// The number of `value` in a list such as "off|on".
std::optional<std::uint8_t> value_number(std::string_view values, std::string_view value);
// The value with this number.
std::string_view value_name(std::string_view values, std::uint8_t number);

// Sets `name` to `value`; false when either is unknown.
bool set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace ts
