// The convolution unit against the oracles: maps and filters from global memory, windows of maps, registers; sums that go to
// maps; and what is refused, each with its rule.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/diagnose.h"
#include "tests/support/instructions/stage.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kMapGmBytes = 512 * 1024;

std::vector<DType> map_types(Target target) {
  if (target == Target::A2A3) return {DType::I8, DType::F16, DType::BF16, DType::F32};
  return {DType::I8, DType::U8, DType::I16, DType::U16, DType::F16, DType::BF16, DType::F32, DType::I32, DType::U32};
}

void check_maps(Stage& stage, const Program& program, Random& random) {
  stage.fill(program, random, random.pick({Values::Plain, Values::AnyBits}));
  stage.check(program, random);
}

// --- loads

struct MapPair {
  ConvLayout tile;
  std::size_t rank;
  GlobalLayout view;
};

std::vector<MapPair> map_pairs(Target target) {
  using enum GlobalLayout;
  std::vector<MapPair> pairs{
      {ConvLayout::NC1HWC0, 5, NC1HWC0}, {ConvLayout::FractalZ, 4, FractalZ}, {ConvLayout::FractalZ, 5, FractalZ}};
  if (target == Target::A2A3) {
    pairs.insert(pairs.end(), {{ConvLayout::NDC1HWC0, 6, NDC1HWC0}, {ConvLayout::FractalZ3D, 4, FractalZ3D}});
  } else {
    pairs.insert(pairs.end(), {{ConvLayout::NC1HWC0, 5, NHWC},
                               {ConvLayout::NC1HWC0, 5, NCHW},
                               {ConvLayout::FractalZ, 4, NCHW},
                               {ConvLayout::FractalZ, 5, NCHW},
                               {ConvLayout::NDC1HWC0, 6, NCDHW},
                               {ConvLayout::FractalZ3D, 4, NCDHW}});
  }
  return pairs;
}

// Distances of a view whose dimensions stand in their order, now and then with gaps.
void set_strides(View5& view, std::uint32_t innermost, Random& random) {
  std::uint32_t step = innermost;
  for (std::size_t i = 5; i-- > 0;) {
    view.stride[i] = step;
    step *= view.shape[i];
    if (random.one_in(4)) step += innermost * random.below(5);
  }
}
std::uint32_t reach_of(const View5& view, std::uint32_t innermost) {
  std::uint32_t elements = view.offset + innermost;
  for (std::size_t i = 0; i < 5; ++i) elements += (view.shape[i] - 1) * view.stride[i];
  return elements;
}

Program random_map_load(Target target, DType type, const MapPair& pair, Random& random) {
  CubeBuilder b(target, random);
  const std::uint32_t lanes = 32 / size_bytes(type), n = random.between(1, 3), c = random.between(1, 3 * lanes),
                      d = random.between(1, 3), h = random.between(1, 4), w = random.between(1, 5),
                      groups = (c + lanes - 1) / lanes, filters = (n + 15) / 16;
  View5 view{.buffer = {},
             .shape = {1, 1, 1, 1, 1},
             .stride = {1, 1, 1, 1, 1},
             .offset = random.below(20),
             .layout = pair.view};
  std::vector<std::uint32_t> dims;
  switch (pair.tile) {
    case ConvLayout::NC1HWC0: dims = {n, groups, h, w, lanes}; break;
    case ConvLayout::NDC1HWC0: dims = {n, d, groups, h, w, lanes}; break;
    case ConvLayout::FractalZ:
      dims = pair.rank == 5 ? std::vector{groups, h, w, filters * 16, lanes}
                            : std::vector{groups * h * w, filters, 16u, lanes};
      break;
    default: dims = {d * groups * h * w, filters, 16, lanes};
  }
  std::uint32_t innermost = 1;
  switch (pair.view) {
    case GlobalLayout::NHWC: view.shape = {1, n, h, w, c}; break;
    case GlobalLayout::NCHW: view.shape = {1, n, c, h, w}; break;
    case GlobalLayout::NCDHW: view.shape = {n, c, d, h, w}; break;
    default:  // the tile's own dimensions, of which the view may have more
      innermost = pair.rank == 6 ? lanes : 1;
      for (std::size_t i = 0; i < std::min<std::size_t>(pair.rank, 5); ++i)
        view.shape[pair.rank == 6 ? i : 5 - pair.rank + i] = dims[i] + (i + 1 < pair.rank && random.one_in(5) ? 1 : 0);
  }
  set_strides(view, innermost, random);
  view.buffer = b.program().buffer("g", type, reach_of(view, innermost));
  const TileId dst = b.program().tile("dst", conv_tile(type, pair.tile, dims), {.address = 32 * random.below(4)});
  b.program().add("tload", {view}, {dst});
  return build(b.program());
}

