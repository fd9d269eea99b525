// The breaches of instructions that work element by element with a scalar.
#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

const Scalar kMinusOne{DType::I16, 0xFFFF};

std::vector<Breach> with_scalar(const std::string& scalar = "scalar") {
  return elementwise("src") + scalar_type(scalar);
}
std::vector<Breach> with_scalar_apart() { return elementwise_apart("src") + scalar_type("scalar"); }
// A scalar of one type whatever the tiles are.
std::vector<Breach> scalar_must_be(const std::string& scalar, const std::string& type) {
  return {{"R2", scalar, other_type, {"{it}", "{it.type}", type}}};
}

std::vector<Breach> negative_count() {
  return {{.rule = "R8",
           .operands = "count",
           .change = to_scalar(kMinusOne),
           .says = {"count -1"},
           .severity = Severity::Warning},
          {.rule = "R8",
           .operands = "count",
           .change = to_scalar(kMinusOne),
           .says = {"count -1"},
           .from = {.options = {.strict = 1}}}};
}
// Counts are drawn of all sorts.
void small_count(Sample& sample) { sample["count"].scalar.bits = 1; }

std::vector<Breach> row_scratch() {
  return {{"R7", "tmp", other_type, {"{tmp.type}", "{dst.type}"}, kNamedScratch},
          {"R7", "tmp", narrow, {"tmp has {tmp.all_cols} columns", "{dst.cols}"}, kNamedScratch}};
}
// Reversed, A2A3 writes dst before it is done with src.
std::vector<Breach> division() {
  const From plain_a2a3{.target = Target::A2A3, .form = 0}, reversed{.form = 1};
  return same_types("src") + scalar_type("scalar") + row_major("dst src") + same_valid("src") + words64("W1") +
         distinct("dst", "src", reversed) + overlaps("dst", "src", {.target = Target::A5}) +
         overlaps("dst", "src", plain_a2a3) + overlaps("dst", "src", {.target = Target::A2A3, .form = 1}, {"R6 dst"});
}

// dst of f32 also takes a source of f16; the scalar always has the type of the source.
bool one_type(Sample& sample) { return sample["src"].type.dtype == sample["dst"].type.dtype; }
bool two_types(Sample& sample) { return !one_type(sample); }
void narrow_dst(Sample& sample, Part&) { retype(sample["dst"], DType::F16); }
std::vector<Breach> axpy() {
  const From two{.types = kF32, .which = two_types};
  return {{.rule = "R2",
           .operands = "src",
           .change = narrow_dst,
           .says = {"src f32", "dst f16"},
           .from = {.types = kF32, .which = one_type}},
          {"R2", "scalar", other_type, {"{it}", "{it.type}", "{src.type}"}},
          {.rule = "G5",
           .operands = "src",
           .change = same_address("dst"),
           .says = {"{dst.at}", "overlaps"},
           .from = two,
           .named = "dst"}};
}

}  // namespace

std::vector<RuleSet> scalar_rule_sets() {
  // clang-format off
  return {
      {"tadds tsubs tmuls", with_scalar() + words64("W1")},
      {"tmaxs tmins", with_scalar() + words64("W1") + not_empty(Target::A2A3)},
      {"tlrelu", elementwise("src") + scalar_must_be("slope", "f32") + not_empty(Target::A2A3)},
      {"tshls tshrs",
       elementwise("src") + scalar_must_be("count", "i16") + words64("W1") + negative_count(),
       {},
       small_count},
      {"tdivs", division() + zero_scalar({.form = 0}) + zero_element("src", {.form = 1})},
      {"trecip", elementwise_apart("src") + words64("W1") + zero_element("src")},
      {"tands tors", with_scalar_apart()},
      {"txors", with_scalar_apart() + distinct("tmp", "src dst", kNamedScratch) + scratch_like_dst()},
      {"tfmods", with_scalar_apart() + not_empty(Target::A2A3) + zero_scalar({.target = Target::A5})},
      {"trems", with_scalar() + words64("W1") + zero_scalar() + not_empty(Target::A2A3) + row_scratch() + scratch_overlaps("src dst")},
      {"tpows", with_scalar("exponent") + scratch_valid_as_dst(kF32) + scratch_overlaps("src dst", {.types = kF32})},
      {"taxpy", axpy() + row_major("dst src") + same_valid("src") + overlaps("dst", "src")},
  };
  // clang-format on
}

}  // namespace ts::test
