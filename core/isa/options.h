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
  std::uint8_t gather_outside = 0;   // 1: an index outside its tile gathers zero
  std::uint8_t gather_compare = 0;   // 1: A5 compares in the type of the source
  std::uint8_t gather_counts = 0;    // 1: A5 counts elements, not bytes
  std::uint8_t scatter_outside = 0;  // 1: an index outside its tile scatters nothing
  std::uint8_t scatter_rows = 0;     // 1: an index names the row, and the column is its own
  // Arithmetic that the documents leave open.
  std::uint8_t relu_of_nan = 0;        // 1: zero
  std::uint8_t a2a3_fused = 0;         // 1: multiply-add of A2A3 rounds once
  std::uint8_t a5_fused = 0;           // 1: multiply-add of f16 tiles on A5 rounds once
  std::uint8_t shift_modulo = 0;       // 1: only the low bits of a shift count are looked at
  std::uint8_t sum_order = 0;          // of one register's lanes: 0 tree, 1 in order, 2 in double
  std::uint8_t exp_flush = 0;          // 1: subnormal results of exp are zero
  std::uint8_t int_div_zero = 0;       // 1: zero instead of all ones
  std::uint8_t tcmps_pack = 0;         // 0 auto, 1 by pitch, 2 one stream
  std::uint8_t rowexpand_tiled = 0;    // 1: a block of the small operand is repeated along the row
  std::uint8_t pairsum_zero_tail = 0;  // 1: as documented, the upper half is zero
  std::uint8_t histogram_plain = 0;    // 1: each bin for itself
  std::uint8_t reluconv_wrap = 0;      // 1: the i16 sum wraps before relu
  std::uint8_t deqrelu_inf = 0;        // 1: overflow gives infinity instead of 65504
  // What the library's code does where it differs from the documents.
  std::uint8_t quirk_tsubs = 0, quirk_tdivs = 0, quirk_shift64 = 0, quirk_compare = 0, quirk_tcmp = 0, quirk_trems = 0,
               quirk_words64 = 0;
  std::uint8_t quirk_rowreduce = 0, quirk_colexpand = 0, quirk_blocks = 0, quirk_tpartarg = 0, quirk_pairsum = 0,
               quirk_tci = 0, quirk_ttri = 0;
  std::uint8_t keep_sources = 0;  // 1: instructions that overwrite their sources leave them alone
  std::uint8_t pad_to_block = 0;
  std::uint8_t load_view_rows = 0;
  std::uint8_t placement_keep = 0;  // 1: no two tiles that are placed by themselves share bytes
  std::uint8_t product_order = 0;   // of a matrix product's sums; a ProductOrder
  std::uint8_t pad_float = 0;       // 0 as the program's kind has it, 1 infinities, 2 finite
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
