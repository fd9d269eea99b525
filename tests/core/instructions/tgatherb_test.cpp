// TGATHERB against its oracle: by elements and by blocks, chosen by the shapes, by the option and by the attribute; every
// element type, the edge cases of its page, and the tails of A2A3's own steps by the option.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

enum class Grain : std::uint8_t { Element, Block };
constexpr Options kTgatherbQuirk{.quirk_tgatherb = 1};

std::uint32_t blocks_of(DType type, std::uint32_t cols) { return (cols * size_bytes(type) + BLK - 1) / BLK; }

// One instruction to be: its tiles, and how many offsets a row of them holds.
struct Gather {
  TilePlan dst, src, offsets;
  Grain grain = Grain::Block;
  const char* attribute = "auto";
};

// The offsets of element or block (row, number).
using Offsets = std::function<std::uint32_t(std::uint32_t, std::uint32_t)>;

void add_gather(ProgramBuilder& builder, const Gather& gather, const TileId* tiles) {
  std::vector<BuildAttribute> attributes;
  if (gather.attribute != std::string_view("auto")) attributes.push_back({"granularity", gather.attribute});
  builder.add("tgatherb", {tiles[1], tiles[2]}, {tiles[0]}, attributes);
}

// Writes the whole offsets tile: hardware looks at more of it than counts.
void set_offsets(Stage& stage, const Bound& bound, const Offsets& offset) {
  const TileRef& tile = bound.tile("offsets");
  for (std::uint32_t row = 0; row < tile.rows(); ++row)
    for (std::uint32_t col = 0; col < tile.cols(); ++col) stage.set_element(tile, row, col, offset(row, col));
}

// Offsets anywhere in the source, and sometimes beyond it in UB, but never in the result; repeated ones among them.
Offsets random_offsets(Random& random, Target target, const Bound& bound, Grain grain) {
  const std::uint32_t size = bound.tile("dst").elem_bytes(), step = grain == Grain::Block ? BLK : size;
  const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
  // A5 fetches elements of one and two bytes by indices of 16 bits.
  const std::uint32_t reach = target == Target::A5 && grain == Grain::Element && size < 4 ? 65536 : ~0u;
  const std::uint32_t inside = src.range().size / step,
                      anywhere = std::min((capacity_bytes(target, Space::Ub) - src.address) / step, reach);
  const std::uint32_t from = dst.address - src.address,
                      to = from + dst.range().size + VL;  // with what may spill out of it
  return [=, &random](std::uint32_t, std::uint32_t) {
    const std::uint32_t offset = step * random.below(random.one_in(16)  ? anywhere
                                                     : random.one_in(4) ? std::min(inside, 3u)
                                                                        : inside);
    return dst.address > src.address && offset + step > from && offset < to ? 0 : offset;
  };
}

void reserve_spill(Gather& gather, Target target) {
  if (target != Target::A2A3) return;
  const TileType& dst = gather.dst.type;
  const std::uint32_t size = size_bytes(dst.dtype),
                      last_row = (std::max(gather.dst.valid.rows, 1u) - 1) * dst.cols * size;
  gather.dst.reserved_bytes = last_row + rounded_up(std::max(gather.dst.valid.cols, 1u) * size, VL);
}

Gather random_gather(Random& random, Target target, const Options& options, DType type, Grain grain) {
  const Valid valid = random_valid(random, size_bytes(type), random.one_in(8) ? 2 * 1024 : 512);
  const DType from =
      random.one_in(6) ? kMovedTypes[random.below(static_cast<std::uint32_t>(kMovedTypes.size()))] : type;
  const Valid source{random.between(1, 4), random.between(1, 4 * BLK)};
  const std::uint32_t blocks = blocks_of(type, valid.cols);
  Valid offsets{valid.rows, grain == Grain::Element ? valid.cols : random.one_in(3) ? rounded_up(blocks, 8) : blocks};
  offsets.rows += random.one_in(4) ? 1 : 0;
  Gather gather{.dst = random_tile(random, "dst", type, valid),
                .src = random_tile(random, "src", from, source),
                .offsets = random_tile(random, "offsets", random.pick({DType::U32, DType::I32}), offsets),
                .grain = grain};
  // Where the shapes alone would tell the other one, or just so.
  const bool by_shapes = options.tgatherb_granularity == 0 && (offsets.cols == valid.cols) == (grain == Grain::Element);
  if (!by_shapes || random.one_in(3)) gather.attribute = grain == Grain::Element ? "element" : "block";
  reserve_spill(gather, target);
  return gather;
}

