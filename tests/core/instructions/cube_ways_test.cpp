// Every way between the memories of a core, with every pair of types and of layouts: what the pages list is never called
// illegal, and all else is refused with a rule. What they leave open is passed over.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <optional>

#include "core/program/builder.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/shapes.h"
#include "tests/support/instructions/verdicts.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr TileLoc kLocs[] = {TileLoc::Vec, TileLoc::Mat,  TileLoc::Left,   TileLoc::Right,
                             TileLoc::Acc, TileLoc::Bias, TileLoc::Scaling};
constexpr const char* kMoves[] = {"tmov", "textract", "tinsert"};

struct PassageEnd {
  TileLoc loc;
  DType type;
  TileOrder layout;
  bool scales() const { return layout == TileOrder::LeftScales || layout == TileOrder::RightScales; }
};
struct Passage {
  std::string_view move;
  Target target;
  PassageEnd from, to;
  bool factor;
  bool a5() const { return target == Target::A5; }
  bool same_type() const { return from.type == to.type; }
};

// --- what the pages say; nothing: they leave it open

bool operand_type(Target target, DType type) {
  using enum DType;
  return one_of(type, {I8, F16, BF16, F32}) ||
         (target == Target::A5 && (four_bits(type) || one_of(type, {F8E4M3, F8E5M2, HIF8})));
}

bool sums_become(const Passage& way, bool to_vec) {
  using enum DType;
  const DType from = way.from.type, to = way.to.type;
  if (to_vec && !way.a5()) return false;
  if (way.a5()) {
    if (from == F32)
      return way.factor ? one_of(to, {I8, U8, HIF8, F16, BF16, F8E4M3, F32}) : one_of(to, {F32, F16, BF16});
    return from == I32 && (way.factor ? one_of(to, {I8, U8, F16, BF16}) : to == I32);
  }
  if (from == F32) return way.factor ? to == I8 : one_of(to, {F16, BF16});
  return from == I32 && way.factor && one_of(to, {I8, U8, F16, I16});
}

std::optional<bool> from_acc(const Passage& way) {
  if (way.to.loc != TileLoc::Mat && way.to.loc != TileLoc::Vec) return false;
  if (way.from.layout != TileOrder::Sums || !sums_become(way, way.to.loc == TileLoc::Vec)) return false;
  if (way.to.layout == TileOrder::Nz) return true;
  if (!one_of(way.to.layout, {TileOrder::Rows, TileOrder::Cols})) return false;
  // Rows and columns are for UB; of L1 no page tells.
  if (way.to.loc == TileLoc::Vec) return true;
  return way.a5() ? std::optional<bool>() : false;
}

std::optional<bool> from_mat(const Passage& way) {
  using enum DType;
  const DType from = way.from.type, to = way.to.type;
  const bool insert = way.move == "tinsert", window = way.move == "textract";
  if (insert) return false;
  switch (way.to.loc) {
    case TileLoc::Left:
    case TileLoc::Right: {
      const TileOrder wanted = way.to.loc == TileLoc::Right ? TileOrder::Zn : way.a5() ? TileOrder::Nz : TileOrder::Zz;
      return way.same_type() && operand_type(way.target, to) && way.to.layout == wanted &&
             one_of(way.from.layout, {TileOrder::Nz, TileOrder::Zn});
    }
    case TileLoc::Bias:
      if (window) return false;
      return (way.same_type() && one_of(to, {I32, F32})) || (to == F32 && (from == F16 || (from == BF16 && way.a5())));
    case TileLoc::Scaling:
      if (way.to.scales()) return way.a5() && way.same_type() && to == E8M0 && way.from.layout == way.to.layout;
      return !window && way.same_type() && one_of(to, {U64, I64, F16});
    default: return false;
  }
}

std::optional<bool> from_vec(const Passage& way) {
  using enum DType;
  if (way.to.loc != TileLoc::Vec && way.to.loc != TileLoc::Mat) return false;
  if (way.to.loc == TileLoc::Mat && !way.a5()) return false;
  if (!way.same_type() || !of_target(way.target, way.to.type)) return false;
  const bool rows = way.from.layout == TileOrder::Rows && way.to.layout == TileOrder::Rows,
             boxes = way.from.layout == TileOrder::Nz && way.to.layout == TileOrder::Nz;
  // 64 bits: the pages name no such window, and do not say that there is none.
  if (size_bytes(way.to.type) == 8) return {};
  if (way.move == "tmov" && way.to.loc == TileLoc::Vec) {
    const bool into_boxes = way.from.layout == TileOrder::Rows && one_of(way.to.layout, {TileOrder::Nz, TileOrder::Zn});
    if (rows || (into_boxes && way.a5())) return true;
    // Which repacks there are beside these no page tells; A2A3 has none.
    const bool mixed = one_of(way.from.layout, {TileOrder::Rows, TileOrder::Cols}) !=
                       one_of(way.to.layout, {TileOrder::Rows, TileOrder::Cols});
    return mixed && !way.a5() ? std::optional(false) : std::nullopt;
  }
  return rows || boxes ? std::optional(true) : std::nullopt;
}

