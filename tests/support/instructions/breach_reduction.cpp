// The breaches of instructions that make one of many: along rows, along columns, of pairs, and searches.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

const From kWithValue{.form = 1};

From scratch_for(DTypeSet types, Valid shape, int form = -1) {
  return {.target = Target::A2A3, .types = types, .shape = shape, .form = form, .scratch = true};
}

// --- rows

void two_columns(Sample& sample, Part& it) {
  retype(it, it.type.dtype);
  it.type.cols *= 2;
  column_major(sample, it);
}
std::vector<Breach> row_results(const std::string& results, const From& from = {}) {
  const std::vector<std::string> rows{"{it} has {it.rows} valid rows", "src {src.rows}"};
  return {{"R3", "src " + results, boxed_layout, {"{it}", "{it.layout}", "needs row_major"}, from},
          {"R3", "src", column_major, {"{it}", "col_major", "needs row_major"}, from},
          {"R3", results, two_columns, {"{it}", "col_major", "one column"}, from},
          {"R4", results, fewer_rows, rows, from}};
}
void no_source_cols(Sample&, Part& it) { it.set_valid(it.valid.rows, 0); }
std::vector<Breach> source_not_empty(const Change& no_cols) {
  return {{.rule = "R5",
           .operands = "src",
           .change = without_rows,
           .says = {"src", "{src.valid}", "empty"},
           .severity = Severity::Warning},
          {.rule = "R5",
           .operands = "src",
           .change = no_cols,
           .says = {"src", "{src.valid}", "empty"},
           .severity = Severity::Warning}};
}

// Partial results: a repeat for each row, of sums half of the row's repeats.
std::uint64_t partial_bytes(const Sample& sample) {
  const Part& src = sample["src"];
  const std::uint32_t repeats = src.valid.cols * size_bytes(src.type.dtype) / VL;
  const bool sum = std::string_view(sample.row->name) == "trowsum";
  return std::uint64_t{src.valid.rows} * (sum ? std::max(1u, repeats / 2) : 1) * VL;
}
constexpr DTypeSet kFloats{DType::F16, DType::F32};
std::vector<Breach> partial_results() {
  const From from = scratch_for(kFloats, {3, 600});
  return {{.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = {"tmp has 32 bytes", "needs {limit}"},
           .from = from,
           .limit = partial_bytes},
          {"R7",
           "tmp",
           few_bytes,
           {"tmp has {tmp.bytes} bytes", "needs 32"},
           scratch_for({DType::I16, DType::I32}, {3, 40})}};
}
// The same bytes in rows of half a repeat.
void short_rows(Sample&, Part& it) {
  it.type.cols = VL / 2 / size_bytes(it.type.dtype);
  it.type.rows = 16;
  it.set_valid(1, 1);
}
std::vector<Breach> short_scratch_rows() {
  const std::vector<std::string> says{"rows of tmp have 128 bytes", "{src.cols}", "256"};
  return {{"W1", "tmp", short_rows, says, scratch_for({DType::F32}, {3, 100})},
          {"W1", "tmp", short_rows, says, scratch_for({DType::F16}, {3, 200})}};
}
std::vector<Breach> row_reduction() {
  return same_types("dst", "src") + row_results("dst") + source_not_empty(no_source_cols) +
         overlaps_anyhow("dst", "src") + scratch_overlaps("src dst");
}
std::vector<Breach> row_product_scratch() {
  return {{"R7", "tmp", few_bytes, {"tmp has {tmp.bytes} bytes", "needs 32"}, kNamedScratch}};
}

// --- searches

std::vector<Breach> value_type() {
  return {{"R2", "value", other_type, {"{it}", "{it.type}", "{src.type}"}, kWithValue}};
}
// Indices of floats; and of 16 bits where they must have 32, or the other way round.
std::vector<Breach> index_type(bool only_narrow) {
  const std::vector<std::string> says{"{it}", "{it.type}", "indices are"};
  const From plain{.form = 0}, narrow{.types = DTypeSet{DType::F16}, .form = 1},
      wide{.types = DTypeSet{DType::F32}, .form = 1};
  return {{"R8", "dst", to_type(DType::F32), says, plain},
          {"R8", "dst", to_type(DType::I16), says, plain},
          {"R8", "dst", to_type(DType::U16), says, wide},
          {"R8", "dst", to_type(only_narrow ? DType::I32 : DType::F32), says, narrow}};
}
std::vector<Breach> search_overlaps() {
  From with_value = kNamedScratch;
  with_value.form = 1;
  return overlaps_anyhow("dst", "src") + overlaps_anyhow("dst", "value", kWithValue) +
         overlaps_anyhow("value", "src", kWithValue) + scratch_overlaps("src dst") +
         scratch_overlaps("value", with_value);
}
// Pairs of a value and an index, for each row.
std::vector<Breach> pairs_of_rows() {
  const std::vector<std::string> says{"tmp has 32 bytes", "needs {limit}"};
  const auto pairs = [](const Sample& sample) {
    return std::uint64_t{sample["src"].valid.rows} * 2 * size_bytes(sample["src"].type.dtype);
  };
  // One level of chunks: rows of up(2R) + up(R) elements, of blocks each.
  const auto chunks = [](const Sample& sample) {
    const std::uint32_t size = size_bytes(sample["src"].type.dtype), block = BLK / size, lanes = VL / size;
    const std::uint32_t count = (sample["src"].valid.cols + lanes - 1) / lanes;
    const auto up = [&](std::uint32_t n) { return (n + block - 1) / block * block; };
    return std::uint64_t{sample["src"].valid.rows} * (up(2 * count) + up(count)) * size;
  };
  return {{.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = says,
           .from = scratch_for(kAllTypes, {20, 40}, 1),
           .limit = pairs},
          {.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = says,
           .from = scratch_for(kAllTypes, {3, 300}, 0),
           .limit = chunks}};
}

