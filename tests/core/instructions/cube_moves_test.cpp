// What moves between the memories of a core, against the oracles: sums through the fixpipe to global memory and to tiles, and
// tiles of UB into boxes, into L1, and as windows.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "core/catalogue/catalogue.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

Scalar index_of(std::uint32_t index) { return {DType::I64, index}; }

void check_moved(Stage& stage, const Program& program, Random& random) {
  stage.fill(program, random, random.pick({Values::Plain, Values::Plain, Values::AnyBits, Values::Special}));
  stage.check(program, random);
}

// --- the fixpipe

enum class Factor { None, One, OfColumns };
constexpr Factor kFactors[] = {Factor::None, Factor::One, Factor::OfColumns};

struct Conversion {
  DType from, to;
  Factor factor;
};

// Those of the target, to global memory or to tiles: the tables of the pages once more.
std::vector<Conversion> conversions(Target target, bool to_gm) {
  using enum DType;
  const bool a5 = target == Target::A5;
  std::vector<Conversion> all;
  const auto add = [&](DType from, std::initializer_list<DType> results, bool with_factor) {
    for (const DType to : results)
      for (const Factor factor : kFactors)
        if ((factor != Factor::None) == with_factor) all.push_back({from, to, factor});
  };
  add(F32, {F16, BF16}, false);
  if (a5 || to_gm) add(F32, {F32}, false), add(I32, {I32}, false);
  add(F32, {I8}, true);
  add(I32, {I8, U8, F16}, true);
  if (a5 || to_gm) add(F32, {U8}, true);
  if (a5) add(F32, {F16, BF16, HIF8, F8E4M3, F32}, true), add(I32, {BF16}, true);
  if (!a5 && !to_gm) add(I32, {I16}, true);
  return all;
}

// Scales that make something of the sums, now and then any bits.
std::uint64_t random_factor(Random& random) {
  if (random.one_in(5)) return random.next();
  const float scale = std::ldexp(static_cast<float>(random.between(1, 1000)), static_cast<int>(random.below(20)) - 16);
  const std::uint64_t offset = random.one_in(2) ? 0 : random.below(512);
  return std::bit_cast<std::uint32_t>(scale) | std::uint64_t{random.below(16)} << 32 | offset << 37 |
         std::uint64_t{random.below(2)} << 46;
}

// A sum's way out: the inputs behind the tile, and the attributes.
struct Way {
  std::vector<BuildOperand> inputs;
  std::vector<BuildAttribute> attributes;
};
Way random_way(CubeBuilder& b, TileId src, const Conversion& how, std::uint32_t cols, Random& random) {
  const Factor factor = how.factor;
  const bool shifts = how.to == DType::I16;
  Way way{{src}, {{"reluPreMode", random.one_in(3) ? "normal_relu" : "no_relu"}}};
  if (factor == Factor::One) way.inputs.push_back(Scalar{DType::I64, random_factor(random)});
  if (factor == Factor::OfColumns) {
    const DType type = random.pick(shifts ? std::initializer_list<DType>{DType::U64, DType::I64}
                                          : std::initializer_list<DType>{DType::U64, DType::I64, DType::F16});
    TileType fp = cube_tile(TileLoc::Scaling, type, 1, cols, Target::A5);
    way.inputs.push_back(b.program().tile("fp", fp, {.address = 128 * random.below(3)}));
  }
  return way;
}

Program random_sums_store(Target target, const Conversion& how, Random& random) {
  CubeBuilder b(target, random);
  const std::uint32_t rows = random.between(1, 40), cols = random.between(1, 40);
  const TileId src = b.tile("src", TileLoc::Acc, how.from, rows, cols);
  View view{.buffer = {}, .rows = rows, .cols = cols, .pitch = cols + random.below(20)};
  view.buffer = b.program().buffer("out", how.to, 64 + view.pitch * rows);
  view.offset = random.below(64);
  Way way = random_way(b, src, how, cols, random);
  const bool adds = how.to != DType::U8 && how.to != DType::HIF8 && how.to != DType::F8E4M3;
  if (adds && random.one_in(3)) way.attributes.push_back({"atomicType", "atomic_add"});
  b.program().add("tstore", way.inputs, {view}, way.attributes);
  return build(b.program());
}

// A tile around a region whose window begins at a row and a column; UB has rows and columns beside boxes.
TileType around(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, Target target, Random& random) {
  TileType tile = cube_tile(TileLoc::Mat, type, rows, cols, target);
  tile.loc = loc;
  if (loc == TileLoc::Vec && random.one_in(2)) {
    tile.slayout = InnerOrder::None;
    tile.blayout = random.one_in(2) ? BoxOrder::RowMajor : BoxOrder::ColMajor;
    const std::uint32_t lanes = BLK / size_bytes(type);
    tile.rows = rounded_up(rows, lanes);
    tile.cols = rounded_up(cols, lanes);
  }
  return tile;
}

