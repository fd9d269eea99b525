// One test per rule of data movement, of tile types, and of what the builder itself refuses.
#include <doctest/doctest.h>

#include "core/record/recording.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

// A load or a store between a tile and a view of one buffer.
ProgramBuilder transfer(bool load, const TileType& type, DType buffer_type, std::uint32_t elements, View view,
                        std::optional<std::uint32_t> valid_rows = {}, Target target = Target::A5) {
  ProgramBuilder builder = builder_with_a_start(target);
  const TileId tile = builder.tile("t", type, {.address = 0x1000, .valid_rows = valid_rows});
  view.buffer = builder.buffer("g", buffer_type, elements, std::vector<std::byte>(elements * size_bytes(buffer_type)));
  if (load) {
    builder.add("tload", {view}, {tile});
  } else {
    builder.add("tstore", {tile}, {view});
  }
  return builder;
}

struct Names {
  bool load;
  const char *r2, *r3, *r4, *r5, *tile, *view;
};
constexpr Names kBoth[] = {{true, "TLOAD-R2", "TLOAD-R3", "TLOAD-R4", "TLOAD-R5", "dst", "src"},
                           {false, "TSTORE-R2", "TSTORE-R3", "TSTORE-R4", "TSTORE-R5", "src", "dst"}};

// A tadd with one tile of a bad type: the rules of tile types hold for every instruction.
ProgramBuilder with_tile(const TileType& type) {
  ProgramBuilder builder = builder_with_a_start(Target::A5);
  const TileId good = builder.tile("a", f32(1, 8), {.address = 0x1000}),
               bad = builder.tile("b", type, {.address = 0x2000});
  builder.add("tadd", {good, bad}, {good});
  return builder;
}

}  // namespace

TEST_CASE("TLOAD-R1, TSTORE-R1, TASSIGN-R1: a2a3 has no floats of 8 bits") {
  const TileType small = vec_tile(DType::HIF8, 2, 32);
  const View view{.buffer = {}, .rows = 2, .cols = 32};
  for (const bool load : {true, false})
    check_told(transfer(load, small, DType::HIF8, 64, view, {}, Target::A2A3),
               {load ? "TLOAD-R1" : "TSTORE-R1", Severity::Error, load ? "dst" : "src", {"hif8"}});
  ProgramBuilder builder = builder_with_a_start(Target::A2A3);
  builder.add("tassign", {scalar_of(DType::I64, 0x2000)}, {builder.tile("t", small, {.address = 0x1000})});
  check_told(std::move(builder), {"TASSIGN-R1", Severity::Error, "tile", {"hif8"}});
}

TEST_CASE("TLOAD-R2, TSTORE-R2: layouts that go together") {
  for (const Names& n : kBoth) {
    check_told(
        transfer(n.load, f32(8, 8), DType::F32, 64, {.buffer = {}, .rows = 8, .cols = 8, .layout = GlobalLayout::DN}),
        {n.r2, Severity::Error, n.tile, {"dn", "row_major"}});
    check_told(transfer(n.load, col_major(f32(8, 8)), DType::F32, 64,
                        {.buffer = {}, .rows = 8, .cols = 8, .layout = GlobalLayout::ND}),
               {n.r2, Severity::Error, n.tile, {"nd", "col_major"}});
  }
}

TEST_CASE("TLOAD-R2, TSTORE-R2: the innermost stride is not read") {
  for (const Names& n : kBoth) {
    ProgramBuilder builder = transfer(n.load, f32(2, 8), DType::F32, 64, {.buffer = {}, .rows = 2, .cols = 8});
    Diagnostics diagnostics;
    Program program = builder.build(diagnostics);
    REQUIRE(!has_error(diagnostics));
    for (const OperandUse& use : program.instructions[1].operands)
      if (use.spec->kind == OperandKind::Global)
        program.views[program.slots[use.slot].bits].stride = {32, 32, 32, 16, 2};
    const auto recording = Recording::run(program, {.budget_bytes = 4 << 20});
    CHECK(recording->count() == 1);
    REQUIRE(recording->findings().size() == 1);
    const Diagnostic& told = recording->findings()[0].diagnostic;
    CHECK(told.rule == n.r2);
    CHECK(told.severity == Severity::Error);
    CHECK(told.operand == n.view);
    CHECK(told.pos == SourcePos{2, 1});
    CHECK(told.text.find("stride 2") != std::string::npos);
  }
}

