// The table of options.
#include "core/isa/options.h"

#include <iterator>

namespace ts {

const OptionRow kOptions[] = {
    {"types", "seed|library", "accept the wider element type lists of the library", &Options::library_types},
    {"strict", "off|on", "warnings for documented constraints become errors", &Options::strict},
    {"tdeinterleave.allow_narrow", "off|on", "TDI-R9 becomes a warning", &Options::tdeinterleave_allow_narrow},
    {"tinterleave.allow_odd", "off|on", "TIL-R5 becomes a warning, and the middle column comes twice", &Options::tinterleave_allow_odd},
    {"ttrans.a5_domain", "static|valid", "A5: transpose the whole source tile, or its valid region", &Options::ttrans_valid_domain},
    {"ttrans.a2a3_tail", "ub0|poison", "A2A3: what a partial block's spare lanes get: bytes from UB address 0 on, or 0xCD", &Options::ttrans_poison_tail},
    {"ttrans.colmajor", "off|on", "col_major tiles: TTR-R3, R5 and R10 become warnings, and elements are moved one by one", &Options::ttrans_col_major},
    {"tgatherb.granularity", "auto|element|block", "what an offset fetches; the attribute of an instruction goes first", &Options::tgatherb_granularity},
    {"quirks.tsel", "off|on", "A5: the library's mask steps, wrong for wide masks", &Options::quirk_tsel},
    {"quirks.tgatherb", "off|on", "A2A3: partial repeats store eight whole blocks", &Options::quirk_tgatherb},
    {"quirks.texpands", "off|on", "the library's contiguous fill and its sign-extended bytes", &Options::quirk_texpands},
    {"extensions.a2a3_interleave", "off|on", "A2A3: run tdeinterleave and tinterleave, which it lacks, by emulator steps", &Options::a2a3_interleave},
    {"tload.pad", "row|block", "A5: pad to the end of the tile's row, or only to the 32-byte boundary", &Options::pad_to_block},
    {"pad.float", "auto|inf|finite", "what pad max and min mean for floats; auto: finite for program text on A5, else infinities", &Options::pad_float},
    {"tload.rows", "tile|view", "a view higher than the valid region: load the valid rows, or all of the view's", &Options::load_view_rows},
};
const int kOptionCount = static_cast<int>(std::size(kOptions));

std::optional<std::uint8_t> value_number(std::string_view values, std::string_view value) {
  for (std::uint8_t number = 0;; ++number) {
    const std::size_t bar = values.find('|');
    if (value == values.substr(0, bar)) return number;
    if (bar == std::string_view::npos) return {};
    values.remove_prefix(bar + 1);
  }
}

std::string_view value_name(std::string_view values, std::uint8_t number) {
  for (; number > 0; --number) values.remove_prefix(values.find('|') + 1);
  return values.substr(0, values.find('|'));
}

bool set_option(Options& options, std::string_view name, std::string_view value) {
  for (const OptionRow& row : kOptions) {
    if (name != row.name) continue;
    const auto number = value_number(row.values, value);
    if (number) options.*row.value = *number;
    return number.has_value();
  }
  return false;
}

}  // namespace ts
