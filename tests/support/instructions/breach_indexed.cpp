// The breaches of gathers and scatters by index.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

constexpr DTypeSet kHalves{DType::I16, DType::U16, DType::F16, DType::BF16},
    kFourBytes{DType::I32, DType::U32, DType::F32}, kToWords = kTypesTo32, kComparedTypes{DType::F16, DType::F32};

// Every index is inside, and all elements are alike.
void all_zero(Sample& sample) {
  sample.data = [](Memory& memory) {
    constexpr std::uint32_t kOperands = 0x4000, kEnd = 0x2E000;
    std::ranges::fill(memory.bytes(Space::Ub, kOperands, kEnd - kOperands), std::byte{0});
    memory.mark(memory.map().flat(Space::Ub, kOperands), kEnd - kOperands, Definedness::Written);
  };
}
// One index, of all that are zero.
Change index_at(std::uint32_t row, std::uint32_t col, std::function<std::uint64_t(const Sample&)> index) {
  return [=](Sample& sample, Part& it) {
    const Part where = it;
    const std::uint64_t bits = index(sample);
    sample.data = [=, before = sample.data](Memory& memory) {
      before(memory);
      const std::uint32_t size = size_bytes(where.type.dtype),
                          at = where.address + static_cast<std::uint32_t>(element_index(where.type, row, col)) * size;
      memory.set_element(Space::Ub, at, size, bits);
    };
  };
}
std::uint64_t elements(const Part& part) { return std::uint64_t{part.type.rows} * part.type.cols; }

From from_integers(From from) {
  from.types = DTypeSet{DType::I16, DType::I32};
  return from;
}

// --- gather

bool by_rows(Sample& sample) {
  return std::ranges::none_of(sample.attributes, [](const BuildAttribute& a) { return a.value == "col"; });
}
bool by_columns(Sample& sample) { return !by_rows(sample); }
bool limit_is_tile(Sample& sample) { return !sample["limit"].is_scalar; }
void no_pattern(Sample& sample, Part&) { sample.set("maskPattern", "none"); }
void fewer_valid_cols(Sample&, Part& it) {
  it.type.cols = std::max(it.type.cols, it.valid.cols);
  it.set_valid(it.valid.rows, it.valid.cols - 1);
}
// As many rows as there are, or none beyond the valid ones.
void one_row_only(Sample&, Part& it) { it.type.rows = 1, it.set_valid(1, it.valid.cols); }
void rows_that_are_not_valid(Sample&, Part& it) { it.set_valid(1, it.valid.cols); }
void into_one_block(Sample&, Part& it) {
  it.type.rows = 1, it.type.cols = block_elements(it.type.dtype);
  it.set_valid(1, it.type.cols);
}
void along_columns(Sample& sample, Part&) {
  sample.set("gatherAxis", "col");
  sample.set("maskPattern", "P1111");
  Part& dst = sample["dst"];
  dst.type.rows = 1, dst.type.cols = sample["src"].type.cols;
  dst.set_valid(1, sample["src"].valid.cols);
}
void one_value(Sample&, Part& it) {
  it.type.blayout = BoxOrder::RowMajor;
  it.type.rows = 1, it.type.cols = block_elements(it.type.dtype);
  it.set_valid(1, 1);
}
// Rows of offsets are as far apart as those of dst.
void much_wider_dst(Sample& sample, Part&) { sample["dst"].type.cols = 1024; }
void fewer_static_rows_than_src(Sample& sample, Part& it) {
  it.type.rows = sample["src"].valid.rows - 1;
  it.set_valid(it.type.rows, it.valid.cols);
}
// What stands in fresh memory equals a limit of zero.
void equal_to_zero(Sample& sample) {
  sample.set("cmpMode", "eq");
  sample["limit"].scalar.bits = 0;
}
void keep_everything(Sample&, Part& it) {
  // What goes on behind a row stays in the tile.
  it.type.rows = 4 * it.valid.rows, it.type.cols = 8;
  it.set_valid(it.valid.rows, 8);
}

