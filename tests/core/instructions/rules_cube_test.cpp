// Every rule of the products, broken once: its id, the operand, the values in the text;
// and nothing of the instruction executed.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// Every rule of the products: a test below breaks each, of each instruction.
constexpr const char* kProducts[] = {"tmatmul", "tmatmul.acc", "tmatmul.bias", "tgemv", "tgemv.acc", "tgemv.bias"};
// clang-format off
constexpr std::string_view kProductRules[] = {
    "TMATMUL-R1", "TMATMUL-R2", "TMATMUL-R3", "TMATMUL-R4", "TMATMUL-R5", "TMATMUL-R7", "TMATMUL-R8", "TMATMUL-W1",
    "TMATMUL.ACC-R1", "TMATMUL.ACC-R2", "TMATMUL.ACC-R3", "TMATMUL.ACC-R4", "TMATMUL.ACC-R5", "TMATMUL.ACC-R7",
    "TMATMUL.ACC-R8", "TMATMUL.ACC-W1", "TMATMUL.ACC-W2",
    "TMATMUL.BIAS-R1", "TMATMUL.BIAS-R2", "TMATMUL.BIAS-R3", "TMATMUL.BIAS-R4", "TMATMUL.BIAS-R5", "TMATMUL.BIAS-R6",
    "TMATMUL.BIAS-R7", "TMATMUL.BIAS-R8", "TMATMUL.BIAS-W1",
    "TGEMV-R1", "TGEMV-R2", "TGEMV-R3", "TGEMV-R4", "TGEMV-R5", "TGEMV-R7", "TGEMV-R8", "TGEMV-R9", "TGEMV-W1",
    "TGEMV.ACC-R1", "TGEMV.ACC-R2", "TGEMV.ACC-R3", "TGEMV.ACC-R4", "TGEMV.ACC-R5", "TGEMV.ACC-R7", "TGEMV.ACC-R8",
    "TGEMV.ACC-R9", "TGEMV.ACC-W1", "TGEMV.ACC-W2",
    "TGEMV.BIAS-R1", "TGEMV.BIAS-R2", "TGEMV.BIAS-R3", "TGEMV.BIAS-R4", "TGEMV.BIAS-R5", "TGEMV.BIAS-R6", "TGEMV.BIAS-R7",
    "TGEMV.BIAS-R8", "TGEMV.BIAS-R9", "TGEMV.BIAS-W1",
};
// clang-format on
std::string_view rule_of(std::string_view product, std::string_view number) {
  std::string id;
  for (const char c : product) id += c == '.' ? c : static_cast<char>(c - 'a' + 'A');
  id += "-" + std::string(number);
  const auto* found = std::ranges::find(kProductRules, id);
  REQUIRE_MESSAGE(found != std::end(kProductRules), id << " is not listed");
  return *found;
}

// A legal product of 32x32, or of one row.
struct HandProduct {
  std::string_view name;
  Target target;
  bool row = name.starts_with("tgemv");
  TileType lhs = cube::left(target, DType::F16, row ? 1 : 32), rhs = cube::right(),
           dst = cube::acc(DType::F32, row ? 16 : 32), start = name.ends_with(".bias") ? cube::bias_row() : dst;
  std::uint32_t start_at = 0;

  HandProduct(std::string_view name_, Target target_ = Target::A5) : name(name_), target(target_) {
    if (!row) return;
    dst.valid_rows = 1;
    if (name.ends_with(".acc")) start.valid_rows = 1;
  }
  void make(DType type, DType sum) {
    lhs.dtype = rhs.dtype = type;
    dst.dtype = start.dtype = sum;
  }
};
ProgramBuilder multiply(const HandProduct& p) {
  HandTiles tile(p.target);
  const TileId lhs = tile("l", p.lhs, {.address = 0}), rhs = tile("r", p.rhs, {.address = 0}),
               dst = tile("d", p.dst, {.address = 0});
  std::vector<BuildOperand> inputs{lhs, rhs};
  if (p.name.ends_with(".acc")) inputs.insert(inputs.begin(), tile("c", p.start, {.address = p.start_at}));
  if (p.name.ends_with(".bias")) inputs.push_back(tile("b", p.start, {.address = p.start_at}));
  tile.builder.add(p.name, inputs, {dst});
  return std::move(tile.builder);
}
// check(product, its name) for every product.
template <class F>
void each_product(F check) {
  for (const char* name : kProducts) check(HandProduct(name), std::string_view(name));
}
}  // namespace

TEST_CASE("products: what is legal is told nothing") {
  for (const Target target : kBothTargets) {
    for (const char* name : kProducts) check_told(multiply(HandProduct(name, target)), kNothing);
  }
}

