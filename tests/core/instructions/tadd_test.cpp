// TADD against its oracle: every target and element type, random shapes and the shapes where the loops change form.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "core/a2a3/micro_ops.h"
#include "core/catalogue/catalogue.h"
#include "core/engine/trace/trace.h"
#include "core/record/inspector.h"
#include "tests/oracle/number.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

const std::vector<DType> kTaddTypesA5{DType::I8,  DType::U8,  DType::I16, DType::U16,  DType::I32, DType::U32,
                                      DType::I64, DType::U64, DType::F16, DType::BF16, DType::F32};
const std::vector<DType> kTaddTypesA2A3{DType::I16, DType::I32, DType::F16, DType::F32};

const std::vector<DType>& tadd_types(Target target) { return target == Target::A5 ? kTaddTypesA5 : kTaddTypesA2A3; }

void add_tadd(ProgramBuilder& builder, Random& random, Target target, const std::vector<TilePlan>& plans) {
  const auto tiles = add_tiles(builder, random, target, plans);
  builder.add("tadd", {tiles[1], tiles[2]}, {tiles[0]});
}

void add_random_tadd(ProgramBuilder& builder, Random& random, Target target, DType type) {
  const Valid valid = random_valid(random, size_bytes(type), random.one_in(8) ? 24 * 1024 : 3 * 1024);
  std::vector<TilePlan> plans{random_tile(random, "dst", type, valid)};
  // One static shape for all half of the time: the short forms of the loops ask for that.
  const bool one_shape = random.one_in(2);
  for (const char* name : {"src0", "src1"}) {
    plans.push_back(one_shape ? plans[0] : random_tile(random, name, type, valid));
    plans.back().name = name;
  }
  // In place, and adding a tile to itself.
  if (one_shape && random.one_in(4)) plans[1].in_place_of = 0;
  if (one_shape && random.one_in(12)) plans[2].in_place_of = 0;
  add_tadd(builder, random, target, plans);
}

// All three tiles of one static shape.
void add_same_shape(ProgramBuilder& builder, Random& random, Target target, DType type, std::uint32_t rows,
                    std::uint32_t cols, Valid valid, bool fixed, bool in_place = false) {
  const TileType shape =
      fixed ? vec_tile(type, rows, cols, static_cast<std::int32_t>(valid.rows), static_cast<std::int32_t>(valid.cols))
            : vec_tile(type, rows, cols, kDynamic, kDynamic);
  add_tadd(builder, random, target,
           {{"dst", shape, valid},
            {.name = "src0", .type = shape, .valid = valid, .in_place_of = in_place ? 0 : -1},
            {"src1", shape, valid}});
}

}  // namespace

TEST_CASE("tadd: the types of each target are those of its page") {
  const InstructionRow* row = find_instruction("tadd");
  REQUIRE(row != nullptr);
  for (const Target target : kBothTargets)
    for (int i = 0; i < kDTypes; ++i) {
      const auto type = static_cast<DType>(i);
      CAPTURE(std::string(name(target)));
      CAPTURE(std::string(name(type)));
      CHECK(row->types(target, {}).contains(type) == (std::ranges::count(tadd_types(target), type) == 1));
    }
}

TEST_CASE("tadd: random shapes agree with the oracle") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    for (const DType type : tadd_types(target)) {
      Random random(1000 + static_cast<std::uint64_t>(type));
      for (int i = 0; i < random_shapes(); i += kShapesAProgram) {
        ProgramBuilder builder(target, "random");
        for (int k = 0; k < kShapesAProgram; ++k) add_random_tadd(builder, random, target, type);
        const Program program = build(builder);
        stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits, Values::Special}));
        stage.check(program, random);
      }
    }
  }
}

TEST_CASE("tadd: shapes where the loops change form agree with the oracle") {
  struct Shape {
    const char* why;
    std::uint32_t rows, cols_in_blocks;
    std::int32_t valid_rows, short_by;  // valid columns = columns - short_by; -1: all
  };
  const Shape shapes[] = {
      {"a block", 1, 1, 1, 0},
      {"a single element", 1, 1, 1, -2},
      {"a lane short of a register", 3, 8, 3, 1},
      {"a register", 3, 8, 3, 0},
      {"padded rows and columns", 5, 9, 3, 3},
      {"fewer rows than registers of a row, not whole registers", 2, 25, 2, 1},
      {"few registers in all, whole ones", 2, 16, 2, 0},
      {"rows of whole registers, fewer rows than registers", 3, 40, 3, 64},
      {"column after column", 12, 24, 11, 5},
      {"most repeats of one call", 255, 1, 255, 1},
      {"more rows than one call repeats", 300, 1, 299, 1},
      {"more rows than one call repeats, several registers", 260, 10, 257, 3},
  };
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(77);
    int turn = 0;
    for (const DType type : tadd_types(target)) {
      const std::uint32_t block = BLK / size_bytes(type);
      for (const Shape& shape : shapes) {
        for (const bool fixed : {false, true}) {
          if (kSanitized && ++turn % 3 != 0) continue;
          const std::uint32_t cols = shape.cols_in_blocks * block;
          const std::uint32_t cut = shape.short_by == -2
                                        ? cols - 1
                                        : std::min<std::uint32_t>(static_cast<std::uint32_t>(shape.short_by), cols - 1);
          if (3 * shape.rows * cols * size_bytes(type) > 190 * 1024) continue;
          INFO(std::string(shape.why));
          ProgramBuilder builder(target, shape.why);
          add_same_shape(builder, random, target, type, shape.rows, cols,
                         {static_cast<std::uint32_t>(shape.valid_rows), cols - cut}, fixed);
          const Program program = build(builder);
          stage.fill(program, random, Values::Special);
          stage.check(program, random);
        }
      }
    }
  }
}

