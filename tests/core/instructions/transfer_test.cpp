// TLOAD and TSTORE against their oracles: nd and dn, every pad kind, views that are parts of buffers; and every byte
// that no document promises.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kGmBytes = 256 * 1024;
const int kPrograms = rounds(3, 8, 40);

PadKind random_pad(Random& random, DType type) {
  if (random.one_in(3)) return PadKind::Null;
  // 64-bit elements have no other pad values.
  if (size_bytes(type) == 8) return PadKind::Zero;
  return random.pick({PadKind::Zero, PadKind::Max, PadKind::Min, PadKind::Custom});
}

DType same_size(Random& random, Target target, DType type) {
  while (true) {
    const auto other = static_cast<DType>(random.below(kDTypes));
    const bool legal = find_instruction("tload")->types(target, {}).contains(other);
    if (legal && size_bits(other) == size_bits(type)) return other;
  }
}

TilePlan random_transfer_tile(Random& random, DType type, GlobalLayout layout) {
  const Valid valid = random_valid(random, size_bytes(type), 8 * 1024);
  const TilePlan plan = random_tile(random, "tile", type, valid);
  return layout == GlobalLayout::DN ? on_its_side(plan) : plan;
}

// A view at least as large as the valid shape, somewhere in a buffer of its own.
View random_view(ProgramBuilder& builder, Random& random, Target target, DType type, Valid valid, GlobalLayout layout,
                 bool load) {
  View view{.buffer = {}, .rows = std::max(valid.rows, 1u), .cols = std::max(valid.cols, 1u), .layout = layout};
  // Larger than the valid region is allowed: the rest does not move.
  if (random.one_in(3)) view.rows += random.below(3);
  if (random.one_in(3)) view.cols += random.below(3);
  const std::uint32_t line = layout == GlobalLayout::ND ? view.cols : view.rows,
                      lines = layout == GlobalLayout::ND ? view.rows : view.cols;
  view.pitch = line + (random.one_in(2) ? random.below(9) : 0);
  // Lines to be loaded may share elements.
  if (load && random.one_in(8)) view.pitch = random.between(1, line);
  view.offset = random.one_in(2) ? random.below(40) : 0;
  // Where two share a byte, every line begins with one.
  if (is_packed(type)) view.pitch += view.pitch % 2, view.offset -= view.offset % 2;
  const std::uint32_t elements = view.offset + (lines - 1) * view.pitch + line + random.below(5);
  // Bits are copied, so a buffer of another type of the same size does as well.
  if (random.one_in(4)) type = same_size(random, target, type);
  view.buffer = builder.buffer("g", type, elements);
  return view;
}

void add_random_transfer(ProgramBuilder& builder, Random& random, Target target, DType type, bool load) {
  const GlobalLayout layout = random.pick({GlobalLayout::ND, GlobalLayout::DN});
  TilePlan plan = random_transfer_tile(random, type, layout);
  if (load) {
    plan.type.pad = random_pad(random, type);
    plan.type.custom_pad = static_cast<std::uint32_t>(random.next());
  }
  const View view = random_view(builder, random, target, type, plan.valid, layout, load);
  const TileId tile = add_tiles(builder, random, target, {plan})[0];
  if (load) {
    builder.add("tload", {view}, {tile});
  } else {
    builder.add("tstore", {tile}, {view});
  }
}

void check_random_transfers(bool load, std::uint64_t seed, bool pad_to_block) {
  for (const Target target : kBothTargets) {
    Stage stage(target, kGmBytes);
    for (int t = 0; t < kDTypes; ++t) {
      if (!find_instruction("tload")->types(target, {}).contains(static_cast<DType>(t))) continue;
      Random random(seed + static_cast<std::uint64_t>(t));
      for (int i = 0; i < kPrograms; ++i) {
        ProgramBuilder builder(target, "transfer");
        builder.options().pad_to_block = pad_to_block;
        for (int k = 0; k < kShapesAProgram; ++k)
          add_random_transfer(builder, random, target, static_cast<DType>(t), load);
        const Program program = build(builder);
        REQUIRE(program.gm_bytes <= kGmBytes);
        stage.fill(program, random, Values::Special);
        stage.check(program, random);
      }
    }
  }
}

// Replaces the two-dimensional view of the only instruction by one of five dimensions.
void set_view(Program& program, std::array<std::uint32_t, 5> shape, std::array<std::uint32_t, 5> stride) {
  for (const OperandUse& use : program.instructions[0].operands) {
    if (use.spec->kind != OperandKind::Global) continue;
    ViewValue& view = program.views[program.slots[use.slot].bits];
    std::ranges::copy(shape, view.shape.begin());
    std::ranges::copy(stride, view.stride.begin());
  }
}

}  // namespace

