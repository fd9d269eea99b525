// Every rule of the products and of the moves to their operands, broken once: its id, the operand, the values in the text;
// and nothing of the instruction executed.
#include <doctest/doctest.h>

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

struct HandProduct {
  Target target = Target::A5;
  const char* name = "tmatmul";
  TileType lhs = left(target), rhs = right(), dst = acc(), start = acc();
  std::uint32_t start_at = 0;
};
ProgramBuilder multiply(const HandProduct& p) {
  HandTiles tile(p.target);
  const TileId lhs = tile("l", p.lhs, {.address = 0}), rhs = tile("r", p.rhs, {.address = 0}),
               dst = tile("d", p.dst, {.address = 0});
  std::vector<BuildOperand> inputs{lhs, rhs};
  const std::string_view name = p.name;
  if (name.ends_with(".acc")) inputs.insert(inputs.begin(), tile("c", p.start, {.address = p.start_at}));
  if (name.ends_with(".bias")) inputs.push_back(tile("b", p.start, {.address = p.start_at}));
  tile.builder.add(name, inputs, {dst});
  return std::move(tile.builder);
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
    check_told(multiply({.target = target}), kNothing);
    check_told(multiply({.target = target, .name = "tmatmul.acc"}), kNothing);
    check_told(multiply({.target = target, .name = "tmatmul.bias", .start = bias_row()}), kNothing);
    HandProduct row{.target = target, .name = "tgemv", .lhs = left(target, DType::F16, 1), .dst = acc(DType::F32, 16)};
    row.dst.valid_rows = 1;
    check_told(multiply(row), kNothing);
    check_told(extract(target, left(target), mat(), 32, 16), kNothing);
    check_told(extract(target, right(), mat(), 16, 32), kNothing);
    check_told(move(target, left(target), mat(DType::F16, 32, 32)), kNothing);
    check_told(store(target, acc(), DType::F16, 32, 32, 1024), kNothing);
  }
}

TEST_CASE("TMATMUL-R1: element types") {
  check_told(multiply({.lhs = left(Target::A5, DType::I16), .rhs = right(DType::I16)}),
             {"TMATMUL-R1", Severity::Error, "lhs", {"i16", "not supported", "a5"}, true});
  check_told(multiply({.target = Target::A2A3, .lhs = left(Target::A2A3, DType::F8E4M3), .rhs = right(DType::F8E4M3)}),
             {"TMATMUL-R1", Severity::Error, "lhs", {"f8e4m3fn", "a2a3"}, true});
}

TEST_CASE("TMATMUL-R2: types that go together") {
  check_told(multiply({.rhs = right(DType::BF16)}), {"TMATMUL-R2", Severity::Error, "rhs", {"f16", "bf16"}, true});
  check_told(multiply({.lhs = left(Target::A5, DType::F8E4M3), .rhs = right(DType::F8E5M2)}), kNothing);
  check_told(multiply({.lhs = left(Target::A5, DType::F8E4M3), .rhs = right(DType::HIF8)}),
             {"TMATMUL-R2", Severity::Error, "rhs", {"f8e4m3fn", "hif8"}, true});
}

TEST_CASE("TMATMUL-R3: sums of their own type") {
  check_told(multiply({.dst = acc(DType::I32)}), {"TMATMUL-R3", Severity::Error, "dst", {"i32", "f32"}, true});
  check_told(multiply({.lhs = left(Target::A5, DType::I8), .rhs = right(DType::I8)}),
             {"TMATMUL-R3", Severity::Error, "dst", {"f32", "i32"}, true});
  check_told(multiply({.name = "tmatmul.bias", .start = bias_row(DType::I32)}),
             {"TMATMUL.BIAS-R3", Severity::Error, "bias", {"i32", "f32"}, true});
}

TEST_CASE("TMATMUL-R4: boxes as the unit reads them") {
  check_told(multiply({.target = Target::A2A3, .lhs = left(Target::A5)}),
             {"TMATMUL-R4", Severity::Error, "lhs", {"nz", "zz"}, true});
  check_told(multiply({.lhs = left(Target::A2A3)}), {"TMATMUL-R4", Severity::Error, "lhs", {"zz", "nz"}, true});
  check_told(multiply({.rhs = with(right(), [](TileType& t) { t.slayout = InnerOrder::RowMajor; })}),
             {"TMATMUL-R4", Severity::Error, "rhs", {"zz", "zn"}, true});
  check_told(multiply({.dst = with(acc(), [](TileType& t) { t.fractal = 512; })}),
             {"TMATMUL-R4", Severity::Error, "dst", {"512", "1024"}, true});
}

TEST_CASE("TMATMUL.BIAS-R6: a row of biases") {
  check_told(multiply({.name = "tmatmul.bias", .start = bias_row(DType::F32, 16)}),
             {"TMATMUL.BIAS-R6", Severity::Error, "bias", {"16", "32"}, true});
  check_told(
      multiply({.name = "tmatmul.bias", .start = with(bias_row(), [](TileType& t) { t.rows = t.valid_rows = 2; })}),
      {"TMATMUL.BIAS-R6", Severity::Error, "bias", {"2x32"}, true});
}

TEST_CASE("TMATMUL-R7, R8: room for the sums, and terms for them") {
  check_told(multiply({.dst = acc(DType::F32, 16)}), {"TMATMUL-R7", Severity::Error, "dst", {"32x32", "16x32"}, true});
  const HandProduct longer{.lhs = left(Target::A5, DType::F16, 32, 64)};
  check_told(multiply(longer), {{"TMATMUL-R8", Severity::Error, "rhs", {"64 terms", "32x32"}, true},
                                {"TMATMUL-W1", kWarning, "rhs", {"64 columns", "32 rows"}, true}});
}

TEST_CASE("TGEMV-R9: one row") {
  check_told(multiply({.name = "tgemv"}), {"TGEMV-R9", Severity::Error, "lhs", {"32 valid rows"}, true});
}

TEST_CASE("TMATMUL.ACC-W2: the accumulator that the hardware takes") {
  check_told(multiply({.name = "tmatmul.acc", .start_at = 0x4000}),
             {"TMATMUL.ACC-W2", kWarning, "acc", {"0x4000", "0x0"}, true});
}

TEST_CASE("G1: operands of the cube core in their memories") {
  check_told(multiply({.lhs = mat(DType::F16, 32, 32)}),
             {"G1", Severity::Error, "lhs", {"tmatmul", "mat", "needs left"}, true, FindingKind::Reach});
  check_told(multiply({.dst = f32(32, 32)}),
             {"G1", Severity::Error, "dst", {"vec", "needs acc"}, true, FindingKind::Reach});
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

}  // namespace ts::test
