// Every pair of a view's layout and a tile's, in every memory and with every element type, loaded and stored: what the pages
// list is never called illegal, and all else is refused with a rule. What they leave open is passed over.
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

constexpr std::uint32_t kRows = 64, kCols = 64;

// A view, a tile, and which way elements move.
struct Transfer {
  Target target;
  bool load;
  TileType tile;
  View5 view;
  DType in_gm;
  bool factor = false;
  bool a5() const { return target == Target::A5; }
};

// Strides of dimensions that stand in their order; `inner`: the innermost one's.
void pack(View5& view, std::uint32_t inner = 1) {
  for (std::size_t i = 5; i-- > 0; inner *= view.shape[i]) view.stride[i] = inner;
}

View5 matrix_view(GlobalLayout layout, DType type, std::uint32_t rows, std::uint32_t cols) {
  View5 view{.buffer = {}, .shape = {1, 1, 1, rows, cols}, .stride = {1, 1, 1, 1, 1}, .offset = 0, .layout = layout};
  const std::uint32_t lanes = block_elements(type);
  if (layout == GlobalLayout::NZ) view.shape = {1, cols / lanes, rows / 16, 16, lanes};
  pack(view);
  if (layout == GlobalLayout::DN) view.stride = {rows * cols, rows * cols, rows * cols, 1, rows};
  return view;
}

Diagnostics told_of(const Transfer& transfer) {
  ProgramBuilder b(transfer.target, "transfer");
  View5 view = transfer.view;
  view.buffer = b.buffer("g", transfer.in_gm, 0x8000);
  const TileId tile = b.tile("t", transfer.tile, {.address = 0});
  std::vector<BuildOperand> inputs{tile};
  if (transfer.factor) inputs.push_back(Scalar{DType::I64, 0x3F800000});
  if (transfer.load) b.add("tload", {view}, {tile});
  else b.add("tstore", inputs, {view});
  Diagnostics told;
  b.build(told);
  return told;
}

void check_transfer(const Transfer& transfer, std::optional<bool> legal, Verdicts& verdicts) {
  if (!legal) return;
  const std::string what =
      fmt::format("{} on {}: {} view of {}, {}", transfer.load ? "tload" : "tstore", name(transfer.target),
                  name(transfer.view.layout), name(transfer.in_gm), transfer.tile.describe());
  check_verdict(told_of(transfer), *legal, what, verdicts);
}

// --- what the pages say of matrices; nothing: they leave it open

std::optional<bool> goes(const Transfer& transfer, TileOrder order) {
  const TileLoc loc = transfer.tile.loc;
  const DType type = transfer.tile.dtype;
  const GlobalLayout view = transfer.view.layout;
  if (!of_target(transfer.target, type)) return false;
  if (loc != TileLoc::Vec && loc != TileLoc::Mat) return false;
  if (!transfer.load && loc == TileLoc::Mat && transfer.a5()) return false;
  const bool wide = size_bits(type) == 64;
  if ((view == GlobalLayout::ND && order == TileOrder::Rows) || (view == GlobalLayout::DN && order == TileOrder::Cols))
    return true;
  if (is_map(view)) return false;
  // Of exponents, one tile has to do for each layout that they have in global memory, whatever it is called there.
  if (order == TileOrder::LeftScales || order == TileOrder::RightScales) {
    const bool exponents = transfer.load && transfer.a5() && loc == TileLoc::Mat && type == DType::E8M0;
    if (exponents) return view == GlobalLayout::ND ? std::optional(true) : std::nullopt;
    // In text bytes of exponents may be called integers.
    return one_of(type, {DType::I8, DType::U8}) ? std::nullopt : std::optional(false);
  }
  if (order == TileOrder::Sums) return {};
  if (view == GlobalLayout::NZ && order == TileOrder::Nz)
    return !wide ? std::optional(true) : transfer.a5() ? std::nullopt : std::optional(false);
  if (!transfer.load || loc == TileLoc::Vec) return false;
  const bool rows_to_nz = view == GlobalLayout::ND && order == TileOrder::Nz,
             cols_to_zn = view == GlobalLayout::DN && order == TileOrder::Zn,
             turned = view == GlobalLayout::DN && order == TileOrder::Nz && transfer.a5() && !four_bits(type);
  if (!rows_to_nz && !cols_to_zn && !turned) return false;
  return !wide ? std::optional(true) : cols_to_zn && transfer.a5() ? std::nullopt : std::optional(false);
}

// --- maps

struct MapTile {
  ConvLayout layout;
  std::size_t rank;
};
constexpr MapTile kMapTiles[] = {{ConvLayout::NC1HWC0, 5},
                                 {ConvLayout::NDC1HWC0, 6},
                                 {ConvLayout::FractalZ, 4},
                                 {ConvLayout::FractalZ, 5},
                                 {ConvLayout::FractalZ3D, 4}};
