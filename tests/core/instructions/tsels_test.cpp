// TSELS against its oracle: every target and element type, random shapes, and the edge cases of its page.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/random_check.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

const std::vector<DType> kTselsTypesA5{DType::I8,  DType::U8,  DType::I16, DType::U16,
                                       DType::I32, DType::U32, DType::F16, DType::F32};
const std::vector<DType> kTselsTypesA2A3{DType::F16, DType::F32};
constexpr Options kLibrary{.library_types = 1};
const std::vector<DType> kTselsTypesOfLibrary{DType::I16, DType::U16,  DType::I32, DType::U32,
                                              DType::F16, DType::BF16, DType::F32};

struct TselsTiles {
  TilePlan dst, mask, src, tmp;
  bool with_tmp = false;
};

void add_tsels(ProgramBuilder& builder, Random& random, Target target, const TselsTiles& tiles, std::uint64_t scalar) {
  std::vector<TilePlan> plans{tiles.dst, tiles.mask, tiles.src};
  if (tiles.with_tmp) plans.push_back(tiles.tmp);
  const auto ids = add_tiles(builder, random, target, plans);
  std::vector<BuildOperand> inputs{ids[1], ids[2]};
  if (tiles.with_tmp) inputs.push_back(ids[3]);
  inputs.push_back(Scalar{tiles.dst.type.dtype, scalar});
  builder.add("tsels", inputs, {ids[0]});
}

ProgramBuilder library_builder(Target target) {
  ProgramBuilder builder(target, "tsels");
  builder.options() = kLibrary;
  return builder;
}

// One instruction on its own.
void check_tsels(Stage& stage, Random& random, Target target, const TselsTiles& tiles, std::uint64_t scalar,
                 Values values, int mask_bytes = -1) {
  ProgramBuilder builder = library_builder(target);
  add_tsels(builder, random, target, tiles, scalar);
  const Program program = build(builder);
  stage.fill(program, random, values);
  if (mask_bytes >= 0) stage.set_bytes(bound_of(program, 0).tile("mask"), mask_bytes);
  stage.check(program, random);
}

void add_random_tsels(ProgramBuilder& builder, Random& random, Target target, DType type, bool narrow) {
  const Valid valid = random_valid(random, size_bytes(type), random.one_in(8) ? 24 * 1024 : 3 * 1024);
  TselsTiles tiles{.dst = random_tile(random, "dst", type, valid),
                   .mask = random_mask(random, valid, narrow),
                   .src = random_tile(random, "src", type, valid),
                   .tmp = {}};
  if (random.one_in(6)) {
    tiles.src = tiles.dst;
    tiles.src.name = "src";
    tiles.src.in_place_of = 0;
  }
  // A tmp that the text names; else A2A3 gets one of its own. On A5 it is read by nobody.
  tiles.with_tmp = narrow || random.one_in(2);
  tiles.tmp = random_tile(random, "tmp", type, {1, 1});
  add_tsels(builder, random, target, tiles,
            random_element(random, type, random.pick({Values::Plain, Values::AnyBits, Values::Special})));
}

}  // namespace

TEST_CASE("tsels: the types of each target are those of its page") {
  check_types("tsels", Target::A5, {}, kTselsTypesA5);
  check_types("tsels", Target::A2A3, {}, kTselsTypesA2A3);
  check_types("tsels", Target::A2A3, kLibrary, kTselsTypesOfLibrary);
}

TEST_CASE("tsels: random shapes agree with the oracle") {
  for (const Target target : kBothTargets)
    check_random(target, kLibrary, target == Target::A5 ? kTselsTypesA5 : kTselsTypesOfLibrary, 2000,
                 [&](ProgramBuilder& builder, Random& random, DType type) {
                   add_random_tsels(builder, random, target, type, random.one_in(12));
                 });
}

TEST_CASE("tsels: the column counts of its page, under masks of u8, u16 and u32, and of all zeros and all ones") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : target == Target::A5 ? kTselsTypesA5 : kTselsTypesOfLibrary) {
      Random random(40 + static_cast<std::uint64_t>(type));
      const auto tiles_for = [&](std::uint32_t cols, DType mask_type) {
        const std::uint32_t rows = cols > 1000 ? 1 : 3;
        const std::uint32_t pitch = ((cols + 7) / 8 + 31) / 32 * 32 + 32 * random.below(2),
                            mask_cols = pitch / size_bytes(mask_type);
        return TselsTiles{.dst = random_tile(random, "dst", type, {rows, cols}),
                          .mask = {"mask", vec_tile(mask_type, rows, mask_cols), {rows, mask_cols}},
                          .src = random_tile(random, "src", type, {rows, cols}),
                          .tmp = {}};
      };
      for (const std::uint32_t cols :
           {1u, 7u, 8u, 31u, 63u, 64u, 65u, 127u, 128u, 129u, 191u, 192u, 255u, 256u, 257u, 8192u}) {
        if (kSanitized && cols > 100) continue;
        ProgramBuilder builder = library_builder(target);
        for (const DType mask_type : {DType::U8, DType::U16, DType::U32})
          add_tsels(builder, random, target, tiles_for(cols, mask_type), random_element(random, type, Values::Special));
        const Program program = build(builder);
        stage.fill(program, random, Values::Special);
        stage.check(program, random);
        if (cols > 1000) continue;
        for (const int bits : {0x00, 0xFF})
          check_tsels(stage, random, target, tiles_for(cols, DType::U8), random_element(random, type, Values::Special),
                      Values::Special, bits);
      }
    }
  }
}