// --- columns

std::vector<Breach> column_results(const std::string& results, const From& from = {}) {
  const std::vector<std::string> columns{"{it} has {it.cols} valid columns", "src {src.cols}"};
  const std::vector<std::string> layout{"{it}", "{it.layout}", "row_major"};
  return {{"R3", "src " + results, boxed_layout, layout, from},
          {"R3", "src " + results, column_major, layout, from},
          {"R4", results, fewer_cols, columns, from}};
}
std::vector<Breach> column_reduction() {
  return same_types("dst", "src") + column_results("dst") + overlaps_anyhow("dst", "src");
}
constexpr DTypeSet kUpTo32 = kTypesTo32;

void with_tmp(Sample& sample, Part&) { sample.add_scratch(); }
std::vector<Breach> pair_sums() {
  const From named{.types = kUpTo32, .scratch = true}, wide{.target = Target::A5, .types = kWords64};
  From binary = named;
  binary.prepare = [](Sample& sample) { sample.set("isBinary", "true"); };
  const std::vector<std::string> sums{"tmp is {tmp.shape}", "3x{src.cols}"};
  return {{.rule = "R1", .operands = "src", .change = with_tmp, .says = {"{src.type}", "tmp"}, .from = wide},
          {"R2", "tmp", other_type, {"tmp", "{tmp.type}", "{src.type}"}, named},
          {"R3", "tmp", boxed_layout, {"tmp", "{tmp.layout}", "row_major"}, named},
          {"R7", "tmp", [](Sample&, Part& it) { it.type.rows = 2, it.set_valid(2, it.valid.cols); }, sums, binary},
          {"R7", "tmp", narrow, sums, binary}};
}
// A5 takes scratch that it does not touch; overlaps are told all the same.
std::vector<Breach> sum_scratch_overlaps() {
  const From named{.types = kUpTo32, .scratch = true};
  return overlaps_anyhow("tmp", "src dst", named);
}

// 8-bit elements give no value.
void as_bytes(Sample& sample, Part& it) {
  retype(it, DType::I8);
  retype(sample["value"], DType::I8);
}
void as_unsigned(Sample& sample, Part& it) {
  const DType type = size_bytes(it.type.dtype) == 2 ? DType::U16 : DType::U32;
  it.type.dtype = type;
  if (sample.has("value")) sample["value"].type.dtype = type;
}
// Two runs of the columns, or three where 2-byte elements go through f16.
std::uint64_t runs_of_columns(const Sample& sample) {
  const std::uint32_t size = size_bytes(sample["src"].type.dtype), block = BLK / size;
  const std::uint64_t run = std::uint64_t{(sample["src"].valid.cols + block - 1) / block} * BLK;
  return (size == 2 && !sample.has("value") ? 3 : 2) * run;
}
std::vector<Breach> column_search() {
  const std::vector<std::string> too_small{"tmp has 32 bytes", "needs {limit}"};
  const From values{.target = Target::A5, .types = DTypeSet{DType::I32}, .form = 1};
  return {{"R1", "src", as_bytes, {"i8", "no value"}, values},
          {"R2", "tmp", other_type, {"tmp", "{tmp.type}", "{src.type}"}, kNamedScratch},
          {.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = too_small,
           .from = kNamedScratch,
           .limit = runs_of_columns},
          {"W1", "src", as_unsigned, {"{src.type}", "floats"}, {.target = Target::A2A3}}};
}

// --- pairs

bool several_rows(Sample& sample) { return sample["src"].valid.rows > 1; }
// All columns of src are valid, and of dst all but a block.
void nearly_full(Sample& sample) {
  for (const char* name : {"src", "dst"}) {
    Part& it = sample[name];
    it.type.cols = it.valid.cols + (it.name == "dst" ? block_elements(it.type.dtype) : 0);
    it.type.valid_cols = static_cast<std::int32_t>(it.valid.cols);
  }
}
void dynamic_columns(Sample& sample) { sample["dst"].type.valid_cols = kDynamic; }
std::vector<Breach> full_pairs() {
  const From from{.target = Target::A5, .shape = {5, 48}, .which = several_rows, .prepare = nearly_full};
  return {{"W1", "dst", [](Sample&, Part& it) { it.type.cols = it.valid.cols; }, {"5 rows", "packs"}, from}};
}

}  // namespace

std::vector<RuleSet> reduction_rule_sets() {
  return {
      {"trowsum trowmax trowmin", row_reduction() + partial_results() + short_scratch_rows() + words64("W2", "src")},
      {"trowprod", row_reduction() + row_product_scratch()},
      {"trowargmax trowargmin", value_type() + row_results("dst") + row_results("value dst", kWithValue) +
                                    source_not_empty(no_source_cols) + pairs_of_rows() + index_type(false) +
                                    search_overlaps()},
      {"tcolmax tcolmin", column_reduction() + words64("W1", "src")},
      {"tcolprod", column_reduction()},
      {"tcolsum", column_reduction() + words64("W1", "src") + pair_sums() + sum_scratch_overlaps()},
      {"tcolargmax tcolargmin",
       value_type() + column_results("dst") + column_results("value dst", kWithValue) + source_not_empty(without_cols) +
           column_search() + index_type(true) + search_overlaps(),
       {},
       {},
       kFloats},
      {"tpairreducesum",
       same_types("src") + row_major("dst src") + same_valid("src") + full_pairs() + overlaps_anyhow("dst", "src"),
       {},
       dynamic_columns},
  };
}

}  // namespace ts::test
