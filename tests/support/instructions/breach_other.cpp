// The breaches of instructions that convert, move, pad, or make elements of numbers.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

const From kA2A3{.target = Target::A2A3};

// --- converting

// "off" clamps all the same for some pairs on A2A3.
void any_saturation(Sample& sample) {
  std::erase_if(sample.attributes, [](const BuildAttribute& a) { return a.name == "sat_mode"; });
}
bool to_i16(Sample& sample) { return sample["dst"].type.dtype == DType::I16; }
bool always_clamps(Sample& sample) {
  return sample["dst"].type.dtype == DType::I32 && is_float(sample["src"].type.dtype);
}
// A repeat for every whole one of i32, or what the tails take.
std::uint64_t chain_bytes(const Sample& sample) {
  const Part &dst = sample["dst"], &src = sample["src"];
  if (src.type.dtype == DType::F16) return VL;
  const std::uint32_t tails = (std::min(dst.valid.rows, 255u) - 1) * src.type.cols / 8 + (dst.valid.cols % 64 + 7) / 8;
  return std::max(VL * std::min(dst.valid.cols / 64, 255u), BLK * tails);
}
bool sizes_differ(Sample& sample) {
  return size_bytes(sample["src"].type.dtype) != size_bytes(sample["dst"].type.dtype);
}
std::vector<Breach> conversion() {
  const DTypeSet floats{DType::F16, DType::F32};
  const From wrapping{.target = Target::A2A3, .types = floats, .shape = {3, 200}, .scratch = true, .which = to_i16};
  From one_row = wrapping;  // only whole repeats count
  one_row.shape = {1, 200};
  const From clamping{.target = Target::A2A3, .types = floats, .which = always_clamps};
  return {{"R8", "dst", to_type(DType::U64), {"{src.type} to u64", "{dst.type}"}},
          {.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = {"tmp has 32 bytes", "needs {limit}"},
           .from = wrapping,
           .limit = chain_bytes},
          {.rule = "R7",
           .operands = "tmp",
           .change = one_block,
           .says = {"tmp has 32 bytes", "needs {limit}"},
           .from = one_row,
           .limit = chain_bytes},
          {"W1", "dst", attribute("sat_mode", "off"), {"{src.type} to {dst.type}", "off"}, clamping},
          {.rule = "G5",
           .operands = "src",
           .change = same_address("dst"),
           .says = {"{dst.at}", "overlaps"},
           .from = {.which = sizes_differ},
           .named = "dst"}};
}

// --- moving

void as_wide_as_dst_besides(Sample& sample, Part& it) {
  it.type.cols += sample["dst"].type.cols;
  it.set_valid(it.valid.rows, it.type.cols);
}
void no_narrower(Sample& sample, Part& it) { retype(it, sample["src"].type.dtype); }
std::vector<Breach> packing() {
  return row_major("dst src") + same_valid("src") + overlaps_shifted("dst", "src") +
         std::vector<Breach>{{"R8", "dst", no_narrower, {"dst is {dst.type}", "src are {src.type}"}}};
}
std::vector<Breach> concatenation() {
  return same_types("src0 src1") + row_major("dst src0 src1") + overlaps_anyhow("dst", "src0 src1") +
         std::vector<Breach>{
             {"R4", "src0 src1", fewer_rows, {"{it} has {it.rows} valid rows", "dst {dst.rows}"}},
             {.rule = "R10",
              .operands = "src1",
              .change = as_wide_as_dst_besides,
              .says = {"{src0.cols} + {src1.cols} valid columns", "dst has {dst.all_cols}"},
              .named = "dst"},
             {"R10", "dst", fewer_cols, {"dst has {dst.cols} valid ones"}, {.target = Target::A5}},
         };
}
void taller(Sample&, Part& it) { it.type.rows += 1; }
std::vector<Breach> same_static_shape() {
  return {{"R8", "dst", taller, {"{dst.shape}", "{src.shape}"}, kA2A3},
          {"R8", "dst", wider_tile, {"{dst.shape}", "{src.shape}"}, kA2A3}};
}
void into_mat(Sample&, Part& it) { it.type.loc = TileLoc::Mat; }
std::vector<Breach> reshaping() {
  return {{"R8", "dst", into_mat, {"mat", "vec"}},
          {"R9", "dst", taller, {"{dst.bytes}", "{src.bytes}"}},
          {"R10", "dst", boxed_layout, {"{dst.layout}", "{src.layout}"}}};
}