Program random_way_to_tile(Target target, std::string_view instruction, TileLoc to, const Conversion& how,
                           Random& random) {
  CubeBuilder b(target, random);
  const std::uint32_t rows = random.between(1, 40), cols = random.between(1, 40), row = random.below(30),
                      col = random.below(30);
  const bool cuts = instruction == "textract", inserts = instruction == "tinsert";
  const TileId src = b.tile("src", TileLoc::Acc, how.from, cuts ? row + rows : rows, cuts ? col + cols : cols);
  TileType type = around(to, how.to, inserts ? row + rows : rows, inserts ? col + cols : cols, target, random);
  if (!inserts) type.valid_rows = static_cast<std::int32_t>(rows), type.valid_cols = static_cast<std::int32_t>(cols);
  const TileId dst = b.tile("dst", type);
  Way way = random_way(b, src, how, cols, random);
  if (cuts || inserts) {
    way.inputs.push_back(index_of(row));
    way.inputs.push_back(index_of(col));
  }
  b.program().add(instruction, way.inputs, {dst}, way.attributes);
  return build(b.program());
}

// --- tiles of UB

constexpr DType kMoved[] = {DType::I8, DType::F16, DType::BF16, DType::F32, DType::I32};

TileType any_layout(TileLoc loc, DType type, std::uint32_t rows, std::uint32_t cols, Random& random) {
  TileType tile = vec_tile(type, rows, cols);
  tile.loc = loc;
  const std::uint32_t order = random.below(4);
  if (order == 1) tile.blayout = BoxOrder::ColMajor;
  if (order == 2) tile.blayout = BoxOrder::ColMajor, tile.slayout = InnerOrder::RowMajor;
  if (order == 3) tile.slayout = InnerOrder::ColMajor;
  return tile;
}

// Sizes are multiples of what every layout has as a box.
Program random_vec_move(Target target, std::string_view instruction, TileLoc to, DType type, Random& random) {
  CubeBuilder b(target, random);
  const bool cuts = instruction == "textract", inserts = instruction == "tinsert", moves = instruction == "tmov";
  const std::uint32_t box = std::max(16u, BLK / size_bytes(type)), rows = box * random.between(1, 2),
                      cols = box * random.between(1, 2), row = box * random.below(2), col = random.below(box);
  TileType src =
      any_layout(TileLoc::Vec, type, cuts ? row + rows : rows, cuts ? rounded_up(col + cols, box) : cols, random);
  TileType dst =
      any_layout(to, type, inserts ? row + rows : rows, inserts ? rounded_up(col + cols, box) : cols, random);
  if (moves && to == TileLoc::Vec && !dst.boxed()) dst.blayout = BoxOrder::ColMajor, dst.slayout = InnerOrder::RowMajor;
  const bool zn = dst.slayout == InnerOrder::ColMajor;
  TileType& window = cuts ? dst : src;
  window.valid_cols = static_cast<std::int32_t>(random.between(1, cols));
  if (!zn) window.valid_rows = static_cast<std::int32_t>(random.between(1, rows));
  if (moves) dst.valid_rows = src.valid_rows, dst.valid_cols = src.valid_cols;
  std::vector<BuildOperand> inputs{b.tile("src", src)};
  if (!moves) {
    inputs.push_back(index_of(row));
    inputs.push_back(index_of(col));
  }
  b.program().add(instruction, inputs, {b.tile("dst", dst, to == TileLoc::Vec ? 0x8000 : 0)});
  return build(b.program());
}

// Two windows of rows, each into boxes of its own, which may have a row more than they need.
Program random_two_windows(Target target, DType type, Random& random) {
  CubeBuilder b(target, random);
  const std::uint32_t block = is_packed(type) ? 64 : BLK / size_bytes(type), step = is_packed(type) ? 2 : 1;
  const std::uint32_t rows = 40, cols = 4 * block;
  std::vector<BuildOperand> inputs{b.tile("src", vec_tile(type, rows, cols))};
  std::vector<BuildOperand> outputs;
  for (const char* name : {"dst", "dst1"}) {
    TileType dst = vec_tile(type, 16 * random.between(1, 2), block * random.between(1, 2));
    dst.blayout = BoxOrder::ColMajor;
    dst.slayout = InnerOrder::RowMajor;
    dst.valid_rows = static_cast<std::int32_t>(random.between(1, dst.rows));
    dst.valid_cols = static_cast<std::int32_t>(step * random.between(1, dst.cols / step));
    inputs.push_back(index_of(random.below(rows - static_cast<std::uint32_t>(dst.valid_rows) + 1)));
    inputs.push_back(index_of(step * random.below((cols - static_cast<std::uint32_t>(dst.valid_cols)) / step + 1)));
    if (random.one_in(3)) ++dst.rows;
    outputs.push_back(b.tile(name, dst, outputs.empty() ? 0x8000 : 0x10000));
  }
  b.program().add("textract", inputs, outputs);
  return build(b.program());
}

