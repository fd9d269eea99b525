// Every rule of the moves between the memories of a core, broken once: its id, the operand, the values in the text; and nothing
// of the instruction executed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "core/record/recording.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"

namespace ts::test {
namespace {

TileType vec_boxes(DType type, std::uint32_t rows, std::uint32_t cols) {
  TileType tile = cube::mat(type, rows, cols);
  tile.loc = TileLoc::Vec;
  return tile;
}
TileType altered(TileType type, const std::function<void(TileType&)>& change) {
  change(type);
  return type;
}

ProgramBuilder extract(Target target, const TileType& dst, const TileType& src, std::int64_t row, std::int64_t col) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0x4000}), to = tile("d", dst, {.address = 0});
  const auto at = [](std::int64_t index) { return Scalar{DType::I64, static_cast<std::uint64_t>(index)}; };
  tile.builder.add("textract", {from, at(row), at(col)}, {to});
  return std::move(tile.builder);
}
ProgramBuilder move(Target target, const TileType& dst, const TileType& src) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0x4000}), to = tile("d", dst, {.address = 0});
  tile.builder.add("tmov", {from}, {to});
  return std::move(tile.builder);
}
ProgramBuilder store(Target target, const TileType& src, DType out, std::uint32_t rows, std::uint32_t cols,
                     std::uint32_t elements, GlobalLayout layout = GlobalLayout::ND) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0});
  View view{.buffer = tile.builder.buffer("out", out, elements), .rows = rows, .cols = cols, .layout = layout};
  tile.builder.add("tstore", {from}, {view});
  return std::move(tile.builder);
}

constexpr std::uint64_t kTwo = 0x40000000, kSignedTwo = kTwo | std::uint64_t{1} << 46;

// The instruction with what goes in beside src: a number, or a tile; and a window where it has one.
struct Beside {
  std::vector<Scalar> numbers = {};
  std::vector<TileType> tiles = {};
  std::vector<BuildAttribute> attributes = {};
  std::uint32_t tile_at = 0;
};
ProgramBuilder call(std::string_view instruction, Target target, const TileType& dst, const TileType& src,
                    const Beside& beside) {
  HandTiles tile(target);
  std::vector<BuildOperand> inputs{tile("s", src, {.address = 0})};
  for (const TileType& type : beside.tiles) inputs.push_back(tile("f", type, {.address = beside.tile_at}));
  for (const Scalar& number : beside.numbers) inputs.push_back(number);
  if (instruction != "tmov")
    for (int i = 0; i < 2; ++i) inputs.push_back(Scalar{DType::I64, 0});
  tile.builder.add(instruction, inputs, {tile("d", dst, {.address = 0x8000})}, beside.attributes);
  return std::move(tile.builder);
}
ProgramBuilder insert(Target target, const TileType& dst, const TileType& src, std::int64_t row, std::int64_t col) {
  HandTiles tile(target);
  const TileId from = tile("s", src, {.address = 0}), to = tile("d", dst, {.address = 0x8000});
  const auto at = [](std::int64_t index) { return Scalar{DType::I64, static_cast<std::uint64_t>(index)}; };
  tile.builder.add("tinsert", {from, at(row), at(col)}, {to});
  return std::move(tile.builder);
}
ProgramBuilder store_with(Target target, const TileType& src, DType out, const Beside& beside) {
  HandTiles tile(target);
  std::vector<BuildOperand> inputs{tile("s", src, {.address = 0})};
  for (const TileType& type : beside.tiles) inputs.push_back(tile("f", type, {.address = beside.tile_at}));
  for (const Scalar& number : beside.numbers) inputs.push_back(number);
  const View view{.buffer = tile.builder.buffer("out", out, 1024), .rows = 32, .cols = 32};
  tile.builder.add("tstore", inputs, {view}, beside.attributes);
  return std::move(tile.builder);
}
Scalar bits_of_factor(std::uint64_t bits) { return {DType::I64, bits}; }