// --- padding

// Columns that end within a block, and pads that differ.
const Valid kEndsWithinABlock{5, 43};
void no_pad(Sample&, Part& it) { it.type.pad = PadKind::Null; }
void same_pad(Sample& sample, Part& it) { it.type.pad = sample["dst"].type.pad; }
void stands_on_src(Sample& sample) { sample["dst"].address = sample["src"].address; }
void fewer_rows_than_src(Sample& sample, Part& it) { it.set_valid(sample["src"].valid.rows - 1, it.valid.cols); }
bool spare_row(Sample& sample) { return sample["src"].type.rows > sample["src"].valid.rows; }
void smaller_than_src(Sample& sample, Part& it) {
  it.type.rows = sample["src"].type.rows - 1;
  it.set_valid(it.type.rows, it.valid.cols);
}
void narrower_than_src(Sample& sample, Part& it) {
  it.type.cols = sample["src"].type.cols - block_elements(it.type.dtype);
  it.set_valid(it.valid.rows, it.type.cols);
}
std::vector<Breach> padding(const Change& static_rows, const Change& static_cols) {
  const std::vector<std::string> shapes{"dst is {dst.shape}", "src {src.shape}"};
  const From within{.target = Target::A2A3, .shape = kEndsWithinABlock};
  return same_types("src") + unboxed("dst src") +
         std::vector<Breach>{{"R4", "dst", fewer_rows_than_src, {"dst has {dst.rows} valid rows", "src {src.rows}"}},
                             {"R8", "dst", no_pad, {"pad"}},
                             {"R9", "dst", static_rows, shapes, {.which = spare_row}},
                             {"R9", "dst", static_cols, shapes},
                             {.rule = "W1",
                              .operands = "src",
                              .change = same_pad,
                              .says = {"same pad", "43.."},
                              .from = within,
                              .named = "dst"}};
}
std::vector<Breach> moved_away() {
  return {{"R10", "dst", [](Sample&, Part& it) { it.address += 0x8000; }, {"{dst.at}", "{src.at}"}}};
}

// --- making elements

constexpr DTypeSet kCounted{DType::I16, DType::U16, DType::I32, DType::U32};
void from_five(Sample& sample) {
  sample.set("descending", "false");
  sample["start"].scalar.bits = 5;
}
void two_rows(Sample&, Part& it) { it.type.rows = 2; }
void halves(Sample&, Part& it) { retype(it, DType::I16); }
void as_float(Sample& sample, Part& it) {
  retype(it, DType::F32);
  sample["start"].scalar.dtype = DType::F32;
}
std::vector<Breach> counting() {
  const From named{.target = Target::A2A3, .types = kCounted, .scratch = true};
  const auto needed = [](const Sample& sample) {
    return std::uint64_t{size_bytes(sample["dst"].type.dtype) == 2 ? 1792u : 768u};
  };
  return scalar_type("start") + scratch_overlaps("dst", named) +
         std::vector<Breach>{
             {"R1", "dst", as_float, {"f32", "tmp"}, named},
             {"R3", "dst", boxed_layout, {"dst", "{dst.layout}", "row_major"}},
             {.rule = "R7",
              .operands = "tmp",
              .change = one_block,
              .says = {"tmp has 32 bytes", "needs {limit}"},
              .from = named,
              .limit = needed},
             {"R7", "tmp", halves, {"tmp is i16", "4 bytes"}, named},
             {"R8", "dst", two_rows, {"dst has 2 rows"}},
             {.rule = "W1",
              .operands = "start",
              .change = attribute("descending", "true"),
              .says = {"start"},
              .from = named},
         };
}
void on_the_diagonal(Sample& sample) {
  sample["diagonal"].scalar.bits = 0;
  sample.set("upperOrLower", "0");
}
std::vector<Breach> triangle() {
  const From narrow_types{.target = Target::A5, .types = kTypesTo32};
  return row_major("dst") + words64("W2") +
         std::vector<Breach>{{.rule = "W1",
                              .operands = "diagonal",
                              .change = to_scalar({DType::I32, 40}),
                              .says = {"behind column {dst.cols}", "45"},
                              .from = narrow_types,
                              .named = "dst"}};
}

