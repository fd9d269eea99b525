// The table of options.
#include "core/isa/options.h"

#include <iterator>

namespace ts {

const OptionRow kOptions[] = {
    {"types", "seed|library", "accept the wider element type lists of the library", &Options::library_types},
    {"strict", "off|on", "warnings for documented constraints become errors", &Options::strict},
    {"tdeinterleave.allow_narrow", "off|on", "TDI-R9 becomes a warning", &Options::tdeinterleave_allow_narrow},
    {"tload.pad", "row|block", "A5: pad to the end of the tile's row, or only to the 32-byte boundary", &Options::pad_to_block},
};
const int kOptionCount = static_cast<int>(std::size(kOptions));

bool set_option(Options& options, std::string_view name, std::string_view value) {
  for (const OptionRow& row : kOptions) {
    if (name != row.name) continue;
    const std::string_view values = row.values;
    const std::size_t bar = values.find('|');
    if (value == values.substr(0, bar)) return options.*row.flag = false, true;
    if (value == values.substr(bar + 1)) return options.*row.flag = true, true;
    return false;
  }
  return false;
}

}  // namespace ts