// random_shapes() of each type. The tiles of a program have places of their own, so that no result lies on later offsets.
void check_random_gathers(Target target, const Options& options, Grain grain, std::uint64_t seed) {
  constexpr int kAProgram = 5;
  Stage stage(target);
  for (const DType type : kMovedTypes) {
    Random random(seed + static_cast<std::uint64_t>(type));
    for (int i = 0; i < random_shapes(); i += kAProgram) {
      ProgramBuilder builder(target, "random");
      builder.options() = options;
      std::vector<Gather> gathers;
      std::vector<TilePlan> plans;
      for (int k = 0; k < kAProgram; ++k) {
        gathers.push_back(random_gather(random, target, options, type, grain));
        for (const TilePlan* plan : {&gathers.back().dst, &gathers.back().src, &gathers.back().offsets})
          plans.push_back(*plan);
      }
      const auto tiles = add_tiles(builder, random, target, plans);
      for (std::size_t k = 0; k < gathers.size(); ++k) add_gather(builder, gathers[k], &tiles[3 * k]);
      const Program program = build(builder);
      stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits, Values::Special}));
      for (std::size_t k = 0; k < gathers.size(); ++k) {
        const Bound bound = bound_of(program, k);
        set_offsets(stage, bound, random_offsets(random, target, bound, grain));
      }
      stage.check(program, random);
    }
  }
}

void check_gather(Target target, const Options& options, Gather gather, const Offsets& offset,
                  std::uint64_t seed = 130) {
  Stage stage(target);
  Random random(seed);
  ProgramBuilder builder(target, "gather");
  builder.options() = options;
  reserve_spill(gather, target);
  const auto tiles = add_tiles(builder, random, target, {gather.dst, gather.src, gather.offsets});
  add_gather(builder, gather, tiles.data());
  const Program program = build(builder);
  stage.fill(program, random, Values::Special);
  set_offsets(stage, bound_of(program, 0),
              offset ? offset : random_offsets(random, target, bound_of(program, 0), gather.grain));
  stage.check(program, random);
}

// Whole rows of blocks from a source of 64 blocks.
Gather blocks(DType type, std::uint32_t rows, std::uint32_t cols, std::uint32_t offset_cols) {
  return {.dst = whole_tile("dst", vec_tile(type, rows, cols)),
          .src = whole_tile("src", vec_tile(type, 8, 8 * BLK / size_bytes(type))),
          .offsets = whole_tile("offsets", vec_tile(DType::U32, rows, offset_cols))};
}
// Rows valid in part.
Gather blocks(DType type, std::uint32_t rows, std::uint32_t cols, Valid valid) {
  Gather gather = blocks(type, rows, cols, rounded_up(blocks_of(type, valid.cols), 8));
  gather.dst.type.valid_rows = gather.dst.type.valid_cols = gather.offsets.type.valid_rows =
      gather.offsets.type.valid_cols = kDynamic;
  gather.dst.valid = valid;
  gather.offsets.valid = {valid.rows, blocks_of(type, valid.cols)};
  return gather;
}

void check_gather_everywhere(const Gather& gather, const Offsets& offset = {}) {
  check_gather(Target::A5, {}, gather, offset);
  check_gather(Target::A2A3, {}, gather, offset);
  check_gather(Target::A2A3, kTgatherbQuirk, gather, offset);
}