void counts_low_byte(Sample& sample) { sample.set("byte", "0"); }
void byte_four(Sample& sample, Part&) { sample.set("byte", "3"); }
void one_filter_row(Sample&, Part& it) { it.set_valid(2, it.valid.cols); }
std::vector<Breach> histogram() {
  const From halves{.types = DTypeSet{DType::U16}},
      low_halves{.types = DTypeSet{DType::U16}, .prepare = counts_low_byte},
      low_words{.types = DTypeSet{DType::U32}, .prepare = counts_low_byte}, low{.prepare = counts_low_byte};
  return row_major("src dst") + overlaps_anyhow("dst", "src filter") +
         std::vector<Breach>{{"R1", "src", byte_four, {"u16", "byte 3"}, halves},
                             {"R4",
                              "dst",
                              [](Sample& s, Part& it) {
                                it.type.rows = s["src"].valid.rows - 1, it.set_valid(it.type.rows, it.valid.cols);
                              },
                              {"dst has {dst.all_rows} rows", "src {src.rows}"},
                              {.which = [](Sample& s) { return s["src"].valid.rows > 1; }}},
                             {"R8", "dst", other_type, {"dst is {dst.type}", "u32"}},
                             {"R8", "dst", wider_tile, {"{dst.all_cols} columns", "256"}},
                             {"R9", "filter", other_type, {"filter", "i8"}, low},
                             {"R9", "filter", boxed_layout, {"filter", "{filter.layout}"}, low},
                             {"R9", "filter", fewer_rows, {"filter"}, low_halves},
                             {"R9", "filter", one_filter_row, {"filter"}, low_words}};
}

// Column-major, and all of it valid; or its sizes are only known when it runs.
void as_columns(Part& part, bool open) {
  part.type.blayout = BoxOrder::ColMajor;
  part.type.rows = 32, part.type.cols = 8;
  part.type.valid_rows = open ? kDynamic : 32, part.type.valid_cols = open ? kDynamic : 8;
  part.valid = {32, 8};
}
void part_of_columns(Sample& s, Part&) {
  for (const char* name : {"src", "dst"}) as_columns(s[name], true), s[name].valid = {16, 4};
}
void open_columns(Sample& s, Part& it) {
  for (const char* name : {"src", "dst"}) as_columns(s[name], false);
  as_columns(it, true);
}
bool to_packed(Sample& sample) { return is_packed(sample["dst"].type.dtype); }
std::vector<Breach> half_bytes() {
  const auto odd = [](Target target, DType from, const char* what) {
    return Breach{"W2",
                  "dst",
                  one_column_less,
                  {"dst has 39 valid columns", "share a byte", what},
                  {.target = target, .types = DTypeSet{from}, .which = to_packed}};
  };
  return {odd(Target::A5, DType::BF16, "column, 38, is not written"), odd(Target::A2A3, DType::F16, "becomes 0")};
}
std::vector<Breach> moving_columns() {
  return {{"R9", "dst", part_of_columns, {"16x4 of a col_major 32x8"}, {.target = Target::A2A3}},
          {"W1", "dst src", open_columns, {"{it} is col_major", "dynamic"}, {.target = Target::A5}}};
}

// --- the cube core's moves

