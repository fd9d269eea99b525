// Every rule of the products and of the moves to their operands, broken once: its id, the operand, the values in the text;
// and nothing of the instruction executed.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

TileType boxes(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, BoxOrder outer, InnerOrder inner,
               std::uint32_t fractal = 512) {
  return {.loc = loc,
          .dtype = type,
          .rows = rows,
          .cols = cols,
          .valid_rows = static_cast<std::int32_t>(rows),
          .valid_cols = static_cast<std::int32_t>(cols),
          .blayout = outer,
          .slayout = inner,
          .fractal = fractal};
}
constexpr BoxOrder kZ = BoxOrder::RowMajor, kN = BoxOrder::ColMajor;
TileType left(Target target, DType type = DType::F16, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return boxes(TileLoc::Left, type, rows, cols, target == Target::A5 ? kN : kZ, InnerOrder::RowMajor);
}
TileType right(DType type = DType::F16, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return boxes(TileLoc::Right, type, rows, cols, kZ, InnerOrder::ColMajor);
}
TileType acc(DType type = DType::F32, std::uint32_t rows = 32, std::uint32_t cols = 32) {
  return boxes(TileLoc::Acc, type, rows, cols, kN, InnerOrder::RowMajor, 1024);
}
TileType bias_row(DType type = DType::F32, std::uint32_t cols = 32) {
  TileType type_of_row = vec_tile(type, 1, cols);
  type_of_row.loc = TileLoc::Bias;
  return type_of_row;
}
TileType mat(DType type = DType::F16, std::uint32_t rows = 64, std::uint32_t cols = 64) {
  return boxes(TileLoc::Mat, type, rows, cols, kN, InnerOrder::RowMajor);
}

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
  TileType lhs = left(target, DType::F16, row ? 1 : 32), rhs = right(), dst = acc(DType::F32, row ? 16 : 32),
           start = name.ends_with(".bias") ? bias_row() : dst;
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
TileType with(TileType type, const std::function<void(TileType&)>& change) {
  change(type);
  return type;
}

ProgramBuilder extract(Target target, const TileType& dst, const TileType& src, std::int64_t row, std::int64_t col) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0x4000}), to = tile("d", dst, {.address = 0});
  const auto at = [](std::int64_t index) { return Scalar{DType::I64, static_cast<std::uint64_t>(index)}; };
  tile.builder.add("textract", {from, at(row), at(col)}, {to});
  return std::move(tile.builder);
}
ProgramBuilder move(Target target, const TileType& dst, const TileType& src) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0x4000}), to = tile("d", dst, {.address = 0});
  tile.builder.add("tmov", {from}, {to});
  return std::move(tile.builder);
}
ProgramBuilder store(Target target, const TileType& src, DType out, std::uint32_t rows, std::uint32_t cols,
                     std::uint32_t elements, GlobalLayout layout = GlobalLayout::ND) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0});
  View view{.buffer = tile.builder.buffer("out", out, elements), .rows = rows, .cols = cols, .layout = layout};
  tile.builder.add("tstore", {from}, {view});
  return std::move(tile.builder);
}

}  // namespace

TEST_CASE("products: what is legal is told nothing") {
  for (const Target target : kBothTargets) {
    for (const char* name : kProducts) check_told(multiply(HandProduct(name, target)), kNothing);
    check_told(extract(target, left(target), mat(), 32, 16), kNothing);
    check_told(extract(target, right(), mat(), 16, 32), kNothing);
    check_told(move(target, left(target), mat(DType::F16, 32, 32)), kNothing);
    check_told(store(target, acc(), DType::F16, 32, 32, 1024), kNothing);
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
  other.lhs = left(Target::A2A3);
  check_told(multiply(other), {rule_of("tmatmul", "R4"), Severity::Error, "lhs", {"zz", "nz"}, true});
  HandProduct halves("tmatmul");
  halves.dst.fractal = 512;
  check_told(multiply(halves), {rule_of("tmatmul", "R4"), Severity::Error, "dst", {"512", "1024"}, true});
}

TEST_CASE("products, R5: at most 4095 terms") {
  each_product([](HandProduct p, std::string_view name) {
    p.lhs = left(Target::A5, DType::I8, p.row ? 1 : 16, 4096);
    p.rhs = right(DType::I8, 4096, 16);
    p.dst = acc(DType::I32, 16, 16);
    if (p.row) p.dst.valid_rows = 1;
    p.start = name.ends_with(".bias") ? bias_row(DType::I32, 16) : p.dst;
    check_told(multiply(p), {rule_of(name, "R5"), Severity::Error, "lhs", {"k is 4096", "4095"}, true});
  });
}

TEST_CASE("products, R6: a row of biases") {
  for (const char* name : {"tmatmul.bias", "tgemv.bias"}) {
    HandProduct narrow(name);
    narrow.start = bias_row(DType::F32, 16);
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
    if (p.row) p.rhs = right(DType::F16, 64, 32);
    else p.lhs = left(Target::A5, DType::F16, 32, 64);
    check_told(multiply(p), {{rule_of(name, "R8"), Severity::Error, p.row ? "lhs" : "rhs", {"64 terms"}, true},
                             {rule_of(name, "W1"), kWarning, "rhs", {"columns", "rows"}, true}});
  });
}