// The rules of the fixpipe, by instruction: the type, the factors, the layout, relu without it, and odd factors.
struct FixpipeRules {
  const char *instruction, *conversion, *factors, *layout, *relu, *odd, *halves;
};
constexpr FixpipeRules kFixpipe[] = {
    {"tmov", "TMOV-R16", "TMOV-R17", "TMOV-R18", "TMOV-R19", "TMOV-W3", "TMOV-R20"},
    {"textract", "TEXTRACT-R16", "TEXTRACT-R17", "TEXTRACT-R18", "TEXTRACT-R19", "TEXTRACT-W3", "TEXTRACT-R20"},
    {"tinsert", "TINSERT-R16", "TINSERT-R17", "TINSERT-R18", "TINSERT-R19", "TINSERT-W3", "TINSERT-R20"}};

}  // namespace

TEST_CASE("moves of the cube core: what is legal is told nothing") {
  for (const Target target : kBothTargets) {
    check_told(extract(target, cube::left(target), cube::mat(), 32, 16), kNothing);
    check_told(extract(target, cube::right(), cube::mat(), 16, 32), kNothing);
    check_told(move(target, cube::left(target), cube::mat(DType::F16, 32, 32)), kNothing);
    check_told(store(target, cube::acc(), DType::F16, 32, 32, 1024), kNothing);
    check_told(move(target, cube::mat(DType::F16, 32, 32), cube::acc()), kNothing);
    check_told(insert(target, cube::mat(), cube::acc(), 32, 16), kNothing);
    check_told(extract(target, cube::mat(DType::F16, 16, 16), cube::acc(), 16, 16), kNothing);
    check_told(store_with(target, cube::acc(), DType::I8, {.numbers = {bits_of_factor(kSignedTwo)}}), kNothing);
    check_told(store_with(target, cube::acc(DType::I32), DType::F16, {.tiles = {cube::factors()}}), kNothing);
  }
}

TEST_CASE("TEXTRACT: rules") {
  const Target a5 = Target::A5;
  check_told(extract(Target::A2A3, cube::left(Target::A2A3, DType::F8E4M3), cube::mat(DType::F8E4M3), 0, 0),
             {"TEXTRACT-R1", Severity::Error, "dst", {"f8e4m3fn", "a2a3"}, true});
  check_told(extract(a5, cube::left(a5), cube::mat(DType::BF16), 0, 0),
             {"TEXTRACT-R2", Severity::Error, "src", {"f16", "bf16"}, true});
  check_told(extract(a5, cube::acc(), cube::mat(DType::F32), 0, 0),
             {"TEXTRACT-R4", Severity::Error, "dst", {"mat", "acc"}, true, FindingKind::Reach});
  check_told(extract(a5, cube::left(a5), cube::mat(), 48, 0),
             {"TEXTRACT-R5", Severity::Error, "src", {"(48, 0)", "64x64"}, true, FindingKind::Bounds});
  check_told(extract(a5, cube::left(a5), cube::mat(), -16, 0),
             {"TEXTRACT-R5", Severity::Error, "src", {"(-16, 0)"}, true, FindingKind::Bounds});
  check_told(extract(a5, cube::left(a5), cube::mat(), 8, 0),
             {"TEXTRACT-R6", Severity::Error, "src", {"(8, 0)", "(16, 16)"}, true});
  check_told(extract(a5, cube::left(a5, DType::U16), cube::mat(DType::U16), 0, 0),
             {"TEXTRACT-R11", Severity::Error, "dst", {"u16"}, true});
  check_told(extract(a5, cube::left(a5), altered(cube::mat(), [](TileType& t) { t.slayout = InnerOrder::None; }), 0, 0),
             {"TEXTRACT-R12", Severity::Error, "src", {"col_major", "nz or zn"}, true});
  check_told(extract(a5, cube::left(Target::A2A3), cube::mat(), 0, 0),
             {"TEXTRACT-R13", Severity::Error, "dst", {"zz", "nz"}, true});
  check_told(extract(a5, cube::acc(DType::F32), cube::acc(DType::F32), 0, 0),
             {"TEXTRACT-R4", Severity::Error, "dst", {"acc"}, true, FindingKind::Reach});
}