void of_boxes(Part& part, TileLoc loc, BoxOrder outer) {
  part.type = boxed(loc, part.type.dtype, 32, 32, outer, InnerOrder::RowMajor);
  part.set_valid(32, 32);
}
// From mat to the left operand's place.
void to_left(Sample& s) {
  of_boxes(s["src"], TileLoc::Mat, BoxOrder::ColMajor);
  of_boxes(s["dst"], TileLoc::Left, s.target == Target::A5 ? BoxOrder::ColMajor : BoxOrder::RowMajor);
}
void to_left_unchanged(Sample& s, Part&) { to_left(s); }
void from_no_boxes(Sample& s, Part& it) {
  to_left(s);
  it.type.slayout = InnerOrder::None;
}
void to_boxes_turned_over(Sample& s, Part& it) {
  to_left(s);
  it.type.slayout = InnerOrder::ColMajor;
}
void to_more_rows(Sample& s, Part& it) {
  to_left(s);
  it.type.rows = 64;
}
void to_acc(Sample&, Part& it) { it.type.loc = TileLoc::Acc; }
void biases_of_half_a_unit(Sample& s, Part&) {
  for (const char* name : {"src", "dst"}) {
    Part& part = s[name];
    part.type = vec_tile(part.type.dtype, 1, 8);
    part.type.loc = part.role == Role::Out ? TileLoc::Bias : TileLoc::Mat;
    part.valid = {1, 8};
    part.address = 0;
  }
}
// Only A5 has a way into boxes of UB.
std::vector<Breach> into_boxes() {
  return {{"R3", "dst", boxed_layout, {"{it}", "{it.layout}", "row_major"}, {.target = Target::A2A3}}};
}
std::vector<Breach> moving_operands() {
  const From halves{.types = DTypeSet{DType::F16}};
  return {
      {.rule = "R10", .operands = "dst", .change = to_acc, .says = {"vec", "acc"}, .kind = FindingKind::Reach},
      {"R11", "dst", to_left_unchanged, {"i16", "no operand"}, {.types = DTypeSet{DType::I16}}},
      {"R12", "src", from_no_boxes, {"src is {src.layout}", "nz or zn"}, halves},
      {"R13", "dst", to_boxes_turned_over, {"dst is {dst.layout}"}, halves},
      {"R14", "dst", biases_of_half_a_unit, {"32 bytes", "64"}, {.target = Target::A5, .types = DTypeSet{DType::F32}}},
      {"R14",
       "src",
       biases_of_half_a_unit,
       {"32 bytes", "64"},
       {.target = Target::A2A3, .types = DTypeSet{DType::F32}}},
      {"R15", "dst", to_more_rows, {"64x32", "32x32"}, halves}};
}

// One tile of mat, in boxes, as both operands.
void into_mat(Sample& s) {
  for (const char* name : {"src", "dst"}) {
    Part& part = s[name];
    const TileType was = part.type;
    part.type = boxed(TileLoc::Mat, was.dtype, 32, 64, BoxOrder::ColMajor, InnerOrder::RowMajor);
    part.type.pad = PadKind::Zero;
    part.set_valid(20, 40);
    part.address = 0x400;
  }
}
std::vector<Breach> padding_in_mat() {
  const auto further = [](Sample& s, Part& it) { into_mat(s), it.address += 0x4000; };
  const auto with_most = [](Sample& s, Part& it) { into_mat(s), it.type.pad = PadKind::Max; };
  const auto turned = [](Sample& s, Part&) {
    into_mat(s);
    for (const char* name : {"src", "dst"})
      s[name].type.blayout = BoxOrder::RowMajor, s[name].type.slayout = InnerOrder::ColMajor;
  };
  const From halves{.types = DTypeSet{DType::F16}};
  return {{"R8", "dst", with_most, {"pad of {it}"}, halves},
          {"R10", "dst", further, {"0x4400", "0x400"}, halves},
          {.rule = "R11", .operands = "dst", .change = to_acc, .says = {"vec", "acc"}, .kind = FindingKind::Reach},
          {"R12", "dst", turned, {"zn"}, halves}};
}

}  // namespace

std::vector<RuleSet> other_rule_sets() {
  return {
      {"tcvt",
       conversion() + half_bytes() + row_major("dst src") + same_valid("src") + overlaps("dst", "src") +
           scratch_overlaps("src dst"),
       {},
       any_saturation},
      {"tmov", same_types("src") + unboxed("src") + into_boxes() + same_static_shape() +
                   overlaps_shifted("dst", "src") + moving_columns() + moving_operands()},
      {"tconcat", concatenation()},
      {"tpack", packing()},
      {"treshape", reshaping()},
      {"tfillpad", padding(taller, wider_tile) + overlaps_anyhow("dst", "src") + padding_in_mat()},
      {"tfillpad_expand", padding(smaller_than_src, narrower_than_src) + overlaps_anyhow("dst", "src")},
      {"tfillpad_inplace", padding(taller, wider_tile) + moved_away(), {}, stands_on_src},
      {"tci", counting(), {}, from_five},
      {"ttri", triangle(), {}, on_the_diagonal},
      {"trandom", row_major("dst")},
      {"thistogram", histogram()},
  };
}

}  // namespace ts::test