TEST_CASE("tadd: more than 255 repeats, and rows further apart than a repeat stride reaches") {
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(78);
    ProgramBuilder builder(target, "far");
    // One run of 260 repeats: counter mode on A2A3. In place, or three tiles would not fit.
    add_same_shape(builder, random, target, DType::F32, 260, 64, {260, 64}, true, true);
    // Different pitches and 257 repeats a row: two calls for the whole ones.
    const Valid long_row{1, 257 * 64 - 3};
    const TileType wide = vec_tile(DType::F32, 1, 257 * 64, kDynamic, kDynamic),
                   wider = vec_tile(DType::F32, 1, 257 * 64 + 8, kDynamic, kDynamic);
    if (target == Target::A5)
      add_tadd(builder, random, target, {{"dst", wide, long_row}, {"src0", wider, long_row}, {"src1", wide, long_row}});
    else
      add_tadd(builder, random, target,
               {{"dst", wide, long_row},
                {.name = "src0", .type = wide, .valid = long_row, .in_place_of = 0},
                {"src1", wider, long_row}});
    // Row pitches of more than 255 blocks, so tails go row by row.
    const TileType far = vec_tile(DType::F32, 3, 2056, kDynamic, kDynamic),
                   near = vec_tile(DType::F32, 3, 72, kDynamic, kDynamic);
    add_tadd(builder, random, target, {{"dst", far, {3, 70}}, {"src0", near, {3, 70}}, {"src1", far, {3, 70}}});
    const Program program = build(builder);
    stage.fill(program, random, Values::Plain);
    stage.check(program, random);
  }
}

namespace {

// The micro-steps of a tadd in short: "vadd 4" for a repeat of four, "mask 33" for 33 lanes, "count 288", "norm", "all".
std::string outline(Target target, std::uint32_t rows, std::uint32_t cols, Valid valid, bool fixed,
                    std::uint32_t other_cols = 0) {
  Random random(1);
  ProgramBuilder builder(target, "outline");
  const auto shape = [&](std::uint32_t width) {
    return fixed ? vec_tile(DType::F32, rows, width, static_cast<std::int32_t>(valid.rows),
                            static_cast<std::int32_t>(valid.cols))
                 : vec_tile(DType::F32, rows, width, kDynamic, kDynamic);
  };
  add_tadd(builder, random, target,
           {{"dst", shape(cols), valid},
            {"src0", shape(cols), valid},
            {"src1", shape(other_cols == 0 ? cols : other_cols), valid}});
  const auto recording = Recording::run(build(builder), {.budget_bytes = 4 << 20});
  Inspector inspector(*recording);
  const Trace trace = inspector.trace(0);
  std::string out;
  bool counting = false;
  for (const MicroStep& step : trace.steps) {
    const std::string_view name = step.op->name;
    std::string text;
    if (name == "vadd") text = target == Target::A5 ? "vadd" : "vadd " + std::to_string(step.args.at(3).base);
    if (name == "set_mask_count") counting = true;
    if (name == "set_mask_norm") text = "norm", counting = false;
    if (name == "set_vector_mask") {
      const std::uint64_t high = step.args.at(0).base, low = step.args.at(1).base;
      text = counting                        ? "count " + std::to_string(low)
             : low == ~0ull && high == ~0ull ? "all"
                                             : "mask " + std::to_string(std::popcount(low) + std::popcount(high));
    }
    if (!text.empty()) out += (out.empty() ? "" : ", ") + text;
  }
  return out;
}

}  // namespace

