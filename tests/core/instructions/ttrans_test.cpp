// TTRANS against its oracle: every element type, both domains of A5, both ways of A2A3 and what the longer one leaves
// behind, col-major tiles where the option lets them pass, and the edge cases of its page.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

constexpr Options kValidDomain{.ttrans_valid_domain = 1};
constexpr Options kPoisonTail{.ttrans_poison_tail = 1};
constexpr std::uint32_t kMostBytes = 40 * 1024;

// The rows and columns that move, seen from the source.
Valid domain_of(Target target, const Options& options, const TilePlan& src) {
  return target == Target::A5 && !options.ttrans_valid_domain ? Valid{src.type.rows, src.type.cols} : src.valid;
}

// What A2A3's detour takes of tmp.
std::uint32_t tmp_bytes(DType type, Valid valid) {
  const std::uint32_t size = size_bytes(type);
  return rounded_up(valid.cols, BLK / size) * rounded_up(valid.rows, size == 1 ? 32 : 16) * size;
}

DType random_type_like(Random& random, DType type) {
  if (!random.one_in(6)) return type;
  DType other = type;
  do other = kMovedTypes[random.below(static_cast<std::uint32_t>(kMovedTypes.size()))];
  while (size_bytes(other) != size_bytes(type));
  return other;
}

// A tile that holds `domain` transposed; its own valid shape is that of the transposed valid region.
TilePlan random_dst(Random& random, DType type, Valid domain, Valid valid) {
  const std::uint32_t size = size_bytes(type), block = BLK / size;
  std::uint32_t rows = std::max(domain.cols, 1u), cols = rounded_up(std::max(domain.rows, 1u), block);
  const std::uint32_t more_rows = rows + random.below(3), more_cols = cols + block * random.below(4);
  if (random.one_in(2) && more_rows * more_cols * size <= kMostBytes) rows = more_rows, cols = more_cols;
  const auto known = [&](std::uint32_t n) { return random.one_in(2) ? static_cast<std::int32_t>(n) : kDynamic; };
  return {"dst", vec_tile(type, rows, cols, known(valid.cols), known(valid.rows)), {valid.cols, valid.rows}};
}

TilePlan random_tmp(Random& random, Target target, DType type, Valid valid) {
  const std::uint32_t bytes =
      target == Target::A2A3 ? tmp_bytes(type, {std::max(valid.rows, 1u), std::max(valid.cols, 1u)}) : BLK;
  const std::uint32_t rows = (bytes + BLK - 1) / BLK;
  const std::uint32_t wide = rows % 4 == 0 && random.one_in(2) ? 4 : 1;
  const TileType shape = vec_tile(type, rows / wide, wide * BLK / size_bytes(type));
  return {"tmp", shape, {shape.rows, shape.cols}};
}

void add_ttrans(ProgramBuilder& builder, Random& random, Target target, const std::vector<TilePlan>& dst_src_tmp) {
  const auto ids = add_tiles(builder, random, target, dst_src_tmp);
  builder.add("ttrans", std::vector<BuildOperand>(ids.begin() + 1, ids.end()), {ids[0]});
}

Valid swapped(Valid valid) { return {valid.cols, valid.rows}; }

void add_random_ttrans(ProgramBuilder& builder, Random& random, Target target, const Options& options, DType type) {
  // A tile on its side is as high as a row-major one is wide, and its padding goes the other way.
  const std::uint32_t order = options.ttrans_col_major ? random.between(1, 3) : 0;
  const bool side_src = order % 2 == 1, side_dst = order >= 2;
  Valid valid = random_valid(random, size_bytes(type), order != 0 ? 256 : random.one_in(8) ? 2 * 1024 : 512);
  if (order != 0) valid.cols = std::min(valid.cols, 250u);
  const DType from = random_type_like(random, type);
  const TilePlan src = side_src ? on_its_side(random_tile(random, "src", from, swapped(valid)))
                                : random_tile(random, "src", from, valid);
  const Valid domain = domain_of(target, options, src);
  std::vector<TilePlan> plans{side_dst ? on_its_side(random_dst(random, type, swapped(domain), swapped(valid)))
                                       : random_dst(random, type, domain, valid),
                              src};
  // Where no tmp is named, A2A3 places one of its own behind all tiles, and so many do not fit.
  if (target == Target::A2A3 || random.one_in(2)) plans.push_back(random_tmp(random, target, type, valid));
  add_ttrans(builder, random, target, plans);
}

