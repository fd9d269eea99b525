// TIMG2COL dst, src: dst[r][c] = the matrix of all windows of the map src, at row pos_m + r and column pos_k + c; and the
// registers that say how the map lies. Row m of that matrix is the window at ((n * D + d) * OH + oh) * OW + ow; column k is
// lane k % C0 of the filter's place k / C0 % (FH * FW), in group k / (C0 * FH * FW) of the channels:
//   h = oh * stride_h - pad_top + kh * dilation_h,  w = ow * stride_w - pad_left + kw * dilation_w
// Outside of the map, and of its channels, stands pad_value.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/rules.h"
#include "core/catalogue/windows_of.h"
#include "core/cube/cube_machine.h"
#include "core/cube/micro_ops.h"
#include "core/tile/map_windows.h"

namespace ts {
namespace {

constexpr std::uint32_t kMostSize = 0xFFFF, kMostPad = 0xFF;  // what the fields of FMATRIX hold

// --- registers

std::uint64_t fmatrix_bits(const MapWindows& how) {
  return std::uint64_t{how.width & kMostSize} | std::uint64_t{how.height & kMostSize} << 16 |
         std::uint64_t{how.left & kMostPad} << 32 | std::uint64_t{how.right & kMostPad} << 40 |
         std::uint64_t{how.top & kMostPad} << 48 | std::uint64_t{how.bottom & kMostPad} << 56;
}
// Elements of 8 bits stand twice in what pads.
std::uint64_t padding_bits(std::uint64_t value, DType type) {
  const std::uint32_t bits = size_bits(type);
  value &= (std::uint64_t{1} << bits) - 1;
  return bits == 8 ? value | value << 8 : value;
}

// How often a window is taken, and how far from each other: stride 0..15, times 16..23, mode 24..31.
constexpr std::uint64_t kOnce = std::uint64_t{1} << 16;
std::uint32_t times_of(std::uint64_t repeat) { return static_cast<std::uint32_t>(repeat >> 16 & 0xFF); }

// --- what an instruction says of its map

std::uint32_t number(const Bound& bound, const char* name, std::uint32_t otherwise) {
  return map_number(bound, name, otherwise);
}
bool is_second(const Bound& bound) { return bound.attribute("fmatrixMode") % 2 != 0; }
const MicroOp& fmatrix_op(const Bound& bound) {
  return is_second(bound) ? cube::op("set_fmatrix_b") : cube::op("set_fmatrix");
}

std::uint32_t position(const Bound& bound, const char* name) {
  if (!bound.has(name)) return 0;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(static_cast<std::int64_t>(bound.scalar(name).bits), -1, kMost));
}

// The map lies in its tile, and the rows and columns that are taken are windows of it. Empty: it is so.
std::string what_is_wrong(const Bound& bound, const MapWindows& how) {
  const MapWindows tile = *whole_map(bound.tile("src").type);
  if (how.height == 0 || how.width == 0) return "the map has no point";
  if (std::uint64_t{how.height} * how.width > std::uint64_t{tile.height} * tile.width)
    return fmt::format("a map of {}x{} is read in a tile of {}x{}", how.height, how.width, tile.height, tile.width);
  if (how.out_height() == 0 || how.out_width() == 0)
    return fmt::format(
        "a filter of {}x{} (dilation {}x{}) does not fit on a map of {}x{} with {} and {} rows, {} and {} "
        "columns around it",
        how.filter_height, how.filter_width, how.dilation_height, how.dilation_width, how.height, how.width, how.top,
        how.bottom, how.left, how.right);
  const TileRef& dst = bound.tile("dst");
  const std::uint64_t rows = std::uint64_t{position(bound, "pos_m")} + dst.valid_rows,
                      cols = std::uint64_t{position(bound, "pos_k")} + dst.valid_cols;
  if (rows <= how.rows() && cols <= how.cols()) return {};
  return fmt::format("rows up to {} and columns up to {} of a matrix of windows that is {}x{}", rows, cols, how.rows(),
                     how.cols());
}

// --- lowerings

void take_windows(CubeMachine& m, const Bound& bound) {
  const MapWindows how = windows_of(bound, [&](std::uint32_t at) { return m.register_bits(at); });
  if (!takes_registers(bound)) {
    m.set_register(fmatrix_op(bound), fmatrix_address(bound), fmatrix_bits(how));
    m.set_register(cube::op("set_l3d_rpt"), kImg2colRepeat, kOnce);
    m.set_register(cube::op("set_padding"), kImg2colPadding, padding_bits(how.outside, bound.dtype()));
  } else if (times_of(m.register_bits(kImg2colRepeat)) != 1 || !what_is_wrong(bound, how).empty()) {
    return m.odd_data();
  }
  m.windows_to_operand(bound.tile("dst"), bound.tile("src"), how, position(bound, "pos_m"), position(bound, "pos_k"));
}

void set_fmatrix(CubeMachine& m, const Bound& bound) {
  MapWindows how = whole_map(bound.tile("src").type).value_or(MapWindows{});
  read_map_sizes(how, bound);
  m.set_register(fmatrix_op(bound), fmatrix_address(bound), fmatrix_bits(how));
}
void set_repeat(CubeMachine& m, const Bound& bound) {
  const std::uint64_t bits = std::uint64_t{number(bound, "repeat_stride", 0)} |
                             std::uint64_t{number(bound, "repeat_time", 1)} << 16 |
                             std::uint64_t{number(bound, "repeat_mode", 0)} << 24;
  m.set_register(cube::op("set_l3d_rpt"), kImg2colRepeat, bits);
}
void set_padding(CubeMachine& m, const Bound& bound) {
  m.set_register(cube::op("set_padding"), kImg2colPadding, padding_bits(number(bound, "pad_value", 0), bound.dtype()));
}

// --- rules

// A tile of the convolution unit whose map can be told. False: told.
bool check_map(RuleCheck& check, std::string_view rule) {
  const TileType& src = check.tile("src").type;
  const auto map = whole_map(src);
  if (src.loc == TileLoc::Mat && map && std::uint64_t{map->lanes} * size_bits(src.dtype) == 8 * BLK) return true;
  check.error(rule, "src", fmt::format("src is {}", src.describe()),
              "a map stands in mat, as nc1hwc0 of five dimensions or ndc1hwc0 of six, the last of 32 bytes");
  return false;
}

bool check_field(RuleCheck& check, const char* name, std::uint32_t most) {
  const std::uint32_t given = number(check.bound(), name, 0);
  if (given <= most) return true;
  check.error(check.own("R5"), "src", fmt::format("{} is {}", name, static_cast<std::int32_t>(given)),
              fmt::format("0 to {}", most));
  return false;
}
bool check_sizes(RuleCheck& check) {
  bool fits = true;
  for (const char* name : {"fmap_h", "fmap_w"}) fits = check_field(check, name, kMostSize) && fits;
  for (const char* name : {"pad_left", "pad_right", "pad_top", "pad_bottom"})
    fits = check_field(check, name, kMostPad) && fits;
  return fits;
}

void say_wrong(RuleCheck& check, const std::string& wrong) {
  check.error(check.own("R6"), "src", wrong, "fmap_h, fmap_w, pads and filter say how many windows there are");
  check.about(FindingKind::Bounds);
}

void timg2col_rules(RuleCheck& check) {
  const Bound& bound = check.bound();
  const TileType& dst = check.tile("dst").type;
  const std::string_view wanted = check.target() == Target::A5 ? "nz" : "zz";
  check.need_same_type(check.own("R2"), "src", "dst");
  if (dst.fractal != 512 || dst.layout_name() != wanted)
    check.error(check.own("R4"), "dst",
                fmt::format("dst is {}, needs {} with boxes of 512 bytes", dst.layout_name(), wanted),
                "the cube core reads its operands in boxes of its own");
  bool whole = check_map(check, check.own("R3")) && check_sizes(check);
  for (const char* name : {"filter_h", "filter_w", "stride_h", "stride_w", "dilation_h", "dilation_w", "channel_size"})
    whole = check_field(check, name, kMostSize) && whole;
  if (!whole) return;
  if (number(bound, "transpose", 0) != 0 || number(bound, "repeat_time", 1) != 1)
    return check.error("E-EMULATE", "src", "windows that are turned over, or taken several times, are not emulated yet",
                       "leave transpose at 0 and repeat_time at 1");
  if (takes_registers(bound)) return;
  const MapWindows how = stated_windows(bound), tile = *whole_map(check.tile("src").type);
  if (const std::string wrong = what_is_wrong(bound, how); !wrong.empty()) return say_wrong(check, wrong);
  if (how.height != tile.height || how.width != tile.width)
    check.warn(check.own("W1"), "src",
               fmt::format("a map of {}x{} is read in a tile of {}x{}", how.height, how.width, tile.height, tile.width),
               "its points are taken as they stand, one behind the other");
}

// In manual mode the registers have a say.
void timg2col_data_rules(RuleCheck& check, const Memory& before) {
  const Bound& bound = check.bound();
  if (!takes_registers(bound)) return;
  const std::uint32_t times = times_of(before.element(Space::Spr, kImg2colRepeat, 8, bound.core));
  if (times != 1)
    return check.error("E-EMULATE", "src",
                       fmt::format("IMG2COL_RPT says that windows are taken {} times; that is not emulated yet", times),
                       "set_img2col_rpt with repeat_time 1 before");
  if (const std::string wrong = what_is_wrong(
          bound, windows_of(bound, [&](std::uint32_t at) { return before.element(Space::Spr, at, 8, bound.core); }));
      !wrong.empty())
    say_wrong(check, wrong);
}

void map_rules(RuleCheck& check) {
  if (check_map(check, check.own("R2"))) check_sizes(check);
}
void repeat_rules(RuleCheck& check) {
  if (!check_map(check, check.own("R2")) || !check_field(check, "repeat_stride", 0xFFFF)) return;
  if (check_field(check, "repeat_time", 0xFF)) check_field(check, "repeat_mode", 0xFF);
}

// --- rows

DTypeSet map_types(Target target, const Options&) {
  constexpr DTypeSet kOfBoth{DType::I8, DType::F16, DType::BF16, DType::F32};
  if (target == Target::A2A3) return kOfBoth;
  return kOfBoth | DTypeSet{DType::U8, DType::I16, DType::U16, DType::I32, DType::U32};
}

constexpr OperandSpec kMap = any_in("src"), kLeft = out_at("dst", TileLoc::Left);
// Whose register; manual: the windows are those that the registers say.
constexpr AttributeSpec kMode{"fmatrixMode", "fmatrix_a_auto|fmatrix_b_auto|fmatrix_a_manual|fmatrix_b_manual"};
// assets/cpp/tilescope/conv.h gives them in this order.
constexpr const char* kSizes[] = {"fmap_h", "fmap_w", "pad_left", "pad_right", "pad_top", "pad_bottom"};
constexpr const char* kNumbers[] = {"fmap_h",     "fmap_w",       "pad_left",    "pad_right", "pad_top",  "pad_bottom",
                                    "pad_value",  "filter_h",     "filter_w",    "stride_h",  "stride_w", "dilation_h",
                                    "dilation_w", "channel_size", "repeat_time", "transpose"};
constexpr const char* kRepeat[] = {"repeat_stride", "repeat_time", "repeat_mode"};
constexpr const char* kPadding[] = {"pad_value"};
std::vector<OperandSpec> with_numbers(std::vector<OperandSpec> operands, std::span<const char* const> names,
                                      std::initializer_list<OperandSpec> results = {}) {
  for (const char* name : names) operands.push_back(attribute_number(name));
  operands.insert(operands.end(), results);
  return operands;
}

const InstructionRow timg2col{
    .name = "timg2col",
    .summary = "Lays out windows of a map as the rows of a left operand.",
    .forms = {{"whole", with_numbers({kMap}, kNumbers, {kLeft}), "TIMG2COL(dst, src)"},
              {"from", with_numbers({kMap, scalar("pos_m"), scalar("pos_k")}, kNumbers, {kLeft}),
               "TIMG2COL(dst, src, posM, posK)"}},
    .attributes = {kMode},
    .typed_by = "dst",
    .types = map_types,
    .pipe = Pipe::Mte1,
    .draw = Drawing::Windows,
    .rules = timg2col_rules,
    .data_rules = timg2col_data_rules,
    .moves = true,
    .machines = cube_machines<take_windows>(),
};

InstructionRow register_row(const char* name, const char* summary, std::span<const char* const> numbers,
                            const char* cpp, void (*rules)(RuleCheck&), Machines machines) {
  return {.name = name,
          .summary = summary,
          .forms = {{"", with_numbers({kMap}, numbers), cpp}},
          .typed_by = "src",
          .types = map_types,
          .pipe = Pipe::S,
          .rules = rules,
          .machines = machines};
}

const InstructionRow set_fmatrix_row = [] {
  InstructionRow row =
      register_row("setfmatrix", "Sets the size of the map that windows are taken of, and what is around it.", kSizes,
                   "SETFMATRIX(src)", map_rules, cube_machines<set_fmatrix>());
  row.attributes = {kMode};
  return row;
}();
const InstructionRow set_repeat_row = register_row("set_img2col_rpt", "Sets how often windows are taken.", kRepeat,
                                                   "SET_IMG2COL_RPT(src)", repeat_rules, cube_machines<set_repeat>());
const InstructionRow set_padding_row =
    register_row("set_img2col_padding", "Sets what stands around a map.", kPadding, "SET_IMG2COL_PADDING(src)",
                 map_rules, cube_machines<set_padding>());

const Registered registered[] = {Registered(timg2col), Registered(set_fmatrix_row), Registered(set_repeat_row),
                                 Registered(set_padding_row)};

}  // namespace
}  // namespace ts