std::vector<Breach> gather_by_index() {
  const From index{.form = 0}, words{.target = Target::A2A3, .types = kFourBytes, .form = 0};
  From halves{.target = Target::A2A3, .types = kHalves, .form = 0, .scratch = true};
  const From on_a5{.target = Target::A5, .form = 0}, short_on_a2a3{.target = Target::A2A3, .form = 0},
      halves_on_a2a3{.target = Target::A2A3, .types = kHalves, .form = 0};
  const auto behind = [](const Sample& s) { return elements(s["src"]); };
  const auto minus_one = [](const Sample&) { return std::uint64_t{0xFFFFFFFF}; };
  const auto wraps = [](const Sample&) { return std::uint64_t{0x40000001}; };
  const auto outside = [&](const std::function<std::uint64_t(const Sample&)>& which, From from,
                           std::optional<Severity> severity = {}) {
    return Breach{.rule = "R13",
                  .operands = "indices",
                  .change = index_at(2, 3, which),
                  .says = {"indices[2,3]=", "src", "{src.shape}"},
                  .from = from,
                  .severity = severity,
                  .at_run = true,
                  .kind = FindingKind::Offset};
  };
  From zero = index;
  zero.options.gather_outside = 1;
  return std::vector<Breach>{
      {"R2", "src", other_type, {"dst {dst.type}", "src {src.type}"}, {.types = kToWords, .form = 0}},
      {"R3", "dst", boxed_layout, {"dst", "{dst.layout}", "row_major"}, index},
      {"R3", "src", boxed_layout, {"src", "{src.layout}", "row_major"}, index},
      {"R3", "indices", column_major, {"indices", "col_major", "row_major"}, index},
      {"R4", "indices", fewer_rows, {"indices valid {indices.valid}", "dst valid {dst.valid}"}, index},
      {"R4", "indices", fewer_cols, {"indices valid {indices.valid}", "dst valid {dst.valid}"}, index},
      {"R8", "", attribute("maskPattern", "P0101"), {"maskPattern", "indices"}, index, "src"},
      {"R9", "indices", to_type(DType::F32), {"indices are f32", "i32"}, index},
      {"R9", "indices", to_type(DType::I16), {"indices are i16", "i32"}, short_on_a2a3},
      {"R9",
       "indices",
       to_type(DType::U16),
       {"indices are u16", "i32"},
       {.target = Target::A5, .types = kWords64, .form = 0}},
      {"R6", "src indices", same_address("dst"), {"{dst.at}", "{it}"}, words, "dst"},
      {"G5", "src indices", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, on_a5, "dst"},
      {"G5", "src indices", same_address("dst"), {"{dst.at}", "overlaps", "{it}"}, halves_on_a2a3, "dst"},
      {"R7", "tmp", other_type, {"tmp", "{tmp.type}", "{indices.type}"}, halves},
      {"R7", "tmp", fewer_cols, {"tmp valid {tmp.valid}", "indices valid {indices.valid}"}, halves},
      {"R7", "tmp", much_wider_dst, {"tmp has {tmp.bytes} bytes"}, halves},
      outside(behind, index),
      outside(minus_one, index),
      outside(wraps, {.target = Target::A2A3, .types = kFourBytes, .form = 0}),
      outside(behind, zero, Severity::Warning),
  };
}
std::vector<Breach> gather_by_pattern() {
  const From rows{.form = 1, .which = by_rows}, columns{.form = 1, .which = by_columns};
  return {
      {"R8", "src", no_pattern, {"neither indices nor a maskPattern"}, {.form = 1}},
      {"R10", "dst", fewer_valid_cols, {"dst has {dst.cols} valid columns of {dst.all_cols}"}, rows},
      {"R10", "dst", into_one_block, {"kept", "room for"}, rows},
      {"R11",
       "src",
       along_columns,
       {"{src.type}", "rows"},
       {.target = Target::A5, .types = kWords64, .shape = {1, 40}, .form = 1, .which = by_rows}},
      {"R4", "src", fewer_cols, {"src has {src.cols} valid columns", "dst {dst.cols}"}, columns},
      {"R4", "src", one_row_only, {"of src, which has 1"}, columns},
      {"W2", "src", rows_that_are_not_valid, {"of which 1 are valid"}, columns},
  };
}
std::vector<Breach> gather_compared() {
  const From tile{.types = kComparedTypes, .form = 2, .which = limit_is_tile}, any{.types = kComparedTypes, .form = 3};
  return {
      {"R8", "", attribute("maskPattern", "P0101"), {"maskPattern", "compares"}, any, "src"},
      {"R12", "dst", to_type(DType::F32), {"dst is f32", "i32, u32"}, any},
      {"R12", "counts", to_type(DType::F32), {"counts is f32", "i32, u32"}, any},
      {"W3", "counts", to_type(DType::U8), {"counts is u8", "low bits"}, any},
      {"R12", "src", to_type(DType::BF16), {"src is bf16", "f16"}, {.types = DTypeSet{DType::F16}, .form = 3}},
      {"R12", "limit", to_type(DType::U32), {"limit is u32", "f32"}, {.types = kF32, .form = 2}},
      {"R12",
       "",
       attribute("cmpMode", "gt"),
       {"src is i32", "f16, f32"},
       {.target = Target::A2A3, .types = DTypeSet{DType::I32}, .form = 3},
       "src"},
      {"R4",
       "limit counts",
       one_value,
       {"{it} is", "src has {src.rows} valid rows"},
       {.types = kF32, .shape = {20, 40}, .form = 2}},
      {"R4", "dst", fewer_static_rows_than_src, {"dst has {dst.all_rows} rows", "src {src.rows}"}, any},
      {"G5", "src", same_address("dst"), {"{dst.at}", "overlaps"}, any, "dst"},
      {.rule = "W1",
       .operands = "dst",
       .change = keep_everything,
       .says = {"40 elements of row 0 compare", "dst has {dst.all_cols} columns"},
       .from = {.types = kF32, .form = 3, .prepare = equal_to_zero},
       .at_run = true,
       .kind = FindingKind::Bounds},
  };
}

