// The breaches of instructions that work element by element on tiles alone.
#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// "one of the pairs above" of element types.
std::vector<Breach> reluconv() {
  return {{"R1", "dst", to_type(DType::I32), {"{src0.type}", "i32", "pair"}},
          {"R1", "dst", to_type(DType::F32), {"{src0.type}", "f32", "pair"}}};
}
std::vector<Breach> narrowing(const std::string& sources) {
  return row_major("dst " + sources) + same_valid(sources) + not_empty() + overlaps_anyhow("dst", sources);
}
std::vector<Breach> deqrelu_types() {
  return {{"R1", "dst", to_type(DType::BF16), {"{it}", "{it.type}", "f16"}},
          {"R1", "src1", other_type, {"{it}", "{it.type}", "i32"}},
          {"R8", "scale", other_type, {"{it}", "{it.type}", "f32"}}};
}
// A row of mask bits for each row, and one more.
void as_many_rows_as_dst(Sample& sample, Part& it) {
  it.type.rows = sample["dst"].valid.rows;
  it.set_valid(it.type.rows, it.valid.cols);
}
std::vector<Breach> mask_scratch() {
  From wide = kNamedScratch;
  wide.types = kF32;
  wide.shape = {3, 300};
  return {{"R7", "tmp", other_type, {"tmp", "{tmp.type}", "u8"}, kNamedScratch},
          {"R7", "tmp", boxed_layout, {"tmp", "{tmp.layout}"}, kNamedScratch},
          {"R7", "tmp", as_many_rows_as_dst, {"tmp {tmp.shape}", "more than {dst.rows} rows"}, kNamedScratch},
          {"R7", "tmp", narrow, {"tmp {tmp.shape}", "40 bytes"}, wide}};
}
std::vector<Breach> a_block_of_ones() {
  return {{"R7", "tmp", other_type, {"{tmp.type}", "{dst.type}"}, kNamedScratch},
          {"R7", "tmp", few_bytes, {"tmp has {tmp.bytes} bytes", "32"}, kNamedScratch}};
}

// What the library writes in the scratch of TREM: a row, and as much again or a repeat.
std::uint64_t remainder_elements(const Sample& sample) {
  const Part& dst = sample["dst"];
  return dst.type.cols + (dst.type.dtype == DType::F32 ? 64 : dst.valid.cols);
}
std::vector<Breach> remainder_scratch() {
  return {{.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = {"tmp has 8 elements", "{limit}"},
           .from = kNamedScratch,
           .severity = Severity::Warning,
           .limit = remainder_elements}};
}
// The library alone takes 64-bit elements.
std::vector<Breach> negated_words() {
  std::vector<Breach> breaches = words64("W1");
  for (Breach& breach : breaches) breach.from.options.library_types = 1;
  return breaches;
}
// Neither library has it.
std::vector<Breach> not_in_libraries() {
  return {{.rule = "W1", .operands = {}, .change = {}, .says = {"neither library"}, .named = ""}};
}

}  // namespace

std::vector<RuleSet> elementwise_rule_sets() {
  // clang-format off
  return {
      {"tadd tsub tmul tmax tmin tand tor tsubrelu tfusedmuladd tfusedmuladdrelu tmuladddst", elementwise("src0 src1")},
      {"tdiv", elementwise("src0 src1") + words64("W1") + zero_element("src1", {.target = Target::A5})},
      {"txor", elementwise_apart("src0 src1") + distinct("dst", "tmp", kNamedScratch) +
                   distinct("tmp", "src0 src1", kNamedScratch) + scratch_like_dst()},
      {"tshl tshr", elementwise("src count")},
      {"tprelu", elementwise_apart("src slope") + distinct("tmp", "src slope", kNamedScratch) + mask_scratch()},
      {"taddc tsubc", elementwise("src0 src1 src2") + not_in_libraries(), "W1"},
      {"taddsc tsubsc", elementwise("src0 src1") + scalar_type("scalar") + not_in_libraries(), "W1"},
      {"tneg", elementwise("src") + negated_words()},
      {"tabs tnot texp tlog tsqrt trelu", elementwise("src")},
      {"trsqrt", elementwise("src") + a_block_of_ones() + scratch_overlaps("src dst")},
      {"taddreluconv tsubreluconv", reluconv() + same_types("src1", "src0") + narrowing("src0 src1")},
      {"tadddeqrelu",
       deqrelu_types() + narrowing("src0 src1") + scratch_like_dst("src0") + scratch_overlaps("src0 src1 dst")},
      {"tfmod", elementwise_apart("src0 src1") + zero_element("src1", {.target = Target::A5})},
      {"trem", elementwise("src0 src1") + words64("W1") + zero_element("src1") + remainder_scratch() + scratch_overlaps("src0 src1 dst")},
      {"tpow", elementwise("base exponent") + scratch_valid_as_dst(kF32) +
                   scratch_overlaps("base exponent dst", {.types = kF32})},
  };
  // clang-format on
}

}  // namespace ts::test
