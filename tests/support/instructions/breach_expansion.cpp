// The breaches of instructions that spread a row or a column over a tile, and of those that join parts.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// --- one value for each row or column

bool has_columns(Sample& sample) { return sample["src"].type.row_major(); }
void second_column(Sample&, Part& it) { it.set_valid(it.valid.rows, 2); }
std::vector<Breach> row_expansion() {
  return same_types("src") + row_major("dst") + not_empty() + overlaps_anyhow("dst", "src") +
         std::vector<Breach>{
             {"R3", "src", boxed_layout, {"src", "{src.layout}", "row_major or col_major"}},
             {"R4", "src", fewer_rows, {"src has {src.rows} valid rows", "dst {dst.rows}"}},
             {"W1", "src", second_column, {"src has 2 valid columns"}, {.target = Target::A5, .which = has_columns}},
         };
}
std::vector<Breach> column_expansion() {
  return same_types("src") + row_major("dst src") + not_empty(Target::A5) + overlaps("dst", "src") +
         std::vector<Breach>{{"R4", "src", fewer_cols, {"src has {src.cols} valid columns", "dst {dst.cols}"}}};
}

// --- the small source and the full one

bool by_column(Sample& sample) { return sample["small"].type.col_major(); }
bool by_block(Sample& sample) {
  return !by_column(sample) &&
         sample.attributes.end() == std::ranges::find_if(sample.attributes, [](const BuildAttribute& a) {
           return a.name == "src1Col" && a.value != "1";
         });
}
std::vector<Breach> no_full_source() {
  const std::vector<std::string> says{"neither", "{full} {full.valid}", "{dst.valid}"};
  // The full source stays the larger one, beside a block of bytes a row.
  const From wide{.shape = {6, 50}};
  return {{"R4", "full", fewer_rows, says, wide}, {"R4", "full", fewer_cols, says, wide}};
}
std::vector<Breach> spread_overlaps() { return overlaps("dst", "full") + overlaps_anyhow("dst", "small"); }
constexpr DTypeSet kIntegers{DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32};
bool divides_by_small(Sample& sample) { return sample["src1"].alias == "small"; }
bool divides_by_full(Sample& sample) { return !divides_by_small(sample); }
bool divides_by_column(Sample& sample) { return divides_by_small(sample) && by_column(sample); }
Breach zero_divisor(bool (*which)(Sample&), std::uint32_t row, std::uint32_t col) {
  return {.rule = "W2",
          .operands = "src1",
          .change = zero_at(row, col),
          .says = {"src1[" + std::to_string(row) + "," + std::to_string(col) + "] is 0"},
          .from = {.target = Target::A5, .types = kIntegers, .which = which},
          .at_run = true};
}

// --- rows

std::uint64_t blocks_of_rows(const Sample& sample) {
  const std::uint32_t rows = sample["dst"].valid.rows;
  return rows < 256 ? 256 * ((rows + 7) / 8) : 7680;
}
std::vector<Breach> row_blocks() {
  const From column{.target = Target::A2A3, .scratch = true, .which = by_column};
  From many = column;
  many.types = DTypeSet{DType::F32};
  many.shape = {260, 9};
  const std::vector<std::string> says{"tmp has 32 bytes", "needs {limit}"};
  return scratch_overlaps("src0 src1 dst", column) + std::vector<Breach>{{.rule = "R7",
                                                                          .operands = "tmp",
                                                                          .change = one_block,
                                                                          .says = says,
                                                                          .from = column,
                                                                          .limit = blocks_of_rows},
                                                                         {.rule = "R7",
                                                                          .operands = "tmp",
                                                                          .change = one_block,
                                                                          .says = says,
                                                                          .from = many,
                                                                          .limit = blocks_of_rows}};
}
std::vector<Breach> small_columns() {
  const std::vector<std::string> says{"{it}", "valid {it.valid}", "dst has {dst.rows} rows"};
  return {{"R8", "small", fewer_rows, says},
          {"R8", "small", [](Sample&, Part& it) { it.set_valid(it.valid.rows, 2); }, says, {.which = by_block}},
          {"R8", "small", boxed_layout, {"{it}", "{it.layout}"}}};
}
// Lanes of poison, and another one.
std::vector<Breach> odd_lanes() {
  return {{.rule = "W1",
           .operands = "small",
           .change = zero_at(1, 2),
           .says = {"{it}[1,2]", "{it}[1,0]"},
           .from = {.which = by_block},
           .at_run = true}};
}
std::vector<Breach> spread_rows() {
  return same_types("src0 src1") + row_major("dst") + unboxed("full") + no_full_source() + row_blocks() +
         small_columns() + odd_lanes() + spread_overlaps();
}

// --- columns