// --- windows

struct RandomMap {
  TileType tile;
  std::vector<BuildAttribute> sizes, windows;
  std::uint64_t rows, cols;
};

RandomMap random_map(DType type, Random& random) {
  const std::uint32_t lanes = 32 / size_bytes(type), n = random.between(1, 2), groups = random.between(1, 3),
                      d = random.between(1, 2), h = random.between(1, 8), w = random.between(1, 9);
  const bool three = random.one_in(3);
  RandomMap map;
  map.tile = three ? conv_tile(type, ConvLayout::NDC1HWC0, {n, d, groups, h, w, lanes})
                   : conv_tile(type, ConvLayout::NC1HWC0, {n, groups, h, w, lanes});
  std::uint32_t pads[4];
  for (std::uint32_t& pad : pads) pad = random.one_in(2) ? random.below(4) : 0;
  const std::uint32_t high = h + pads[2] + pads[3], wide = w + pads[0] + pads[1];
  const std::uint32_t fh = random.between(1, std::min(high, 3u)), fw = random.between(1, std::min(wide, 3u)),
                      dh = fh > 1 ? random.between(1, (high - 1) / (fh - 1)) : 1,
                      dw = fw > 1 ? random.between(1, (wide - 1) / (fw - 1)) : 1, sh = random.between(1, 3),
                      sw = random.between(1, 3);
  const auto add = [](std::vector<BuildAttribute>& list, const char* name, std::uint64_t value) {
    list.push_back({name, std::to_string(value)});
  };
  if (random.one_in(2)) add(map.sizes, "fmap_h", h), add(map.sizes, "fmap_w", w);
  constexpr const char* kPads[] = {"pad_left", "pad_right", "pad_top", "pad_bottom"};
  for (int i = 0; i < 4; ++i)
    if (pads[i] != 0) add(map.sizes, kPads[i], pads[i]);
  add(map.windows, "filter_h", fh), add(map.windows, "filter_w", fw), add(map.windows, "stride_h", sh);
  add(map.windows, "stride_w", sw), add(map.windows, "dilation_h", dh), add(map.windows, "dilation_w", dw);
  if (random.one_in(3)) add(map.windows, "channel_size", random.between(1, groups * lanes));
  map.rows = std::uint64_t{n} * (three ? d : 1) * ((high - dh * (fh - 1) - 1) / sh + 1) *
             ((wide - dw * (fw - 1) - 1) / sw + 1);
  map.cols = std::uint64_t{groups} * lanes * fh * fw;
  return map;
}

// What is pad is a number; of f32 any, of others no more than their bits.
std::string random_pad(DType type, Random& random) {
  const std::uint64_t bits = random.next();
  return std::to_string(size_bytes(type) == 4 ? bits & 0x7FFFFFFF : bits & ((1u << 8 * size_bytes(type)) - 1));
}

void add_registers(CubeBuilder& b, TileId src, const RandomMap& map, const std::string& pad, const char* mode) {
  std::vector<BuildAttribute> sizes = map.sizes;
  sizes.push_back({"fmatrixMode", mode});
  b.program().add("setfmatrix", {src}, {}, sizes);
  b.program().add("set_img2col_rpt", {src}, {}, {{"repeat_time", "1"}});
  b.program().add("set_img2col_padding", {src}, {}, {{"pad_value", pad}});
}

Program random_windows(Target target, DType type, bool manual, Random& random) {
  CubeBuilder b(target, random);
  const RandomMap map = random_map(type, random);
  const std::uint32_t pos_m = random.one_in(2) ? 0 : random.below(static_cast<std::uint32_t>(map.rows)),
                      pos_k = random.one_in(2) ? 0 : random.below(static_cast<std::uint32_t>(map.cols)),
                      rows =
                          random.between(1, static_cast<std::uint32_t>(std::min<std::uint64_t>(40, map.rows - pos_m))),
                      cols =
                          random.between(1, static_cast<std::uint32_t>(std::min<std::uint64_t>(70, map.cols - pos_k)));
  const TileId src = b.program().tile("src", map.tile, {.address = 32 * random.below(3)}),
               dst = b.tile("dst", TileLoc::Left, type, rows, cols);
  const bool second = random.one_in(3);
  const char* mode = manual   ? (second ? "fmatrix_b_manual" : "fmatrix_a_manual")
                     : second ? "fmatrix_b_auto"
                              : "fmatrix_a_auto";
  const std::string pad = random_pad(type, random);
  if (manual) add_registers(b, src, map, pad, mode);
  std::vector<BuildAttribute> attributes = map.windows;
  attributes.push_back({"fmatrixMode", mode});
  if (!manual) {
    attributes.insert(attributes.end(), map.sizes.begin(), map.sizes.end());
    if (random.one_in(2)) attributes.push_back({"pad_value", pad});
  }
  std::vector<BuildOperand> inputs{src};
  if (pos_m != 0 || pos_k != 0 || random.one_in(2))
    inputs.insert(inputs.end(), {Scalar{DType::I64, pos_m}, Scalar{DType::I64, pos_k}});
  b.program().add("timg2col", inputs, {dst}, attributes);
  return build(b.program());
}