void check_random_ttrans(Target target, const Options& options, std::uint64_t seed) {
  check_random(target, options, kMovedTypes, seed, [&](ProgramBuilder& builder, Random& random, DType type) {
    add_random_ttrans(builder, random, target, options, type);
  });
}

struct TransposeShape {
  DType type;
  std::uint32_t rows, cols;
  Valid valid;
  std::uint32_t dst_cols = 0;  // else as few as hold it
};

void check_transpose(Target target, const Options& options, const TransposeShape& shape, std::uint64_t seed = 120) {
  Stage stage(target);
  Random random(seed);
  for (const bool fixed : {false, true}) {
    const Valid valid = shape.valid;
    const auto known = [&](std::uint32_t n) { return fixed ? static_cast<std::int32_t>(n) : kDynamic; };
    const TilePlan src{"src", vec_tile(shape.type, shape.rows, shape.cols, known(valid.rows), known(valid.cols)),
                       valid};
    const Valid domain = domain_of(target, options, src);
    const std::uint32_t cols =
        shape.dst_cols != 0 ? shape.dst_cols : rounded_up(domain.rows, size_bytes(shape.type) == 1 ? 32 : 16);
    const TilePlan dst{
        "dst", vec_tile(shape.type, domain.cols, cols, known(valid.cols), known(valid.rows)), {valid.cols, valid.rows}};
    ProgramBuilder builder(target, "transpose");
    builder.options() = options;
    add_ttrans(builder, random, target, {dst, src});
    check_program(stage, random, std::move(builder));
  }
}

// On every target, with every domain and filler.
void check_transpose_everywhere(std::initializer_list<TransposeShape> shapes) {
  for (const TransposeShape& shape : shapes) {
    check_transpose(Target::A5, {}, shape);
    check_transpose(Target::A5, kValidDomain, shape);
    check_transpose(Target::A2A3, {}, shape);
    check_transpose(Target::A2A3, kPoisonTail, shape);
  }
}

// One transposition of f32 on A2A3 at given places.
void check_places(std::uint32_t src_at, std::uint32_t dst_at, std::uint32_t tmp_at, std::uint32_t dst_cols,
                  std::uint32_t rows = 11, std::uint32_t cols = 13) {
  Stage stage(Target::A2A3);
  Random random(121);
  ProgramBuilder builder(Target::A2A3, "places");
  const auto i = [](std::uint32_t n) { return static_cast<std::int32_t>(n); };
  const TileId src = builder.tile("src", vec_tile(DType::F32, 16, 16, i(rows), i(cols)), {.address = src_at});
  const TileId dst = builder.tile("dst", vec_tile(DType::F32, 16, dst_cols, i(cols), i(rows)), {.address = dst_at});
  const TileId tmp = builder.tile("tmp", vec_tile(DType::F32, 16, 16), {.address = tmp_at});
  builder.add("ttrans", {src, tmp}, {dst});
  check_program(stage, random, std::move(builder));
}

}  // namespace

TEST_CASE("ttrans: the types of each target are those of its page") {
  for (const Target target : kBothTargets) check_types("ttrans", target, {}, kMovedTypes);
}

TEST_CASE("ttrans a5: random shapes of whole tiles agree with the oracle") {
  check_random_ttrans(Target::A5, {}, 9500);
}
TEST_CASE("ttrans a5, option ttrans.a5_domain = valid: random shapes agree with the oracle") {
  check_random_ttrans(Target::A5, kValidDomain, 9600);
}
TEST_CASE("ttrans a2a3: random shapes agree with the oracle") { check_random_ttrans(Target::A2A3, {}, 9700); }
TEST_CASE("ttrans a2a3, option ttrans.a2a3_tail = poison: random shapes agree with the oracle") {
  check_random_ttrans(Target::A2A3, kPoisonTail, 9800);
}
TEST_CASE("ttrans, option ttrans.colmajor: random shapes and orders agree with the oracle") {
  check_random_ttrans(Target::A5, {.ttrans_col_major = 1}, 9900);
  check_random_ttrans(Target::A5, {.ttrans_valid_domain = 1, .ttrans_col_major = 1}, 9920);
  check_random_ttrans(Target::A2A3, {.ttrans_col_major = 1}, 9940);
}