TEST_CASE("tload: random views and tiles agree with the oracle") { check_random_transfers(true, 7000, false); }
TEST_CASE("tload: with the option tload.pad = block too") { check_random_transfers(true, 7100, true); }
TEST_CASE("tstore: random views and tiles agree with the oracle") { check_random_transfers(false, 7200, false); }

TEST_CASE("tload and tstore: views of five dimensions") {
  struct Shape {
    GlobalLayout layout;
    std::array<std::uint32_t, 5> shape, stride;
  };
  // Rows (nd) and columns (dn) over the outer three dimensions, dense and with gaps everywhere.
  const Shape shapes[] = {
      {GlobalLayout::ND, {2, 3, 2, 4, 10}, {240, 80, 40, 10, 1}},
      {GlobalLayout::ND, {2, 3, 2, 4, 10}, {400, 130, 60, 12, 1}},
      {GlobalLayout::ND, {1, 1, 5, 1, 7}, {0, 0, 9, 7, 1}},
      {GlobalLayout::DN, {2, 2, 3, 9, 3}, {162, 81, 27, 1, 9}},
      {GlobalLayout::DN, {2, 2, 3, 9, 3}, {300, 150, 41, 1, 11}},
  };
  for (const Target target : kBothTargets) {
    Stage stage(target, kGmBytes);
    Random random(71);
    for (const Shape& shape : shapes) {
      const bool rows = shape.layout == GlobalLayout::ND;
      const auto& [d0, d1, d2, d3, d4] = shape.shape;
      const Valid valid = rows ? Valid{d0 * d1 * d2 * d3, d4} : Valid{d3, d0 * d1 * d2 * d4};
      for (const DType type : {DType::F32, DType::U8, DType::I64, DType::E2M1}) {
        const auto is_odd = [](std::uint32_t stride) { return stride % 2 != 0; };
        if (is_packed(type) && (target == Target::A2A3 || std::ranges::count_if(shape.stride, is_odd) > 1)) continue;
        for (const bool load : {true, false}) {
          ProgramBuilder builder(target, "five dimensions");
          const std::uint32_t line = (rows ? valid.cols : valid.rows), padded = (line + 63) / 64 * 64;
          TileType type_of_tile = rows ? vec_tile(type, valid.rows, padded, kDynamic, kDynamic)
                                       : vec_tile(type, padded, valid.cols, kDynamic, kDynamic);
          type_of_tile.blayout = rows ? BoxOrder::RowMajor : BoxOrder::ColMajor;
          const TileId tile = add_tiles(builder, random, target, {{"tile", type_of_tile, valid}})[0];
          const View view{.buffer = builder.buffer("g", type, 1200),
                          .rows = valid.rows,
                          .cols = valid.cols,
                          .offset = is_packed(type) ? 6u : 5u,
                          .layout = shape.layout};
          if (load) {
            builder.add("tload", {view}, {tile});
          } else {
            builder.add("tstore", {tile}, {view});
          }
          Program program = build(builder);
          set_view(program, shape.shape, shape.stride);
          stage.fill(program, random, Values::AnyBits);
          stage.check(program, random);
        }
      }
    }
  }
}

TEST_CASE("tstore: a tile of one row fills a view of as many elements row by row") {
  Random random(7300);
  for (const Target target : kBothTargets) {
    Stage stage(target, kGmBytes);
    for (const DType type : {DType::I8, DType::F16, DType::F32, DType::I64})
      for (int round = 0; round < kPrograms; ++round) {
        ProgramBuilder builder(target, "row");
        const std::uint32_t rows = random.between(2, 9), cols = random.between(1, 20),
                            lanes = std::max(BLK / size_bytes(type), 16u);
        TileType row = vec_tile(type, 1, rounded_up(rows * cols, lanes));
        row.valid_cols = static_cast<std::int32_t>(rows * cols);
        // Boxes of one row are a row.
        if (size_bytes(type) < 8 && random.one_in(3))
          row.blayout = BoxOrder::ColMajor, row.slayout = InnerOrder::RowMajor;
        View view{.buffer = {}, .rows = rows, .cols = cols, .pitch = cols + random.below(5), .offset = random.below(9)};
        view.buffer = builder.buffer("out", type, view.offset + rows * view.pitch);
        builder.add("tstore", {builder.tile("src", row, {.address = BLK * random.below(9)})}, {view});
        const Program program = build(builder);
        stage.fill(program, random, Values::AnyBits);
        stage.check(program, random);
      }
  }
}

