// TLOAD and TSTORE of boxed tiles and of L1 against their oracles: every legal pair of layouts of each target, views of
// five dimensions, more rows than are valid, and stores that add.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/instructions/random_check.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kBoxedGmBytes = 512 * 1024;
const int kBoxedPrograms = rounds(1, 2, 20);
constexpr Options kViewRows{.load_view_rows = 1};

struct Order {
  BoxOrder outer;
  InnerOrder inner;
};
constexpr Order kByRows{BoxOrder::RowMajor, InnerOrder::None}, kByCols{BoxOrder::ColMajor, InnerOrder::None};
constexpr Order kNz{BoxOrder::ColMajor, InnerOrder::RowMajor}, kZn{BoxOrder::RowMajor, InnerOrder::ColMajor};

// What goes together: the view's layout, the tile's memory and order.
struct LayoutPair {
  GlobalLayout view;
  TileLoc loc;
  Order order;
  bool boxed() const { return order.inner != InnerOrder::None; }
};

std::vector<LayoutPair> legal_pairs(Target target, bool load) {
  std::vector<LayoutPair> pairs{{GlobalLayout::NZ, TileLoc::Vec, kNz}};
  if (!load && target == Target::A5) return pairs;
  pairs.insert(pairs.end(), {{GlobalLayout::ND, TileLoc::Mat, kByRows},
                             {GlobalLayout::DN, TileLoc::Mat, kByCols},
                             {GlobalLayout::NZ, TileLoc::Mat, kNz}});
  if (!load) return pairs;
  pairs.insert(pairs.end(), {{GlobalLayout::ND, TileLoc::Mat, kNz}, {GlobalLayout::DN, TileLoc::Mat, kZn}});
  if (target == Target::A5) pairs.push_back({GlobalLayout::DN, TileLoc::Mat, kNz});
  return pairs;
}

// A tile of the pair's order around a random valid shape that its view can have.
TilePlan random_pair_tile(Random& random, Target target, DType type, const LayoutPair& pair, bool may_be_empty) {
  const std::uint32_t lanes = block_elements(type);
  Valid valid{random.between(1, 40), random.between(1, random.one_in(4) ? 6 * lanes : 3 * lanes)};
  if (pair.order.outer == BoxOrder::ColMajor && pair.view == GlobalLayout::DN) std::swap(valid.rows, valid.cols);
  if (may_be_empty && random.one_in(24)) valid.rows = 0;
  // Blocks of a view are whole, and so are a2a3's lines on their way to L1.
  const bool whole_lines =
      pair.view == GlobalLayout::NZ || (pair.loc == TileLoc::Mat && target == Target::A2A3 && !pair.boxed());
  if (whole_lines)
    (pair.view == GlobalLayout::DN ? valid.rows : valid.cols) =
        rounded_up(pair.view == GlobalLayout::DN ? valid.rows : valid.cols, lanes);
  const bool inner_rows = pair.order.inner == InnerOrder::RowMajor;
  const std::uint32_t by_rows = pair.boxed()                             ? (inner_rows ? 16 : lanes)
                                : pair.order.outer == BoxOrder::ColMajor ? lanes
                                                                         : 1;
  const std::uint32_t by_cols = pair.boxed()                             ? (inner_rows ? lanes : 16)
                                : pair.order.outer == BoxOrder::RowMajor ? lanes
                                                                         : 1;
  std::uint32_t rows = rounded_up(std::max(valid.rows, 1u), by_rows) + by_rows * random.below(3);
  const std::uint32_t cols = rounded_up(std::max(valid.cols, 1u), by_cols) + by_cols * random.below(3);
  // One more row in UB keeps columns of boxes apart.
  if (pair.boxed() && pair.loc == TileLoc::Vec && random.one_in(3)) rows += 1;
  TilePlan plan{"tile", boxed(pair.loc, type, rows, cols, pair.order.outer, pair.order.inner), valid};
  plan.type.valid_rows = random.one_in(2) ? kDynamic : static_cast<std::int32_t>(valid.rows);
  plan.type.valid_cols = random.one_in(2) ? kDynamic : static_cast<std::int32_t>(valid.cols);
  return plan;
}