TEST_CASE("tadd a2a3: repeats, masks and counts follow the page's table") {
  const auto a2a3 = [](auto... args) { return outline(Target::A2A3, args...); };
  CHECK(a2a3(5u, 40u, Valid{4, 33}, true) == "mask 33, vadd 4, all");             // less than a repeat a row
  CHECK(a2a3(4u, 128u, Valid{4, 128}, true) == "vadd 8");                         // one run of whole repeats
  CHECK(a2a3(4u, 72u, Valid{4, 72}, true) == "count 288, vadd 0, norm, all");     // one run, counted
  CHECK(a2a3(1u, 128u, Valid{1, 100}, false) == "vadd 1, mask 36, vadd 1, all");  // one row
  CHECK(a2a3(3u, 128u, Valid{3, 128}, false) == "vadd 6");                        // full when it runs
  CHECK(a2a3(3u, 256u, Valid{3, 200}, false) ==
        "count 200, vadd 0, vadd 0, vadd 0, norm, all");                    // fewer rows than repeats a row, counted
  CHECK(a2a3(3u, 256u, Valid{3, 192}, false) == "vadd 3, vadd 3, vadd 3");  // and whole
  CHECK(a2a3(6u, 128u, Valid{6, 100}, false) == "vadd 6, mask 36, vadd 6, all");  // column after column
  CHECK(a2a3(3u, 128u, Valid{3, 100}, false, 136u) ==
        "vadd 1, vadd 1, vadd 1, mask 36, vadd 3, all");  // different pitches
  CHECK(a2a3(4u, 64u, Valid{0, 64}, false) == "");
}

TEST_CASE("tadd a2a3: with damaged registers it looks at no more elements than UB could hold") {
  ProgramBuilder builder(Target::A2A3, "damaged");
  const TileType type = vec_tile(DType::F32, 4, 24);
  const TileId src = builder.tile("src", type), dst = builder.tile("dst", type);
  builder.add("tadd", {src, src}, {dst});
  const Program program = build(builder);
  Memory memory(Target::A2A3, 0);
  memory.set_element(Space::Spr, a2a3::kMaskMode, 8,
                     0xCDCDCDCDCDCDCDCD);  // the mask of 24 lanes is then a count of 2^24 - 1
  Trace trace;
  StepContext context(memory);
  context.trace = &trace;
  const auto recording = Recording::run(program, {.budget_bytes = 4 << 20});
  const Bound& bound = recording->bound(0);
  bound.row->machines.trace().of(bound)(context, bound);
  CHECK(static_cast<bool>(context.fault));
  std::size_t reads = 0;
  for (const MicroStep& step : trace.steps) reads += step.reads.size();
  CHECK(reads > 0);
  CHECK(reads < 200 * 1024);
}

TEST_CASE("tadd a5: registers of one run, or of every row") {
  const auto adds = [](std::uint32_t count) {
    std::string out = "vadd";
    while (--count > 0) out += ", vadd";
    return out;
  };
  CHECK(outline(Target::A5, 3, 72, {3, 72}, true) == adds(4));   // 216 elements in one run
  CHECK(outline(Target::A5, 3, 72, {3, 72}, false) == adds(6));  // the type does not say that rows are full
  CHECK(outline(Target::A5, 3, 72, {3, 64}, true) == adds(3));
  CHECK(outline(Target::A5, 1, 200, {1, 130}, false) == adds(3));  // one row is one run
}

TEST_CASE("tadd: a result shifted over its source: the order of micro-operations decides, and the flow follows") {
  // dst is one row below src0, so row r reads what row r - 1 has just written.
  ProgramBuilder builder(Target::A5, "shifted");
  const TileType type = vec_tile(DType::U32, 3, 64, kDynamic, kDynamic);
  const TileId src0 = builder.tile("src0", type, {.address = 0x1000}),
               src1 = builder.tile("src1", type, {.address = 0x4000});
  const TileId dst = builder.tile("dst", type, {.address = 0x1100});
  builder.add("tadd", {src0, src1}, {dst});
  const auto recording =
      Recording::run(build(builder), {.budget_bytes = 4 << 20, .initial = [](Memory& memory) {
                                        for (std::uint32_t i = 0; i < 4 * 64; ++i)
                                          memory.set_element(Space::Ub, 0x1000 + 4 * i, 4, 1000 + i);
                                        for (std::uint32_t i = 0; i < 3 * 64; ++i)
                                          memory.set_element(Space::Ub, 0x4000 + 4 * i, 4, i);
                                        memory.mark(memory.map().flat(Space::Ub, 0x1000), 0x4000, Definedness::Written);
                                      }});
  REQUIRE(recording->count() == 1);
  Inspector inspector(*recording);
  for (std::uint32_t row = 0; row < 3; ++row) {
    CAPTURE(row);
    std::uint64_t sum = 1000 + 5;
    for (std::uint32_t i = 0; i <= row; ++i) sum += i * 64 + 5;
    CHECK(inspector.at(1).element(Space::Ub, 0x1100 + (row * 64 + 5) * 4, 4) == sum);
    const auto sources = inspector.flow(0).sources(2, row, 5);
    REQUIRE(sources.size() == row + 2);
    CHECK(sources[0].place == ByteRange{Space::Ub, 0x1000 + 5 * 4, 4});
    for (std::uint32_t i = 0; i <= row; ++i)
      CHECK(sources[i + 1].place == ByteRange{Space::Ub, 0x4000 + (i * 64 + 5) * 4, 4});
  }
}

