// TEXPANDS against its oracle: vec tiles of both orders, with valid shapes known and not known from the type, mat tiles of
// every layout and of the convolution unit; the edge cases of its page, and the library's own fills by the option.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

constexpr Options kTexpandsQuirk{.quirk_texpands = 1};

void add_texpands(ProgramBuilder& builder, Random& random, Target target, const TilePlan& dst, std::uint64_t scalar) {
  builder.add("texpands", {Scalar{dst.type.dtype, scalar}}, {add_tiles(builder, random, target, {dst})[0]});
}

TilePlan dst_of(const TileType& type) { return whole_tile("dst", type); }
TilePlan in_mat(TileType type) {
  type.loc = TileLoc::Mat;
  return dst_of(type);
}

// L1 is filled whole, in whatever order its elements stand.
TilePlan random_mat_tile(Random& random, DType type) {
  const std::uint32_t block = BLK / size_bytes(type);
  if (random.one_in(3)) return in_mat(vec_tile(type, random.between(1, 9), block * random.between(1, 4)));
  if (random.one_in(3))
    return dst_of(conv_tile(type, ConvLayout::NC1HWC0, {1, random.between(1, 3), random.between(1, 3), 2, block}));
  const BoxOrder outer = random.pick({BoxOrder::RowMajor, BoxOrder::ColMajor});
  const InnerOrder inner = random.pick({InnerOrder::RowMajor, InnerOrder::ColMajor});
  const std::uint32_t rows = inner == InnerOrder::RowMajor ? 16 : block,
                      cols = inner == InnerOrder::RowMajor ? block : 16;
  TilePlan plan =
      dst_of(boxed(TileLoc::Mat, type, rows * random.between(1, 3), cols * random.between(1, 3), outer, inner));
  // Its valid shape means nothing.
  plan.type.valid_rows = plan.type.valid_cols = kDynamic;
  plan.valid = {random.between(1, plan.type.rows), random.between(1, plan.type.cols)};
  return plan;
}

TilePlan random_vec_tile(Random& random, DType type) {
  const TilePlan plan =
      random_tile(random, "dst", type, random_valid(random, size_bytes(type), random.one_in(8) ? 24 * 1024 : 4 * 1024));
  return random.one_in(3) ? on_its_side(plan) : plan;
}

void check_random_fills(Target target, const Options& options, std::uint64_t seed) {
  check_random(target, options, kMovedTypes, seed, [&](ProgramBuilder& builder, Random& random, DType type) {
    const TilePlan dst = random.one_in(8) ? random_mat_tile(random, type) : random_vec_tile(random, type);
    add_texpands(builder, random, target, dst,
                 random_element(random, type, random.pick({Values::Plain, Values::AnyBits, Values::Special})));
  });
}

struct FillShape {
  DType type;
  std::uint32_t rows, cols;
  Valid valid;
};

// One shape on its own; `fixed`: the valid shape is part of the type.
void check_fill(Stage& stage, Random& random, Target target, const FillShape& shape, bool fixed, std::uint64_t scalar,
                const Options& options = {}) {
  const Valid valid = shape.valid;
  const TileType type = fixed ? vec_tile(shape.type, shape.rows, shape.cols, static_cast<std::int32_t>(valid.rows),
                                         static_cast<std::int32_t>(valid.cols))
                              : vec_tile(shape.type, shape.rows, shape.cols, kDynamic, kDynamic);
  ProgramBuilder builder(target, "fill");
  builder.options() = options;
  add_texpands(builder, random, target, {"dst", type, valid}, scalar);
  check_program(stage, random, std::move(builder));
}

void check_fills(std::initializer_list<FillShape> shapes, std::uint64_t seed) {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(seed);
    for (const FillShape& shape : shapes)
      for (const bool fixed : {false, true})
        check_fill(stage, random, target, shape, fixed, random_element(random, shape.type, Values::AnyBits));
  }
}

void check_plan(const TilePlan& plan, std::uint64_t scalar, const Options& options = {}) {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(110);
    ProgramBuilder builder(target, "fill");
    builder.options() = options;
    add_texpands(builder, random, target, plan, scalar);
    check_program(stage, random, std::move(builder));
  }
}

