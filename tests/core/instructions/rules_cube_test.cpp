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
constexpr const char* kPlainProducts[] = {"tmatmul", "tmatmul.acc", "tmatmul.bias", "tgemv", "tgemv.acc", "tgemv.bias"};
constexpr const char* kScaledProducts[] = {"tmatmul.mx", "tmatmul.mx.acc", "tmatmul.mx.bias",
                                           "tgemv.mx",   "tgemv.mx.acc",   "tgemv.mx.bias"};
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
    "TMATMUL.MX-R1", "TMATMUL.MX-R2", "TMATMUL.MX-R3", "TMATMUL.MX-R4", "TMATMUL.MX-R5", "TMATMUL.MX-R7",
    "TMATMUL.MX-R8", "TMATMUL.MX-R10", "TMATMUL.MX-R11", "TMATMUL.MX-R12", "TMATMUL.MX-W1", "TMATMUL.MX-W3",
    "TMATMUL.MX.ACC-R1", "TMATMUL.MX.ACC-R2", "TMATMUL.MX.ACC-R3", "TMATMUL.MX.ACC-R4", "TMATMUL.MX.ACC-R5",
    "TMATMUL.MX.ACC-R7", "TMATMUL.MX.ACC-R8", "TMATMUL.MX.ACC-R10", "TMATMUL.MX.ACC-R11", "TMATMUL.MX.ACC-R12",
    "TMATMUL.MX.ACC-W1", "TMATMUL.MX.ACC-W2", "TMATMUL.MX.ACC-W3",
    "TMATMUL.MX.BIAS-R1", "TMATMUL.MX.BIAS-R2", "TMATMUL.MX.BIAS-R3", "TMATMUL.MX.BIAS-R4", "TMATMUL.MX.BIAS-R5",
    "TMATMUL.MX.BIAS-R6", "TMATMUL.MX.BIAS-R7", "TMATMUL.MX.BIAS-R8", "TMATMUL.MX.BIAS-R10", "TMATMUL.MX.BIAS-R11",
    "TMATMUL.MX.BIAS-R12", "TMATMUL.MX.BIAS-W1", "TMATMUL.MX.BIAS-W3",
    "TGEMV.MX-R1", "TGEMV.MX-R2", "TGEMV.MX-R3", "TGEMV.MX-R4", "TGEMV.MX-R5", "TGEMV.MX-R7", "TGEMV.MX-R8",
    "TGEMV.MX-R9", "TGEMV.MX-R10", "TGEMV.MX-R11", "TGEMV.MX-R12", "TGEMV.MX-W1", "TGEMV.MX-W3",
    "TGEMV.MX.ACC-R1", "TGEMV.MX.ACC-R2", "TGEMV.MX.ACC-R3", "TGEMV.MX.ACC-R4", "TGEMV.MX.ACC-R5", "TGEMV.MX.ACC-R7",
    "TGEMV.MX.ACC-R8", "TGEMV.MX.ACC-R9", "TGEMV.MX.ACC-R10", "TGEMV.MX.ACC-R11", "TGEMV.MX.ACC-R12",
    "TGEMV.MX.ACC-W1", "TGEMV.MX.ACC-W2", "TGEMV.MX.ACC-W3",
    "TGEMV.MX.BIAS-R1", "TGEMV.MX.BIAS-R2", "TGEMV.MX.BIAS-R3", "TGEMV.MX.BIAS-R4", "TGEMV.MX.BIAS-R5",
    "TGEMV.MX.BIAS-R6", "TGEMV.MX.BIAS-R7", "TGEMV.MX.BIAS-R8", "TGEMV.MX.BIAS-R9", "TGEMV.MX.BIAS-R10",
    "TGEMV.MX.BIAS-R11", "TGEMV.MX.BIAS-R12", "TGEMV.MX.BIAS-W1", "TGEMV.MX.BIAS-W3",
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

// A legal product of 32x32, or of one row; with scales of 32x64x32, and room for twice the terms in the scales.
struct HandProduct {
  std::string_view name;
  Target target;
  bool row = name.starts_with("tgemv"), scaled = name.find(".mx") != std::string_view::npos;
  DType type = scaled ? DType::F8E4M3 : DType::F16;
  std::uint32_t terms = scaled ? 64 : 32;
  TileType lhs = cube::left(target, type, row ? 1 : 32, terms), rhs = cube::right(type, terms),
           dst = cube::acc(DType::F32, row ? 16 : 32), start = name.ends_with(".bias") ? cube::bias_row() : dst;
  TileType lhs_scale = scale_tile(TileLoc::Scaling, true, row ? 1 : 32, 4),
           rhs_scale = scale_tile(TileLoc::Scaling, false, 4, 32);
  std::uint32_t start_at = 0, scales_at = 0;