Program random_exponents(bool turned, Random& random) {
  CubeBuilder b(Target::A5, random);
  const std::uint32_t rows = random.between(1, 60), groups = random.between(1, 20);
  const std::uint32_t all_rows = rounded_up(rows, 32), all_groups = rounded_up(groups, 32);
  TileType src = turned ? vec_tile(DType::U8, all_groups, all_rows) : vec_tile(DType::U8, all_rows, all_groups);
  src.valid_rows = static_cast<std::int32_t>(turned ? groups : rows);
  src.valid_cols = static_cast<std::int32_t>(turned ? rows : groups);
  TileType dst = vec_tile(DType::U8, all_rows, all_groups);
  dst.valid_rows = static_cast<std::int32_t>(rows);
  dst.valid_cols = static_cast<std::int32_t>(groups);
  dst.slayout = InnerOrder::RowMajor;
  dst.fractal = 32;
  const TileId from = b.tile("src", src), to = b.tile("dst", dst, 0x8000),
               scratch = b.tile("tmp", vec_tile(DType::U8, 1, 32), 0x10000);
  b.program().add("tmov", {from, scratch}, {to}, {{"grpAxis", turned ? "0" : "1"}});
  return build(b.program());
}

}  // namespace

TEST_CASE("tstore: sums leave acc as their view and their factors have them") {
  Random random(2404);
  for (const Target target : kBothTargets) {
    Stage stage(target, 64 * 1024);
    for (const Conversion& how : conversions(target, true))
      for (int round = 0; round < rounds(1, 6, 80); ++round)
        check_moved(stage, random_sums_store(target, how, random), random);
  }
}

TEST_CASE("tmov, textract, tinsert: sums leave acc for tiles") {
  Random random(2405);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const char* instruction : {"tmov", "textract", "tinsert"})
      for (const TileLoc to : {TileLoc::Mat, TileLoc::Vec})
        for (const Conversion& how : conversions(target, false)) {
          if (to == TileLoc::Vec && target == Target::A2A3) continue;
          for (int round = 0; round < rounds(1, 1, 40); ++round)
            check_moved(stage, random_way_to_tile(target, instruction, to, how, random), random);
        }
  }
}

TEST_CASE("tmov, textract, tinsert: tiles of ub move into boxes, into l1, and as windows") {
  Random random(2406);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const char* instruction : {"tmov", "textract", "tinsert"})
      for (const TileLoc to : {TileLoc::Vec, TileLoc::Mat})
        for (const DType type : kMoved) {
          if (target == Target::A2A3 && (to == TileLoc::Mat || std::string_view(instruction) == "tmov")) continue;
          for (int round = 0; round < rounds(1, 6, 60); ++round)
            check_moved(stage, random_vec_move(target, instruction, to, type, random), random);
        }
  }
}

TEST_CASE("textract: two windows of rows into boxes of their own") {
  Random random(2410);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    std::vector<DType> types{DType::I8, DType::F16, DType::BF16, DType::F32, DType::I32};
    if (target == Target::A5)
      types.insert(types.end(), {DType::HIF8, DType::F8E4M3, DType::F8E5M2, DType::E8M0, DType::E2M1, DType::E1M2});
    for (const DType type : types)
      for (int round = 0; round < rounds(1, 20, 200); ++round)
        check_moved(stage, random_two_windows(target, type, random), random);
  }
}

TEST_CASE("TEXTRACT-R5, TEXTRACT-R7, TEXTRACT-R11: two windows are taken of rows in ub, into boxes there") {
  struct Case {
    TileType src, dst1;
    int col1;
    const char* rule;
  };
  TileType rows = vec_tile(DType::F16, 32, 64), boxes = vec_tile(DType::F16, 16, 32), cols = rows, words = rows;
  boxes.blayout = cols.blayout = BoxOrder::ColMajor;
  boxes.slayout = InnerOrder::RowMajor;
  words.dtype = DType::U16;
  const Case cases[] = {{rows, boxes, 33, "TEXTRACT-R5"},
                        {rows, rows, 0, "TEXTRACT-R7"},
                        {cols, boxes, 0, "TEXTRACT-R7"},
                        {words, boxes, 0, "TEXTRACT-R11"}};
  for (const Case& one : cases) {
    ProgramBuilder b(Target::A2A3, "two");
    TileType first = boxes;
    first.dtype = one.src.dtype;
    const TileId src = b.tile("src", one.src), dst = b.tile("dst", first), dst1 = b.tile("dst1", one.dst1);
    b.add("textract", {src, index_of(0), index_of(0), index_of(0), index_of(static_cast<std::uint32_t>(one.col1))},
          {dst, dst1});
    Diagnostics told;
    b.build(told);
    CAPTURE(one.rule);
    REQUIRE(!told.empty());
    CHECK(told.front().rule == one.rule);
  }
}