// The bytes at a tile's begin after filling it.
std::vector<int> bytes_after(Target target, const TileType& type, Valid valid, std::uint64_t scalar,
                             const Options& options, std::uint32_t count) {
  ProgramBuilder builder(target, "bytes");
  builder.options() = options;
  builder.add("texpands", {Scalar{type.dtype, scalar}},
              {builder.tile("dst", type, {.address = 0x400, .valid_rows = valid.rows, .valid_cols = valid.cols})});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
  REQUIRE(recording->count() == 1);
  std::vector<int> bytes;
  for (std::uint32_t i = 0; i < count; ++i)
    bytes.push_back(static_cast<int>(recording->final_memory().element(type.space(), 0x400 + i, 1)));
  return bytes;
}

}  // namespace

TEST_CASE("texpands: the types of each target are those of its page") {
  for (const Target target : kBothTargets) check_types("texpands", target, {}, kMovedTypes);
}

TEST_CASE("texpands: random shapes agree with the oracle") {
  for (const Target target : kBothTargets) check_random_fills(target, {}, 9000);
}
TEST_CASE("texpands: random shapes with the library's own fills") {
  for (const Target target : kBothTargets) check_random_fills(target, kTexpandsQuirk, 9100);
}

TEST_CASE("texpands: whole tiles, and 60x60 of 64x64") {
  for (const DType type : {DType::F32, DType::I32, DType::F16, DType::I16, DType::BF16})
    check_fills({{type, 64, 64, {64, 64}}, {type, 64, 64, {60, 60}}}, 100);
}

TEST_CASE("texpands: long rows, valid in part") {
  check_fills({{DType::F16, 2, 4096, {1, 3600}}, {DType::I16, 20, 512, {16, 200}}, {DType::I16, 1, 512, {1, 200}}},
              101);
}

TEST_CASE("texpands: bytes of an even and of an odd number of columns") {
  check_fills({{DType::I8, 20, 512, {16, 200}}, {DType::I8, 20, 512, {16, 201}}}, 102);
}

TEST_CASE("texpands: one row, one column, one element, none") {
  for (const DType type : kMovedTypes) {
    const std::uint32_t cols = 3 * BLK / size_bytes(type);
    check_fills({{type, 1, cols, {1, cols - 1}},
                 {type, 4, cols, {1, cols - 1}},
                 {type, 4, cols, {4, 1}},
                 {type, 4, cols, {1, 1}},
                 {type, 4, cols, {0, 5}},
                 {type, 4, cols, {3, 0}}},
                103);
  }
}

TEST_CASE("texpands: 60x60 of a col-major 64x64") {
  for (const DType type : kMovedTypes) {
    check_plan({"dst", col_major(vec_tile(type, 64, 64, 60, 60)), {60, 60}}, 0x7F);
    check_plan({"dst", col_major(vec_tile(type, 64, 64, kDynamic, kDynamic)), {59, 60}}, 0x7F);
  }
}

TEST_CASE("texpands: scalars that are no plain numbers") {
  struct Row {
    DType type;
    std::uint64_t bits;
  };
  for (const Row& row : {Row{DType::F32, 0x7FC00001},
                         {DType::F32, 0xFF800001},
                         {DType::F32, 0x80000000},
                         {DType::I32, 0x80000000},
                         {DType::F16, 0x7E01},
                         {DType::F16, 0x8000},
                         {DType::I16, 0x8000},
                         {DType::BF16, 0xFFC1},
                         {DType::I8, 0x80}})
    check_fills({{row.type, 3, 64, {3, 33}}}, 104);
  for (const Target target : kBothTargets) {
    CHECK(bytes_after(target, vec_tile(DType::I8, 1, 32, 1, 2), {1, 2}, 0x80, {}, 3) ==
          std::vector<int>{0x80, 0x80, 0xCD});
    CHECK(bytes_after(target, vec_tile(DType::F32, 1, 8, 1, 1), {1, 1}, 0x7FC00001, {}, 5) ==
          std::vector<int>{0x01, 0x00, 0xC0, 0x7F, 0xCD});
  }
}