constexpr std::uint32_t kImages = 16, kDepth = 2, kHigh = 3, kWide = 2, kGroups = 2;

TileType map_tile(const MapTile& tile, DType type) {
  const std::uint32_t lanes = block_elements(type), points = kGroups * kHigh * kWide;
  switch (tile.layout) {
    case ConvLayout::NC1HWC0: return conv_tile(type, tile.layout, {kImages, kGroups, kHigh, kWide, lanes});
    case ConvLayout::NDC1HWC0: return conv_tile(type, tile.layout, {kImages, kDepth, kGroups, kHigh, kWide, lanes});
    case ConvLayout::FractalZ:
      if (tile.rank == 5) return conv_tile(type, tile.layout, {kGroups, kHigh, kWide, 16, lanes});
      return conv_tile(type, tile.layout, {points, 1, 16, lanes});
    default: return conv_tile(type, tile.layout, {kDepth * points, 1, 16, lanes});
  }
}

View5 map_view(GlobalLayout layout, const MapTile& tile, DType type) {
  using enum GlobalLayout;
  const std::uint32_t lanes = block_elements(type), channels = kGroups * lanes, points = kGroups * kHigh * kWide;
  View5 view = matrix_view(layout, type, kRows, kCols);
  switch (layout) {
    case NHWC: view.shape = {1, kImages, kHigh, kWide, channels}; break;
    case NCHW: view.shape = {1, kImages, channels, kHigh, kWide}; break;
    case NCDHW: view.shape = {kImages, channels, kDepth, kHigh, kWide}; break;
    case NC1HWC0: view.shape = {kImages, kGroups, kHigh, kWide, lanes}; break;
    case NDC1HWC0: view.shape = {kImages, kDepth, kGroups, kHigh, kWide}; break;
    case FractalZ:
      if (tile.rank == 5) view.shape = {kGroups, kHigh, kWide, 16, lanes};
      else view.shape = {1, points, 1, 16, lanes};
      break;
    case FractalZ3D: view.shape = {1, kDepth * points, 1, 16, lanes}; break;
    default: return view;
  }
  pack(view, layout == NDC1HWC0 ? lanes : 1);
  return view;
}

std::optional<bool> map_goes(Target target, const MapTile& tile, GlobalLayout view, DType type) {
  using enum GlobalLayout;
  if (!of_target(target, type)) return false;
  const bool a5 = target == Target::A5;
  bool listed = false;
  switch (tile.layout) {
    case ConvLayout::NC1HWC0: listed = view == NC1HWC0 || (a5 && (view == NHWC || view == NCHW)); break;
    case ConvLayout::FractalZ: listed = view == FractalZ || (a5 && view == NCHW); break;
    case ConvLayout::NDC1HWC0: listed = a5 ? view == NCDHW : view == NDC1HWC0; break;
    default: listed = a5 ? view == NCDHW : view == FractalZ3D;
  }
  // 64 bits: of A2A3 only rows to rows and columns to columns; of A5 nobody tells.
  if (listed && size_bits(type) == 64) return a5 ? std::nullopt : std::optional(false);
  return listed;
}

// --- sums

bool sums_become(Target target, DType from, DType to, bool factor) {
  using enum DType;
  if (!factor) return from == F32 ? one_of(to, {F32, F16, BF16}) : from == I32 && to == I32;
  if (target == Target::A5)
    return from == F32 ? one_of(to, {I8, U8, F16, BF16, HIF8, F8E4M3, F32})
                       : from == I32 && one_of(to, {I8, U8, F16, BF16});
  return from == F32 ? one_of(to, {I8, U8}) : from == I32 && one_of(to, {I8, U8, F16});
}
bool sums_go(Target target, GlobalLayout view) {
  using enum GlobalLayout;
  if (view == ND || view == NZ) return true;
  return target == Target::A5 ? view == NHWC || view == NCHW || view == NCDHW : view == NC1HWC0 || view == NDC1HWC0;
}
// 64 points of 64 channels.
View5 view_of_sums(GlobalLayout layout, DType type) {
  using enum GlobalLayout;
  View5 view = matrix_view(layout, type, 64, 64);
  const std::uint32_t lanes = block_elements(type);
  switch (layout) {
    case NHWC: view.shape = {1, 1, 8, 8, 64}; break;
    case NCHW: view.shape = {1, 1, 64, 8, 8}; break;
    case NCDHW: view.shape = {1, 64, 1, 8, 8}; break;
    case NC1HWC0: view.shape = {1, 64 / lanes, 8, 8, lanes}; break;
    case NDC1HWC0: view.shape = {1, 1, 64 / lanes, 8, 8}; break;
    default: return view;
  }
  pack(view, layout == NDC1HWC0 ? lanes : 1);
  return view;
}

}  // namespace