TEST_CASE("products, R9: one row") {
  for (const char* name : {"tgemv", "tgemv.acc", "tgemv.bias"}) {
    HandProduct two(name);
    two.lhs = left(Target::A5);
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
  in_mat.lhs = mat(DType::F16, 32, 32);
  check_told(multiply(in_mat),
             {"G1", Severity::Error, "lhs", {"tmatmul", "mat", "needs left"}, true, FindingKind::Reach});
  HandProduct in_vec("tmatmul");
  in_vec.dst = f32(32, 32);
  check_told(multiply(in_vec), {"G1", Severity::Error, "dst", {"vec", "needs acc"}, true, FindingKind::Reach});
}

TEST_CASE("TEXTRACT: rules") {
  const Target a5 = Target::A5;
  check_told(extract(Target::A2A3, left(Target::A2A3, DType::F8E4M3), mat(DType::F8E4M3), 0, 0),
             {"TEXTRACT-R1", Severity::Error, "dst", {"f8e4m3fn", "a2a3"}, true});
  check_told(extract(a5, left(a5), mat(DType::BF16), 0, 0),
             {"TEXTRACT-R2", Severity::Error, "src", {"f16", "bf16"}, true});
  check_told(extract(a5, acc(), mat(DType::F32), 0, 0), {"TEXTRACT-R4", Severity::Error, "dst", {"mat", "acc"}, true});
  check_told(extract(a5, left(a5), mat(), 48, 0),
             {"TEXTRACT-R5", Severity::Error, "src", {"(48, 0)", "64x64"}, true, FindingKind::Bounds});
  check_told(extract(a5, left(a5), mat(), -16, 0),
             {"TEXTRACT-R5", Severity::Error, "src", {"(-16, 0)"}, true, FindingKind::Bounds});
  check_told(extract(a5, left(a5), mat(), 8, 0), {"TEXTRACT-R6", Severity::Error, "src", {"(8, 0)", "(16, 16)"}, true});
  check_told(extract(a5, left(a5, DType::U16), mat(DType::U16), 0, 0),
             {"TEXTRACT-R11", Severity::Error, "dst", {"u16"}, true});
  check_told(extract(a5, left(a5), with(mat(), [](TileType& t) { t.slayout = InnerOrder::None; }), 0, 0),
             {"TEXTRACT-R12", Severity::Error, "src", {"col_major", "nz or zn"}, true});
  check_told(extract(a5, left(Target::A2A3), mat(), 0, 0),
             {"TEXTRACT-R13", Severity::Error, "dst", {"zz", "nz"}, true});
  check_told(extract(a5, acc(DType::F32), acc(DType::F32), 0, 0),
             {"TEXTRACT-R4", Severity::Error, "dst", {"acc"}, true});
}

TEST_CASE("TMOV: rules of its moves on the cube core") {
  const Target a5 = Target::A5, a2a3 = Target::A2A3;
  check_told(move(a2a3, f32(32, 32), acc()),
             {"TMOV-R10", Severity::Error, "dst", {"acc", "vec"}, true, FindingKind::Reach});
  check_told(move(a5, left(a5), f32(32, 32)),
             {"TMOV-R10", Severity::Error, "dst", {"vec", "left"}, true, FindingKind::Reach});
  check_told(move(a5, left(a5), mat()), {"TMOV-R15", Severity::Error, "dst", {"32x32", "64x64"}, true});
  check_told(move(a5, left(a5, DType::U16), mat(DType::U16, 32, 32)),
             {"TMOV-R11", Severity::Error, "dst", {"u16"}, true});
  TileType row = vec_tile(DType::F16, 1, 32);
  row.loc = TileLoc::Mat;
  check_told(move(a5, bias_row(), row), kNothing);
  check_told(move(a2a3, bias_row(), with(row, [](TileType& t) { t.dtype = DType::BF16; })),
             {"TMOV-R11", Severity::Error, "dst", {"bf16", "f32"}, true});
  check_told(move(a5, bias_row(DType::F32, 64), row), {"TMOV-R15", Severity::Error, "dst", {"64", "32"}, true});
  TileType narrow = vec_tile(DType::F16, 1, 16);
  narrow.loc = TileLoc::Mat;
  check_told(move(a2a3, bias_row(DType::F32, 16), narrow),
             {"TMOV-R14", Severity::Error, "src", {"32 bytes", "64"}, true});
}

TEST_CASE("TSTORE: rules of sums that leave acc") {
  for (const Target target : kBothTargets) {
    check_told(store(target, acc(), DType::I32, 32, 32, 1024),
               {"TSTORE-R7", Severity::Error, "src", {"f32", "i32"}, true});
    check_told(store(target, with(acc(), [](TileType& t) { t.fractal = 512; }), DType::F32, 32, 32, 1024),
               {"TSTORE-R2", Severity::Error, "src", {"512", "1024"}, true});
    check_told(store(target, acc(), DType::F32, 32, 32, 1024, GlobalLayout::DN),
               {"TSTORE-R2", Severity::Error, "dst", {"dn"}, true});
    check_told(store(target, acc(), DType::F32, 16, 32, 1024),
               {"TSTORE-R4", Severity::Error, "dst", {"16x32", "32x32"}, true});
    check_told(store(target, acc(), DType::F32, 32, 32, 1000),
               {"TSTORE-R5", Severity::Error, "dst", {"4096", "4000"}, true});
  }
}

TEST_CASE("TSTORE-R8: relu of sums alone") {
  HandTiles tile(Target::A5);
  const TileId from = tile("s", f32(4, 8));
  const View view{.buffer = tile.builder.buffer("out", DType::F32, 32), .rows = 4, .cols = 8};
  tile.builder.add("tstore", {from}, {view}, {{"reluPreMode", "normal_relu"}});
  check_told(std::move(tile.builder), {"TSTORE-R8", Severity::Error, "src", {"relu", "acc"}, true});
}

}  // namespace ts::test