TEST_CASE("TLOAD-R2, TSTORE-R2: the pairs of layouts of each target") {
  struct Order {
    const char* name;
    BoxOrder outer;
    InnerOrder inner;
  };
  constexpr Order kOrders[] = {
      {"row_major", BoxOrder::RowMajor, InnerOrder::None}, {"col_major", BoxOrder::ColMajor, InnerOrder::None},
      {"nz", BoxOrder::ColMajor, InnerOrder::RowMajor},    {"zn", BoxOrder::RowMajor, InnerOrder::ColMajor},
      {"zz", BoxOrder::RowMajor, InnerOrder::RowMajor},    {"nn", BoxOrder::ColMajor, InnerOrder::ColMajor}};
  const std::array<std::pair<const char*, GlobalLayout>, 3> layouts{
      {{"nd", GlobalLayout::ND}, {"dn", GlobalLayout::DN}, {"nz", GlobalLayout::NZ}}};
  const auto goes = [](Target target, bool load, TileLoc loc, std::string_view view, std::string_view tile) {
    if (!load && target == Target::A5 && loc == TileLoc::Mat) return false;
    if ((view == "nd" && tile == "row_major") || (view == "dn" && tile == "col_major") ||
        (view == "nz" && tile == "nz"))
      return true;
    if (!load || loc == TileLoc::Vec) return false;
    return (view == "nd" && tile == "nz") || (view == "dn" && tile == "zn") ||
           (view == "dn" && tile == "nz" && target == Target::A5);
  };
  for (const Target target : kBothTargets) {
    for (const Names& n : kBoth) {
      for (const TileLoc loc : {TileLoc::Vec, TileLoc::Mat}) {
        for (const auto& [view_name, layout] : layouts) {
          for (const Order& order : kOrders) {
            CAPTURE(std::string(name(target)));
            CAPTURE(std::string(name(loc)));
            const std::string layout_name = view_name;
            CAPTURE(layout_name);
            CAPTURE(std::string(order.name));
            CAPTURE(n.load);
            ProgramBuilder builder = builder_with_a_start(target);
            const TileId tile =
                builder.tile("t", boxed(loc, DType::F16, 32, 32, order.outer, order.inner), {.address = 0x1000});
            View5 view{.buffer = builder.buffer("g", DType::F16, 1024, std::vector<std::byte>(2048)),
                       .shape = {1, 1, 1, 32, 32},
                       .stride = {1024, 1024, 1024, 32, 1},
                       .layout = layout};
            if (layout == GlobalLayout::DN) std::swap(view.stride[3], view.stride[4]);
            if (layout == GlobalLayout::NZ) view.shape = {1, 2, 2, 16, 16}, view.stride = {1024, 512, 256, 16, 1};
            if (n.load) {
              builder.add("tload", {view}, {tile});
            } else {
              builder.add("tstore", {tile}, {view});
            }
            if (goes(target, n.load, loc, view_name, order.name)) {
              check_told(std::move(builder), std::initializer_list<Told>{});
            } else {
              check_told(std::move(builder), {n.r2, Severity::Error, n.tile, {}});
            }
          }
        }
      }
    }
  }
}

TEST_CASE("TSTORE-R6: elements that a store can add") {
  for (const Target target : kBothTargets) {
    for (const DType type :
         {DType::F32, DType::F16, DType::BF16, DType::I32, DType::I16, DType::I8, DType::U8, DType::U32, DType::I64}) {
      CAPTURE(std::string(name(type)));
      ProgramBuilder builder = builder_with_a_start(target);
      const TileId tile = builder.tile("t", vec_tile(type, 1, 32), {.address = 0x1000});
      builder.add("tstore", {tile},
                  {View{builder.buffer("g", type, 32, std::vector<std::byte>(32 * size_bytes(type))), 1, 32}},
                  {{"atomicType", "atomic_add"}});
      if (is_float(type) || (is_signed_int(type) && type != DType::I64)) {
        check_told(std::move(builder), std::initializer_list<Told>{});
      } else {
        check_told(std::move(builder), {"TSTORE-R6", Severity::Error, "src", {name(type), "added"}});
      }
    }
  }
}

TEST_CASE("TLOAD-R3, TSTORE-R3: elements of one size") {
  for (const Names& n : kBoth) {
    check_told(transfer(n.load, f32(2, 8), DType::F16, 64, {.buffer = {}, .rows = 2, .cols = 8}),
               {n.r3, Severity::Error, n.tile, {"4 here", "2 in the view"}});
    check_told(transfer(n.load, f32(2, 8), DType::U32, 64, {.buffer = {}, .rows = 2, .cols = 8}),
               std::initializer_list<Told>{});
  }
}