  HandProduct(std::string_view name_, Target target_ = Target::A5) : name(name_), target(target_) {
    if (!row) return;
    lhs.rows = 1;
    dst.valid_rows = 1;
    if (name.ends_with(".acc")) start.valid_rows = 1;
  }
  void make(DType element, DType sum) {
    lhs.dtype = rhs.dtype = element;
    dst.dtype = start.dtype = sum;
  }
};
ProgramBuilder multiply(const HandProduct& p) {
  HandTiles tile(p.target);
  const TileId lhs = tile("l", p.lhs, {.address = 0}), rhs = tile("r", p.rhs, {.address = 0}),
               dst = tile("d", p.dst, {.address = 0});
  std::vector<BuildOperand> inputs{lhs, rhs};
  if (p.scaled)
    inputs = {lhs, tile("ls", p.lhs_scale, {.address = p.scales_at}), rhs,
              tile("rs", p.rhs_scale, {.address = p.scales_at})};
  if (p.name.ends_with(".acc")) inputs.insert(inputs.begin(), tile("c", p.start, {.address = p.start_at}));
  if (p.name.ends_with(".bias")) inputs.push_back(tile("b", p.start, {.address = p.start_at}));
  tile.builder.add(p.name, inputs, {dst});
  return std::move(tile.builder);
}
// check(product, its name) for every product.
template <class F>
void each_product(F check) {
  for (const char* name : kPlainProducts) check(HandProduct(name), std::string_view(name));
  for (const char* name : kScaledProducts) check(HandProduct(name), std::string_view(name));
}
}  // namespace

TEST_CASE("products: what is legal is told nothing") {
  for (const Target target : kBothTargets) {
    for (const char* name : kPlainProducts) check_told(multiply(HandProduct(name, target)), kNothing);
  }
  for (const char* name : kScaledProducts) check_told(multiply(HandProduct(name)), kNothing);
}

TEST_CASE("products, R1 to R3: element types that are multiplied, that go together, and that sums have") {
  each_product([](HandProduct p, std::string_view name) {
    p.make(DType::I16, DType::F32);
    check_told(multiply(p), {rule_of(name, "R1"), Severity::Error, "lhs", {"i16", "not supported", "a5"}, true});
  });
  each_product([](HandProduct p, std::string_view name) {
    if (p.scaled) {
      p.rhs.dtype = DType::E2M1;
      return check_told(multiply(p), {rule_of(name, "R2"), Severity::Error, "rhs", {"f8e4m3fn", "f4e2m1fn"}, true});
    }
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
    const DType byte = p.scaled ? DType::F8E5M2 : DType::I8, sum = p.scaled ? DType::F32 : DType::I32;
    p.lhs = cube::left(Target::A5, byte, p.row ? 1 : 16, 4096);
    if (p.row) p.lhs.rows = 1;
    p.rhs = cube::right(byte, 4096, 16);
    p.lhs_scale = scale_tile(TileLoc::Scaling, true, p.row ? 1 : 16, 128);
    p.rhs_scale = scale_tile(TileLoc::Scaling, false, 128, 16);
    p.dst = cube::acc(sum, 16, 16);
    if (p.row) p.dst.valid_rows = 1;
    p.start = name.ends_with(".bias") ? cube::bias_row(sum, 16) : p.dst;
    check_told(multiply(p), {rule_of(name, "R5"), Severity::Error, "lhs", {"k is 4096", "4095"}, true});
  });
}

TEST_CASE("products, R6: a row of biases") {
  for (const char* name : {"tmatmul.bias", "tgemv.bias", "tmatmul.mx.bias", "tgemv.mx.bias"}) {
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
    const bool of_right = p.row && !p.scaled;
    if (of_right) p.rhs = cube::right(DType::F16, 64, 32);
    else p.lhs = cube::left(Target::A5, p.type, p.row ? 1 : 32, 2 * p.terms);
    if (p.row) p.lhs.rows = 1;
    const std::string_view terms = p.scaled ? "128 terms" : "64 terms";
    check_told(multiply(p), {{rule_of(name, "R8"), Severity::Error, of_right ? "lhs" : "rhs", {terms}, true},
                             {rule_of(name, "W1"), kWarning, "rhs", {"columns", "rows"}, true}});
  });
}