// A recording of one gather of eight offsets from 0x1000 to 0x2000; byte i of the source is i.
std::unique_ptr<Recording> gather_by_hand(Target target, DType type, std::uint32_t cols, const char* attribute,
                                          const std::vector<std::uint32_t>& offset) {
  ProgramBuilder builder(target, "by hand");
  const auto i = [](std::size_t n) { return static_cast<std::int32_t>(n); };
  const TileId src = builder.tile("src", vec_tile(type, 1, 128 / size_bytes(type)), {.address = 0x1000});
  const TileId offsets = builder.tile(
      "offsets", vec_tile(DType::U32, 1, rounded_up(static_cast<std::uint32_t>(offset.size()), 8), 1, i(offset.size())),
      {.address = 0x3000});
  const TileId dst =
      builder.tile("dst", vec_tile(type, 1, rounded_up(cols, BLK / size_bytes(type)), 1, i(cols)), {.address = 0x2000});
  builder.add(
      "tgatherb", {src, offsets}, {dst},
      attribute == nullptr ? std::vector<BuildAttribute>{} : std::vector<BuildAttribute>{{"granularity", attribute}});
  return Recording::run(build(builder), {.budget_bytes = 1 << 20, .initial = [&](Memory& memory) {
                                           for (std::uint32_t k = 0; k < 128; ++k)
                                             memory.set_element(Space::Ub, 0x1000 + k, 1, k);
                                           for (std::uint32_t k = 0; k < offset.size(); ++k)
                                             memory.set_element(Space::Ub, 0x3000 + 4 * k, 4, offset[k]);
                                           memory.mark(memory.map().flat(Space::Ub, 0x1000), 0x2100,
                                                       Definedness::Written);
                                         }});
}

std::vector<int> dst_bytes(const Recording& recording, std::uint32_t count) {
  std::vector<int> bytes;
  for (std::uint32_t k = 0; k < count; ++k)
    bytes.push_back(static_cast<int>(recording.final_memory().element(Space::Ub, 0x2000 + k, 1)));
  return bytes;
}

}  // namespace

TEST_CASE("tgatherb: the types of each target are those of its page") {
  for (const Target target : kBothTargets) check_types("tgatherb", target, {}, kMovedTypes);
}

TEST_CASE("tgatherb: random shapes by elements agree with the oracle") {
  for (const Target target : kBothTargets) check_random_gathers(target, {}, Grain::Element, 10000);
}
TEST_CASE("tgatherb: random shapes by blocks agree with the oracle") {
  for (const Target target : kBothTargets) check_random_gathers(target, {}, Grain::Block, 10100);
}
TEST_CASE("tgatherb a2a3: random shapes by blocks, with the tails of the hardware's steps") {
  check_random_gathers(Target::A2A3, kTgatherbQuirk, Grain::Block, 10200);
}
TEST_CASE("tgatherb: random shapes where the option says elements or blocks") {
  check_random_gathers(Target::A5, {.tgatherb_granularity = 1}, Grain::Element, 10300);
  check_random_gathers(Target::A5, {.tgatherb_granularity = 2}, Grain::Block, 10400);
}

