// The forms of moves and products, as the pages list them: windows, sums for two vector cores, factors, two windows at once,
// windows of maps, and what is multiplied. What is legal is never called illegal, all else is refused with a rule.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>

#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/instructions/verdicts.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

Scalar number(std::int64_t value) { return {DType::I64, static_cast<std::uint64_t>(value)}; }

void check_verdict(ProgramBuilder& builder, bool legal, const std::string& what, Verdicts& verdicts) {
  Diagnostics told;
  builder.build(told);
  check_verdict(told, legal, what, verdicts);
}

std::string on(Target target, std::string_view what) { return fmt::format("{} on {}", what, name(target)); }

// --- windows

struct WindowPair {
  TileLoc from, to;
  TileOrder source, result;
  bool a2a3;
};
constexpr WindowPair kExtractions[] = {{TileLoc::Mat, TileLoc::Left, TileOrder::Nz, TileOrder::Nz, true},
                                       {TileLoc::Mat, TileLoc::Left, TileOrder::Zn, TileOrder::Nz, true},
                                       {TileLoc::Mat, TileLoc::Right, TileOrder::Nz, TileOrder::Zn, true},
                                       {TileLoc::Mat, TileLoc::Right, TileOrder::Zn, TileOrder::Zn, true},
                                       {TileLoc::Acc, TileLoc::Mat, TileOrder::Sums, TileOrder::Nz, true},
                                       {TileLoc::Acc, TileLoc::Vec, TileOrder::Sums, TileOrder::Rows, false},
                                       {TileLoc::Acc, TileLoc::Vec, TileOrder::Sums, TileOrder::Cols, false},
                                       {TileLoc::Vec, TileLoc::Vec, TileOrder::Rows, TileOrder::Rows, true},
                                       {TileLoc::Vec, TileLoc::Vec, TileOrder::Nz, TileOrder::Nz, true},
                                       {TileLoc::Vec, TileLoc::Mat, TileOrder::Nz, TileOrder::Nz, false}};
constexpr WindowPair kInsertions[] = {{TileLoc::Acc, TileLoc::Mat, TileOrder::Sums, TileOrder::Nz, true},
                                      {TileLoc::Acc, TileLoc::Vec, TileOrder::Sums, TileOrder::Nz, false},
                                      {TileLoc::Vec, TileLoc::Vec, TileOrder::Rows, TileOrder::Rows, true},
                                      {TileLoc::Vec, TileLoc::Vec, TileOrder::Nz, TileOrder::Nz, true},
                                      {TileLoc::Vec, TileLoc::Mat, TileOrder::Rows, TileOrder::Rows, false},
                                      {TileLoc::Vec, TileLoc::Mat, TileOrder::Nz, TileOrder::Nz, false},
                                      {TileLoc::Vec, TileLoc::Mat, TileOrder::Zn, TileOrder::Zn, false}};

std::vector<DType> types_of(const WindowPair& pair, Target target) {
  using enum DType;
  if (pair.from == TileLoc::Acc) return {F16, BF16};
  std::vector<DType> types{I8, F16, BF16, F32};
  if (pair.from == TileLoc::Vec) types.insert(types.end(), {I32});
  if (target == Target::A5) types.insert(types.end(), {HIF8, F8E4M3, F8E5M2, E2M1, E1M2});
  return types;
}
// What a window begins and ends at multiples of, where boxes move and not elements.
struct Grain {
  std::uint32_t rows = 1, cols = 1;
};
Grain grain_of(const WindowPair& pair, DType type) {
  const std::uint32_t lanes = block_elements(type), pairs = four_bits(type) ? 2 : 1;
  if (pair.from == TileLoc::Vec) {
    if (pair.result == TileOrder::Zn) return {lanes, 1};
    return {1, pairs};
  }
  if (pair.from != TileLoc::Mat) return {};
  const bool source_rows = pair.source == TileOrder::Nz, result_rows = pair.to == TileLoc::Left;
  if (source_rows != result_rows) return {std::max(16u, lanes), std::max(16u, lanes)};
  return source_rows ? Grain{16, lanes} : Grain{lanes, 16};
}