TEST_CASE("tadd: numbers written by hand") {
  struct Row {
    DType type;
    std::uint64_t a, b, sum;
    const char* what;
  };
  const Row rows[] = {
      {DType::U8, 0xFF, 0x02, 0x01, "u8 wraps"},
      {DType::I8, 0x7F, 0x01, 0x80, "i8 wraps"},
      {DType::I16, 0x7FFF, 0x7FFF, 0xFFFE, "i16 wraps"},
      {DType::U32, 0xFFFFFFFF, 1, 0, "u32 wraps"},
      {DType::U64, 0x00000000FFFFFFFF, 1, 0x0000000100000000, "the low word carries into the high word"},
      {DType::I64, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE, "-1 + -1"},
      {DType::I64, 0x7FFFFFFFFFFFFFFF, 1, 0x8000000000000000, "i64 wraps"},
      {DType::F32, 0x3F800000, 0x40000000, 0x40400000, "1 + 2 = 3"},
      {DType::F32, 0x4B800000, 0x3F800000, 0x4B800000, "2^24 + 1 is a tie, to even: 2^24"},
      {DType::F32, 0x4B800001, 0x3F800000, 0x4B800002, "2^24 + 2 + 1 is a tie, to even: up"},
      {DType::F32, 0x7F7FFFFF, 0x7F7FFFFF, 0x7F800000, "overflow"},
      {DType::F32, 0x7F800000, 0xFF800000, 0x7FC00000, "inf - inf: the default NaN"},
      {DType::F32, 0x7F812345, 0xFFC00001, 0x7FC12345, "the first NaN, made quiet"},
      {DType::F32, 0x3F800000, 0xFF812345, 0xFFC12345, "a NaN in the second operand keeps its sign and payload"},
      {DType::F32, 0x80000000, 0x80000000, 0x80000000, "-0 + -0 = -0"},
      {DType::F32, 0x80000000, 0x00000000, 0x00000000, "-0 + 0 = 0"},
      {DType::F32, 0x00000001, 0x00000001, 0x00000002, "subnormals are not flushed"},
      {DType::F16, 0x3C00, 0x4000, 0x4200, "1 + 2 = 3"},
      {DType::F16, 0x6800, 0x3C00, 0x6800, "2048 + 1 is a tie, to even"},
      {DType::F16, 0x7BFF, 0x4C00, 0x7C00, "65504 + 16 is a tie, to infinity"},
      {DType::F16, 0x7BFF, 0x4BFF, 0x7BFF, "65504 + 15.99 is still below it"},
      {DType::F16, 0x0001, 0x03FF, 0x0400, "subnormals carry into a normal"},
      {DType::F16, 0x7C00, 0xFC00, 0x7E00, "inf - inf"},
      {DType::F16, 0x7D01, 0x3C00, 0x7F01, "a signalling NaN becomes quiet"},
      {DType::BF16, 0x3F80, 0x4000, 0x4040, "1 + 2 = 3"},
      {DType::BF16, 0x4380, 0x3F80, 0x4380, "256 + 1 is a tie, to even"},
      {DType::BF16, 0x7F7F, 0x7F7F, 0x7F80, "overflow"},
      {DType::BF16, 0x7F80, 0xFF80, 0x7FC0, "inf - inf"},
      {DType::BF16, 0xFF81, 0x7FC5, 0xFFC1, "the first NaN wins"},
  };
  for (const Target target : kBothTargets) {
    Stage stage(target);
    Random random(5);
    for (const Row& row : rows) {
      if (std::ranges::count(tadd_types(target), row.type) == 0) continue;
      INFO(std::string(row.what));
      CHECK(oracle::add(row.type, row.a, row.b) == row.sum);
      ProgramBuilder builder(target, row.what);
      add_same_shape(builder, random, target, row.type, 1, BLK / size_bytes(row.type), {1, 1}, false);
      const Program program = build(builder);
      stage.fill(program, random, Values::Plain);
      const Bound bound = bound_of(program, 0);
      stage.set_element(bound.tile("src0"), 0, 0, row.a);
      stage.set_element(bound.tile("src1"), 0, 0, row.b);
      stage.check(program, random);
      REQUIRE(stage.effects(0).written.size() == 1);
      CHECK(stage.effects(0).written[0].bits == row.sum);
    }
  }
}

}  // namespace ts::test