TEST_CASE("TMOV: rules of its moves on the cube core") {
  const Target a5 = Target::A5, a2a3 = Target::A2A3;
  check_told(move(a2a3, f32(32, 32), cube::acc()),
             {"TMOV-R10", Severity::Error, "dst", {"acc", "vec"}, true, FindingKind::Reach});
  check_told(move(a5, cube::left(a5), f32(32, 32)),
             {"TMOV-R10", Severity::Error, "dst", {"vec", "left"}, true, FindingKind::Reach});
  check_told(move(a5, cube::left(a5), cube::mat()), {"TMOV-R15", Severity::Error, "dst", {"32x32", "64x64"}, true});
  check_told(move(a5, cube::left(a5, DType::U16), cube::mat(DType::U16, 32, 32)),
             {"TMOV-R11", Severity::Error, "dst", {"u16"}, true});
  TileType row = vec_tile(DType::F16, 1, 32);
  row.loc = TileLoc::Mat;
  check_told(move(a5, cube::bias_row(), row), kNothing);
  check_told(move(a2a3, cube::bias_row(), altered(row, [](TileType& t) { t.dtype = DType::BF16; })),
             {"TMOV-R11", Severity::Error, "dst", {"bf16", "f32"}, true});
  check_told(move(a5, cube::bias_row(DType::F32, 64), row), {"TMOV-R15", Severity::Error, "dst", {"64", "32"}, true});
  TileType narrow = vec_tile(DType::F16, 1, 16);
  narrow.loc = TileLoc::Mat;
  check_told(move(a2a3, cube::bias_row(DType::F32, 16), narrow),
             {"TMOV-R14", Severity::Error, "src", {"32 bytes", "64"}, true});
}

TEST_CASE("TSTORE: rules of sums that leave acc") {
  for (const Target target : kBothTargets) {
    check_told(store(target, cube::acc(), DType::I32, 32, 32, 1024),
               {"TSTORE-R7", Severity::Error, "src", {"f32", "i32"}, true});
    check_told(store(target, altered(cube::acc(), [](TileType& t) { t.fractal = 512; }), DType::F32, 32, 32, 1024),
               {"TSTORE-R2", Severity::Error, "src", {"512", "1024"}, true});
    check_told(store(target, cube::acc(), DType::F32, 32, 32, 1024, GlobalLayout::DN),
               {"TSTORE-R2", Severity::Error, "dst", {"dn"}, true});
    check_told(store(target, cube::acc(), DType::F32, 16, 32, 1024),
               {"TSTORE-R4", Severity::Error, "dst", {"16x32", "32x32"}, true});
    check_told(store(target, cube::acc(), DType::F32, 32, 32, 1000),
               {"TSTORE-R5", Severity::Error, "dst", {"4096", "4000"}, true});
  }
}

TEST_CASE("TSTORE-R8: relu of sums alone") {
  HandTiles tile(Target::A5);
  const TileId from = tile("s", f32(4, 8));
  const View view{.buffer = tile.builder.buffer("out", DType::F32, 32), .rows = 4, .cols = 8};
  tile.builder.add("tstore", {from}, {view}, {{"reluPreMode", "normal_relu"}});
  check_told(std::move(tile.builder), {"TSTORE-R8", Severity::Error, "src", {"relu", "acc"}, true});
}

