// Matrix products and the moves to their operands against the oracles, and a product from global memory to global memory as
// a text program has it.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/record/recording.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::vector<DType> left_types(Target target) {
  std::vector<DType> types;
  const DTypeSet legal = find_instruction("tmatmul")->types(target, {});
  for (int type = 0; type < kDTypes; ++type)
    if (legal.contains(static_cast<DType>(type))) types.push_back(static_cast<DType>(type));
  return types;
}

Program random_product(const std::string& name, Target target, DType left, Random& random) {
  constexpr std::uint32_t kOther = 0x4000;  // behind the first accumulator
  CubeBuilder b(target, random);
  const bool one_row = name.starts_with("tgemv"), small = left == DType::F8E4M3 || left == DType::F8E5M2;
  const DType right = small ? random.pick({DType::F8E4M3, DType::F8E5M2}) : left,
              sum = left == DType::I8 ? DType::I32 : DType::F32;
  const std::uint32_t m = one_row ? 1 : random.between(1, 36), n = random.between(1, 36), k = random.between(1, 40);
  TileType row = cube_tile(TileLoc::Left, left, m, k, target);
  if (one_row) row.rows = 1;
  const TileId lhs = b.tile("lhs", row), rhs = b.tile("rhs", TileLoc::Right, right, k, n),
               dst = b.tile("dst", TileLoc::Acc, sum, m, n);
  std::vector<BuildOperand> inputs{lhs, rhs};
  if (name.ends_with(".acc"))
    inputs.insert(inputs.begin(), random.one_in(2) ? dst : b.tile("acc", TileLoc::Acc, sum, m, n, kOther));
  if (name.ends_with(".bias")) {
    TileType bias = cube_tile(TileLoc::Bias, sum, 1, n, target);
    inputs.push_back(b.program().tile("bias", bias, {.address = 64}));
  }
  if (is_float(left)) b.program().options().product_order = static_cast<std::uint8_t>(random.below(3));
  b.program().add(name, inputs, {dst});
  return build(b.program());
}

// Operands of 8 or 4 bits with their exponents.
Program random_scaled(const std::string& name, DType left, Random& random) {
  CubeBuilder b(Target::A5, random);
  const bool one_row = name.starts_with("tgemv"), bytes = size_bits(left) == 8;
  const DType right = bytes ? random.pick({DType::F8E4M3, DType::F8E5M2}) : random.pick({DType::E2M1, DType::E1M2});
  const std::uint32_t m = one_row ? 1 : random.between(1, 36), n = random.between(1, 36), k = random.between(1, 150),
                      groups = (k + 31) / 32;
  TileType lhs = cube_tile(TileLoc::Left, left, m, k, Target::A5);
  lhs.cols = rounded_up(k, 64);
  if (one_row) lhs.rows = 1;
  std::vector<BuildOperand> inputs{
      b.tile("lhs", lhs), b.tile("lhs_scale", scale_tile(TileLoc::Scaling, true, m, groups)),
      b.tile("rhs", TileLoc::Right, right, k, n), b.tile("rhs_scale", scale_tile(TileLoc::Scaling, false, groups, n))};
  const TileId dst = b.tile("dst", TileLoc::Acc, DType::F32, m, n);
  if (name.ends_with(".acc")) inputs.insert(inputs.begin(), dst);
  if (name.ends_with(".bias"))
    inputs.push_back(b.program().tile("bias", cube_tile(TileLoc::Bias, DType::F32, 1, n, Target::A5), {.address = 64}));
  b.program().options().product_order = static_cast<std::uint8_t>(random.below(3));
  b.program().add(name, inputs, {dst});
  return build(b.program());
}

void check(Stage& stage, const Program& program, Random& random) {
  stage.fill(program, random, random.pick({Values::Plain, Values::Plain, Values::AnyBits, Values::Special}));
  stage.check(program, random);
}

Program random_window(Target target, DType type, Random& random) {
  CubeBuilder b(target, random);
  const bool left = random.one_in(2);
  const TileType dst =
      cube_tile(left ? TileLoc::Left : TileLoc::Right, type, random.between(1, 40), random.between(1, 40), target);
  TileType src{.loc = TileLoc::Mat, .dtype = type, .blayout = BoxOrder::ColMajor, .slayout = InnerOrder::RowMajor};
  if (random.one_in(2)) src.blayout = BoxOrder::RowMajor, src.slayout = InnerOrder::ColMajor;
  const std::uint32_t row = 32 * random.below(3), col = 32 * random.below(3);
  const Box box = box_of(src);
  src.rows = rounded_up(row + dst.rows, box.rows);
  src.cols = rounded_up(col + dst.cols, box.cols);
  src.valid_rows = static_cast<std::int32_t>(src.rows);
  src.valid_cols = static_cast<std::int32_t>(src.cols);
  const TileId from = b.tile("src", src), to = b.tile("dst", dst);
  const auto at = [](std::uint32_t index) { return Scalar{DType::I64, index}; };
  if (row == 0 && col == 0 && src.rows == dst.rows && src.cols == dst.cols) b.program().add("tmov", {from}, {to});
  else b.program().add("textract", {from, at(row), at(col)}, {to});
  return build(b.program());
}