TEST_CASE("ttrans: destinations of 8 and of 16 columns: on a2a3 the way without and the way with tmp") {
  check_transpose_everywhere({{DType::F32, 8, 16, {5, 13}, 8},
                              {DType::F32, 8, 16, {5, 13}, 16},
                              {DType::I32, 8, 16, {8, 16}, 24},
                              {DType::U32, 8, 16, {7, 16}, 40},
                              {DType::U32, 8, 16, {7, 16}, 48}});
}
TEST_CASE("ttrans: one short of whole sub-tiles") {
  check_transpose_everywhere({{DType::F32, 32, 16, {31, 15}}, {DType::F16, 32, 32, {31, 31}}});
}
TEST_CASE("ttrans: two and nine rows of 512") {
  check_transpose_everywhere({{DType::F32, 2, 512, {2, 512}}, {DType::F32, 9, 512, {9, 512}}});
}
TEST_CASE("ttrans: 27x77 of 64x128") { check_transpose_everywhere({{DType::F32, 64, 128, {27, 77}}}); }
TEST_CASE("ttrans: 16-bit columns of 100 and 128") {
  check_transpose_everywhere(
      {{DType::F16, 100, 64, {100, 64}}, {DType::F16, 128, 64, {64, 64}}, {DType::F16, 128, 64, {100, 64}}});
}
TEST_CASE("ttrans: two columns of 512 rows") { check_transpose_everywhere({{DType::F32, 512, 32, {512, 2}}}); }
TEST_CASE("ttrans: bytes, 22x63 of 64x64, and a whole 32x32") {
  check_transpose_everywhere(
      {{DType::I8, 64, 64, {22, 63}}, {DType::I8, 32, 32, {32, 32}}, {DType::U8, 64, 64, {49, 33}}});
}
TEST_CASE("ttrans: one row, one column, one element") {
  for (const DType type : kMovedTypes) {
    const std::uint32_t block = BLK / size_bytes(type);
    check_transpose_everywhere(
        {{type, 1, 2 * block, {1, 2 * block}}, {type, 16, 2 * block, {16, 1}}, {type, 64, block, {1, 1}}});
  }
}
TEST_CASE("ttrans: as many rows as columns, more, and fewer") {
  check_transpose_everywhere(
      {{DType::U16, 48, 48, {40, 41}}, {DType::U16, 64, 32, {40, 31}}, {DType::U16, 32, 64, {31, 40}}});
}
TEST_CASE("ttrans a5: bytes up to 1024 rows and columns, 100x50 of them valid") {
  for (const Options& options : {Options{}, kValidDomain}) {
    check_transpose(Target::A5, options, {DType::U8, 1024, 32, {1024, 32}});
    check_transpose(Target::A5, options, {DType::I8, 32, 1024, {32, 1024}});
    check_transpose(Target::A5, options, {DType::I8, 128, 64, {100, 50}});
  }
}
TEST_CASE("ttrans a5: indices beyond 32767 in 16 bits") {
  for (const Options& options : {Options{}, kValidDomain}) {
    check_transpose(Target::A5, options, {DType::U16, 2064, 16, {2064, 16}});
    check_transpose(Target::A5, options, {DType::U16, 16, 2064, {16, 2064}});
  }
}

TEST_CASE("ttrans a2a3: odd row counts show the filler of the last block") {
  check_places(0x4000, 0x2000, 0x6000, 16, 3, 8);
  check_places(0x4000, 0x2000, 0x6000, 16, 9, 16);
}
TEST_CASE("ttrans a2a3: UB address 0 holds the source, the result, tmp") {
  check_places(0, 0x2000, 0x4000, 16);
  check_places(0x2000, 0, 0x4000, 16);
  check_places(0x2000, 0x4000, 0, 16);
}
TEST_CASE("ttrans a2a3: an empty valid region needs nothing of tmp") {
  for (const Valid valid : {Valid{0, 5}, {5, 0}}) {
    Stage stage(Target::A2A3);
    Random random(122);
    ProgramBuilder builder(Target::A2A3, "empty");
    add_ttrans(builder, random, Target::A2A3,
               {{"dst", vec_tile(DType::F32, 16, 16, kDynamic, kDynamic), {valid.cols, valid.rows}},
                {"src", vec_tile(DType::F32, 16, 16, kDynamic, kDynamic), valid},
                {"tmp", vec_tile(DType::F32, 1, 8), {1, 8}}});
    check_program(stage, random, std::move(builder));
  }
}
TEST_CASE("ttrans a2a3: in place is safe by way of tmp") { check_places(0x2000, 0x2000, 0x4000, 16, 16, 16); }