// --- stores of sums

Program random_map_store(Target target, GlobalLayout layout, DType to, Random& random) {
  using enum GlobalLayout;
  CubeBuilder b(target, random);
  const std::uint32_t lanes = 32 / size_bytes(to), n = random.between(1, 2), d = random.between(1, 2),
                      h = random.between(1, 4), w = random.between(1, 5), c = random.between(1, 40),
                      groups = (c + lanes - 1) / lanes;
  View5 view{
      .buffer = {}, .shape = {1, 1, 1, 1, 1}, .stride = {1, 1, 1, 1, 1}, .offset = random.below(20), .layout = layout};
  switch (layout) {
    case NC1HWC0: view.shape = {n, groups, h, w, lanes}; break;
    case NDC1HWC0: view.shape = {n, d, groups, h, w}; break;
    case NHWC: view.shape = {1, n, h, w, c}; break;
    case NCHW: view.shape = {1, n, c, h, w}; break;
    default: view.shape = {n, c, d, h, w};
  }
  const std::uint32_t innermost = layout == NDC1HWC0 ? lanes : 1;
  set_strides(view, innermost, random);
  view.buffer = b.program().buffer("out", to, reach_of(view, innermost));
  const std::uint32_t points = n * (layout == NDC1HWC0 || layout == NCDHW ? d : 1) * h * w;
  const TileId src = b.tile("src", TileLoc::Acc, DType::F32, random.one_in(4) ? random.between(1, points) : points, c);
  b.program().add("tstore", {src}, {view},
                  {{"reluPreMode", random.one_in(3) ? "normal_relu" : "no_relu"},
                   {"atomicType", random.one_in(4) ? "atomic_add" : "atomic_none"}});
  return build(b.program());
}

}  // namespace

TEST_CASE("convolution: maps and filters are loaded as their layouts say") {
  for (const Target target : kBothTargets) {
    Stage stage(target, kMapGmBytes);
    Random random(24001);
    for (const MapPair& pair : map_pairs(target))
      for (const DType type : map_types(target))
        for (int i = 0; i < rounds(1, 5, 40); ++i) {
          CAPTURE(name(target));
          CAPTURE(name(pair.view));
          CAPTURE(name(pair.tile));
          check_maps(stage, random_map_load(target, type, pair, random), random);
        }
  }
}

TEST_CASE("convolution: windows of a map, by registers and by the instruction itself") {
  for (const Target target : kBothTargets) {
    Stage stage(target, kMapGmBytes);
    Random random(24002);
    for (const DType type : map_types(target))
      for (int i = 0; i < rounds(2, 20, 200); ++i) {
        CAPTURE(name(target));
        check_maps(stage, random_windows(target, type, i % 3 == 0, random), random);
      }
  }
}

TEST_CASE("convolution: sums go to maps of the target") {
  using enum GlobalLayout;
  for (const Target target : kBothTargets) {
    Stage stage(target, kMapGmBytes);
    Random random(24003);
    for (const GlobalLayout layout :
         target == Target::A5 ? std::vector{NHWC, NCHW, NCDHW} : std::vector{NC1HWC0, NDC1HWC0})
      for (const DType to : {DType::F32, DType::F16, DType::BF16})
        for (int i = 0; i < rounds(1, 12, 100); ++i) {
          CAPTURE(name(layout));
          check_maps(stage, random_map_store(target, layout, to, random), random);
        }
  }
}

namespace {

// A left tile of 16x32 f16 from a map 1x2x4x4x16, and what one change makes of it.
struct WindowCase {
  const char* rule;
  TileType src = conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 4, 4, 16});
  std::vector<BuildAttribute> attributes = {};
  std::optional<DType> dst = {};
  bool other_boxes = false;
  std::uint32_t row = 0;
};