// Of a tile of 128x128 a part of 64x64; nothing of it is larger than the memories.
constexpr std::uint32_t kWhole = 128, kPart = 64;
struct MovedWindow {
  bool insert;
  Target target;
  WindowPair pair;
  DType type;
  std::int64_t row, col;
};
ProgramBuilder window_program(const MovedWindow& one) {
  ProgramBuilder b(one.target, "window");
  const WindowPair& pair = one.pair;
  const DType from = pair.from == TileLoc::Acc ? DType::F32 : one.type;
  const TileOrder result = pair.to == TileLoc::Left && one.target == Target::A2A3 ? TileOrder::Zz : pair.result;
  const std::uint32_t inner = kPart, outer = kWhole;
  const TileId src = b.tile(
                   "src",
                   ordered_tile(pair.from, from, pair.source, one.insert ? inner : outer, one.insert ? inner : outer),
                   {.address = 0}),
               dst = b.tile(
                   "dst",
                   ordered_tile(pair.to, one.type, result, one.insert ? outer : inner, one.insert ? outer : inner),
                   {.address = pair.from == pair.to ? (one.insert ? 0x8000u : 0x24000u) : 0u});
  b.add(one.insert ? "tinsert" : "textract", {src, number(one.row), number(one.col)}, {dst});
  return b;
}

void check_windows(bool insert, Target target, const WindowPair& pair, DType type, Random& random, Verdicts& counts) {
  const Grain grain = grain_of(pair, type);
  const auto check = [&](std::int64_t row, std::int64_t col, bool legal) {
    ProgramBuilder b = window_program({insert, target, pair, type, row, col});
    check_verdict(b, legal,
                  fmt::format("{} of {} from {} to {} at ({}, {})", on(target, insert ? "tinsert" : "textract"),
                              name(type), name(pair.from), name(pair.to), row, col),
                  counts);
  };
  const auto begin = [&](std::uint32_t by) { return std::int64_t{by} * random.below((kWhole - kPart) / by + 1); };
  check(begin(grain.rows), begin(grain.cols), true);
  check(kWhole - kPart, kWhole - kPart, true);
  check(kWhole - kPart + grain.rows, 0, false);
  check(0, kWhole - kPart + grain.cols, false);
  check(-std::int64_t{grain.rows}, 0, false);
  if (grain.rows > 1) check(grain.rows - 1, 0, false);
  if (grain.cols > 1) check(0, grain.cols - 1, false);
}

}  // namespace

TEST_CASE("forms of moves: windows begin where boxes do, and lie inside of the larger tile") {
  Verdicts counts;
  Random random(24011);
  for (const Target target : kBothTargets)
    for (const bool insert : {false, true})
      for (const WindowPair& pair : insert ? std::span<const WindowPair>(kInsertions) : kExtractions) {
        if (!pair.a2a3 && target == Target::A2A3) continue;
        for (const DType type : types_of(pair, target))
          for (int i = 0; i < rounds(1, 3, 20); ++i) check_windows(insert, target, pair, type, random, counts);
      }
  CHECK(counts.legal > rounds(300, 400, 400));
  CHECK(counts.illegal > 600);
}

TEST_CASE("TMOV-R20, TEXTRACT-R20, TINSERT-R20: sums for the vector cores, in each mode") {
  constexpr const char* kModes[] = {"single_mode_vec0", "single_mode_vec1", "dual_mode_split_m", "dual_mode_split_n"};
  Verdicts counts;
  for (const char* move : {"tmov", "textract", "tinsert"})
    for (const char* mode : kModes)
      for (const auto& [from, to] : {std::pair(DType::F32, DType::F32), std::pair(DType::I32, DType::I32)})
        for (const TileOrder order : {TileOrder::Rows, TileOrder::Cols, TileOrder::Nz})
          for (const bool factor : {false, true})
            for (const std::uint32_t cols : {64u, 48u}) {
              if (factor && from == DType::I32) continue;  // which is no conversion
              ProgramBuilder b(Target::A5, "modes");
              TileType sums = ordered_tile(TileLoc::Acc, from, TileOrder::Sums, 64, 64);
              sums.valid_cols = static_cast<std::int32_t>(cols);
              TileType result = ordered_tile(TileLoc::Vec, to, order, 64, 64);
              result.valid_cols = sums.valid_cols;
              std::vector<BuildOperand> inputs{b.tile("src", sums, {.address = 0})};
              if (factor) inputs.push_back(number(0x3F800000));
              if (move != std::string_view("tmov")) inputs.insert(inputs.end(), {number(0), number(0)});
              b.add(move, inputs, {b.tile("dst", result, {.address = 0})}, {{"accToVecMode", mode}});
              const bool dual = std::string_view(mode).starts_with("dual"),
                         columns = std::string_view(mode).ends_with("_n");
              const bool legal = !dual || (!factor && order != TileOrder::Cols && !(columns && cols % 32 != 0));
              check_verdict(b, legal, fmt::format("{} {} factor {} cols {}", move, mode, factor, cols), counts);
            }
  CHECK(counts.legal > 100);
  CHECK(counts.illegal > 60);
}