TEST_CASE("TINSERT: rules") {
  const Target a5 = Target::A5, a2a3 = Target::A2A3;
  check_told(insert(a2a3, cube::mat(DType::F8E4M3), cube::acc(), 0, 0),
             {"TINSERT-R1", Severity::Error, "dst", {"f8e4m3fn", "a2a3"}, true});
  check_told(insert(a5, cube::mat(DType::F16), vec_boxes(DType::BF16, 32, 32), 0, 0),
             {"TINSERT-R2", Severity::Error, "src", {"f16", "bf16"}, true});
  check_told(insert(a5, cube::acc(), cube::mat(DType::F32), 0, 0),
             {"TINSERT-R4", Severity::Error, "dst", {"mat", "acc"}, true, FindingKind::Reach});
  check_told(insert(a2a3, cube::mat(DType::F16), vec_boxes(DType::F16, 32, 32), 0, 0),
             {"TINSERT-R4", Severity::Error, "dst", {"vec", "mat"}, true, FindingKind::Reach});
  check_told(insert(a5, cube::mat(), cube::acc(), 48, 0),
             {"TINSERT-R5", Severity::Error, "dst", {"(48, 0)", "64x64"}, true, FindingKind::Bounds});
  check_told(insert(a5, cube::mat(), cube::acc(), 0, -1),
             {"TINSERT-R5", Severity::Error, "dst", {"(0, -1)"}, true, FindingKind::Bounds});
  TileType zn = vec_boxes(DType::F16, 64, 64);
  zn.blayout = BoxOrder::RowMajor, zn.slayout = InnerOrder::ColMajor;
  check_told(insert(a5, zn, vec_boxes(DType::F16, 32, 32), 8, 0),
             {"TINSERT-R6", Severity::Error, "dst", {"row 8", "16"}, true});
  check_told(insert(a5, vec_boxes(DType::E2M1, 64, 64), vec_boxes(DType::E2M1, 64, 64), 0, 1),
             {"TINSERT-R5", Severity::Error, "dst", {"(0, 1)"}, true, FindingKind::Bounds});
  check_told(insert(a5, vec_boxes(DType::E2M1, 64, 128), vec_boxes(DType::E2M1, 64, 64), 0, 1),
             {"TINSERT-R6", Severity::Error, "dst", {"odd column", "(1)"}, true});
}

TEST_CASE("TMOV: rules of its ways into boxes and to the fixpipe") {
  const Target a5 = Target::A5;
  TileType zn = vec_boxes(DType::F16, 32, 32);
  zn.blayout = BoxOrder::RowMajor, zn.slayout = InnerOrder::ColMajor;
  TileType rows = vec_tile(DType::F16, 32, 32);
  check_told(move(a5, zn, rows), kNothing);
  rows.valid_rows = 24;
  check_told(move(a5, zn, rows), {"TMOV-R6", Severity::Error, "dst", {"24 rows", "16"}, true});
  TileType line = cube::factors();
  line.loc = TileLoc::Mat;
  check_told(move(a5, cube::factors(), line), kNothing);
  check_told(move(a5, cube::factors(32, DType::I64), line), {"TMOV-R2", Severity::Error, "src", {"i64", "u64"}, true});
  TileType narrow = vec_tile(DType::U64, 1, 8), narrow_line = narrow;
  narrow.loc = TileLoc::Scaling, narrow_line.loc = TileLoc::Mat;
  check_told(move(a5, narrow, narrow_line), {"TMOV-R14", Severity::Error, "dst", {"64 bytes", "128"}, true});
  TileType two = vec_tile(DType::U64, 2, 16), two_lines = two;
  two.loc = TileLoc::Scaling, two_lines.loc = TileLoc::Mat;
  check_told(move(a5, two, two_lines), {"TMOV-R12", Severity::Error, "src", {"2"}, true});
  check_told(move(a5, cube::mat(DType::F16, 16, 16), cube::acc()),
             {"TMOV-R15", Severity::Error, "dst", {"32x32", "16x16"}, true, FindingKind::Bounds});
}