TEST_CASE("ttrans a2a3: the worked example of its page: 3x8 f32 into 8x16") {
  constexpr std::uint32_t kSrcAt = 0x100, kDstAt = 0x1000, kTmpAt = 0x2000;
  for (const bool poison : {false, true}) {
    ProgramBuilder builder(Target::A2A3, "3x8");
    builder.options().ttrans_poison_tail = poison ? 1 : 0;
    const TileId src = builder.tile("src", vec_tile(DType::F32, 3, 8), {.address = kSrcAt}),
                 tmp = builder.tile("tmp", vec_tile(DType::F32, 8, 16), {.address = kTmpAt});
    builder.add("ttrans", {src, tmp}, {builder.tile("dst", vec_tile(DType::F32, 8, 16, 8, 3), {.address = kDstAt})});
    const auto recording =
        Recording::run(build(builder), {.budget_bytes = 1 << 20, .initial = [](Memory& memory) {
                                          for (std::uint32_t k = 0; k < 8; ++k)
                                            memory.set_element(Space::Ub, 4 * k, 4, 0x900 + k);
                                          for (std::uint32_t r = 0; r < 3; ++r)
                                            for (std::uint32_t c = 0; c < 8; ++c)
                                              memory.set_element(Space::Ub, kSrcAt + 32 * r + 4 * c, 4, 16 * r + c);
                                          memory.mark(memory.map().origin(Space::Ub), 0x160, Definedness::Written);
                                        }});
    REQUIRE(recording->count() == 1);
    const Memory& memory = recording->final_memory();
    for (std::uint32_t c = 0; c < 8; ++c) {
      for (std::uint32_t r = 0; r < 16; ++r) {
        CAPTURE(r);
        CAPTURE(c);
        const std::uint32_t filler = poison ? 0xCDCDCDCD : 0x900 + c, at = 64 * c + 4 * r;
        CHECK(memory.element(Space::Ub, kDstAt + at, 4) == (r < 3 ? 16 * r + c : r < 8 ? filler : 0xCDCDCDCD));
        CHECK(memory.definedness(memory.map().flat(Space::Ub, kDstAt + at)) == (r < 3   ? Definedness::Written
                                                                                : r < 8 ? Definedness::Unspecified
                                                                                        : Definedness::Never));
        CHECK(memory.element(Space::Ub, kTmpAt + at, 4) == (r < 3 ? 16 * r + c : filler));
        CHECK(memory.definedness(memory.map().flat(Space::Ub, kTmpAt + at)) ==
              (r < 3 ? Definedness::Written : Definedness::Unspecified));
      }
    }
  }
}

TEST_CASE("ttrans a5: the worked example of its page: 4x8 f32 into 8x8") {
  for (const Options& options : {Options{}, kValidDomain}) {
    ProgramBuilder builder(Target::A5, "4x8");
    builder.options() = options;
    const TileId src = builder.tile("src", vec_tile(DType::F32, 4, 8, 3, 8), {.address = 0x1000});
    builder.add("ttrans", {src}, {builder.tile("dst", vec_tile(DType::F32, 8, 8, 8, 3), {.address = 0x2000})});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20, .initial = [](Memory& memory) {
                                                             for (std::uint32_t k = 0; k < 32; ++k)
                                                               memory.set_element(Space::Ub, 0x1000 + 4 * k, 4, k);
                                                           }});
    REQUIRE(recording->count() == 1);
    const std::uint32_t rows = options.ttrans_valid_domain ? 3 : 4;
    for (std::uint32_t c = 0; c < 8; ++c)
      for (std::uint32_t r = 0; r < 8; ++r)
        CHECK(recording->final_memory().element(Space::Ub, 0x2000 + 32 * c + 4 * r, 4) ==
              (r < rows ? 8 * r + c : 0xCDCDCDCD));
  }
}

}  // namespace ts::test
