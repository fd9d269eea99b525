// TSEL against its oracle: every target and element type, random shapes, the edge cases of its page, and the library's
// mask steps where the option asks for them.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/random_check.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

const std::vector<DType> kTselTypesA2A3{DType::I16, DType::U16,  DType::I32, DType::U32,
                                        DType::F16, DType::BF16, DType::F32};
const std::vector<DType>& tsel_types(Target target) { return target == Target::A5 ? kMovedTypes : kTselTypesA2A3; }
constexpr Options kTselQuirk{.quirk_tsel = 1};

struct TselTiles {
  TilePlan dst, mask, src0, src1, tmp;
  bool with_tmp = false;
};

void add_tsel(ProgramBuilder& builder, Random& random, Target target, const TselTiles& tiles) {
  std::vector<TilePlan> plans{tiles.dst, tiles.mask, tiles.src0, tiles.src1};
  if (tiles.with_tmp) plans.push_back(tiles.tmp);
  const auto ids = add_tiles(builder, random, target, plans);
  builder.add("tsel", std::vector<BuildOperand>(ids.begin() + 1, ids.end()), {ids[0]});
}

void check_tsel(Stage& stage, Random& random, Target target, const TselTiles& tiles, int mask_bytes = -1) {
  ProgramBuilder builder(target, "tsel");
  add_tsel(builder, random, target, tiles);
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  if (mask_bytes >= 0) stage.set_bytes(bound_of(program, 0).tile("mask"), mask_bytes);
  stage.check(program, random);
}

// dst, src0 and src1 around one valid shape, each with its own padding.
TselTiles random_tiles(Random& random, DType type, Valid valid, const TilePlan& mask) {
  return {.dst = random_tile(random, "dst", type, valid),
          .mask = mask,
          .src0 = random_tile(random, "src0", type, valid),
          .src1 = random_tile(random, "src1", type, valid),
          .tmp = {}};
}

void put_in_place(TilePlan& source, const TilePlan& dst) {
  std::string name = source.name;
  source = dst;
  source.name = std::move(name);
  source.in_place_of = 0;
}

void add_random_tsel(ProgramBuilder& builder, Random& random, Target target, DType type) {
  const Valid valid = random_valid(random, size_bytes(type), random.one_in(8) ? 24 * 1024 : 2 * 1024);
  const bool narrow = random.one_in(12);
  TselTiles tiles = random_tiles(random, type, valid, random_mask(random, valid, narrow));
  if (random.one_in(6)) put_in_place(random.one_in(2) ? tiles.src0 : tiles.src1, tiles.dst);
  // A tmp that the text names; else A2A3 gets one of its own. On A5 it is read by nobody.
  tiles.with_tmp = narrow || random.one_in(2);
  tiles.tmp = random_tile(random, "tmp", DType::U32, {1, 4});
  add_tsel(builder, random, target, tiles);
}

// Shapes on which the library's steps meet the hardware's alignment: masks are read at multiples of 16 bytes (8-bit
// elements: 32), and 8-bit elements have one register a row.
void add_random_for_quirk(ProgramBuilder& builder, Random& random, DType type) {
  Valid valid = random_valid(random, size_bytes(type), 2 * 1024);
  if (size_bytes(type) == 1) valid.cols = std::min(valid.cols, 256u);
  TilePlan mask = random_mask(random, valid, false);
  const std::uint32_t step = size_bytes(type) == 1 ? 32 : 16;
  mask.type.cols = (mask.type.cols + step - 1) / step * step;
  mask.reserved_bytes = std::max(mask.reserved_bytes, static_cast<std::uint32_t>(mask.type.size_bytes()));
  add_tsel(builder, random, Target::A5, random_tiles(random, type, valid, mask));
}

}  // namespace

TEST_CASE("tsel: the types of each target are those of its page") {
  for (const Target target : kBothTargets) check_types("tsel", target, {}, tsel_types(target));
}

TEST_CASE("tsel: random shapes agree with the oracle") {
  for (const Target target : kBothTargets)
    check_random(target, {}, tsel_types(target), 8500, [&](ProgramBuilder& builder, Random& random, DType type) {
      add_random_tsel(builder, random, target, type);
    });
}

TEST_CASE("tsel a5: random shapes with the library's mask steps") {
  check_random(Target::A5, kTselQuirk, kMovedTypes, 8600, add_random_for_quirk);
}

TEST_CASE("tsel: the column counts of its page, under masks of u8, u16 and u32, and of all zeros and all ones") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : tsel_types(target)) {
      Random random(90 + static_cast<std::uint64_t>(type));
      const auto tiles_for = [&](std::uint32_t cols, DType mask_type) {
        const std::uint32_t rows = cols > 1000 ? 1 : 3;
        const std::uint32_t pitch = ((cols + 7) / 8 + 31) / 32 * 32 + 32 * random.below(2);
        return random_tiles(random, type, {rows, cols},
                            whole_tile("mask", vec_tile(mask_type, rows, pitch / size_bytes(mask_type))));
      };
      for (const std::uint32_t cols :
           {1u, 7u, 8u, 31u, 63u, 64u, 65u, 127u, 128u, 129u, 191u, 192u, 255u, 256u, 257u, 8192u}) {
        if (kSanitized && cols > 100) continue;
        for (const DType mask_type : {DType::U8, DType::U16, DType::U32})
          check_tsel(stage, random, target, tiles_for(cols, mask_type));
        if (cols > 1000) continue;
        for (const int bits : {0x00, 0xFF}) check_tsel(stage, random, target, tiles_for(cols, DType::U8), bits);
      }
    }
  }
}