// A view of `valid`, or of a little more, with gaps everywhere.
View5 random_pair_view(ProgramBuilder& builder, Random& random, DType type, Valid valid, const LayoutPair& pair) {
  const std::uint32_t lanes = block_elements(type), rows = std::max(valid.rows, 1u), cols = std::max(valid.cols, 1u);
  // Where two share a byte, every line begins with one.
  const std::uint32_t step = is_packed(type) ? 2 : 1;
  const auto gap = [&](std::uint32_t most) { return random.one_in(2) ? random.below(most) / step * step : 0; };
  View5 view{.buffer = {}, .shape = {1, 1, 1, 1, 1}, .stride = {1, 1, 1, 1, 1}, .offset = gap(40), .layout = pair.view};
  auto& [s0, s1, s2, s3, s4] = view.shape;
  auto& [t0, t1, t2, t3, t4] = view.stride;
  const bool more = random.one_in(4);
  if (pair.view == GlobalLayout::NZ) {
    s4 = lanes, s3 = 16, s2 = (rows + 15) / 16 + (more ? 1 : 0), s1 = (cols + lanes - 1) / lanes;
    if (s1 % 2 == 0 && random.one_in(2)) s1 /= 2, s0 = 2;
    t4 = 1, t3 = lanes, t2 = 16 * lanes, t1 = s2 * t2 + gap(64), t0 = s1 * t1 + gap(64);
  } else {
    // Only the lines may be more than are valid: how long they are is the tile's matter.
    const bool lines_are_rows = pair.view == GlobalLayout::ND;
    s3 = rows + (more && lines_are_rows ? random.below(3) : 0),
    s4 = cols + (more && !lines_are_rows ? random.below(3) : 0);
    (lines_are_rows ? t3 : t4) = rounded_up(lines_are_rows ? s4 : s3, step) + gap(9);
    t2 = t1 = t0 = s3 * s4 + 100;
  }
  std::uint32_t elements = view.offset + 1 + random.below(5);
  for (std::size_t d = 0; d < 5; ++d) elements += (view.shape[d] - 1) * view.stride[d];
  view.buffer = builder.buffer("g", type, elements);
  return view;
}

std::vector<DType> types_of(Target target, const LayoutPair& pair) {
  std::vector<DType> types = kMovedTypes;
  if (!pair.boxed()) types.insert(types.end(), {DType::I64, DType::U64});
  const bool turned_over = pair.view == GlobalLayout::DN && pair.order.inner == InnerOrder::RowMajor;
  if (target == Target::A5 && !turned_over) types.insert(types.end(), {DType::E2M1, DType::E1M2});
  return types;
}

void add_transfer(ProgramBuilder& builder, bool load, const View5& view, TileId tile, bool atomic = false) {
  if (load) {
    builder.add("tload", {view}, {tile});
  } else {
    builder.add("tstore", {tile}, {view},
                atomic ? std::vector<BuildAttribute>{{"atomicType", "atomic_add"}} : std::vector<BuildAttribute>{});
  }
}

template <class Wanted>
void check_legal_pairs(bool load, const Options& options, std::uint64_t seed, Wanted wanted) {
  for (const Target target : kBothTargets) {
    Stage stage(target, kBoxedGmBytes);
    for (const LayoutPair& pair : legal_pairs(target, load)) {
      if (!wanted(pair)) continue;
      for (const DType type : types_of(target, pair)) {
        Random random(seed++);
        for (int i = 0; i < kBoxedPrograms; ++i) {
          ProgramBuilder builder(target, "pairs");
          builder.options() = options;
          for (int k = 0; k < kShapesAProgram; ++k) {
            const TilePlan plan = random_pair_tile(random, target, type, pair, !options.load_view_rows);
            add_transfer(builder, load, random_pair_view(builder, random, type, plan.valid, pair),
                         add_tiles(builder, random, target, {plan})[0]);
          }
          const Program program = build(builder);
          REQUIRE(program.gm_bytes <= kBoxedGmBytes);
          stage.fill(program, random, Values::AnyBits);
          stage.check(program, random);
        }
      }
    }
  }
}

void check_boxed(Target target, bool load, const TilePlan& plan, const View5& view, DType type, std::uint32_t elements,
                 const Options& options = {}, bool atomic = false) {
  Stage stage(target, kBoxedGmBytes);
  Random random(140);
  ProgramBuilder builder(target, "one");
  builder.options() = options;
  View5 placed = view;
  placed.buffer = builder.buffer("g", type, elements);
  add_transfer(builder, load, placed, add_tiles(builder, random, target, {plan})[0], atomic);
  check_program(stage, random, std::move(builder));
}

TilePlan tile_of(const TileType& type) { return whole_tile("tile", type); }
TilePlan part(TileType type, Valid valid) {
  type.valid_rows = type.valid_cols = kDynamic;
  return {"tile", type, valid};
}
TileType nz(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols) {
  return boxed(loc, type, rows, cols, kNz.outer, kNz.inner);
}
TileType zn(DType type, std::uint32_t rows, std::uint32_t cols) {
  return boxed(TileLoc::Mat, type, rows, cols, kZn.outer, kZn.inner);
}
View5 nd(std::uint32_t rows, std::uint32_t cols, std::uint32_t pitch) {
  return {.buffer = {},
          .shape = {1, 1, 1, rows, cols},
          .stride = {rows * pitch, rows * pitch, rows * pitch, pitch, 1},
          .offset = 0,
          .layout = GlobalLayout::ND};
}
View5 dn(std::uint32_t rows, std::uint32_t cols, std::uint32_t pitch) {
  return {.buffer = {},
          .shape = {1, 1, 1, rows, cols},
          .stride = {cols * pitch, cols * pitch, cols * pitch, 1, pitch},
          .offset = 0,
          .layout = GlobalLayout::DN};
}

