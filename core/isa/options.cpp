// The table of options.
#include "core/isa/options.h"

#include <iterator>

namespace ts {

// clang-format off
const OptionRow kOptions[] = {
    {"types", "seed|library", "accept the wider element type lists of the library", &Options::library_types},
    {"strict", "off|on", "warnings for documented constraints become errors", &Options::strict},
    {"tdeinterleave.allow_narrow", "off|on", "TDI-R9 becomes a warning", &Options::tdeinterleave_allow_narrow},
    {"tinterleave.allow_odd", "off|on", "TIL-R5 becomes a warning, and the middle column comes twice", &Options::tinterleave_allow_odd},
    {"ttrans.a5_domain", "static|valid", "A5: transpose the whole source tile, or its valid region", &Options::ttrans_valid_domain},
    {"ttrans.a2a3_tail", "ub0|poison", "A2A3: what a partial block's spare lanes get: bytes from UB address 0 on, or 0xCD", &Options::ttrans_poison_tail},
    {"ttrans.colmajor", "off|on", "col_major tiles: TTR-R3, R5 and R10 become warnings, and elements are moved one by one", &Options::ttrans_col_major},
    {"tgatherb.granularity", "auto|element|block", "what an offset fetches; the attribute of an instruction goes first", &Options::tgatherb_granularity},
    {"tgather.outside", "error|zero", "an index outside src: an error, or a zero", &Options::gather_outside},
    {"tgather.compare", "library|plain", "A5: compare what the library makes of the source, its whole part as an unsigned number, or the elements", &Options::gather_compare},
    {"tgather.counts", "bytes|elements", "A5: what counts of the compare form count", &Options::gather_counts},
    {"tscatter.outside", "error|skip", "an index outside dst: an error, or nothing is written", &Options::scatter_outside},
    {"tscatter.index", "element|row", "an index is the number of an element of dst, or of the row", &Options::scatter_rows},
    {"quirks.tsel", "off|on", "A5: the library's mask steps, wrong for wide masks", &Options::quirk_tsel},
    {"quirks.tgatherb", "off|on", "A2A3: partial repeats store eight whole blocks", &Options::quirk_tgatherb},
    {"quirks.texpands", "off|on", "the library's contiguous fill and its sign-extended bytes", &Options::quirk_texpands},
    {"extensions.a2a3_interleave", "off|on", "A2A3: run tdeinterleave and tinterleave, which it lacks, by emulator steps", &Options::a2a3_interleave},
    {"arith.relu_nan", "nan|zero", "what relu makes of NaN", &Options::relu_of_nan},
    {"placement", "reuse|keep", "tiles without an address: share bytes that are not needed at the same time, or each its own", &Options::placement_keep},
    {"arith.a2a3_fused", "off|on", "A2A3: multiply and add round twice, or once", &Options::a2a3_fused},
    {"arith.a5_fused", "off|on", "A5: tfusedmuladd, tfusedmuladdrelu and tmuladddst of f16 round twice, or once", &Options::a5_fused},
    {"arith.shift_count", "all|modulo", "counts of the width and more shift everything out, or count modulo the width", &Options::shift_modulo},
    {"arith.sum_order", "tree|sequential|double", "how the lanes of one register are summed", &Options::sum_order},
    {"arith.product", "fused|sum_first|double", "how a matrix product is summed: to its start, k ascending, with one rounding a term; from zero on, and the start last; or in double", &Options::product_order},
    {"arith.exp_subnormal", "keep|flush", "results of exp below the smallest normal number", &Options::exp_flush},
    {"arith.int_div_zero", "ones|zero", "an integer divided by zero: all bits set, or zero", &Options::int_div_zero},
    {"tcmps.pack", "auto|pitch|stream", "A5: where tcmps writes its bits: rows at the tile's pitch, or one stream", &Options::tcmps_pack},
    {"rowexpand.block", "first|tiled", "a row of the small operand is one block: its first element, or the block repeated", &Options::rowexpand_tiled},
    {"tpairreducesum.tail", "keep|zero", "the columns behind the sums: kept, or zero as documented", &Options::pairsum_zero_tail},
    {"thistogram.counts", "cumulative|plain", "bins that include the ones below, or each for itself", &Options::histogram_plain},
    {"treluconv.i16", "wide|wrap", "the sum of i16 before relu: exact, or wrapped to 16 bits", &Options::reluconv_wrap},
    {"tadddeqrelu.overflow", "saturate|inf", "results above the largest f16", &Options::deqrelu_inf},
    {"quirks.tsubs", "off|on", "A2A3: the library rounds the scalar of an i32 tsubs to f32", &Options::quirk_tsubs},
    {"quirks.tdivs", "off|on", "A2A3: in place, the library multiplies by the rounded reciprocal", &Options::quirk_tdivs},
    {"quirks.shift64", "off|on", "A5: a 64-bit left shift lets the low word's sign into the high word", &Options::quirk_shift64},
    {"quirks.compare", "off|on", "A2A3: 16- and 32-bit integers are compared as the floats of their bits", &Options::quirk_compare},
    {"quirks.tcmp", "off|on", "A5: 32-bit tcmp mixes up the pitches of its sources", &Options::quirk_tcmp},
    {"quirks.trems", "off|on", "A2A3: the sign of columns 0..63 decides for every 64 columns", &Options::quirk_trems},
    {"quirks.words64", "off|on", "A5: 64-bit steps that the library does for 64 columns only leave the others alone", &Options::quirk_words64},
    {"quirks.rowreduce", "off|on", "A2A3: row sum, max and min of 65..127 columns do nothing where a pitch is below 256 bytes", &Options::quirk_rowreduce},
    {"quirks.colexpand", "off|on", "A2A3: of more than 255 rows only their number modulo 256", &Options::quirk_colexpand},
    {"quirks.blocks", "off|on", "A2A3: rows that are copied in whole blocks change bytes behind the valid columns", &Options::quirk_blocks},
    {"quirks.tpartarg", "off|on", "A2A3: f16 with 32-bit indices misses columns 64..127 of every 128", &Options::quirk_tpartarg},
    {"quirks.tpairreducesum", "off|on", "A5: rows that are full by their type are packed", &Options::quirk_pairsum},
    {"quirks.tci", "off|on", "A2A3: counting down with a tmp negates start too", &Options::quirk_tci},
    {"quirks.ttri", "off|on", "A5: ones and zeros go past the last column", &Options::quirk_ttri},
    {"sources.overwritten", "yes|no", "A2A3: instructions that use their sources as scratch really do", &Options::keep_sources},
    {"tload.pad", "row|block", "A5: pad to the end of the tile's row, or only to the 32-byte boundary", &Options::pad_to_block},
    {"pad.float", "auto|inf|finite", "what pad max and min mean for floats; auto: finite for program text on A5, else infinities", &Options::pad_float},
    {"tload.rows", "tile|view", "a view higher than the valid region: load the valid rows, or all of the view's", &Options::load_view_rows},
};
// clang-format on
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