Program random_bias(Target target, DType from, Random& random) {
  CubeBuilder b(target, random);
  const DType to = from == DType::I32 ? DType::I32 : DType::F32;
  TileType dst = vec_tile(to, 1, 32 * random.between(1, 6)), src = vec_tile(from, 1, dst.cols);
  dst.loc = TileLoc::Bias;
  src.loc = TileLoc::Mat;
  b.program().add("tmov", {b.tile("src", src)}, {b.program().tile("dst", dst, {.address = 0})});
  return build(b.program());
}

}  // namespace

TEST_CASE("matmul: every form, type and order of sums, on every machine") {
  Random random(2401);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const char* name : {"tmatmul", "tmatmul.acc", "tmatmul.bias", "tgemv", "tgemv.acc", "tgemv.bias"})
      for (const DType type : left_types(target))
        for (int round = 0; round < rounds(1, 4, 40); ++round)
          check(stage, random_product(name, target, type, random), random);
  }
}

TEST_CASE("matmul mx: every form, type and order of sums, on every machine") {
  Random random(2411);
  Stage stage(Target::A5);
  Thinned cases(3);
  for (const char* name :
       {"tmatmul.mx", "tmatmul.mx.acc", "tmatmul.mx.bias", "tgemv.mx", "tgemv.mx.acc", "tgemv.mx.bias"})
    for (const DType type : {DType::F8E4M3, DType::F8E5M2, DType::E2M1, DType::E1M2})
      for (int round = 0; round < rounds(1, 4, 40) && cases.takes(); ++round)
        check(stage, random_scaled(name, type, random), random);
}

TEST_CASE("tload: scales come in whole boxes, as they stand in global memory") {
  Random random(2413);
  Stage stage(Target::A5, 1 << 16);
  for (int round = 0; round < rounds(4, 40, 400); ++round) {
    CubeBuilder b(Target::A5, random);
    const bool left = random.one_in(2), one_row = random.one_in(8);
    const std::uint32_t rows = one_row ? 1 : random.between(2, 40), cols = random.between(1, 40);
    TileType type = scale_tile(TileLoc::Mat, left || one_row, rows, cols);
    const std::uint32_t before = random.below(40), pitch = cols + random.below(3);
    const BufferId buffer =
        b.program().buffer("g", DType::E8M0, before + std::max(type.rows * type.cols, rows * pitch));
    const View view{.buffer = buffer, .rows = rows, .cols = cols, .pitch = pitch, .offset = before};
    b.program().add("tload", {view}, {b.tile("dst", type)});
    check(stage, build(b.program()), random);
  }
}

TEST_CASE("textract, tmov: windows of scales, box by box, and bytes of operands of 4 bits") {
  Random random(2412);
  Stage stage(Target::A5);
  for (int round = 0; round < rounds(4, 30, 300); ++round) {
    CubeBuilder b(Target::A5, random);
    const bool left = random.one_in(2);
    const std::uint32_t rows = random.between(2, 40), cols = random.between(2, 40), row = 16 * random.below(3),
                        col = 16 * random.below(3);
    const TileType dst = scale_tile(TileLoc::Scaling, left, rows, cols),
                   src = scale_tile(TileLoc::Mat, left, row + dst.rows, col + dst.cols);
    const TileId from = b.tile("src", src), to = b.tile("dst", dst);
    if (row == 0 && col == 0) b.program().add("tmov", {from}, {to});
    else b.program().add("textract", {from, Scalar{DType::I64, row}, Scalar{DType::I64, col}}, {to});
    check(stage, build(b.program()), random);
  }
  for (int round = 0; round < rounds(4, 30, 300); ++round) {
    CubeBuilder b(Target::A5, random);
    const TileLoc loc = random.pick({TileLoc::Left, TileLoc::Right});
    const TileType dst = cube_tile(loc, random.pick({DType::E2M1, DType::E1M2}), random.between(1, 70),
                                   random.between(1, 70), Target::A5);
    TileType src = dst;
    src.loc = TileLoc::Mat;
    const std::uint32_t row = 64 * random.below(2), col = 64 * random.below(2);
    src.rows += row, src.cols += col;
    src.valid_rows = static_cast<std::int32_t>(src.rows), src.valid_cols = static_cast<std::int32_t>(src.cols);
    const TileId from = b.tile("src", src), to = b.tile("dst", dst);
    b.program().add("textract", {from, Scalar{DType::I64, row}, Scalar{DType::I64, col}}, {to});
    check(stage, build(b.program()), random);
  }
}

