// The breaches of sorts and merges.
#include <algorithm>
#include <cmath>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// All keys are alike, and no merge ends early.
void all_zero_keys(Sample& sample) {
  if (sample.row->name == std::string_view("tmrgsort")) sample.set("exhausted", "false");
  sample.data = [](Memory& memory) {
    constexpr std::uint32_t kOperands = 0x4000, kEnd = 0x2E000;
    std::ranges::fill(memory.bytes(Space::Ub, kOperands, kEnd - kOperands), std::byte{0});
    memory.mark(memory.map().flat(Space::Ub, kOperands), kEnd - kOperands, Definedness::Written);
  };
}
Change key_at(std::uint32_t col_of_two, double value) {
  return [=](Sample& sample, Part& it) {
    const Part where = it;
    sample.data = [=, before = sample.data](Memory& memory) {
      before(memory);
      const std::uint32_t size = size_bytes(where.type.dtype), col = col_of_two * (4 / size);
      memory.set_element(Space::Ub, where.address + col * size, size, from_double(where.type.dtype, value));
    };
  };
}
bool names_tmp(Sample& sample) { return sample.has("tmp"); }
bool fills_last_block(Sample& sample) { return names_tmp(sample) && sample["src"].valid.cols % 32 != 0; }
bool needs_no_tmp(Sample& sample) { return !sample.has("tmp"); }
bool one_row_for_all(Sample& sample) { return sample["indices"].valid.rows == 1; }
bool rows_for_rows(Sample& sample) { return !one_row_for_all(sample); }
void no_more_than_valid(Sample&, Part& it) {
  it.type.cols = 0;
  it.make_room();
}
void half_as_many(Sample&, Part& it) {
  it.type.cols = block_elements(it.type.dtype);
  it.set_valid(it.valid.rows, std::min(it.valid.cols, it.type.cols));
}
void of_two_rows(Sample&, Part& it) { it.type.rows = 2; }

std::vector<Breach> sorting_breaches() {
  const From fill{.which = fills_last_block}, whole{.which = needs_no_tmp};
  return row_major("dst src indices") +
         std::vector<Breach>{
             {"R2", "dst", other_type, {"dst {dst.type}", "src {src.type}"}, {}, "src"},
             {"R4", "src", fewer_rows, {"src has {src.rows} valid rows", "dst {dst.rows}"}},
             {"R4",
              "indices",
              fewer_rows,
              {"indices has {indices.rows} valid rows", "dst {dst.rows}"},
              {.which = rows_for_rows}},
             {"R4",
              "indices",
              fewer_cols,
              {"indices has {indices.cols} valid columns", "src {src.cols}"},
              {.which = needs_no_tmp}},
             {"R7", "tmp", other_type, {"{src.type}", "tmp {tmp.type}"}, fill},
             {"R7", "tmp", column_major, {"tmp", "{tmp.layout}"}, fill},
             {"R7", "tmp", one_block, {"tmp has {tmp.bytes} bytes"}, fill},
             {"R9", "indices", to_type(DType::I32), {"indices are i32", "u32"}},
             {"R10", "dst", half_as_many, {"dst has {dst.all_cols} columns"}, whole},
             {"R11", "src", fewer_cols, {"src has {src.cols} valid columns"}, whole},
             {"W1", "indices", no_more_than_valid, {"indices has {indices.all_cols} columns"}, fill},
             {.rule = "N1",
              .operands = "src",
              .change = key_at(3, NAN),
              .says = {"src[0,", "nan"},
              .from = {.types = kF32, .which = needs_no_tmp},
              .severity = Severity::Note,
              .at_run = true},
             {"G5", "src indices", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, whole, "dst"},
             {"G5", "src indices dst", same_address("tmp"), {"{tmp.at}", "overlaps", "{it}"}, fill, "tmp"},
         };
}