Diagnostics told_of_windows(Target target, const WindowCase& one) {
  ProgramBuilder b(target, "windows");
  const TileId src = b.tile("src", one.src);
  TileType left = cube_tile(TileLoc::Left, one.dst.value_or(one.src.dtype), 16, 32, target);
  if (one.other_boxes) left.blayout = left.blayout == BoxOrder::RowMajor ? BoxOrder::ColMajor : BoxOrder::RowMajor;
  b.add("timg2col", {src, Scalar{DType::I64, one.row}, Scalar{DType::I64, 0}}, {b.tile("dst", left)}, one.attributes);
  Diagnostics told;
  b.build(told);
  return told;
}

}  // namespace

TEST_CASE("TIMG2COL-R1 to TIMG2COL-R6, TIMG2COL-W1: what windows are not taken") {
  TileType rows = vec_tile(DType::F16, 16, 32);
  rows.loc = TileLoc::Mat;
  const TileType doubles = conv_tile(DType::I64, ConvLayout::NC1HWC0, {1, 2, 4, 4, 4}),
                 narrow = conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 4, 4, 4}),
                 filter = conv_tile(DType::F16, ConvLayout::FractalZ, {18, 1, 16, 16});
  const WindowCase cases[] = {{.rule = "TIMG2COL-R1", .src = doubles},
                              {.rule = "TIMG2COL-R2", .dst = DType::BF16},
                              {.rule = "TIMG2COL-R3", .src = rows},
                              {.rule = "TIMG2COL-R3", .src = narrow},
                              {.rule = "TIMG2COL-R3", .src = filter},
                              {.rule = "TIMG2COL-R4", .other_boxes = true},
                              {.rule = "TIMG2COL-R5", .attributes = {{"pad_top", "256"}}},
                              {.rule = "TIMG2COL-R5", .attributes = {{"stride_h", "-1"}}},
                              {.rule = "TIMG2COL-R5", .attributes = {{"filter_w", "2147483647"}}},
                              {.rule = "TIMG2COL-R6", .attributes = {{"filter_h", "5"}}},
                              {.rule = "TIMG2COL-R6", .attributes = {{"fmap_h", "5"}}},
                              {.rule = "TIMG2COL-R6", .attributes = {{"stride_h", "2"}}},
                              {.rule = "TIMG2COL-R6", .row = 1},
                              {.rule = "E-EMULATE", .attributes = {{"transpose", "1"}}},
                              {.rule = "E-EMULATE", .attributes = {{"repeat_time", "2"}}},
                              {.rule = "TIMG2COL-W1", .attributes = {{"fmap_h", "2"}, {"fmap_w", "8"}}}};
  for (const Target target : kBothTargets)
    for (const WindowCase& one : cases) {
      CAPTURE(one.rule);
      const Diagnostics told = told_of_windows(target, one);
      REQUIRE(!told.empty());
      CHECK(told.front().rule == one.rule);
      CHECK(!told.front().hint.empty());
    }
  CHECK(told_of_windows(Target::A5, {.rule = ""}).empty());
}

TEST_CASE("SETFMATRIX-R1, SET_IMG2COL_RPT-R1, SET_IMG2COL_PADDING-R1 and R2, R5: registers that are not set so") {
  struct Case {
    const char *instruction, *rule;
    TileType src;
    std::vector<BuildAttribute> attributes;
  };
  const TileType map = conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 4, 4, 16}),
                 filter = conv_tile(DType::F16, ConvLayout::FractalZ, {18, 1, 16, 16}),
                 doubles = conv_tile(DType::I64, ConvLayout::NC1HWC0, {1, 2, 4, 4, 4});
  const Case cases[] = {{"setfmatrix", "SETFMATRIX-R1", doubles, {}},
                        {"setfmatrix", "SETFMATRIX-R2", filter, {}},
                        {"setfmatrix", "SETFMATRIX-R5", map, {{"fmap_h", "65536"}}},
                        {"set_img2col_rpt", "SET_IMG2COL_RPT-R1", doubles, {}},
                        {"set_img2col_rpt", "SET_IMG2COL_RPT-R2", filter, {}},
                        {"set_img2col_rpt", "SET_IMG2COL_RPT-R5", map, {{"repeat_time", "256"}}},
                        {"set_img2col_padding", "SET_IMG2COL_PADDING-R1", doubles, {}},
                        {"set_img2col_padding", "SET_IMG2COL_PADDING-R2", filter, {}}};
  for (const Case& one : cases) {
    CAPTURE(one.rule);
    ProgramBuilder b(Target::A5, "registers");
    b.add(one.instruction, {b.tile("src", one.src)}, {}, one.attributes);
    Diagnostics told;
    b.build(told);
    REQUIRE(!told.empty());
    CHECK(told.front().rule == one.rule);
  }
}

