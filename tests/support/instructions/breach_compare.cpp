// The breaches of comparisons, which pack their answers.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// Only equality is known for all types, and only with one pitch on A5.
void plain_comparison(Sample& sample) {
  sample.set("cmpMode", "eq");
  if (!sample.has("src1") || !sample.has("src0")) return;
  Part &first = sample["src0"], &second = sample["src1"];
  second.type = first.type;
}
void fewer_mask_rows(Sample& sample, Part& it) {
  it.type.rows = sample.parts[0].valid.rows - 1;
  it.set_valid(it.type.rows, it.valid.cols);
}
std::vector<Breach> mask(const std::string& src, const From& rows = {}) {
  From wide = rows;
  wide.types = DTypeSet{DType::F16, DType::F32};
  wide.shape = {3, 257};
  return {{"R8", "dst", to_type(DType::F32), {"dst is f32", "u8"}},
          {"R8", "dst", to_type(DType::I16), {"dst is i16", "u8"}},
          {"R9", "dst", fewer_mask_rows, {"dst has {dst.all_rows} rows", "{" + src + ".rows}"}, rows},
          {"R9", "dst", narrow, {"dst has {dst.pitch_bytes} bytes"}, wide}};
}
std::vector<Breach> equal_only(const From& from = {}) {
  From words = from;
  words.target = Target::A2A3;
  words.types = DTypeSet{DType::I32};
  std::vector<Breach> breaches;
  for (const char* mode : {"lt", "le", "gt", "ge"})
    breaches.push_back({.rule = "W1",
                        .operands = {},
                        .change = attribute("cmpMode", mode),
                        .says = {"i32", "eq"},
                        .from = words,
                        .named = "cmpMode"});
  return breaches;
}
std::vector<Breach> two_pitches() {
  const From words{.target = Target::A5, .types = DTypeSet{DType::I32, DType::U32, DType::F32}};
  return {{"W2", "src1", wider_tile, {"{src0.pitch}", "{src1.pitch}"}, words}};
}
// With as many valid columns as the source, a mask of A5 takes one stream of bits. Rows of up to 32 bytes begin at its
// rows.
void as_a_stream(Sample& sample) {
  const Valid valid = sample["src"].valid;
  Part& dst = sample["dst"];
  dst.type = vec_tile(DType::U8, valid.rows, 64);
  dst.set_valid(valid.rows, valid.cols);
  narrow(sample, dst);
}
void in_rows(Sample& sample) {
  Part& dst = sample["dst"];
  dst.type = vec_tile(DType::U8, dst.valid.rows, 64);
  dst.set_valid(dst.valid.rows, 63);
}
void four_rows(Sample&, Part& it) {
  it.type.rows = 4;
  it.set_valid(4, it.valid.cols);
}
std::vector<Breach> stream() {
  From bytes{.target = Target::A5, .types = DTypeSet{DType::I8, DType::U8}, .shape = {40, 32}, .form = 0};
  From words = bytes;
  bytes.prepare = as_a_stream;
  words.types = DTypeSet{DType::I32, DType::U32, DType::F32};
  words.shape = {5, 64};
  words.prepare = in_rows;
  return {{"R9", "dst", four_rows, {"dst has 128 bytes", "stream 1280"}, bytes},
          {"W4", "dst", more_cols, {"rows of 64 bits", "dst (64 bytes)"}, words}};
}
std::vector<Breach> tile_as_scalar(const From& from) {
  return {{"R2", "src1", other_type, {"{it}", "{it.type}", "{src.type}"}, from},
          {"R3", "src1", boxed_layout, {"{it}", "{it.layout}"}, from}};
}
void as_integers(Sample& sample, Part& it) {
  it.type.dtype = DType::I16;
  (sample.has("src1") ? sample["src1"].type.dtype : sample["scalar"].scalar.dtype) = DType::I16;
}

}  // namespace

std::vector<RuleSet> comparison_rule_sets() {
  const std::vector<Breach> mixed_integers{
      {"W2", "src", as_integers, {"i16", "f16"}, {.target = Target::A2A3, .types = DTypeSet{DType::F16}}}};
  const From with_scalar{.form = 0}, with_tile{.form = 1};
  return {
      {"tcmp",
       same_types("src1", "src0") + row_major("src0 src1 dst") + same_valid("src1", "src0") + mask("src0") +
           equal_only() + two_pitches() + words64("W3", "src0") + overlaps_anyhow("dst", "src0 src1"),
       {},
       plain_comparison},
      {"tcmps",
       scalar_type("scalar", "src", with_scalar) + tile_as_scalar(with_tile) + stream() + row_major("src dst") +
           mask("src", with_tile) + equal_only(with_scalar) + equal_only(with_tile) + mixed_integers +
           words64("W3", "src") + overlaps_anyhow("dst", "src"),
       {},
       plain_comparison,
       DTypeSet{DType::I8, DType::U8, DType::I32, DType::U32, DType::I64, DType::U64, DType::F16, DType::BF16,
                DType::F32}},
  };
}

}  // namespace ts::test