void fewer_cols_by_a_group(Sample& sample, Part& it) {
  const auto block = static_cast<std::uint32_t>(sample["block_len"].scalar.bits);
  it.set_valid(1, it.valid.cols - block);
}
// Behind all others, where it is sorted.
void last_key_nan(Sample& sample, Part& it) {
  const std::uint32_t of_two = 4 / size_bytes(it.type.dtype);
  key_at(it.valid.cols / of_two - 2, NAN)(sample, it);
}
std::vector<Breach> of_blocks() {
  const From one{.form = 0};
  return {
      {"R2", "src", other_type, {"dst {dst.type}", "src {src.type}"}, one},
      {"R3", "dst src", boxed_layout, {"{it}", "{it.layout}", "row_major"}, one},
      {"R4", "dst", half_as_many, {"dst has {dst.all_cols} columns", "src {src.cols}"}, one},
      {"R8", "", attribute("exhausted", "true"), {"exhausted"}, one, "src"},
      {"R9", "block_len", to_scalar({DType::I32, 96}), {"block_len is 96"}, one},
      {"R9", "block_len", to_scalar({DType::I32, 0}), {"block_len is 0"}, one},
      {"R9", "block_len", to_scalar({DType::F32, from_double(DType::F32, 64)}), {"block_len is 64"}, one},
      {"R10", "src", fewer_cols_by_a_group, {"src has {src.cols} valid columns"}, one},
      {"R11", "dst src", of_two_rows, {"{it} has 2 rows"}, one},
      {.rule = "W1",
       .operands = "src",
       .change = key_at(4, 1),
       .says = {"block 0 of src is not sorted", "=1 stands behind src[0,", "=0"},
       .from = one,
       .at_run = true},
      {.rule = "N1",
       .operands = "src",
       .change = last_key_nan,
       .says = {"src[0,", "nan"},
       .from = {.types = kF32, .form = 0},
       .severity = Severity::Note,
       .at_run = true},
      {"G5", "src", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, one, "dst"},
  };
}

// Columns that no list has; what tmp has it gets too.
void more_than_the_lists(Sample& sample, Part& it) {
  const std::uint32_t cols = sample["tmp"].type.cols;
  sample["tmp"].type.cols = 2 * cols;
  sample["tmp"].set_valid(1, 2 * cols);
  it.type.cols = 2 * cols;
  it.set_valid(1, cols + 1);
}
void wider_than_tmp(Sample& sample, Part& it) {
  it.type.cols = 2 * sample["tmp"].type.cols;
  it.set_valid(1, sample["tmp"].type.cols + 1);
}
// Everything in its place, and dst over the rest of the memory.
void large_dst(Sample& sample, Part& it) {
  it.address = 0x10000;
  it.type.cols = 192 * 1024 / size_bytes(it.type.dtype) - 32;
  std::uint32_t at = 0x4000;
  for (Part& part : sample.parts)
    if (part.name != it.name) part.address = at, at += 0x2000;
}
void ends_early(Sample& sample, Part&) { sample.set("exhausted", "true"); }

std::vector<Breach> of_lists() {
  const From two{.shape = {1, 24}, .form = 1}, four{.shape = {1, 24}, .form = 3};
  From large = four, strict = four;
  large.target = strict.target = Target::A5;
  strict.options.strict = 1;
  return {
      {"R2", "src0 src3", other_type, {"dst {dst.type}", "{it} {it.type}"}, four},
      {"R3", "dst src0 src1", boxed_layout, {"{it}", "{it.layout}", "row_major"}, two},
      {"R4", "dst", wider_than_tmp, {"dst has {dst.cols} valid columns", "tmp {tmp.all_cols}"}, two},
      {"R7", "tmp", other_type, {"tmp {tmp.type}", "{dst.type}"}, two},
      {"R7", "tmp", boxed_layout, {"tmp", "{tmp.layout}"}, four},
      {"R7", "tmp", half_as_many, {"tmp has {tmp.all_cols} columns"}, four, "{it}", {}, {"R4 dst"}},
      {"R11", "dst src0 src3 tmp", of_two_rows, {"{it} has 2 rows"}, four},
      {.rule = "W1",
       .operands = "src1",
       .change = key_at(4, 1),
       .says = {"src1 is not sorted", "=1 stands behind src1[0,"},
       .from = two,
       .at_run = true},
      {"W2", "dst", more_than_the_lists, {"dst has {dst.cols} valid columns"}, two},
      {"W3", "dst", large_dst, {"all tiles together have"}, large},
      {"W3", "dst", large_dst, {"all tiles together have"}, strict, "{it}", Severity::Error},
      {.rule = "N2",
       .operands = "",
       .change = ends_early,
       .says = {"3 of 3 from src0", "0 of 3 from src1"},
       .from = {.types = kF32, .shape = {1, 6}, .form = 1},
       .named = "dst",
       .severity = Severity::Note,
       .at_run = true},
      {"G5", "src0 src3", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, four, "dst"},
      {"G5", "src0 src3", same_address("tmp"), {"{tmp.at}", "overlaps", "{it}"}, four, "tmp"},
      {"G5", "tmp", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, four, "dst"},
  };
}

}  // namespace

std::vector<RuleSet> sort_rule_sets() {
  return {{"tsort32", sorting_breaches(), {}, all_zero_keys},
          {"tmrgsort", of_blocks() + of_lists(), {}, all_zero_keys}};
}

}  // namespace ts::test