TEST_CASE("products, R1 to R3: element types that are multiplied, that go together, and that sums have") {
  each_product([](HandProduct p, std::string_view name) {
    p.make(DType::I16, DType::F32);
    check_told(multiply(p), {rule_of(name, "R1"), Severity::Error, "lhs", {"i16", "not supported", "a5"}, true});
  });
  each_product([](HandProduct p, std::string_view name) {
    p.rhs.dtype = DType::BF16;
    check_told(multiply(p), {rule_of(name, "R2"), Severity::Error, "rhs", {"f16", "bf16"}, true});
    p.lhs.dtype = DType::F8E4M3;
    p.rhs.dtype = DType::F8E5M2;
    check_told(multiply(p), kNothing);
    p.rhs.dtype = DType::HIF8;
    check_told(multiply(p), {rule_of(name, "R2"), Severity::Error, "rhs", {"f8e4m3fn", "hif8"}, true});
  });
  each_product([](HandProduct p, std::string_view name) {
    p.dst.dtype = DType::I32;
    if (name.ends_with(".acc")) p.start.dtype = DType::F32;
    check_told(multiply(p), {rule_of(name, "R3"), Severity::Error, "dst", {"i32", "f32"}, true});
  });
  HandProduct old("tmatmul", Target::A2A3);
  old.make(DType::F8E4M3, DType::F32);
  check_told(multiply(old), {rule_of("tmatmul", "R1"), Severity::Error, "lhs", {"f8e4m3fn", "a2a3"}, true});
  HandProduct biased("tmatmul.bias");
  biased.start.dtype = DType::I32;
  check_told(multiply(biased), {rule_of("tmatmul.bias", "R3"), Severity::Error, "bias", {"i32", "f32"}, true});
}

TEST_CASE("products, R4: boxes as the unit reads them") {
  each_product([](HandProduct p, std::string_view name) {
    p.rhs.slayout = InnerOrder::RowMajor;
    check_told(multiply(p), {rule_of(name, "R4"), Severity::Error, "rhs", {"zz", "zn"}, true});
  });
  HandProduct other("tmatmul");
  other.lhs = cube::left(Target::A2A3);
  check_told(multiply(other), {rule_of("tmatmul", "R4"), Severity::Error, "lhs", {"zz", "nz"}, true});
  HandProduct halves("tmatmul");
  halves.dst.fractal = 512;
  check_told(multiply(halves), {rule_of("tmatmul", "R4"), Severity::Error, "dst", {"512", "1024"}, true});
}

TEST_CASE("products, R5: at most 4095 terms") {
  each_product([](HandProduct p, std::string_view name) {
    p.lhs = cube::left(Target::A5, DType::I8, p.row ? 1 : 16, 4096);
    p.rhs = cube::right(DType::I8, 4096, 16);
    p.dst = cube::acc(DType::I32, 16, 16);
    if (p.row) p.dst.valid_rows = 1;
    p.start = name.ends_with(".bias") ? cube::bias_row(DType::I32, 16) : p.dst;
    check_told(multiply(p), {rule_of(name, "R5"), Severity::Error, "lhs", {"k is 4096", "4095"}, true});
  });
}

TEST_CASE("products, R6: a row of biases") {
  for (const char* name : {"tmatmul.bias", "tgemv.bias"}) {
    HandProduct narrow(name);
    narrow.start = cube::bias_row(DType::F32, 16);
    check_told(multiply(narrow), {rule_of(name, "R6"), Severity::Error, "bias", {"16", "32"}, true});
    HandProduct two(name);
    two.start.rows = two.start.valid_rows = 2;
    check_told(multiply(two), {rule_of(name, "R6"), Severity::Error, "bias", {"2x32"}, true});
  }
}

TEST_CASE("products, R7, R8, W1: room for the sums, terms for them, and as many on both sides") {
  each_product([](HandProduct p, std::string_view name) {
    p.dst.cols = 16;
    p.dst.valid_cols = 16;
    check_told(multiply(p), {rule_of(name, "R7"), Severity::Error, "dst", {"sums do not fit dst"}, true});
  });
  each_product([](HandProduct p, std::string_view name) {
    if (p.row) p.rhs = cube::right(DType::F16, 64, 32);
    else p.lhs = cube::left(Target::A5, DType::F16, 32, 64);
    check_told(multiply(p), {{rule_of(name, "R8"), Severity::Error, p.row ? "lhs" : "rhs", {"64 terms"}, true},
                             {rule_of(name, "W1"), kWarning, "rhs", {"columns", "rows"}, true}});
  });
}

TEST_CASE("products, R9: one row") {
  for (const char* name : {"tgemv", "tgemv.acc", "tgemv.bias"}) {
    HandProduct two(name);
    two.lhs = cube::left(Target::A5);
    check_told(multiply(two), {rule_of(name, "R9"), Severity::Error, "lhs", {"32 valid rows"}, true});
  }
}

TEST_CASE("products, W2: the accumulator that the hardware takes") {
  for (const char* name : {"tmatmul.acc", "tgemv.acc"}) {
    HandProduct elsewhere(name);
    elsewhere.start_at = 0x4000;
    check_told(multiply(elsewhere), {rule_of(name, "W2"), kWarning, "acc", {"0x4000", "0x0"}, true});
  }
}

TEST_CASE("G1: operands of the cube core in their memories") {
  HandProduct in_mat("tmatmul");
  in_mat.lhs = cube::mat(DType::F16, 32, 32);
  check_told(multiply(in_mat),
             {"G1", Severity::Error, "lhs", {"tmatmul", "mat", "needs left"}, true, FindingKind::Reach});
  HandProduct in_vec("tmatmul");
  in_vec.dst = f32(32, 32);
  check_told(multiply(in_vec), {"G1", Severity::Error, "dst", {"vec", "needs acc"}, true, FindingKind::Reach});
}

}  // namespace ts::test