TEST_CASE("TLOAD-R4, TSTORE-R4: a view as large as the valid region") {
  for (const Names& n : kBoth) {
    check_told(transfer(n.load, f32(4, 8), DType::F32, 64, {.buffer = {}, .rows = 3, .cols = 8}),
               {n.r4, Severity::Error, n.view, {"3x8", "4x8", "smaller"}});
    check_told(transfer(n.load, f32(4, 8), DType::F32, 64, {.buffer = {}, .rows = 4, .cols = 7}),
               {n.r4, Severity::Error, n.view, {"4x7", "4x8"}});
    check_told(transfer(n.load, f32(4, 8), DType::F32, 64, {.buffer = {}, .rows = 6, .cols = 8}),
               {n.r4, Severity::Warning, n.view, {"6x8", "4x8", "larger"}});
    check_told(transfer(n.load, vec_tile(DType::F32, 4, 8, kDynamic, 8), DType::F32, 64,
                        {.buffer = {}, .rows = 2, .cols = 8}, 3),
               {n.r4, Severity::Error, n.view, {"2x8", "3x8"}});
  }
}

TEST_CASE("TSTORE-R4: a row may fill a view of several") {
  for (const Target target : kBothTargets) {
    check_told(transfer(false, f32(1, 64), DType::F32, 64, {.buffer = {}, .rows = 8, .cols = 8}, {}, target),
               std::initializer_list<Told>{});
    check_told(transfer(false, f32(1, 64), DType::F32, 64, {.buffer = {}, .rows = 9, .cols = 7}, {}, target),
               {"TSTORE-R4", Severity::Error, "dst", {"9x7", "1x64", "smaller"}});
    check_told(transfer(false, f32(1, 64), DType::F32, 63, {.buffer = {}, .rows = 8, .cols = 8}, {}, target),
               {"TSTORE-R5", Severity::Error, "dst", {"256", "252"}});
  }
}

TEST_CASE("TLOAD-R5, TSTORE-R5: a view inside its buffer") {
  for (const Target target : kBothTargets) {
    for (const Names& n : kBoth) {
      check_told(transfer(n.load, f32(4, 8), DType::F32, 31, {.buffer = {}, .rows = 4, .cols = 8}, {}, target),
                 {n.r5, Severity::Error, n.view, {"128", "124"}});
      check_told(
          transfer(n.load, f32(4, 8), DType::F32, 40, {.buffer = {}, .rows = 4, .cols = 8, .offset = 9}, {}, target),
          {n.r5, Severity::Error, n.view, {"164", "160"}});
      check_told(
          transfer(n.load, f32(4, 8), DType::F32, 32, {.buffer = {}, .rows = 4, .cols = 8, .pitch = 9}, {}, target),
          {n.r5, Severity::Error, n.view, {"140", "128"}});
      check_told(
          transfer(n.load, f32(4, 8), DType::F32, 35, {.buffer = {}, .rows = 4, .cols = 8, .pitch = 9}, {}, target),
          std::initializer_list<Told>{});
    }
  }
}

TEST_CASE("TLOAD-R2, TLOAD-R5: boxes of scales, whole ones in the buffer, on a5") {
  const TileType right = scale_tile(TileLoc::Mat, false, 4, 63);  // as wide as 64
  const View view{.buffer = {}, .rows = 4, .cols = 63};
  check_told(transfer(true, right, DType::E8M0, 256, view), std::initializer_list<Told>{});
  check_told(transfer(true, right, DType::E8M0, 252, view), {"TLOAD-R5", Severity::Error, "src", {"256", "252"}, true});
  TileType bytes = right;
  bytes.dtype = DType::U8;
  check_told(transfer(true, bytes, DType::U8, 256, view, {}, Target::A2A3),
             {"TLOAD-R2", Severity::Error, "dst", {"nd", "nn"}, true});
}

TEST_CASE("TLOAD-R5, TSTORE-R5: offsets and pitches beyond 32 bits") {
  for (const Names& n : kBoth) {
    check_told(transfer(n.load, f32(1, 8), DType::F32, 64, {.buffer = {}, .rows = 1, .cols = 8, .offset = 0x40000000}),
               {n.r5, Severity::Error, n.view, {"256"}});
    check_told(transfer(n.load, f32(2, 8), DType::F32, 64, {.buffer = {}, .rows = 2, .cols = 8, .pitch = 0x40000000}),
               {n.r5, Severity::Error, n.view, {"4294967328", "256"}});
  }
}

TEST_CASE("TILE-R1: a tile has an element") {
  check_told(with_tile(f32(0, 8)), {"TILE-R1", Severity::Error, "src1", {"src1", "0x8"}});
  check_told(with_tile(f32(1, 0)), {"TILE-R1", Severity::Error, "src1", {"src1", "1x0"}});
}

TEST_CASE("TILE-R2: lines of whole blocks") {
  check_told(with_tile(f32(4, 1)), {"TILE-R2", Severity::Error, "src1", {"src1", "row", "4 bytes", "32"}});
  check_told(with_tile(vec_tile(DType::U8, 1, 48)), {"TILE-R2", Severity::Error, "src1", {"48"}});
  check_told(with_tile(col_major(f32(4, 8))), {"TILE-R2", Severity::Error, "src1", {"column", "16 bytes"}});
}

