// TPREFETCH against its oracle: no byte of the tile is promised, whatever view is announced, and nothing else changes.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/check/check.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

void check_one(Stage& stage, Random& random, Target target, DType type) {
  ProgramBuilder builder(target, "prefetch");
  const Valid valid = random_valid(random, 4, 512);
  View view{.buffer = {}, .rows = random.between(1, 40), .cols = random.between(1, 60)};
  view.buffer = builder.buffer("x", type, view.rows * view.cols);
  const auto tiles = add_tiles(builder, random, target, {random_tile(random, "dst", type, valid)});
  builder.add("tprefetch", {view}, {tiles[0]});
  const Program program = build(builder);
  stage.fill(program, random, Values::AnyBits);
  stage.check(program, random);
}

}  // namespace

TEST_CASE("tprefetch: no element of the tile is promised afterwards, and all else stays") {
  Random random(2303);
  for (const Target target : kBothTargets) {
    Stage stage(target, 64 * 1024);
    for (int i = 0; i < kDTypes; ++i) {
      const auto type = static_cast<DType>(i);
      if (!find_instruction("tprefetch")->types(target, {}).contains(type)) continue;
      for (int round = 0; round < rounds(1, 6, 60); ++round) check_one(stage, random, target, type);
    }
  }
}

TEST_CASE("tprefetch: a read of what was announced is a finding, and one after a load is none") {
  for (const bool loads : {false, true}) {
    ProgramBuilder builder(Target::A5, "prefetch");
    View view{.buffer = builder.buffer("x", DType::F32, 64), .rows = 1, .cols = 64};
    const TileType type = vec_tile(DType::F32, 1, 64);
    const TileId tile = builder.tile("a", type), sum = builder.tile("sum", type);
    builder.add("tprefetch", {view}, {tile});
    if (loads) builder.add("tload", {view}, {tile});
    builder.add("tadd", {tile, tile}, {sum});
    const auto recording = Recording::run(build(builder), {});
    const CheckReport report = check(*recording);
    CHECK(std::ranges::any_of(report.findings, [](const Finding& finding) {
            return finding.diagnostic.text.find("unspecified") != std::string::npos;
          }) == !loads);
  }
}

TEST_CASE("tprefetch: rules") {
  const auto told = [](Target target, DType tile, DType buffer) {
    ProgramBuilder builder(target, "prefetch");
    View view{.buffer = builder.buffer("x", buffer, 64), .rows = 1, .cols = 64};
    builder.add("tprefetch", {view}, {builder.tile("a", vec_tile(tile, 1, 64))});
    Diagnostics diagnostics;
    builder.build(diagnostics);
    return diagnostics;
  };
  const Diagnostics types = told(Target::A5, DType::F32, DType::I32);
  REQUIRE(types.size() == 1);
  CHECK(types[0].rule == "TPREFETCH-W1");
  CHECK(types[0].severity == Severity::Warning);
  const Diagnostics small = told(Target::A2A3, DType::HIF8, DType::HIF8);
  REQUIRE(!small.empty());
  CHECK(small[0].rule == "TPREFETCH-R1");
  CHECK(told(Target::A5, DType::HIF8, DType::HIF8).empty());
}

}  // namespace ts::test