TEST_CASE("forms of moves: a half of the sums fits a tile of half the size") {
  for (const bool rows : {true, false}) {
    ProgramBuilder b(Target::A5, "half");
    const TileId src = b.tile("src", ordered_tile(TileLoc::Acc, DType::F32, TileOrder::Sums, 64, 64), {.address = 0}),
                 dst = b.tile("dst",
                              ordered_tile(TileLoc::Vec, DType::F32, TileOrder::Rows, rows ? 32 : 64, rows ? 64 : 32),
                              {.address = 0});
    b.add("tmov", {src}, {dst}, {{"accToVecMode", rows ? "dual_mode_split_m" : "dual_mode_split_n"}});
    Diagnostics told;
    b.build(told);
    REQUIRE(told.size() == 1);
    CHECK(told[0].rule == "E-EMULATE");
  }
}

TEST_CASE("forms of moves: a tile of factors for the columns of sums") {
  Verdicts counts;
  for (const Target target : kBothTargets)
    for (const char* move : {"tmov", "textract", "tinsert", "tstore"})
      for (const TileLoc loc : {TileLoc::Scaling, TileLoc::Bias, TileLoc::Mat, TileLoc::Vec})
        for (const std::uint32_t cols : {64u, 32u})
          for (const std::uint32_t address : {0u, 128u, 64u})
            for (const DType to : {DType::I8, DType::F16, DType::BF16, DType::I16})
              each_type([&](DType type) {
                // A scale in f16 alone is nobody's rule here.
                if (size_bits(type) < 8 || type == DType::F16) return;
                if (target == Target::A2A3 && one_of(type, {DType::F8E4M3, DType::F8E5M2, DType::HIF8, DType::E8M0}))
                  return;
                const bool a5 = target == Target::A5, store = move == std::string_view("tstore");
                ProgramBuilder b(target, "factors");
                const DType sums = a5 ? DType::F32 : DType::I32;
                std::vector<BuildOperand> inputs{
                    b.tile("src", ordered_tile(TileLoc::Acc, sums, TileOrder::Sums, 64, 64), {.address = 0}),
                    b.tile("fp", ordered_tile(loc, type, TileOrder::Rows, 1, cols), {.address = address})};
                if (!store && move != std::string_view("tmov")) inputs.insert(inputs.end(), {number(0), number(0)});
                if (store) {
                  const View view{.buffer = b.buffer("g", to, 4096), .rows = 64, .cols = 64};
                  b.add(move, inputs, {view});
                } else {
                  b.add(move, inputs,
                        {b.tile("dst", ordered_tile(TileLoc::Mat, to, TileOrder::Nz, 64, 64), {.address = 0x10000})});
                }
                const bool becomes =
                    a5 ? to != DType::I16 : to == DType::I8 || to == DType::F16 || (to == DType::I16 && !store);
                const bool legal = becomes && loc == TileLoc::Scaling && cols == 64 && address % 128 == 0 &&
                                   one_of(type, {DType::U64, DType::I64});
                check_verdict(b, legal,
                              fmt::format("{} to {} with factors 1x{} {} in {} at {}", on(target, move), name(to), cols,
                                          name(type), name(loc), address),
                              counts);
              });
  CHECK(counts.legal > 50);
  CHECK(counts.illegal > 1000);
}