TEST_CASE("ways of transfers: every layout of a view and a tile, in every memory and type, is legal or refused") {
  constexpr TileLoc kLocs[] = {TileLoc::Vec, TileLoc::Mat,  TileLoc::Left,   TileLoc::Right,
                               TileLoc::Acc, TileLoc::Bias, TileLoc::Scaling};
  Verdicts counts;
  Thinned cases(7);
  for (const Target target : kBothTargets)
    for (const bool load : {true, false})
      for (const TileLoc loc : kLocs)
        for (const TileOrder order : kTileOrders)
          for (const GlobalLayout layout : kGlobalLayouts)
            each_type([&](DType type) {
              if (!cases.takes() || (loc == TileLoc::Acc && !load)) return;
              const bool packed = size_bits(type) < 8 && layout == GlobalLayout::NZ;
              const std::uint32_t cols = packed ? 128 : kCols;
              const Transfer transfer{target, load, ordered_tile(loc, type, order, kRows, cols),
                                      matrix_view(layout, type, kRows, cols), type};
              check_transfer(transfer, goes(transfer, order), counts);
            });
  CHECK(counts.legal > cases.of(200));
  CHECK(counts.illegal > cases.of(10'000));
}

TEST_CASE("ways of transfers: elements of one size move as they are, others are refused") {
  Verdicts counts;
  for (const Target target : kBothTargets)
    for (const bool load : {true, false})
      each_type([&](DType in_gm) {
        each_type([&](DType type) {
          if (!of_target(target, in_gm) || !of_target(target, type)) return;
          const Transfer transfer{target, load, ordered_tile(TileLoc::Vec, type, TileOrder::Rows, kRows, kCols),
                                  matrix_view(GlobalLayout::ND, in_gm, kRows, kCols), in_gm};
          check_transfer(transfer, size_bits(in_gm) == size_bits(type), counts);
        });
      });
  CHECK(counts.legal > 100);
  CHECK(counts.illegal > 200);
}

TEST_CASE("ways of transfers: a row or a column goes to a view of rows or of columns") {
  Verdicts counts;
  for (const Target target : kBothTargets)
    for (const GlobalLayout layout : {GlobalLayout::ND, GlobalLayout::DN})
      for (const bool row : {true, false})
        for (const TileOrder order : {TileOrder::Rows, TileOrder::Cols})
          each_type([&](DType type) {
            if (!of_target(target, type) || size_bits(type) < 8) return;
            const bool along = (order == TileOrder::Rows) == row;  // a line of one element is no whole block
            if (!along) return;
            const std::uint32_t rows = row ? 1 : 64, cols = row ? 64 : 1;
            const Transfer transfer{target, false, ordered_tile(TileLoc::Vec, type, order, rows, cols),
                                    matrix_view(layout, type, rows, cols), type};
            check_transfer(transfer, true, counts);
          });
  CHECK(counts.legal > 60);
}

TEST_CASE("ways of transfers: every layout of a map and of a tile for it is legal or refused") {
  Verdicts counts;
  Thinned cases(3);
  for (const Target target : kBothTargets)
    for (const MapTile& tile : kMapTiles)
      for (const GlobalLayout layout : kGlobalLayouts)
        each_type([&](DType type) {
          if (size_bits(type) < 8 || !cases.takes()) return;
          const Transfer transfer{target, true, map_tile(tile, type), map_view(layout, tile, type), type};
          check_transfer(transfer, map_goes(target, tile, layout, type), counts);
        });
  CHECK(counts.legal > cases.of(100));
  CHECK(counts.illegal > cases.of(500));
}

TEST_CASE("ways of transfers: sums leave acc as every type and in every layout that the pages list") {
  Verdicts counts;
  Thinned cases(5);
  for (const Target target : kBothTargets)
    for (const DType from : {DType::F32, DType::I32, DType::F16, DType::I16})
      for (const GlobalLayout layout : kGlobalLayouts)
        for (const bool factor : {false, true})
          each_type([&](DType to) {
            if (size_bits(to) < 8 || !cases.takes()) return;
            const Transfer transfer{
                target, false, ordered_tile(TileLoc::Acc, from, TileOrder::Sums, 64, 64), view_of_sums(layout, to),
                to,     factor};
            check_transfer(transfer, sums_become(target, from, to, factor) && sums_go(target, layout), counts);
          });
  CHECK(counts.legal > cases.of(70));
  CHECK(counts.illegal > cases.of(1000));
}

}  // namespace ts::test