// --- scatter

// Two indices that are the same, of elements that are not.
void two_values(Sample& sample, Part&) {
  const Part src = sample["src"];
  sample.data = [src, before = sample.data](Memory& memory) {
    before(memory);
    const std::uint32_t size = size_bytes(src.type.dtype),
                        at = src.address + static_cast<std::uint32_t>(element_index(src.type, 1, 2)) * size;
    memory.set_element(Space::Ub, at, size, 1);
  };
}
void index_rows(Sample& sample, Part& it) {
  index_at(1, 2, [](const Sample& s) { return std::uint64_t{s["dst"].type.rows}; })(sample, it);
}
void more_columns_than_dst(Sample& sample, Part& it) {
  it.set_valid(it.valid.rows, sample["dst"].type.cols + 1);
  it.make_room();
}
void a_row_more(Sample&, Part& it) { ++it.type.rows, it.set_valid(it.valid.rows + 1, it.valid.cols); }
std::vector<Breach> scatter_by_index() {
  const From index{.form = 0}, narrow{.types = DTypeSet{DType::I8, DType::U8} | kHalves, .form = 0},
      wide{.types = kFourBytes, .form = 0}, shaped{.shape = {4, 40}, .form = 0};
  From skip = shaped, rows = shaped, strict = shaped;
  skip.options.scatter_outside = 1;
  rows.options.scatter_rows = 1;
  strict.options.strict = 1;
  const auto behind = [](const Sample& s) { return elements(s["dst"]); };
  const auto outside = [&](Change change, const char* limit, From from, std::optional<Severity> severity = {}) {
    return Breach{.rule = "R13",
                  .operands = "indices",
                  .change = std::move(change),
                  .says = {"indices[1,2]=", limit, "{dst.shape}"},
                  .from = from,
                  .severity = severity,
                  .at_run = true,
                  .kind = FindingKind::Offset};
  };
  const auto collision = [&](From from, std::optional<Severity> severity = {}) {
    return Breach{
        .rule = "W1",
        .operands = "",
        .change = two_values,
        .says = {"1 element of dst gets different values", "dst[0,0] gets src[1,1]=0, then src[1,2]=1", "stays"},
        .from = from,
        .named = "indices",
        .severity = severity,
        .at_run = true,
        .kind = FindingKind::Collision};
  };
  return {
      {"R2", "src", other_type, {"dst {dst.type}", "src {src.type}"}, {.types = kToWords, .form = 0}},
      {"R3", "dst src indices", boxed_layout, {"{it}", "{it.layout}", "row_major"}, index},
      {"R4", "src", fewer_rows, {"src valid {src.valid}", "indices valid {indices.valid}"}, index},
      {"R4", "src", fewer_cols, {"src valid {src.valid}", "indices valid {indices.valid}"}, index},
      {"R6", "src indices", same_address("dst"), {"{dst.at}", "{it}"}, index, "dst"},
      {"R8", "", attribute("maskPattern", "P0101"), {"maskPattern", "indices"}, index, "src"},
      {"R9", "indices", to_type(DType::I32), {"indices are i32", "i16, u16"}, narrow},
      {"R9", "indices", to_type(DType::U16), {"indices are u16", "i32, u32"}, wide},
      outside(index_at(1, 2, behind), "elements", shaped),
      outside(index_at(1, 2, behind), "elements", skip, Severity::Warning),
      outside(index_rows, "rows", rows),
      {"R4", "indices", more_columns_than_dst, {"indices has", "dst {dst.all_cols}"}, rows, "{it}", {}, {"R4 src"}},
      collision(from_integers(shaped)),
      collision(from_integers(strict), Severity::Error),
  };
}
std::vector<Breach> scatter_by_pattern() {
  const From pattern{.shape = {4, 40}, .form = 1};
  return {{"R8", "src", no_pattern, {"neither indices nor a maskPattern"}, pattern},
          {"R10",
           "dst",
           a_row_more,
           {"dst is {dst.shape} (valid {dst.valid})", "src {src.shape} (valid {src.valid})"},
           pattern},
          {"R6", "src", same_address("dst"), {"{dst.at}", "{it}"}, pattern, "dst"}};
}