// The elements of a tile after loading a matrix whose element (r, c) is 100 r + c.
template <class Check>
void check_by_hand(Target target, const TileType& type, GlobalLayout layout, std::uint32_t rows, std::uint32_t cols,
                   Check check) {
  ProgramBuilder builder(target, "by hand");
  std::vector<double> values(rows * cols);
  for (std::uint32_t r = 0; r < rows; ++r)
    for (std::uint32_t c = 0; c < cols; ++c)
      values[layout == GlobalLayout::ND ? r * cols + c : c * rows + r] = 100 * r + c;
  View5 view = layout == GlobalLayout::ND ? nd(rows, cols, cols) : dn(rows, cols, rows);
  view.buffer = builder.buffer("g", type.dtype, values);
  builder.add("tload", {view}, {builder.tile("t", type, {.address = 0x800, .valid_rows = rows, .valid_cols = cols})});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
  REQUIRE(recording->count() == 1);
  check([&](std::uint32_t index) {
    return recording->final_memory().element(Space::L1, 0x800 + index * size_bytes(type.dtype), size_bytes(type.dtype));
  });
}

}  // namespace

TEST_CASE("tload: every pair of layouts, in UB and in L1, agrees with the oracle") {
  check_legal_pairs(true, {}, 11000, [](const LayoutPair&) { return true; });
}
TEST_CASE("tload, option tload.rows = view: more rows than are valid, unboxed, agree with the oracle") {
  check_legal_pairs(true, kViewRows, 11200, [](const LayoutPair& pair) { return !pair.boxed(); });
}
TEST_CASE("tload, option tload.rows = view: more rows than are valid, in boxes, agree with the oracle") {
  check_legal_pairs(true, kViewRows, 11300, [](const LayoutPair& pair) { return pair.boxed(); });
}
TEST_CASE("tload, option tload.rows = view: nothing moves into an empty valid region") {
  for (const Target target : kBothTargets) {
    check_boxed(target, true, part(vec_tile(DType::F32, 6, 16), {0, 10}), nd(5, 10, 12), DType::F32, 60, kViewRows);
    check_boxed(target, true, part(vec_tile(DType::F32, 6, 16), {3, 0}), nd(5, 10, 12), DType::F32, 60, kViewRows);
  }
}
TEST_CASE("tstore: every pair of layouts, in UB and in L1, agrees with the oracle") {
  check_legal_pairs(false, {}, 11400, [](const LayoutPair&) { return true; });
}

TEST_CASE("tload: nd into nz, by hand: 3x20 i16 into 32x32") {
  for (const Target target : kBothTargets) {
    TileType type = nz(TileLoc::Mat, DType::I16, 32, 32);
    type.valid_rows = type.valid_cols = kDynamic;
    check_by_hand(target, type, GlobalLayout::ND, 3, 20, [](auto at) {
      CHECK(at(0) == 0);
      CHECK(at(15) == 15);                     // the first box's first row
      CHECK(at(2 * 16 + 7) == 207);            // its third
      CHECK(at(32 * 16 + 1 * 16 + 3) == 119);  // row 1, column 19: the second column of boxes
      CHECK(at(32 * 16 + 4) == 0);             // column 20: the rest of the 32 bytes
      CHECK(at(32 * 16 + 2 * 16 + 15) == 0);
      CHECK(at(3 * 16) == 0xCDCD);  // row 3 is no row of the view
    });
  }
}

TEST_CASE("tload: dn into zn, by hand: 20x3 i16 into 32x32") {
  for (const Target target : kBothTargets) {
    TileType type = zn(DType::I16, 32, 32);
    type.valid_rows = type.valid_cols = kDynamic;
    check_by_hand(target, type, GlobalLayout::DN, 20, 3, [](auto at) {
      CHECK(at(0) == 0);
      CHECK(at(15) == 1500);                    // row 15 of the first column
      CHECK(at(2 * 16 + 7) == 702);             // column 2
      CHECK(at(32 * 16 + 1 * 16 + 3) == 1901);  // row 19, column 1: the second row of boxes
      CHECK(at(32 * 16 + 4) == 0);
      CHECK(at(3 * 16) == 0xCDCD);
    });
  }
}