TEST_CASE("tsel: four different pitches, 2x31 of 2x32 under a mask of 2x64 from sources of 2x128 and 2x48") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(91);
    for (const DType type : {DType::F32, DType::F16})
      check_tsel(stage, random, target,
                 {.dst = {"dst", vec_tile(type, 2, 32, 2, 31), {2, 31}},
                  .mask = whole_tile("mask", vec_tile(DType::U8, 2, 64)),
                  .src0 = {"src0", vec_tile(type, 2, 128, 2, 31), {2, 31}},
                  .src1 = {"src1", vec_tile(type, 2, 48, 2, 31), {2, 31}},
                  .tmp = {}});
  }
}

TEST_CASE("tsel: 666 of 672 columns with a mask pitch of 96 bytes") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(92);
    for (const DType type : {DType::F32, DType::BF16}) {
      const TileType shape = vec_tile(type, 4, 672, 4, 666);
      check_tsel(stage, random, target,
                 {.dst = {"dst", shape, {4, 666}},
                  .mask = whole_tile("mask", vec_tile(DType::U8, 4, 96)),
                  .src0 = {"src0", shape, {4, 666}},
                  .src1 = {"src1", shape, {4, 666}},
                  .tmp = {}});
    }
  }
}

TEST_CASE("tsel: the mask tile's own valid shape means nothing: 16x32 bytes, 16x2 of them valid") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(93);
    const TileType shape = vec_tile(DType::F16, 16, 16);
    check_tsel(stage, random, target,
               {.dst = whole_tile("dst", shape),
                .mask = {"mask", vec_tile(DType::U8, 16, 32, 16, 2), {16, 2}},
                .src0 = whole_tile("src0", shape),
                .src1 = whole_tile("src1", shape),
                .tmp = {}});
  }
}

TEST_CASE("tsel: exactly in place of either source is safe, and rows beyond the valid ones stay") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(94);
    for (const DType type : {DType::F32, DType::F16}) {
      for (const bool first : {true, false}) {
        const TileType shape = vec_tile(type, 9, 144, kDynamic, kDynamic);
        TselTiles tiles{.dst = {"dst", shape, {7, 141}},
                        .mask = whole_tile("mask", vec_tile(DType::U8, 9, 32)),
                        .src0 = {"src0", shape, {7, 141}},
                        .src1 = {"src1", shape, {7, 141}},
                        .tmp = {}};
        put_in_place(first ? tiles.src0 : tiles.src1, tiles.dst);
        check_tsel(stage, random, target, tiles);
      }
    }
  }
}

TEST_CASE("tsel a2a3: tmp is left with the address of the last mask row, as often as it was written") {
  for (const auto& [type, words] : {std::pair{DType::F32, 2u}, {DType::F16, 4u}}) {
    ProgramBuilder builder(Target::A2A3, "tmp");
    const TileType shape = vec_tile(type, 3, 32, 3, 20);
    const TileId mask = builder.tile("mask", vec_tile(DType::U16, 4, 32), {.address = 0x2000}),
                 src0 = builder.tile("a", shape, {.address = 0x3000}),
                 src1 = builder.tile("b", shape, {.address = 0x4000}),
                 tmp = builder.tile("tmp", vec_tile(DType::U32, 1, 8), {.address = 0x5000});
    builder.add("tsel", {mask, src0, src1, tmp}, {builder.tile("dst", shape, {.address = 0x1000})});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
    REQUIRE(recording->count() == 1);
    for (std::uint32_t i = 0; i < 8; ++i) {
      CAPTURE(i);
      CHECK(recording->final_memory().element(Space::Ub, 0x5000 + 4 * i, 4) ==
            (i < words ? 0x2000 + 2 * 64 : 0xCDCDCDCD));
    }
  }
}

TEST_CASE("tsel a5: the library's steps read the mask's second 256 bits at an address it cannot load from") {
  ProgramBuilder builder(Target::A5, "misaligned");
  builder.options() = kTselQuirk;
  const TileType shape = vec_tile(DType::U8, 1, 288, 1, 257);
  const TileId mask = builder.tile("mask", vec_tile(DType::U8, 1, 64), {.address = 0x2000}),
               src0 = builder.tile("a", shape, {.address = 0x3000}),
               src1 = builder.tile("b", shape, {.address = 0x4000});
  builder.add("tsel", {mask, src0, src1}, {builder.tile("dst", shape, {.address = 0x1000})});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
  CHECK(recording->count() == 0);
  CHECK(recording->stop_reason() == StopReason::Error);
  const auto fault =
      std::ranges::find_if(recording->findings(), [](const Finding& f) { return f.diagnostic.rule == "MEM-ALIGN"; });
  REQUIRE(fault != recording->findings().end());
  CHECK(fault->diagnostic.text.find("0x2010") != std::string::npos);
  CHECK(recording->final_memory().element(Space::Ub, 0x1000, 4) == 0xCDCDCDCD);
}

}  // namespace ts::test