// --- rows as long as counts say

std::uint64_t past_the_tile(const Part& counts, const Part& source) {
  return (std::uint64_t{source.type.rows} * source.type.cols + 1) * size_bytes(counts.type.dtype);
}
void far_behind_in_dst(Sample& sample, Part&) {
  // Otherwise dst would end first.
  Part& dst = sample["dst"];
  dst.set_valid(dst.valid.rows, 4000);
  dst.make_room();
}
std::vector<Breach> counted_rows() {
  const auto out_of = [](const char* source, const char* counts) {
    return Breach{.rule = "R13",
                  .operands = counts,
                  .change =
                      [source](Sample& sample, Part& it) {
                        far_behind_in_dst(sample, it);
                        index_at(0, 0, [=](const Sample& now) { return past_the_tile(now[it.name], now[source]); })(
                            sample, it);
                      },
                  .says = {"{it}[0,0] = ", "columns"},
                  .from = {.types = DTypeSet{DType::I8}, .shape = {1, 16}},
                  .at_run = true,
                  .kind = FindingKind::Offset};
  };
  const auto one_byte = [](const Sample&) { return std::uint64_t{1}; };
  const auto all_columns = [](const char* counts, const char* source) {
    return [=](const Sample& sample) {
      return (std::uint64_t{sample[source].valid.cols} + 1) * size_bytes(sample[counts].type.dtype);
    };
  };
  const auto not_valid = [](Sample& sample) {
    return sample["src0"].type.cols > sample["src0"].valid.cols &&
           sample["src1"].type.cols > sample["src1"].valid.cols &&
           sample["dst"].valid.cols > std::max(sample["src0"].valid.cols, sample["src1"].valid.cols);
  };
  const std::vector<std::string> few{"{it} has {it.rows} valid rows", "dst {dst.rows}"};
  return same_types("src0 src1") + row_major("dst src0 src1 indices0 indices1") +
         overlaps_anyhow("dst", "src0 src1 indices0 indices1") +
         std::vector<Breach>{
             {"R4", "src0 src1 indices0 indices1", fewer_rows, few},
             {"R8",
              "indices0 indices1",
              [](Sample&, Part& it) { it.set_valid(it.valid.rows, 0); },
              {"{it} has no valid column"}},
             {"R9", "indices0 indices1", to_type(DType::F16), {"{it} are f16, needs i16, u16, i32, u32"}},
             out_of("src0", "indices0"),
             out_of("src1", "indices1"),
             {.rule = "W1",
              .operands = "indices0 indices1",
              .change = index_at(0, 0, one_byte),
              .says = {"{it}[0,0] = 1 are 0 columns", "a part of one"},
              .at_run = true},
             {.rule = "W2",
              .operands = "indices0",
              .change = index_at(0, 0, all_columns("indices0", "src0")),
              .says = {"src0 has {src0.cols} valid ones"},
              .from = {.which = not_valid},
              .at_run = true},
             {.rule = "W2",
              .operands = "indices1",
              .change = index_at(0, 0, all_columns("indices1", "src1")),
              .says = {"src1 has {src1.cols} valid ones"},
              .from = {.which = not_valid},
              .at_run = true},
         };
}

}  // namespace

std::vector<RuleSet> indexed_rule_sets() {
  return {{"tgather", gather_by_index() + gather_by_pattern() + gather_compared(), {}, all_zero},
          {"tscatter", scatter_by_index() + scatter_by_pattern(), {}, all_zero},
          {"tconcatidx", counted_rows(), {}, all_zero}};
}

}  // namespace ts::test