TEST_CASE("TMOV, TEXTRACT, TINSERT: rules of the fixpipe") {
  const Target a5 = Target::A5, a2a3 = Target::A2A3;
  for (const FixpipeRules& rules : kFixpipe) {
    const auto told = [&](Target target, TileType dst, const TileType& src, const Beside& beside) {
      dst.rows = dst.cols = 32;  // as large as src
      dst.valid_rows = dst.valid_cols = 32;
      return call(rules.instruction, target, dst, src, beside);
    };
    check_told(told(a2a3, cube::mat(DType::F32), cube::acc(), {}),
               {rules.conversion, Severity::Error, "src", {"f32", "without a factor"}, true});
    check_told(told(a5, cube::mat(DType::I8), cube::acc(), {}),
               {rules.conversion, Severity::Error, "src", {"f32 do not become i8", "without"}, true});
    check_told(told(a2a3, cube::mat(DType::F16), cube::acc(), {.numbers = {bits_of_factor(kTwo)}}),
               {rules.conversion, Severity::Error, "src", {"f16 with a factor"}, true});
    check_told(told(a5, cube::mat(DType::F16), cube::acc(), {.tiles = {cube::factors(16)}}),
               {rules.factors, Severity::Error, "fp", {"1x16", "1x32"}, true});
    check_told(told(a5, cube::mat(DType::F16), cube::acc(), {.tiles = {cube::factors()}, .tile_at = 32}),
               {rules.factors, Severity::Error, "fp", {"0x20", "128"}, true});
    check_told(told(a5, cube::mat(DType::F16), cube::acc(), {.tiles = {cube::factors(64, DType::F32)}}),
               {rules.factors, Severity::Error, "fp", {"f32", "u64"}, true});
    check_told(told(a5, cube::mat(DType::F16), cube::acc(), {.tiles = {cube::factors(32, DType::F16)}}), kNothing);
    check_told(told(a2a3, cube::mat(DType::I16), cube::acc(DType::I32), {.tiles = {cube::factors(32, DType::F16)}}),
               {rules.factors, Severity::Error, "fp", {"f16", "i16"}, true});
    check_told(told(a5, cube::mat(DType::F16), cube::acc(), {.numbers = {Scalar{DType::F32, kTwo}}}),
               {rules.factors, Severity::Error, "factor", {"f32", "i64"}, true});
    check_told(
        told(a5, vec_boxes(DType::F16, 64, 64), vec_boxes(DType::F16, 32, 32), {.numbers = {bits_of_factor(kTwo)}}),
        {rules.factors, Severity::Error, "factor", {"acc"}, true});
    check_told(told(a5, altered(cube::mat(), [](TileType& t) { t.blayout = BoxOrder::RowMajor; }), cube::acc(), {}),
               {rules.layout, Severity::Error, "dst", {"zz"}, true});
    check_told(told(a5, cube::mat(), altered(cube::acc(), [](TileType& t) { t.fractal = 512; }), {}),
               {rules.layout, Severity::Error, "src", {"512", "1024"}, true});
    check_told(told(a5, vec_boxes(DType::F16, 64, 64), vec_boxes(DType::F16, 32, 32),
                    {.attributes = {{"reluPreMode", "normal_relu"}}}),
               {rules.relu, Severity::Error, "src", {"relu", "acc"}, true});
    check_told(told(a5, cube::mat(), cube::acc(), {.numbers = {bits_of_factor(0)}}),
               {rules.odd, kWarning, "factor", {"the scale", "is 0"}, true});
    check_told(told(a5, cube::mat(DType::I8), cube::acc(), {.numbers = {bits_of_factor(kTwo)}}),
               {rules.odd, Severity::Note, "factor", {"bit 46", "i8"}, true});
    // For two vector cores.
    const std::vector<BuildAttribute> rows{{"accToVecMode", "dual_mode_split_m"}},
        cols{{"accToVecMode", "dual_mode_split_n"}};
    const TileType half = vec_tile(DType::F32, 32, 32), bits = vec_tile(DType::F16, 32, 32);
    check_told(told(a5, bits, cube::acc(), {.numbers = {bits_of_factor(kTwo)}, .attributes = rows}),
               {rules.halves, Severity::Error, "factor", {"two vector cores"}, true});
    check_told(
        told(a5, altered(half, [](TileType& t) { t.blayout = BoxOrder::ColMajor; }), cube::acc(), {.attributes = rows}),
        {rules.halves, Severity::Error, "dst", {"col_major"}, true});
    check_told(told(a5, half, altered(cube::acc(), [](TileType& t) { t.valid_cols = 24; }), {.attributes = cols}),
               {rules.halves, Severity::Error, "src", {"24 columns of f32"}, true});
  }
}