void full_by_type(Sample& sample) {
  Part& dst = sample["dst"];
  dst.type = vec_tile(dst.type.dtype, dst.valid.rows, dst.valid.cols, static_cast<std::int32_t>(dst.valid.rows),
                      static_cast<std::int32_t>(dst.valid.cols));
}
std::vector<Breach> many_rows() {
  const auto one_more = [](Sample& sample, Part& it) {
    one_more_row(255)(sample, it);
    full_by_type(sample);
  };
  const From from{
      .target = Target::A2A3, .types = DTypeSet{DType::F16, DType::F32}, .shape = {255, 16}, .prepare = full_by_type};
  return {{"W1", "dst", one_more, {"256 rows", "does 0"}, from}};
}
std::vector<Breach> spread_columns() {
  return same_types("src0 src1") + row_major("dst full small") + no_full_source() + many_rows() + spread_overlaps() +
         std::vector<Breach>{
             {"R8", "small", fewer_cols, {"{it} valid {it.valid}", "{dst.cols} columns"}},
             {"R8",
              "small",
              [](Sample&, Part& it) { it.set_valid(0, it.valid.cols); },
              {"{it} valid {it.valid}", "{dst.cols} columns"}},
         };
}

// --- parts

bool second_is_smaller(Sample& sample) {
  const Valid small = sample["src1"].valid, dst = sample["dst"].valid;
  return small.rows != dst.rows || small.cols != dst.cols;
}
// dst grows beyond both; or one source grows beyond it.
std::vector<Breach> parts_fit(std::optional<Severity> severity, const Options& options,
                              const std::vector<std::string>& also = {}) {
  const std::vector<std::string> says{"src0 valid {src0.valid}", "src1 {src1.valid}", "dst {dst.valid}"};
  const auto wider = [](Sample& sample, Part& it) {
    it.set_valid(it.valid.rows, sample["dst"].valid.cols + 1);
    it.make_room();
  };
  const From from{.options = options, .which = second_is_smaller};
  const auto breach = [&](const char* operand, const Change& change, const std::vector<std::string>& others) {
    return Breach{.rule = "R4",
                  .operands = operand,
                  .change = change,
                  .says = says,
                  .from = from,
                  .named = "dst",
                  .severity = severity,
                  .also = others};
  };
  if (also.empty()) return {breach("dst", more_rows, {}), breach("src0", fewer_cols, {}), breach("src1", wider, {})};
  return {breach("src0", fewer_cols, {"R4 index0"}), breach("src1", wider, {"R4 index1"})};
}
std::vector<Breach> joined_parts() {
  return same_types("src0 src1") + row_major("dst src0 src1") + parts_fit(Severity::Warning, {}) +
         parts_fit({}, {.strict = 1}) + overlaps("dst", "src0", {.which = second_is_smaller}) +
         overlaps_anyhow("dst", "src1", {.which = second_is_smaller});
}

void all_indices(Sample& sample, DType type) {
  for (const char* index : {"index", "index0", "index1"}) retype(sample[index], type);
}
Change indices_of(DType type) {
  return [type](Sample& sample, Part&) { all_indices(sample, type); };
}
void wide_indices(Sample& sample) { all_indices(sample, DType::I32); }
std::vector<Breach> chosen_parts() {
  const std::vector<std::string> indices{"{index.type}", "{dst.type}"};
  const From half{.types = DTypeSet{DType::F16}}, word{.types = DTypeSet{DType::F32}};
  const From many{.target = Target::A2A3, .types = DTypeSet{DType::F16}, .shape = {3, 127}, .prepare = wide_indices};
  return same_types("src0 src1") + same_types("index0 index1", "index") +
         row_major("dst index src0 src1 index0 index1") + same_valid("index0", "src0") + same_valid("index1", "src1") +
         same_valid("index") + parts_fit({}, {}, {"index"}) + not_empty(Target::A2A3) + overlaps("dst", "src0 src1") +
         overlaps("index", "index0 index1") + overlaps_anyhow("dst", "index0 index1 index") +
         overlaps_anyhow("index", "src0 src1") +
         std::vector<Breach>{{"R8", "index", indices_of(DType::I16), indices, word},
                             {"R8", "index", indices_of(DType::I8), indices, half},
                             {"W1", "index", one_more_col(127), {"f16", "i32", "128 columns"}, many}};
}

}  // namespace

std::vector<RuleSet> expansion_rule_sets() {
  return {
      {"trowexpand", row_expansion()},
      {"tcolexpand", column_expansion()},
      {"trowexpandadd trowexpandsub trowexpandmul trowexpandmax trowexpandmin trowexpandexpdif", spread_rows()},
      {"trowexpanddiv",
       spread_rows() + std::vector<Breach>{zero_divisor(divides_by_column, 2, 0), zero_divisor(divides_by_full, 1, 3)}},
      {"tcolexpandadd tcolexpandsub tcolexpandmul tcolexpandmax tcolexpandmin tcolexpandexpdif", spread_columns()},
      {"tcolexpanddiv", spread_columns() + std::vector<Breach>{zero_divisor(divides_by_small, 0, 3),
                                                               zero_divisor(divides_by_full, 1, 3)}},
      {"tpartadd tpartmax tpartmin", joined_parts() + words64("W1")},
      {"tpartmul", joined_parts()},
      {"tpartargmax tpartargmin", chosen_parts()},
  };
}

}  // namespace ts::test