TEST_CASE("tsels: three different pitches, 2x31 of 2x32 under a mask of 2x64 from a source of 2x128") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(41);
    for (const DType type : {DType::F32, DType::F16}) {
      const TselsTiles tiles{.dst = {"dst", vec_tile(type, 2, 32, 2, 31), {2, 31}},
                             .mask = {"mask", vec_tile(DType::U8, 2, 64), {2, 64}},
                             .src = {"src", vec_tile(type, 2, 128, 2, 31), {2, 31}},
                             .tmp = {}};
      check_tsels(stage, random, target, tiles, 0x7C01, Values::Special);
    }
  }
}

TEST_CASE("tsels: 666 of 672 columns with a mask pitch of 96 bytes") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(42);
    for (const DType type : {DType::F32, DType::F16}) {
      const TselsTiles tiles{.dst = {"dst", vec_tile(type, 4, 672, 4, 666), {4, 666}},
                             .mask = {"mask", vec_tile(DType::U8, 4, 96), {4, 96}},
                             .src = {"src", vec_tile(type, 4, 672, 4, 666), {4, 666}},
                             .tmp = {}};
      check_tsels(stage, random, target, tiles, 1, Values::AnyBits);
    }
  }
}

TEST_CASE("tsels: the mask tile's own valid shape means nothing: 16x32 bytes, 16x2 of them valid") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(43);
    const TselsTiles tiles{.dst = {"dst", vec_tile(DType::F16, 16, 16), {16, 16}},
                           .mask = {"mask", vec_tile(DType::U8, 16, 32, 16, 2), {16, 2}},
                           .src = {"src", vec_tile(DType::F16, 16, 16), {16, 16}},
                           .tmp = {}};
    check_tsels(stage, random, target, tiles, 0xFE00, Values::Special);
  }
}

TEST_CASE("tsels: exactly in place is safe, and rows beyond the valid ones stay") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(44);
    for (const DType type : {DType::F32, DType::F16}) {
      const TileType shape = vec_tile(type, 9, 144, kDynamic, kDynamic);
      const TselsTiles tiles{.dst = {"dst", shape, {7, 141}},
                             .mask = {"mask", vec_tile(DType::U8, 9, 32), {9, 32}},
                             .src = {.name = "src", .type = shape, .valid = {7, 141}, .in_place_of = 0},
                             .tmp = {}};
      check_tsels(stage, random, target, tiles, 0x3C00, Values::Special);
    }
  }
}

TEST_CASE("tsels a2a3: a tmp of another type still takes the scalar in its first bytes") {
  Stage stage(Target::A2A3);
  Random random(45);
  const TselsTiles tiles{.dst = {"dst", vec_tile(DType::F32, 2, 16, 2, 9), {2, 9}},
                         .mask = {"mask", vec_tile(DType::U8, 2, 32), {2, 32}},
                         .src = {"src", vec_tile(DType::F32, 2, 8 * 3, 2, 9), {2, 9}},
                         .tmp = {"tmp", vec_tile(DType::U8, 1, 32), {1, 32}},
                         .with_tmp = true};
  check_tsels(stage, random, Target::A2A3, tiles, 0x7FC0BEEF, Values::Special);
}

TEST_CASE("tsels a2a3: a tmp inside src: the scalar replaces the element before the selection") {
  ProgramBuilder builder(Target::A2A3, "tmp in src");
  const TileId dst = builder.tile("dst", vec_tile(DType::F32, 1, 8), {.address = 0x1000});
  const TileId mask = builder.tile("mask", vec_tile(DType::U8, 1, 32), {.address = 0x2000});
  const TileId src = builder.tile("src", vec_tile(DType::F32, 1, 8), {.address = 0x3000});
  const TileId tmp = builder.tile("tmp", vec_tile(DType::F32, 1, 8), {.address = 0x3000});
  builder.add("tsels", {mask, src, tmp, Scalar{DType::F32, 0x12345678}}, {dst});
  const auto recording =
      Recording::run(build(builder), {.budget_bytes = 1 << 20, .initial = [](Memory& memory) {
                                        memory.set_element(Space::Ub, 0x2000, 1, 0xFF);
                                        for (std::uint32_t i = 0; i < 8; ++i)
                                          memory.set_element(Space::Ub, 0x3000 + 4 * i, 4, 100 + i);
                                        memory.mark(memory.map().flat(Space::Ub, 0x2000), 0x2000, Definedness::Written);
                                      }});
  REQUIRE(recording->count() == 1);
  CHECK(recording->final_memory().element(Space::Ub, 0x1000, 4) == 0x12345678);
  CHECK(recording->final_memory().element(Space::Ub, 0x1004, 4) == 101);
  CHECK(std::ranges::any_of(recording->findings(), [](const Finding& f) {
    return f.diagnostic.rule == "TSS-R9" && f.diagnostic.severity == Severity::Warning;
  }));
}

}  // namespace ts::test