TEST_CASE("TILE-R3: whole boxes") {
  TileType boxed = f32(16, 12);
  boxed.slayout = InnerOrder::RowMajor;
  check_told(with_tile(boxed), {"TILE-R3", Severity::Error, "src1", {"16x12", "16x8"}});
  // Rows may be short in a vec tile, and nowhere else.
  boxed = f32(20, 16);
  boxed.slayout = InnerOrder::RowMajor;
  Diagnostics diagnostics;
  check_tile_type(boxed, "t", {}, diagnostics);
  CHECK(diagnostics.empty());
  boxed.loc = TileLoc::Mat;
  check_tile_type(boxed, "t", {}, diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].rule == "TILE-R3");
}

TEST_CASE("E-NAME: an instruction that nobody knows") {
  ProgramBuilder builder = builder_with_a_start(Target::A5);
  const TileId a = builder.tile("a", f32(1, 8));
  builder.add("taddd", {a, a}, {a});
  Diagnostics diagnostics;
  builder.build(diagnostics);
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].rule == "E-NAME");
  CHECK(diagnostics[0].severity == Severity::Error);
  CHECK(diagnostics[0].pos == SourcePos{2, 1});
  CHECK(diagnostics[0].text.find("taddd") != std::string::npos);
}

TEST_CASE("E-OPERANDS: operands that no form takes") {
  const auto told = [](std::vector<BuildOperand> inputs, std::size_t outputs, std::string_view instruction) {
    ProgramBuilder builder = builder_with_a_start(Target::A5);
    const TileId a = builder.tile("a", f32(1, 8));
    for (BuildOperand& input : inputs)
      if (std::holds_alternative<TileId>(input)) input = a;
    builder.add(instruction, inputs, std::vector<BuildOperand>(outputs, a));
    Diagnostics diagnostics;
    builder.build(diagnostics);
    REQUIRE(diagnostics.size() == 1);
    CHECK(diagnostics[0].rule == "E-OPERANDS");
    CHECK(diagnostics[0].pos == SourcePos{2, 1});
    CHECK(diagnostics[0].text.find(instruction) != std::string::npos);
    CHECK(!diagnostics[0].hint.empty());
  };
  told({TileId{0}}, 1, "tadd");
  told({TileId{0}, TileId{0}, TileId{0}}, 1, "tadd");
  told({TileId{0}, TileId{0}}, 2, "tadd");
  told({TileId{0}, Scalar{}}, 1, "tadd");
  told({TileId{0}, TileId{0}}, 1, "tdeinterleave");
  told({TileId{0}, TileId{0}}, 1, "tload");
}

TEST_CASE("E-OPERANDS: several lines are all told") {
  ProgramBuilder builder = builder_with_a_start(Target::A5);
  const TileId a = builder.tile("a", f32(1, 8));
  builder.add("tadd", {a}, {a});
  builder.add("nothing", {}, {});
  Diagnostics diagnostics;
  builder.build(diagnostics);
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics[0].pos == SourcePos{2, 1});
  CHECK(diagnostics[1].pos == SourcePos{3, 1});
}

TEST_CASE("E-PLACE: no room for a tile without an address") {
  for (const Target target : kBothTargets) {
    ProgramBuilder builder(target, "full");
    // Three times 80 KiB fill either UB too far.
    const TileId a = builder.tile("a", f32(160, 128)), b = builder.tile("b", f32(160, 128)),
                 c = builder.tile("c", f32(192, 128));
    builder.add("tadd", {a, b}, {c});
    Diagnostics diagnostics;
    builder.build(diagnostics);
    REQUIRE(diagnostics.size() == 1);
    CHECK(diagnostics[0].rule == "E-PLACE");
    CHECK(diagnostics[0].severity == Severity::Error);
    CHECK(diagnostics[0].operand == "c");
    CHECK(diagnostics[0].text.find("ub") != std::string::npos);
    CHECK(!diagnostics[0].hint.empty());
  }
}

TEST_CASE("diagnostics in words") {
  const Diagnostic diagnostic{.rule = "TDI-R5",
                              .severity = Severity::Error,
                              .pos = {12, 3},
                              .operand = "dst0",
                              .text = "validCol 7 is odd",
                              .hint = ""};
  CHECK(diagnostic.format() == "12:3: error: [TDI-R5] validCol 7 is odd");
  const Diagnostic nowhere{
      .rule = "G5", .severity = Severity::Warning, .pos = {}, .operand = "", .text = "overlap", .hint = "move it"};
  CHECK(nowhere.format() == "warning: [G5] overlap\n  hint: move it");
}

}  // namespace ts::test