TEST_CASE("texpands a2a3: bytes are filled in pairs, row by row and column by column") {
  const auto filled = [](const std::vector<int>& bytes) {
    std::vector<int> at;
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] == 0x7B) at.push_back(static_cast<int>(i));
    return at;
  };
  // The worked example of its page: 2x5 of 2x32.
  const TileType type = vec_tile(DType::I8, 2, 32, kDynamic, kDynamic);
  CHECK(filled(bytes_after(Target::A2A3, type, {2, 5}, 0x7B, {}, 64)) ==
        std::vector<int>{0, 1, 2, 3, 4, 5, 32, 33, 34, 35, 36, 37});
  CHECK(filled(bytes_after(Target::A5, type, {2, 5}, 0x7B, {}, 64)) ==
        std::vector<int>{0, 1, 2, 3, 4, 32, 33, 34, 35, 36});
  const TileType side = col_major(vec_tile(DType::U8, 32, 2, kDynamic, kDynamic));
  CHECK(filled(bytes_after(Target::A2A3, side, {3, 2}, 0x7B, {}, 64)) == std::vector<int>{0, 1, 2, 3, 32, 33, 34, 35});
  // One row is one run.
  CHECK(filled(bytes_after(Target::A2A3, type, {1, 3}, 0x7B, {}, 64)) == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE(
    "texpands a2a3: a static valid shape narrower than the tile is filled row by row, or, by the option, as one run") {
  const TileType type = vec_tile(DType::I32, 3, 8, 2, 3);
  const auto words = [&](const Options& options) {
    std::vector<int> at;
    const std::vector<int> bytes = bytes_after(Target::A2A3, type, {2, 3}, 0x01010101, options, 96);
    for (std::size_t i = 0; i < bytes.size(); i += 4)
      if (bytes[i] == 1) at.push_back(static_cast<int>(i / 4));
    return at;
  };
  CHECK(words({}) == std::vector<int>{0, 1, 2, 8, 9, 10});
  CHECK(words(kTexpandsQuirk) == std::vector<int>{0, 1, 2, 3, 4, 5});
  Stage stage(Target::A2A3);
  Random random(105);
  for (const DType moved : kMovedTypes)
    for (const Options& options : {Options{}, kTexpandsQuirk})
      check_fill(stage, random, Target::A2A3, {moved, 5, 64, {5, 33}}, true, 0x5A, options);
}

TEST_CASE("texpands: mat tiles are filled whole") {
  check_plan(in_mat(vec_tile(DType::F16, 128, 128)), 0x3C00);
  check_plan(in_mat(vec_tile(DType::I8, 32, 32)), 1);
  check_plan(in_mat(vec_tile(DType::I8, 32, 32)), 0xFE);
  check_plan(in_mat(vec_tile(DType::I16, 32, 64)), 5);
  TilePlan part = in_mat(vec_tile(DType::F32, 16, 16, 3, 5));
  part.valid = {3, 5};
  check_plan(part, 0x40490FDB);
}

TEST_CASE("texpands: a mat tile of 4096 blocks") {
  Stage stage(Target::A5);
  Random random(106);
  ProgramBuilder builder(Target::A5, "large");
  add_texpands(builder, random, Target::A5, in_mat(vec_tile(DType::BF16, 256, 256)), 0xBF80);
  check_program(stage, random, std::move(builder));
}

TEST_CASE("texpands: a negative i8 in a mat tile, by the seed and as the library fills it") {
  TileType type = vec_tile(DType::I8, 1, 32);
  type.loc = TileLoc::Mat;
  for (const Target target : kBothTargets) {
    CHECK(bytes_after(target, type, {1, 32}, 0xFE, {}, 5) == std::vector<int>{0xFE, 0xFE, 0xFE, 0xFE, 0xFE});
    CHECK(bytes_after(target, type, {1, 32}, 0xFE, kTexpandsQuirk, 5) ==
          std::vector<int>{0xFE, 0xFF, 0xFE, 0xFF, 0xFE});
    CHECK(bytes_after(target, type, {1, 32}, 0x01, kTexpandsQuirk, 4) == std::vector<int>{1, 1, 1, 1});
  }
  type.dtype = DType::U8;
  CHECK(bytes_after(Target::A5, type, {1, 32}, 0xFE, kTexpandsQuirk, 4) == std::vector<int>{0xFE, 0xFE, 0xFE, 0xFE});
}

TEST_CASE("texpands: tiles of the convolution unit") {
  check_plan(dst_of(conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 16, 7, 7, 16})), 0x4248);
  check_plan(dst_of(conv_tile(DType::I16, ConvLayout::NC1HWC0, {2, 5, 2, 3, 8})), 0x8001);
  for (const DType type : {DType::I32, DType::U32}) {
    check_plan(dst_of(conv_tile(type, ConvLayout::NC1HWC0, {1, 2, 3, 4, 8})), 0xDEADBEEF);
    check_plan(dst_of(conv_tile(type, ConvLayout::FractalZ, {6, 2, 16, 8})), 0xDEADBEEF);
    check_plan(dst_of(conv_tile(type, ConvLayout::NDC1HWC0, {1, 2, 2, 3, 2, 8})), 0xDEADBEEF);
    check_plan(dst_of(conv_tile(type, ConvLayout::FractalZ3D, {6, 2, 16, 8})), 0xDEADBEEF);
  }
}

}  // namespace ts::test
