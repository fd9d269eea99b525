// TINTERLEAVE against its oracle: every element type, random shapes, the edge cases of its page, odd column counts where
// the option lets them pass, and A2A3, which runs it with an option.
#include <doctest/doctest.h>

#include "tests/support/instructions/pair_tiles.h"
#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

constexpr Options kOdd{.tinterleave_allow_odd = 1};

void add_random_tinterleave(ProgramBuilder& builder, Random& random, Target target, DType type, bool odd) {
  Valid valid = random_valid(random, size_bytes(type), random.one_in(8) ? 24 * 1024 : 2 * 1024);
  valid.cols += valid.cols % 2 != (odd ? 1 : 0);
  std::vector<TilePlan> plans;
  for (const char* name : {"dst0", "dst1", "src0", "src1"}) plans.push_back(random_tile(random, name, type, valid));
  add_pairs(builder, random, target, "tinterleave", plans);
}

void check_random_tinterleave(Target target, const Options& options, bool odd, std::uint64_t seed) {
  check_random(target, options, kMovedTypes, seed, [&](ProgramBuilder& builder, Random& random, DType type) {
    add_random_tinterleave(builder, random, target, type, odd);
  });
}

void check_tinterleave(const std::vector<PairShape>& shapes, std::uint64_t seed, const Options& options = {}) {
  Stage stage(Target::A5);
  Random random(seed);
  for (const PairShape& shape : shapes) check_pairs(stage, random, Target::A5, options, "tinterleave", shape);
}

}  // namespace

TEST_CASE("tinterleave: the types of each target are those of its page") {
  check_types("tinterleave", Target::A5, {}, kMovedTypes);
  check_types("tinterleave", Target::A2A3, {}, {});
  check_types("tinterleave", Target::A2A3, kPairsOnA2A3, kMovedTypes);
}

TEST_CASE("tinterleave: random shapes agree with the oracle") { check_random_tinterleave(Target::A5, {}, false, 8000); }
TEST_CASE("tinterleave: random shapes of odd column counts, by the option") {
  check_random_tinterleave(Target::A5, kOdd, true, 8100);
}
TEST_CASE("tinterleave a2a3, by the option: random shapes agree with the oracle") {
  check_random_tinterleave(Target::A2A3, kPairsOnA2A3, false, 8200);
}

TEST_CASE("tinterleave: second halves that do not start at a block") { check_tinterleave(kUnalignedHalves, 80); }
TEST_CASE("tinterleave: second halves that start at a block") { check_tinterleave(kAlignedHalves, 81); }
TEST_CASE("tinterleave: rows of several registers") { check_tinterleave(kLongRows, 82); }
TEST_CASE("tinterleave: the smallest valid shapes, and exactly two registers") {
  for (const DType type : kMovedTypes) check_tinterleave(smallest_pairs(type), 83);
}
TEST_CASE("tinterleave: 66 columns, two beyond a register") { check_tinterleave({{DType::F32, 2, 72, {2, 66}}}, 84); }

TEST_CASE("tinterleave: odd column counts: 31, 63, 255, one column, and one more than two registers") {
  check_tinterleave({{DType::F32, 3, 32, {3, 31}},
                     {DType::F32, 3, 64, {3, 63}},
                     {DType::F16, 3, 64, {3, 63}},
                     {DType::U8, 2, 256, {2, 255}},
                     {DType::F16, 2, 256, {2, 255}}},
                    85, kOdd);
  // Nothing of one column; all but the last column of 129.
  check_tinterleave({{DType::F32, 2, 8, {2, 1}}, {DType::F32, 2, 136, {2, 129}}, {DType::U8, 2, 544, {2, 513}}}, 86,
                    kOdd);
}

TEST_CASE("tinterleave: of an odd number of columns the middle one comes twice") {
  ProgramBuilder builder(Target::A5, "three columns");
  builder.options() = kOdd;
  const TileType type = vec_tile(DType::I32, 1, 8, 1, 3);
  const TileId src0 = builder.tile("a", type, {.address = 0x1000}), src1 = builder.tile("b", type, {.address = 0x2000});
  builder.add("tinterleave", {src0, src1},
              {builder.tile("x", type, {.address = 0x3000}), builder.tile("y", type, {.address = 0x4000})});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20, .initial = [](Memory& memory) {
                                                           for (std::uint32_t k = 0; k < 3; ++k) {
                                                             memory.set_element(Space::Ub, 0x1000 + 4 * k, 4, 10 + k);
                                                             memory.set_element(Space::Ub, 0x2000 + 4 * k, 4, 20 + k);
                                                           }
                                                         }});
  REQUIRE(recording->count() == 1);
  const std::uint64_t first[] = {10, 20, 11}, second[] = {11, 21, 12};
  for (std::uint32_t k = 0; k < 3; ++k) {
    CAPTURE(k);
    CHECK(recording->final_memory().element(Space::Ub, 0x3000 + 4 * k, 4) == first[k]);
    CHECK(recording->final_memory().element(Space::Ub, 0x4000 + 4 * k, 4) == second[k]);
  }
}

TEST_CASE("tinterleave and tdeinterleave undo each other") {
  for (const Target target : kBothTargets) {
    for (const std::uint32_t cols : {2u, 50u, 64u, 130u, 256u}) {
      CAPTURE(cols);
      const TileType type = vec_tile(DType::F32, 3, 256, 3, static_cast<std::int32_t>(cols));
      ProgramBuilder builder(target, "there and back");
      builder.options() = kPairsOnA2A3;
      std::vector<TileId> tiles;
      for (std::uint32_t i = 0; i < 6; ++i)
        tiles.push_back(builder.tile(std::string(1, static_cast<char>('a' + i)), type, {.address = 0x2000 * i}));
      builder.add("tinterleave", {tiles[0], tiles[1]}, {tiles[2], tiles[3]});
      builder.add("tdeinterleave", {tiles[2], tiles[3]}, {tiles[4], tiles[5]});
      const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20, .initial = [](Memory& memory) {
                                                               for (std::uint32_t at = 0; at < 0x4000; at += 4)
                                                                 memory.set_element(Space::Ub, at, 4, at);
                                                             }});
      REQUIRE(recording->count() == 2);
      for (std::uint32_t row = 0; row < 3; ++row) {
        for (std::uint32_t col = 0; col < 256; ++col) {
          CAPTURE(row);
          CAPTURE(col);
          const std::uint32_t at = (row * 256 + col) * 4;
          CHECK(recording->final_memory().element(Space::Ub, 0x8000 + at, 4) == (col < cols ? at : 0xCDCDCDCD));
          CHECK(recording->final_memory().element(Space::Ub, 0xA000 + at, 4) ==
                (col < cols ? 0x2000 + at : 0xCDCDCDCD));
        }
      }
    }
  }
}

}  // namespace ts::test