TEST_CASE("tmov: exponents into the boxes of scales, by rows or by columns") {
  Random random(2407);
  Stage stage(Target::A5);
  for (const bool turned : {false, true})
    for (int round = 0; round < rounds(2, 20, 200); ++round)
      check_moved(stage, random_exponents(turned, random), random);
}

TEST_CASE("tmov: a row of factors moves from l1 to the fixpipe") {
  Random random(2408);
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : {DType::U64, DType::I64, DType::F16})
      for (int round = 0; round < rounds(2, 10, 60); ++round) {
        CubeBuilder b(target, random);
        TileType dst = cube_tile(TileLoc::Scaling, type, 1, 16 * random.between(1, 8), target), src = dst;
        src.loc = TileLoc::Mat;
        b.program().add("tmov", {b.tile("src", src)}, {b.program().tile("dst", dst, {.address = 0})});
        check_moved(stage, build(b.program()), random);
      }
  }
}

TEST_CASE("fixpipe: the numbers of its page") {
  // The scale 2, with a sign: 3.3 becomes 7, 100 is cut off at 127, -1.25 ties to -2. Without: 200, and 0.
  struct Case {
    std::uint64_t factor;
    float sum;
    DType to;
    std::uint64_t expected;
  };
  const Case cases[] = {{0x0000400040000000, 3.3f, DType::I8, 7},
                        {0x0000400040000000, 100, DType::I8, 127},
                        {0x0000400040000000, -1.25f, DType::I8, 254},
                        {0x40000000, 100, DType::U8, 200},
                        {0x40000000, -1.25f, DType::U8, 0}};
  for (const Target target : kBothTargets)
    for (const Case& one : cases) {
      Random random(1);
      CubeBuilder b(target, random);
      const TileType acc = cube_tile(TileLoc::Acc, DType::F32, 1, 1, target);
      const TileId src = b.program().tile("src", acc, {.address = 0});
      View view{.buffer = b.program().buffer("out", one.to, 64), .rows = 1, .cols = 1, .pitch = 1};
      b.program().add("tstore", {src, Scalar{DType::I64, one.factor}}, {view});
      const Program program = build(b.program());
      Stage stage(target, 4096);
      stage.fill(program, random, Values::Plain);
      stage.set_element(bound_of(program, 0).tile("src"), 0, 0, std::bit_cast<std::uint32_t>(one.sum));
      stage.check(program, random);
      REQUIRE(stage.effects(0).written.size() == 1);
      CHECK(stage.effects(0).written.front().bits == one.expected);
    }
}

TEST_CASE("stations: the last one is the element that the step makes") {
  Random random(2409);
  for (const Target target : kBothTargets)
    for (const char* instruction : {"tmov", "textract", "tinsert"})
      for (const Conversion& how : conversions(target, false)) {
        const Program program = random_way_to_tile(target, instruction, TileLoc::Mat, how, random);
        const Bound bound = bound_of(program, 0);
        Memory memory(target, 0);
        const auto fill = [&](const TileRef& tile, Values values) {
          for (std::uint32_t row = 0; row < tile.rows(); ++row)
            for (std::uint32_t col = 0; col < tile.cols(); ++col)
              memory.set_element(tile.place_of(row, col), random_element(random, tile.type.dtype, values));
        };
        fill(bound.tile("src"), Values::Plain);
        if (bound.has("fp")) fill(bound.tile("fp"), Values::AnyBits);
        const TileRef &src = bound.tile("src"), &dst = bound.tile("dst");
        const bool inserts = bound.row->name == std::string_view("tinsert");
        const auto at = [&](const char* name) {
          return inserts ? static_cast<std::uint32_t>(bound.scalar(name).bits) : 0;
        };
        const std::uint32_t rows = bound.has("row") && !inserts ? dst.valid_rows : src.valid_rows,
                            cols = bound.has("row") && !inserts ? dst.valid_cols : src.valid_cols;
        const std::uint32_t row = at("row") + random.below(rows), col = at("col") + random.below(cols);
        const std::vector<Station> stations = bound.row->stations(bound, memory, row, col);
        REQUIRE(stations.size() >= 2);
        StepContext context(memory);
        machines_for(bound).run().of(bound)(context, bound);
        CHECK(stations.back().bits == memory.element(dst.place_of(row, col)));
        CHECK(bound.row->stations(bound, memory, at("row") + rows, col).empty());
      }
}

}  // namespace ts::test
