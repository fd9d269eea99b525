// The breaches of instructions that quantise, and of their inverse.
#include <algorithm>

#include "tests/support/instructions/breach_changes.h"

namespace ts::test {
namespace {

// --- scales and offsets, one a row

void a_second_column(Sample&, Part& it) {
  it.set_valid(it.valid.rows, 2);
  it.make_room();
}
void as_row_major(Sample&, Part& it) {
  it.type = vec_tile(it.type.dtype, it.valid.rows, block_elements(it.type.dtype), kDynamic, kDynamic);
}
constexpr std::uint64_t kInfinity = 0x7F800000, kNan = 0x7FC00000, kMinus = 0x80000000;
std::vector<Breach> factors(const From& from, const From& on_a5) {
  const std::vector<std::string> says{"{it} is {it.layout}, valid {it.valid}", "dst has {dst.rows} rows"};
  const auto odd = [&](const char* rule, const char* of, std::uint64_t bits, const char* value) {
    return Breach{.rule = rule,
                  .operands = of,
                  .change = element_at(2, 0, bits),
                  .says = {std::string("{it}[2,0] is ") + value},
                  .from = from,
                  .at_run = true};
  };
  return {{"R2", "scale offset", other_type, {"{it} is {it.type}, needs f32"}, from},
          {"R8", "scale offset", fewer_rows, says, from},
          {"R8", "scale offset", a_second_column, says, from},
          {"R8", "scale offset", boxed_layout, says, from},
          {"R8", "scale offset", as_row_major, says, on_a5},
          odd("W1", "scale", 0, "0"),
          odd("W1", "scale", kNan, "nan"),
          odd("W1", "scale", kInfinity | kMinus, "-inf"),
          odd("W2", "offset", kInfinity, "+inf"),
          {.rule = "G5",
           .operands = "src scale offset",
           .change = same_address("dst"),
           .says = {"{dst.at}", "overlaps", "{it}"},
           .from = from,
           .named = "dst"}};
}

constexpr int kShifted = 0, kUnshifted = 1;
std::vector<Breach> quantising() {
  const From shifted{.form = kShifted}, unshifted{.form = kUnshifted};
  const From shifted_a5{.target = Target::A5, .form = kShifted}, shifted_a2a3{.target = Target::A2A3, .form = kShifted};
  From scratch = shifted_a2a3;
  scratch.scratch = true;
  return row_major("dst src") + same_valid("src") + factors(shifted, shifted_a5) +
         scratch_overlaps("src scale offset dst", shifted) +
         std::vector<Breach>{
             {"R2", "dst", to_type(DType::I16), {"dst is i16, needs u8 with an offset"}, shifted},
             {"R2", "dst", to_type(DType::U8), {"dst is u8, needs i8 without an offset"}, unshifted},
             {.rule = "R9",
              .operands = "offset",
              .change = attribute("quant_type", "int8_sym"),
              .says = {"int8_sym", "there is an offset"},
              .from = shifted},
             {.rule = "R9",
              .operands = "dst",
              .change = attribute("quant_type", "int8_asym"),
              .says = {"int8_asym", "there is no offset"},
              .from = unshifted},
             {.rule = "G5",
              .operands = "scale offset",
              .change = same_address("src"),
              .says = {"{src.at}", "overlaps", "{it}"},
              .from = shifted_a2a3,
              .named = "src"},
             {"R7", "tmp", other_type, {"tmp", "{tmp.type}", "needs f32"}, scratch},
             {"R7", "tmp", boxed_layout, {"tmp", "{tmp.layout}"}, scratch},
             {"R7", "tmp", fewer_static_rows, {"tmp", "{tmp.shape}", "{dst.valid}"}, scratch},
             {"R7", "tmp", narrow, {"tmp", "{tmp.shape}", "{dst.valid}"}, scratch},
         };
}
std::vector<Breach> dequantising() {
  return row_major("dst src") + same_valid("src") + factors({}, {.target = Target::A5}) +
         std::vector<Breach>{{"R2", "dst", to_type(DType::F16), {"dst is f16, needs f32"}}};
}

// --- with shared exponents

bool groups_down(const Sample& sample) {
  return std::ranges::any_of(sample.attributes,
                             [](const BuildAttribute& a) { return a.name == "grpAxis" && a.value == "0"; });
}
bool groups_along(Sample& sample) { return !groups_down(sample); }
bool not_flat(Sample& sample) { return groups_down(sample) || sample["max"].valid.rows > 1; }
void as_it_is(Sample&, Part&) {}
bool to_fp4(Sample& sample) { return sample["dst"].type.dtype == DType::E2M1; }
bool rows_to_fp4(Sample& sample) { return to_fp4(sample) && !groups_down(sample); }
constexpr DTypeSet kShortFloats{DType::F16, DType::BF16};
// From elements of 16 bits, all of whose columns are valid: padding would be filled with zeros.
void whole_source(Sample& sample) { sample["src"].type.cols = sample["src"].valid.cols; }
void padded_source(Sample&, Part& it) { it.type.cols += block_elements(it.type.dtype); }
std::vector<Breach> sharing_exponents_of_halves() {
  const auto from = [](bool (*which)(Sample&)) {
    return From{.types = kShortFloats, .shape = {5, 48}, .which = which, .prepare = whole_source};
  };
  return {{.rule = "R2",
           .operands = "src",
           .change = attribute("quant_type", "mxfp4_e2m1"),
           .says = {"src is f32, needs f16, bf16"},
           .also = {"R2 dst"}},
          {"R2", "dst", to_type(DType::U8), {"dst is u8, needs f4e2m1fn"}, from(to_fp4)},
          {"R2", "max scaling", to_type(DType::F32), {"{it} is f32, needs"}, from(nullptr)},
          {"W2", "src", padded_source, {"columns 48 to 63 of src become 0"}, from(nullptr)},
          {.rule = "W3",
           .operands = "dst",
           .change = one_column_less,
           .says = {"dst has 47 valid columns", "becomes 0"},
           .from = from(rows_to_fp4),
           .also = {"W2 src"}}};
}
std::vector<Breach> sharing_exponents() {
  const std::vector<std::string> groups{"{it} valid {it.valid}", "groups"};
  return row_major("dst src exponents max scaling") + same_valid("src") +
         overlaps_anyhow("dst", "src exponents max scaling") + overlaps_anyhow("exponents", "src max scaling") +
         overlaps_anyhow("max", "src scaling") + overlaps_anyhow("scaling", "src") +
         std::vector<Breach>{
             {"R2", "dst", to_type(DType::U8), {"dst is u8, needs f8e4m3fn"}},
             {"R2", "exponents", to_type(DType::I8), {"exponents is i8, needs u8, f8e8m0fnu"}},
             {"R2", "max scaling", other_type, {"{it} is {it.type}, needs f32"}},
             {"R8", "exponents max scaling", fewer_cols, groups, {.which = not_flat}},
             {"R8", "exponents max scaling", more_rows, groups, {.which = not_flat}},
             {"R10", "exponents", attribute("interleave", "true"), {"groups along rows"}, {.which = groups_along}},
             {"W1", "dst", as_it_is, {"dst has", "no whole groups of 32"}},
         };
}

}  // namespace

std::vector<RuleSet> quantising_rule_sets() {
  return {{"tquant", quantising()},
          {"tdequant", dequantising()},
          {"tquant.mx", sharing_exponents() + sharing_exponents_of_halves(), "W1 dst", {}, DTypeSet{DType::F32}}};
}

}  // namespace ts::test