TEST_CASE("tload a5: dn into nz, by hand: 20x3 i16 into 32x16") {
  TileType type = nz(TileLoc::Mat, DType::I16, 32, 16);
  type.valid_rows = type.valid_cols = kDynamic;
  check_by_hand(Target::A5, type, GlobalLayout::DN, 20, 3, [](auto at) {
    CHECK(at(0) == 0);
    CHECK(at(2) == 2);
    CHECK(at(3) == 0);  // the rest of row 0
    CHECK(at(19 * 16 + 1) == 1901);
    CHECK(at(20 * 16) == 0xCDCD);
  });
}

TEST_CASE("tload: one row of L1, and one column") {
  for (const Target target : kBothTargets) {
    TileType row = vec_tile(DType::F16, 1, 64), column = col_major(vec_tile(DType::F32, 32, 1));
    row.loc = column.loc = TileLoc::Mat;
    check_boxed(target, true, tile_of(row), nd(1, 64, 64), DType::F16, 64);
    check_boxed(target, true, tile_of(column), dn(32, 1, 32), DType::F32, 32);
  }
}

TEST_CASE("tload and tstore: boxes in UB with one more row, as wide as 33x32 and 17x16") {
  for (const Target target : kBothTargets) {
    for (const bool load : {true, false}) {
      const View5 view{.buffer = {},
                       .shape = {1, 2, 2, 16, 16},
                       .stride = {1100, 540, 256, 16, 1},
                       .offset = 3,
                       .layout = GlobalLayout::NZ};
      check_boxed(target, load, part(nz(TileLoc::Vec, DType::F16, 33, 32), {32, 32}), view, DType::F16, 1200);
      check_boxed(target, load, part(nz(TileLoc::Vec, DType::F16, 33, 32), {31, 32}), view, DType::F16, 1200);
      check_boxed(target, load, part(nz(TileLoc::Vec, DType::F16, 17, 32), {17, 32}), view, DType::F16, 1200);
    }
  }
}

TEST_CASE("tload: a view of more rows than are valid: the valid ones, or, by the option, all that the tile holds") {
  for (const Target target : kBothTargets) {
    for (const Options& options : {Options{}, kViewRows}) {
      check_boxed(target, true, part(vec_tile(DType::F32, 6, 16), {3, 10}), nd(5, 10, 12), DType::F32, 60, options);
      check_boxed(target, true, part(vec_tile(DType::F32, 6, 16), {3, 10}), nd(9, 10, 12), DType::F32, 110, options);
      check_boxed(target, true, part(col_major(vec_tile(DType::U8, 32, 6)), {20, 2}), dn(20, 4, 25), DType::U8, 110,
                  options);
      TileType padded = vec_tile(DType::I16, 6, 32);
      padded.pad = PadKind::Max;
      check_boxed(target, true, part(padded, {2, 10}), nd(4, 10, 10), DType::I16, 40, options);
    }
  }
}

TEST_CASE("tstore a2a3: one row or column goes to either layout") {
  const TileType row = vec_tile(DType::F32, 1, 16, 1, 11), column = col_major(vec_tile(DType::I16, 16, 1, 13, 1));
  check_boxed(Target::A2A3, false, {"tile", row, {1, 11}}, dn(1, 11, 3), DType::F32, 40);
  check_boxed(Target::A2A3, false, {"tile", column, {13, 1}}, nd(13, 1, 2), DType::I16, 40);
}

TEST_CASE("tstore: adds to what is there, wrapping or rounding in the type") {
  for (const Target target : kBothTargets) {
    for (const DType type : {DType::F32, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8}) {
      check_boxed(target, false, part(vec_tile(type, 5, 64), {5, 45}), nd(5, 45, 50), type, 260, {}, true);
      check_boxed(target, false, part(col_major(vec_tile(type, 64, 3)), {40, 3}), dn(40, 3, 41), type, 260, {}, true);
    }
  }
}

TEST_CASE("tstore: adds, by hand") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "sum");
    const TileId tile = builder.tile("t", vec_tile(DType::I8, 1, 32, 1, 3), {.address = 0x400});
    const BufferId from = builder.buffer("x", DType::I8, {100, -3, 5}),
                   to = builder.buffer("y", DType::I8, {100, 4, -5, 9});
    builder.add("tload", {View{from, 1, 3}}, {tile});
    builder.add("tstore", {tile}, {View{to, 1, 3}}, {{"atomicType", "atomic_add"}});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
    REQUIRE(recording->count() == 2);
    const std::uint32_t at = recording->program().buffers[1].address;
    const std::uint64_t expected[] = {200, 1, 0, 9};
    for (std::uint32_t i = 0; i < 4; ++i) CHECK(recording->final_memory().element(Space::Gm, at + i, 1) == expected[i]);
  }
}

}  // namespace ts::test