TEST_CASE("TSTORE: rules of factors") {
  for (const Target target : kBothTargets) {
    check_told(store_with(target, cube::acc(), DType::I8, {}),
               {"TSTORE-R7", Severity::Error, "src", {"f32 do not become i8", "without"}, true});
    check_told(store_with(target, cube::acc(), DType::I8, {.tiles = {cube::factors(16)}}),
               {"TSTORE-R9", Severity::Error, "fp", {"1x16"}, true});
    check_told(store_with(target, f32(32, 32), DType::F32, {.numbers = {bits_of_factor(kTwo)}}),
               {"E-EMULATE", Severity::Error, "factor", {"acc"}, true});
    check_told(store_with(target, cube::acc(), DType::U8, {.numbers = {bits_of_factor(kSignedTwo)}}),
               {"TSTORE-W3", Severity::Note, "factor", {"bit 46", "u8"}, true});
    check_told(store_with(target, cube::acc(), DType::U8, {.numbers = {bits_of_factor(0x7F800000)}}),
               {"TSTORE-W3", kWarning, "factor", {"is inf"}, true});
  }
}

TEST_CASE("W3: factors of columns that leave nothing of a sum") {
  // What a run says of the second column's factor, and of the others.
  const auto told = [](ProgramBuilder builder, std::uint64_t second, std::uint64_t others) {
    Diagnostics diagnostics;
    const Program program = builder.build(diagnostics);
    CHECK(diagnostics.empty());
    const auto fill = [&](Memory& memory) {
      for (std::uint32_t at = 0; at + 8 <= memory.map().size(Space::Fixpipe); at += 8)
        memory.set_element(Space::Fixpipe, at, 8, at % 256 == 8 ? second : others);
    };
    const auto recording = Recording::run(program, {.budget_bytes = 4 << 20, .initial = fill});
    std::string all;
    for (const Finding& finding : recording->findings())
      if (finding.diagnostic.operand == "fp" && finding.diagnostic.severity == Severity::Warning)
        all += fmt::format("{}: {}", finding.diagnostic.rule, finding.diagnostic.text);
    return all;
  };
  constexpr std::uint64_t kNan = 0x7FC00000, kInfinity = 0x7F800000, kOne = 0x3F800000;
  for (const Target target : kBothTargets) {
    const auto store = [&] {
      return store_with(target, cube::acc(DType::I32), DType::F16, {.tiles = {cube::factors()}});
    };
    CHECK(told(store(), kNan, kOne) == "TSTORE-W3: the scale of column 1 is nan");
    CHECK(told(store(), 0, 0) == "TSTORE-W3: the scale of column 0 is 0, and 31 more are 0, infinite or NaN");
    CHECK(told(store(), kOne, kOne) == "");
  }
  for (const FixpipeRules& rules : kFixpipe) {
    const Beside beside{.tiles = {cube::factors()}};
    CHECK(told(call(rules.instruction, Target::A5, cube::mat(DType::I8, 32, 32), cube::acc(), beside), kInfinity,
               kOne) == fmt::format("{}: the scale of column 1 is inf", rules.odd));
  }
}

}  // namespace ts::test