TEST_CASE("products, R9: one row") {
  for (const char* name : {"tgemv", "tgemv.acc", "tgemv.bias", "tgemv.mx", "tgemv.mx.acc", "tgemv.mx.bias"}) {
    HandProduct two(name);
    two.lhs = cube::left(Target::A5, two.type, 32, two.terms);
    check_told(multiply(two), {rule_of(name, "R9"), Severity::Error, "lhs", {"32 valid rows"}, true});
  }
}

TEST_CASE("products, W2: the accumulator that the hardware takes") {
  for (const char* name : {"tmatmul.acc", "tgemv.acc", "tmatmul.mx.acc", "tgemv.mx.acc"}) {
    HandProduct elsewhere(name);
    elsewhere.start_at = 0x4000;
    check_told(multiply(elsewhere), {rule_of(name, "W2"), kWarning, "acc", {"0x4000", "0x0"}, true});
  }
}

TEST_CASE("products, R10 to R12, W3: scales of the right type and order, enough of them, in their place") {
  for (const char* name : kScaledProducts) {
    HandProduct bytes(name);
    bytes.rhs_scale.dtype = DType::U8;
    check_told(multiply(bytes), {rule_of(name, "R10"), Severity::Error, "rhs_scale", {"u8"}, true});
    HandProduct turned(name);
    turned.lhs_scale = turned.rhs_scale;
    check_told(multiply(turned), {rule_of(name, "R10"), Severity::Error, "lhs_scale", {"nn", "needs zz"}, true});
    HandProduct few(name);
    few.rhs_scale = scale_tile(TileLoc::Scaling, false, 4, 16);
    check_told(multiply(few), {rule_of(name, "R11"), Severity::Error, "rhs_scale", {"4x16", "2x32"}, true});
    HandProduct narrow(name);
    narrow.lhs = cube::left(Target::A5, narrow.type, narrow.row ? 1 : 32, 96);
    narrow.rhs = cube::right(narrow.type, 96, 32);
    if (narrow.row) narrow.lhs.rows = 1;
    check_told(multiply(narrow), {rule_of(name, "R12"), Severity::Error, "lhs", {"96 columns"}, true});
    HandProduct elsewhere(name);
    elsewhere.scales_at = 0x100;
    check_told(multiply(elsewhere), {{rule_of(name, "W3"), kWarning, "lhs_scale", {"0x100", "0x0"}, true},
                                     {rule_of(name, "W3"), kWarning, "rhs_scale", {"0x100", "0x0"}, true}});
    HandProduct old(name, Target::A2A3);
    old.lhs = cube::left(Target::A5, old.type, old.row ? 1 : 32, 64);
    if (old.row) old.lhs.rows = 1;
    check_told(multiply(old), {rule_of(name, "R1"), Severity::Error, "", {"a2a3"}, true});
  }
}

TEST_CASE("tget_scale_addr: exponents of operands, in their boxes") {
  const auto place = [](TileType of, TileType scales, Target target) {
    HandTiles tile(target);
    const TileId src = tile("src", of, {.address = 0x800}), scale = tile("scale", scales, {.address = 0});
    tile.builder.add("tget_scale_addr", {src}, {scale});
    return std::move(tile.builder);
  };
  const TileType left = cube::left(Target::A5, DType::F8E4M3, 32, 64), zz = scale_tile(TileLoc::Scaling, true, 32, 2);
  check_told(place(left, zz, Target::A5), kNothing);
  TileType bytes = zz;
  bytes.dtype = DType::U8;
  check_told(place(left, bytes, Target::A5), {"TGET_SCALE_ADDR-R1", Severity::Error, "scale", {"u8"}, true});
  check_told(place(cube::acc(), zz, Target::A5), {"TGET_SCALE_ADDR-R2", Severity::Error, "src", {"acc"}, true});
  check_told(place(left, scale_tile(TileLoc::Scaling, false, 2, 32), Target::A5),
             {"TGET_SCALE_ADDR-R3", Severity::Error, "scale", {"nn", "needs zz"}, true});
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