TEST_CASE("tload: more rows than one burst instruction carries") {
  for (const Target target : kBothTargets) {
    Stage stage(target, kGmBytes);
    Random random(72);
    ProgramBuilder builder(target, "many rows");
    const TileId tile =
        add_tiles(builder, random, target, {{"tile", vec_tile(DType::U8, 4100, 32, 4100, 3), {4100, 3}}})[0];
    builder.add("tload", {View{.buffer = builder.buffer("g", DType::U8, 4100 * 3), .rows = 4100, .cols = 3}}, {tile});
    const Program program = build(builder);
    stage.fill(program, random, Values::AnyBits);
    stage.check(program, random);
  }
}

TEST_CASE("tload: padding by hand: 2x5 f32 into rows of 24") {
  struct Row {
    Target target;
    PadKind pad;
    bool to_block;
    std::uint32_t padded_to;  // first column that keeps its bytes
    std::uint32_t bits;
  };
  const Row rows[] = {
      {Target::A5, PadKind::Max, false, 24, 0x7F800000}, {Target::A5, PadKind::Max, true, 8, 0x7F800000},
      {Target::A5, PadKind::Zero, false, 24, 0},         {Target::A2A3, PadKind::Min, false, 8, 0xFF800000},
      {Target::A2A3, PadKind::Zero, false, 8, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(std::string(name(row.target)));
    CAPTURE(row.padded_to);
    ProgramBuilder builder(row.target, "padding");
    builder.options().pad_to_block = row.to_block;
    TileType type = vec_tile(DType::F32, 4, 24, 2, 5);
    type.pad = row.pad;
    const TileId tile = builder.tile("t", type, {.address = 0x400});
    builder.add(
        "tload",
        {View{.buffer = builder.buffer("g", DType::F32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), .rows = 2, .cols = 5}},
        {tile});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
    const Memory& memory = recording->final_memory();
    for (std::uint32_t r = 0; r < 4; ++r) {
      for (std::uint32_t c = 0; c < 24; ++c) {
        CAPTURE(r);
        CAPTURE(c);
        const std::uint32_t address = 0x400 + (r * 24 + c) * 4;
        const bool data = r < 2 && c < 5, pad = r < 2 && c >= 5 && c < row.padded_to;
        const std::uint64_t expected = data ? from_double(DType::F32, 1 + r * 5 + c) : pad ? row.bits : 0xCDCDCDCD;
        CHECK(memory.element(Space::Ub, address, 4) == expected);
        CHECK(memory.definedness(memory.map().flat(Space::Ub, address)) ==
              (data || pad ? Definedness::Written : Definedness::Never));
      }
    }
  }
}

TEST_CASE("tload, tadd, tstore: a program from global memory and back") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "sum");
    const TileType type = vec_tile(DType::F32, 2, 8, 2, 3);
    const TileId a = builder.tile("a", type), b = builder.tile("b", type), c = builder.tile("c", type);
    const BufferId x = builder.buffer("x", DType::F32, {1, 2, 3, 4, 5, 6}),
                   y = builder.buffer("y", DType::F32, {10, 20, 30, 40, 50, 60});
    const BufferId z = builder.buffer("z", DType::F32, 9);
    builder.add("tload", {View{x, 2, 3}}, {a});
    builder.add("tload", {View{y, 2, 3}}, {b});
    builder.add("tadd", {a, b}, {c});
    builder.add("tstore", {c}, {View{.buffer = z, .rows = 2, .cols = 3, .pitch = 4, .offset = 1}});
    const auto recording = Recording::run(build(builder), {.budget_bytes = 1 << 20});
    REQUIRE(recording->count() == 4);
    CHECK(recording->findings().empty());
    const Program& program = recording->program();
    const Memory& memory = recording->final_memory();
    const std::uint32_t begin = program.buffers[2].address;
    const double expected[] = {0, 11, 22, 33, 0, 44, 55, 66, 0};
    for (std::uint32_t i = 0; i < 9; ++i) {
      CAPTURE(i);
      CHECK(to_double(DType::F32, memory.element(Space::Gm, begin + 4 * i, 4)) == expected[i]);
      CHECK(memory.definedness(memory.map().flat(Space::Gm, begin + 4 * i)) ==
            (expected[i] != 0 ? Definedness::Written : Definedness::Never));
    }
    // The stored element says where it came from.
    Inspector inspector(*recording);
    const auto sources = inspector.flow(3).sources_of_bytes({Space::Gm, begin + 4, 4});
    REQUIRE(sources.size() == 1);
    CHECK(sources[0].kind == Source::Kind::Element);
    CHECK(sources[0].place == ByteRange{Space::Ub, program.tiles[2].address, 4});
  }
}

}  // namespace ts::test