TEST_CASE("forms of moves: two windows at once, of every type and layout") {
  Verdicts counts;
  const auto is_legal = [](Target target, DType type, TileOrder from, TileOrder to, TileLoc loc) {
    using enum DType;
    const bool listed = one_of(type, {I8, F16, BF16, F32, I32}) ||
                        (target == Target::A5 && one_of(type, {HIF8, F8E4M3, F8E5M2, E8M0, E2M1, E1M2}));
    return listed && from == TileOrder::Rows && to == TileOrder::Nz && loc == TileLoc::Vec;
  };
  for (const Target target : kBothTargets)
    for (const TileLoc loc : {TileLoc::Vec, TileLoc::Mat})
      for (const TileOrder from : kTileOrders)
        for (const TileOrder to : kTileOrders)
          for (const std::uint32_t one_more : {0u, 1u})
            each_type([&](DType type) {
              if (one_of(type, {DType::I4, DType::U4})) return;
              if (one_more == 1 && (to != TileOrder::Nz || loc != TileLoc::Vec)) return;
              ProgramBuilder b(target, "two");
              const TileId src = b.tile("src", ordered_tile(loc, type, from, 64, 128), {.address = 0});
              TileType part = ordered_tile(loc, type, to, 32 + one_more, 64);
              part.valid_rows = 32;
              const TileId dst = b.tile("dst", part, {.address = 0x14000}),
                           dst1 = b.tile("dst1", part, {.address = 0x18000});
              b.add("textract", {src, number(0), number(0), number(32), number(64)}, {dst, dst1});
              check_verdict(b, is_legal(target, type, from, to, loc),
                            fmt::format("{} of {} {}", on(target, "two windows"), name(type), part.describe()), counts);
            });
  CHECK(counts.legal > 20);
  CHECK(counts.illegal > 2000);
}

TEST_CASE("forms of moves: windows of maps, of every type and layout") {
  Verdicts counts;
  for (const Target target : kBothTargets)
    for (const ConvLayout layout : kConvLayouts)
      for (const TileOrder order : kTileOrders)
        for (const TileLoc loc : {TileLoc::Left, TileLoc::Right, TileLoc::Vec})
          each_type([&](DType type) {
            using enum DType;
            if (size_bits(type) < 8) return;
            const std::uint32_t lanes = block_elements(type);
            const TileType map = layout == ConvLayout::NC1HWC0    ? conv_tile(type, layout, {1, 2, 8, 8, lanes})
                                 : layout == ConvLayout::NDC1HWC0 ? conv_tile(type, layout, {1, 1, 2, 8, 8, lanes})
                                                                  : conv_tile(type, layout, {8, 1, 16, lanes});
            ProgramBuilder b(target, "windows");
            const TileId src = b.tile("src", map, {.address = 0});
            b.add("timg2col", {src}, {b.tile("dst", ordered_tile(loc, type, order, 64, 2 * lanes), {.address = 0})});
            const bool of_target =
                one_of(type, {I8, F16, BF16, F32}) || (target == Target::A5 && one_of(type, {U8, I16, U16, I32, U32}));
            const bool legal = of_target && loc == TileLoc::Left &&
                               order == (target == Target::A5 ? TileOrder::Nz : TileOrder::Zz) &&
                               (layout == ConvLayout::NC1HWC0 || layout == ConvLayout::NDC1HWC0);
            check_verdict(b, legal, fmt::format("{} of {} {}", on(target, "timg2col"), name(type), map.describe()),
                          counts);
          });
  CHECK(counts.legal > 20);
  CHECK(counts.illegal > 1000);
}

TEST_CASE("forms of moves: a tile of mat is padded with zeros in its own place, and no other way") {
  Verdicts counts;
  for (const Target target : kBothTargets)
    for (const TileLoc from : {TileLoc::Mat, TileLoc::Vec})
      for (const TileOrder order : kTileOrders)
        for (const PadKind pad : {PadKind::Null, PadKind::Zero, PadKind::Max, PadKind::Min})
          each_type([&](DType type) {
            if (size_bits(type) < 8) return;
            ProgramBuilder b(target, "pad");
            TileType tile = ordered_tile(TileLoc::Mat, type, order, 64, 64);
            tile.pad = pad, tile.valid_rows = 50, tile.valid_cols = 40;
            TileType other = tile;
            other.loc = from;
            const TileId dst = b.tile("dst", tile, {.address = 0});
            b.add("tfillpad", {from == TileLoc::Mat ? dst : b.tile("src", other, {.address = 0})}, {dst});
            using enum DType;
            const bool legal = from == TileLoc::Mat && order == TileOrder::Nz &&
                               (pad == PadKind::Null || pad == PadKind::Zero) &&
                               one_of(type, {I8, U8, I16, U16, I32, U32, F16, BF16, F32});
            check_verdict(b, legal, fmt::format("{} of {}", on(target, "tfillpad"), tile.describe()), counts);
          });
  CHECK(counts.legal > 30);
  CHECK(counts.illegal > 500);
}