std::optional<bool> is_legal(const Passage& way) {
  if (!of_target(way.target, way.from.type) || !of_target(way.target, way.to.type)) return false;
  if (way.factor && way.from.loc != TileLoc::Acc) return false;
  switch (way.from.loc) {
    case TileLoc::Acc: return from_acc(way);
    case TileLoc::Mat: return from_mat(way);
    case TileLoc::Vec: return from_vec(way);
    default: return false;
  }
}

// --- programs

TileType tile_type(const PassageEnd& end, std::uint32_t rows, std::uint32_t cols) {
  return ordered_tile(end.loc, end.type, end.layout, rows, cols);
}

Diagnostics told_of(const Passage& way) {
  const bool row = way.to.loc == TileLoc::Bias || (way.to.loc == TileLoc::Scaling && !way.to.scales());
  const std::uint32_t rows = row ? 1 : 64;
  ProgramBuilder builder(way.target, "way");
  const TileId src = builder.tile("src", tile_type(way.from, rows, 64), {.address = 0}),
               dst = builder.tile("dst", tile_type(way.to, rows, 64),
                                  {.address = way.from.loc == way.to.loc ? 0x8000u : 0});
  std::vector<BuildOperand> inputs{src};
  if (way.factor) inputs.push_back(Scalar{DType::I64, 0x3F800000});
  if (way.move != "tmov") inputs.insert(inputs.end(), {Scalar{DType::I64, 0}, Scalar{DType::I64, 0}});
  builder.add(way.move, inputs, {dst});
  Diagnostics told;
  builder.build(told);
  return told;
}

void check_passage(const Passage& way, Verdicts& verdicts) {
  const std::optional<bool> legal = is_legal(way);
  if (!legal) return;
  const std::string what =
      fmt::format("{} on {}{}: {}, {}", way.move, name(way.target), way.factor ? " with a factor" : "",
                  tile_type(way.from, 64, 64).describe(), tile_type(way.to, 64, 64).describe());
  check_verdict(told_of(way), *legal, what, verdicts);
}

// The layout that a memory usually has.
TileOrder usual(TileLoc loc, Target target) {
  switch (loc) {
    case TileLoc::Left: return target == Target::A5 ? TileOrder::Nz : TileOrder::Zz;
    case TileLoc::Right: return TileOrder::Zn;
    case TileLoc::Acc: return TileOrder::Sums;
    case TileLoc::Mat: return TileOrder::Nz;
    default: return TileOrder::Rows;
  }
}

// f(target, move, from, to) for every pair of memories.
template <class F>
void each_pair(F f) {
  for (const Target target : kBothTargets)
    for (const char* move : kMoves)
      for (const TileLoc from : kLocs)
        for (const TileLoc to : kLocs) f(target, move, from, to);
}

}  // namespace

TEST_CASE("ways between memories: every pair of types is legal or refused, as the pages say") {
  Verdicts counts;
  Thinned cases(7);
  each_pair([&](Target target, const char* move, TileLoc from, TileLoc to) {
    for (int a = 0; a < kDTypes; ++a)
      for (int b = 0; b < kDTypes; ++b)
        for (const bool factor : {false, true}) {
          if (!cases.takes()) continue;
          Passage way{move,
                      target,
                      {from, static_cast<DType>(a), usual(from, target)},
                      {to, static_cast<DType>(b), usual(to, target)},
                      factor};
          if (to == TileLoc::Bias || to == TileLoc::Scaling) way.from.layout = TileOrder::Rows;
          check_passage(way, counts);
          if (a != b || way.factor || way.from.type != DType::E8M0) continue;
          way.from.layout = way.to.layout = TileOrder::LeftScales;
          check_passage(way, counts);
        }
  });
  CHECK(counts.legal > cases.of(100));
  CHECK(counts.illegal > cases.of(10'000));
}

TEST_CASE("ways between memories: every pair of layouts is legal or refused, as the pages say") {
  Verdicts counts;
  Thinned cases(7);
  using enum DType;
  constexpr std::pair<DType, DType> kTypes[] = {{F16, F16}, {F32, F16},   {F32, F32},
                                                {I8, I8},   {E8M0, E8M0}, {E2M1, E2M1}};
  each_pair([&](Target target, const char* move, TileLoc from, TileLoc to) {
    for (const auto& [a, b] : kTypes)
      for (const TileOrder la : kTileOrders)
        for (const TileOrder lb : kTileOrders) {
          const Passage way{move, target, {from, a, la}, {to, b, lb}, false};
          // A row of biases or of factors has no boxes to speak of.
          const bool row = to == TileLoc::Bias || (to == TileLoc::Scaling && !way.to.scales());
          if (row && (la != TileOrder::Rows || lb != TileOrder::Rows)) continue;
          if (cases.takes()) check_passage(way, counts);
        }
  });
  CHECK(counts.legal > cases.of(50));
  CHECK(counts.illegal > cases.of(10'000));
}

}  // namespace ts::test