TEST_CASE("TLOAD-R2, TLOAD-R4, TLOAD-R5: maps that are not loaded so") {
  struct Case {
    Target target;
    GlobalLayout layout;
    std::array<std::uint32_t, 5> shape;
    TileType dst;
    std::uint32_t elements;
    const char* rule;
  };
  using enum GlobalLayout;
  const TileType map = conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 4, 4, 16}),
                 deep = conv_tile(DType::F16, ConvLayout::NDC1HWC0, {1, 1, 2, 4, 4, 16}),
                 filter = conv_tile(DType::F16, ConvLayout::FractalZ, {18, 1, 16, 16}),
                 narrow = conv_tile(DType::F16, ConvLayout::NC1HWC0, {1, 2, 4, 4, 8}),
                 doubles = conv_tile(DType::I64, ConvLayout::NC1HWC0, {1, 2, 4, 4, 4});
  const Case cases[] = {{Target::A2A3, NHWC, {1, 1, 4, 4, 32}, map, 512, "TLOAD-R2"},
                        {Target::A2A3, NCHW, {1, 16, 32, 3, 3}, filter, 4608, "TLOAD-R2"},
                        {Target::A5, NDC1HWC0, {1, 1, 2, 4, 4}, deep, 512, "TLOAD-R2"},
                        {Target::A5, NHWC, {1, 16, 3, 3, 32}, filter, 4608, "TLOAD-R2"},
                        {Target::A5, NC1HWC0, {1, 2, 4, 4, 8}, narrow, 256, "TLOAD-R2"},
                        {Target::A5, ND, {1, 1, 1, 32, 16}, map, 512, "TLOAD-R2"},
                        {Target::A5, NHWC, {1, 1, 4, 4, 33}, map, 528, "TLOAD-R4"},
                        {Target::A5, NC1HWC0, {1, 2, 4, 3, 16}, map, 512, "TLOAD-R4"},
                        {Target::A2A3, NC1HWC0, {1, 2, 4, 4, 16}, map, 511, "TLOAD-R5"},
                        {Target::A5, NHWC, {1, 1, 4, 4, 32}, map, 511, "TLOAD-R5"},
                        {Target::A5, NC1HWC0, {1, 2, 4, 4, 4}, doubles, 128, "E-EMULATE"}};
  for (const Case& one : cases) {
    CAPTURE(one.rule);
    CAPTURE(name(one.layout));
    ProgramBuilder b(one.target, "maps");
    View5 view{.buffer = {}, .shape = one.shape, .stride = {1, 1, 1, 1, 1}, .offset = 0, .layout = one.layout};
    std::uint32_t step = one.layout == NDC1HWC0 ? 16 : 1;
    for (std::size_t i = 5; i-- > 0; step *= view.shape[i]) view.stride[i] = step;
    view.buffer = b.buffer("g", one.dst.dtype, one.elements);
    b.add("tload", {view}, {b.tile("dst", one.dst)});
    Diagnostics told;
    b.build(told);
    REQUIRE(!told.empty());
    CHECK(told.front().rule == one.rule);
  }
}

TEST_CASE("TSTORE-R2: sums go to no map of the other target") {
  using enum GlobalLayout;
  for (const Target target : kBothTargets)
    for (const GlobalLayout layout : kGlobalLayouts) {
      const bool both = layout == ND || layout == NZ;
      const bool fits = target == Target::A5 ? layout == NHWC || layout == NCHW || layout == NCDHW
                                             : layout == NC1HWC0 || layout == NDC1HWC0;
      if (both) continue;
      CAPTURE(name(layout));
      ProgramBuilder b(target, "sums");
      View5 view{.buffer = {}, .shape = {16, 16, 16, 16, 16}, .stride = {1, 1, 1, 1, 1}, .offset = 0, .layout = layout};
      view.buffer = b.buffer("g", DType::F16, 4096);
      b.add("tstore", {b.tile("src", cube_tile(TileLoc::Acc, DType::F32, 16, 16, target))}, {view});
      Diagnostics told;
      b.build(told);
      const bool refused = std::ranges::any_of(told, [](const Diagnostic& one) { return one.rule == "TSTORE-R2"; });
      CHECK(refused == !fits);
    }
}

}  // namespace ts::test