TEST_CASE("TFILLPAD: tiles of mat have zeros behind what is valid, and nothing else is written") {
  for (const Target target : kBothTargets) {
    Stage stage(target, 4096);
    Random random(24012);
    for (const DType type : {DType::I8, DType::U16, DType::F16, DType::BF16, DType::F32, DType::I32})
      for (int i = 0; i < rounds(2, 20, 200); ++i) {
        CAPTURE(name(target));
        CubeBuilder b(target, random);
        const std::uint32_t rows = random.between(1, 80), cols = random.between(1, 100);
        TileType tile = cube_tile(TileLoc::Mat, type, rows, cols, target);
        tile.rows += 16 * random.below(3), tile.cols += block_elements(type) * random.below(3);
        if (random.one_in(2)) tile.pad = PadKind::Zero;
        const TileId dst = b.tile("dst", tile);
        b.program().add("tfillpad", {dst}, {dst});
        const Program program = build(b.program());
        stage.fill(program, random, Values::AnyBits);
        stage.check(program, random);
      }
  }
}

TEST_CASE("forms of products: every triple of types is multiplied or refused, as the pages say") {
  constexpr const char* kForms[] = {"tmatmul",        "tmatmul.acc",     "tmatmul.bias", "tmatmul.mx",
                                    "tmatmul.mx.acc", "tmatmul.mx.bias", "tgemv",        "tgemv.acc",
                                    "tgemv.bias",     "tgemv.mx",        "tgemv.mx.acc", "tgemv.mx.bias"};
  const auto is_legal = [](Target target, bool scaled, DType a, DType b, DType c) {
    using enum DType;
    const bool a5 = target == Target::A5, bytes = one_of(a, {F8E4M3, F8E5M2}) && one_of(b, {F8E4M3, F8E5M2});
    if (scaled) return a5 && c == F32 && (bytes || (four_bits(a) && four_bits(b)));
    if (a == I8 && b == I8) return c == I32;
    if (c != F32) return false;
    return (a == b && one_of(a, {F16, F32, BF16})) || (a5 && (bytes || (a == HIF8 && b == HIF8)));
  };
  Verdicts counts;
  Thinned cases(7);
  for (const Target target : kBothTargets)
    for (const std::string_view form : kForms)
      each_type([&](DType a) {
        each_type([&](DType b) {
          each_type([&](DType c) {
            if (!cases.takes() || size_bits(c) < 8 || one_of(a, {DType::I4, DType::U4}) ||
                one_of(b, {DType::I4, DType::U4}))
              return;
            const bool row = form.starts_with("tgemv"), scaled = form.find(".mx") != std::string_view::npos;
            ProgramBuilder program(target, "product");
            TileType left = cube_tile(TileLoc::Left, a, row ? 1 : 64, 64, target);
            if (row) left.rows = 1;
            const TileId lhs = program.tile("l", left, {.address = 0}),
                         rhs =
                             program.tile("r", ordered_tile(TileLoc::Right, b, TileOrder::Zn, 64, 64), {.address = 0});
            TileType sums = ordered_tile(TileLoc::Acc, c, TileOrder::Sums, 64, 64);
            if (row) sums.valid_rows = 1;
            const TileId dst = program.tile("d", sums, {.address = 0});
            std::vector<BuildOperand> inputs{lhs, rhs};
            if (scaled)
              inputs = {lhs, program.tile("ls", scale_tile(TileLoc::Scaling, true, row ? 1 : 64, 2), {.address = 0}),
                        rhs, program.tile("rs", scale_tile(TileLoc::Scaling, false, 2, 64), {.address = 0})};
            if (form.ends_with(".acc")) inputs.insert(inputs.begin(), dst);
            if (form.ends_with(".bias"))
              inputs.push_back(
                  program.tile("b", ordered_tile(TileLoc::Bias, c, TileOrder::Rows, 1, 64), {.address = 0}));
            program.add(form, inputs, {dst});
            check_verdict(program, is_legal(target, scaled, a, b, c),
                          fmt::format("{}: {} times {} is {}", on(target, form), name(a), name(b), name(c)), counts);
          });
        });
      });
  CHECK(counts.legal > cases.of(70));
  CHECK(counts.illegal > cases.of(50'000));
}

}  // namespace ts::test