TEST_CASE("textract, tmov: windows of mat become operands, whatever the order of their boxes") {
  Random random(2402);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : left_types(target))
      for (int round = 0; round < rounds(1, 8, 80); ++round) check(stage, random_window(target, type, random), random);
  }
}

TEST_CASE("tmov: rows of mat become biases") {
  Random random(2403);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : {DType::I32, DType::F32, DType::F16, DType::BF16}) {
      if (type == DType::BF16 && target == Target::A2A3) continue;
      for (int round = 0; round < rounds(1, 5, 50); ++round) check(stage, random_bias(target, type, random), random);
    }
  }
}

TEST_CASE("matmul: a program of text, from global memory to global memory") {
  for (const Target target : kBothTargets) {
    const std::string text = fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @matmul(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %out: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %av = pto.make_tensor_view %a, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<?x?xf16>
    %bv = pto.make_tensor_view %b, shape = [%c32, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf16>
    %ov = pto.make_tensor_view %out, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
    %ap = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c16, %c32] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<16x32xf16>
    %bp = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c32, %c16] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<32x16xf16>
    %op = pto.partition_view %ov, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    %am = pto.alloc_tile : !pto.tile_buf<mat, 16x32xf16, blayout = col_major, slayout = row_major>
    %bm = pto.alloc_tile : !pto.tile_buf<mat, 32x16xf16, blayout = col_major, slayout = row_major>
    %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout = row_major, slayout = row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, blayout = row_major, slayout = col_major>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout = col_major, slayout = row_major, fractal = 1024>
    pto.tload ins(%ap : !pto.partition_tensor_view<16x32xf16>) outs(%am : !pto.tile_buf<mat, 16x32xf16, blayout = col_major, slayout = row_major>)
    pto.tload ins(%bp : !pto.partition_tensor_view<32x16xf16>) outs(%bm : !pto.tile_buf<mat, 32x16xf16, blayout = col_major, slayout = row_major>)
    scf.for %k = %c0 to %c32 step %c16 {{
      pto.textract ins(%am, %c0, %k : !pto.tile_buf<mat, 16x32xf16, blayout = col_major, slayout = row_major>, index, index) outs(%l : !pto.tile_buf<left, 16x16xf16, blayout = row_major, slayout = row_major>)
      pto.textract ins(%bm, %k, %c0 : !pto.tile_buf<mat, 32x16xf16, blayout = col_major, slayout = row_major>, index, index) outs(%r : !pto.tile_buf<right, 16x16xf16, blayout = row_major, slayout = col_major>)
      %first = arith.cmpi eq, %k, %c0 : index
      scf.if %first {{
        pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x16xf16, blayout = row_major, slayout = row_major>, !pto.tile_buf<right, 16x16xf16, blayout = row_major, slayout = col_major>) outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout = col_major, slayout = row_major, fractal = 1024>)
      }} else {{
        pto.tmatmul.acc ins(%c, %l, %r : !pto.tile_buf<acc, 16x16xf32, blayout = col_major, slayout = row_major, fractal = 1024>, !pto.tile_buf<left, 16x16xf16, blayout = row_major, slayout = row_major>, !pto.tile_buf<right, 16x16xf16, blayout = row_major, slayout = col_major>) outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout = col_major, slayout = row_major, fractal = 1024>)
      }}
    }}
    pto.tstore ins(%c : !pto.tile_buf<acc, 16x16xf32, blayout = col_major, slayout = row_major, fractal = 1024>) outs(%op : !pto.partition_tensor_view<16x16xf32>)
    return
  }}
}}
)",
                                         name(target));
    const auto opened = open_text(text);
    for (const Diagnostic& diagnostic : opened.diagnostics)
      CHECK_MESSAGE(diagnostic.severity != Severity::Error, diagnostic.format());
    REQUIRE(opened.opened);
    const auto recording = Recording::run(opened.opened->program, {});
    CHECK(recording->stop_reason() == StopReason::End);
    const Memory& memory = recording->final_memory();
    const auto buffer = [&](const char* wanted) {
      for (const BufferDecl& decl : recording->program().buffers)
        if (decl.name == wanted) return decl.address;
      return ~0u;
    };
    for (std::uint32_t row = 0; row < 16; ++row)
      for (std::uint32_t col = 0; col < 16; ++col) {
        double sum = 0;
        for (std::uint32_t k = 0; k < 32; ++k)
          sum += to_double(DType::F16, memory.element(Space::Gm, buffer("a") + (row * 32 + k) * 2, 2)) *
                 to_double(DType::F16, memory.element(Space::Gm, buffer("b") + (k * 16 + col) * 2, 2));
        const double got = to_double(DType::F32, memory.element(Space::Gm, buffer("out") + (row * 16 + col) * 4, 4));
        CHECK(got == doctest::Approx(sum).epsilon(1e-4));
      }
  }
}

}  // namespace ts::test