TEST_CASE("tgatherb: 2x128 f32 and 2x256 i8, whole registers") {
  check_gather_everywhere(blocks(DType::F32, 2, 128, 16));
  check_gather_everywhere(blocks(DType::I8, 2, 256, 8));
}
TEST_CASE("tgatherb: more than 255 rows: 257x128 u16") { check_gather_everywhere(blocks(DType::U16, 257, 128, 8)); }
TEST_CASE("tgatherb: more than 255 registers a row: 32768 columns") {
  check_gather_everywhere(blocks(DType::I16, 1, 32768, 2048));
  check_gather_everywhere(blocks(DType::F16, 1, 32768, 2048));
  check_gather_everywhere(blocks(DType::I8, 2, 32768, 1024));
}
TEST_CASE("tgatherb: one column, and partial blocks") {
  for (const DType type : kMovedTypes) {
    const std::uint32_t block = BLK / size_bytes(type);
    for (const std::uint32_t cols : {1u, block - 1, block, block + 1, 9 * block + 3})
      check_gather_everywhere(blocks(type, 3, 16 * block, {3, cols}));
  }
}
TEST_CASE("tgatherb a5: stores by four bytes when a row holds more registers than there are rows") {
  for (const DType type : {DType::U8, DType::F16})
    for (const std::uint32_t rest : {1u, 2u, 3u, 5u})
      check_gather(Target::A5, {}, blocks(type, 2, 3 * VL / size_bytes(type), {2, 2 * VL / size_bytes(type) + rest}),
                   {});
}
TEST_CASE("tgatherb a2a3: tails of one row and of three, one behind the other and apart") {
  for (const std::uint32_t rows : {1u, 3u}) {
    for (const std::uint32_t cols : {16u, 56u, 72u, 200u}) {
      Gather gather = blocks(DType::F32, rows, 256, {rows, cols});
      check_gather_everywhere(gather);
      // Offsets rows further apart than eight.
      gather.offsets.type.cols = 40;
      check_gather_everywhere(gather);
    }
  }
}
TEST_CASE("tgatherb a2a3: tails of more than 255 rows") {
  check_gather(Target::A2A3, kTgatherbQuirk, blocks(DType::F32, 258, 24, {258, 17}), {});
}
TEST_CASE("tgatherb: the same block many times, and blocks from the last to the first") {
  check_gather_everywhere(blocks(DType::F16, 3, 128, 8), [](std::uint32_t, std::uint32_t) { return 0x60u; });
  check_gather_everywhere(blocks(DType::F16, 3, 128, 8),
                          [](std::uint32_t row, std::uint32_t b) { return 2016 - 32 * (8 * row + b); });
}
TEST_CASE("tgatherb: source elements of another size: offsets stay bytes") {
  Gather gather = blocks(DType::F32, 2, 64, 8);
  gather.src = whole_tile("src", vec_tile(DType::U8, 2, 512));
  check_gather_everywhere(gather);
  gather.src = whole_tile("src", vec_tile(DType::F32, 2, 128));
  gather.dst = whole_tile("dst", vec_tile(DType::U8, 2, 256));
  check_gather_everywhere(gather);
  gather.dst = whole_tile("dst", vec_tile(DType::I32, 2, 64));
  check_gather_everywhere(gather);
}
TEST_CASE("tgatherb: 256 offsets for 256 elements: the page's first example") {
  Gather gather{.dst = whole_tile("dst", vec_tile(DType::F32, 1, 256)),
                .src = whole_tile("src", vec_tile(DType::F32, 1, 256)),
                .offsets = whole_tile("offsets", vec_tile(DType::U32, 1, 256)),
                .grain = Grain::Element};
  check_gather_everywhere(gather, [](std::uint32_t, std::uint32_t j) { return 4 * (255 - j); });
}

TEST_CASE("tgatherb: the worked examples of its page") {
  for (const Target target : kBothTargets) {
    // Two blocks: bytes 64..95, then 0..31.
    const auto by_blocks = gather_by_hand(target, DType::F32, 16, nullptr, {64, 0});
    REQUIRE(by_blocks->count() == 1);
    std::vector<int> expected;
    for (int k = 0; k < 64; ++k) expected.push_back(k < 32 ? 64 + k : k - 32);
    expected.push_back(0xCD);
    CHECK(dst_bytes(*by_blocks, 65) == expected);
    const auto by_elements = gather_by_hand(target, DType::U8, 4, nullptr, {3, 0, 2, 2});
    REQUIRE(by_elements->count() == 1);
    CHECK(dst_bytes(*by_elements, 5) == std::vector<int>{3, 0, 2, 2, 0xCD});
  }
}

TEST_CASE("tgatherb: the attribute decides on eight offsets for eight elements") {
  const std::vector<std::uint32_t> offsets{32, 0, 64, 0, 96, 0, 32, 32};
  for (const Target target : kBothTargets) {
    const auto first_byte_of_words = [&](const char* attribute) {
      const auto recording = gather_by_hand(target, DType::F32, 8, attribute, offsets);
      REQUIRE(recording->count() == 1);
      std::vector<int> bytes = dst_bytes(*recording, 32), firsts;
      for (std::size_t k = 0; k < 32; k += 4) firsts.push_back(bytes[k]);
      return firsts;
    };
    const std::vector<int> elements{32, 0, 64, 0, 96, 0, 32, 32}, block{32, 36, 40, 44, 48, 52, 56, 60};
    CHECK(first_byte_of_words(nullptr) == elements);
    CHECK(first_byte_of_words("auto") == elements);
    CHECK(first_byte_of_words("element") == elements);
    CHECK(first_byte_of_words("block") == block);
  }
}

TEST_CASE("tgatherb: one column is one element, whichever way it is fetched") {
  for (const Target target : kBothTargets)
    for (const char* attribute : {"element", "block"}) {
      const auto recording = gather_by_hand(target, DType::F16, 1, attribute, {64});
      REQUIRE(recording->count() == 1);
      CHECK(dst_bytes(*recording, 3) == std::vector<int>{64, 65, 0xCD});
    }
}

}  // namespace ts::test
