// Tiles that move from L1 to where the cube core reads its operands, biases and factors. As a window: dst[i][j] =
// src[row + i][col + j], all of dst.
#include <fmt/format.h>

#include <algorithm>

#include "core/instructions/cube/moves.h"

namespace ts {
namespace {

constexpr DTypeSet kOperandTypes{DType::I8, DType::F16, DType::BF16, DType::F32};
constexpr DTypeSet kMoreOnA5 = DTypeSet{DType::F8E4M3, DType::F8E5M2, DType::HIF8} | kFloats4;
DTypeSet operand_types(Target target) { return target == Target::A5 ? kOperandTypes | kMoreOnA5 : kOperandTypes; }

// --- lowerings

void move_operand(CubeMachine& m, const Bound& bound) {
  m.l1_to_operand(bound.tile("dst"), bound.tile("src"), whole_window(bound));
}
void move_scales(CubeMachine& m, const Bound& bound) {
  m.l1_to_scales(bound.tile("dst"), bound.tile("src"), whole_window(bound));
}
void move_bias(CubeMachine& m, const Bound& bound) { m.l1_to_bias(bound.tile("dst"), bound.tile("src")); }
void move_factors(CubeMachine& m, const Bound& bound) { m.l1_to_fixpipe(bound.tile("dst"), bound.tile("src")); }

// --- rules

bool in_boxes_of_512(const TileType& type) {
  const std::string layout = type.layout_name();
  return type.fractal == 512 && (layout == "nz" || layout == "zn");
}
const char* operand_layout(const TileType& dst, Target target) {
  return dst.loc == TileLoc::Right ? "zn" : target == Target::A5 ? "nz" : "zz";
}

// The DMA reads boxes, or a row of elements, and writes the operand's own.
void check_operand(RuleCheck& check) {
  const TileType &dst = check.tile("dst").type, &src = check.tile("src").type;
  check.need_same_type(check.own("R2"), "src", "dst");
  const DTypeSet types = operand_types(check.target());
  if (!types.contains(dst.dtype))
    check.error(check.own("R11"), "dst", fmt::format("{} is no operand of the cube core", name(dst.dtype)),
                fmt::format("it takes {}", types.list()));
  if (src.rows != 1 && !in_boxes_of_512(src))
    check.error(check.own("R12"), "src",
                fmt::format("src is {}, needs nz or zn with boxes of 512 bytes", src.layout_name()),
                "load it into boxes: nz from nd, zn from dn");
  const char* wanted = operand_layout(dst, check.target());
  if (dst.fractal != 512 || dst.layout_name() != wanted)
    check.error(check.own("R13"), "dst",
                fmt::format("dst is {}, needs {} with boxes of 512 bytes", dst.layout_name(), wanted),
                "the cube core reads its operands in boxes of its own");
}

// Exponents keep the order of their boxes.
void check_scales(RuleCheck& check) {
  const TileType &dst = check.tile("dst").type, &src = check.tile("src").type;
  check.need_same_type(check.own("R2"), "src", "dst");
  if (dst.dtype != DType::E8M0)
    check.error(check.own("R11"), "dst", fmt::format("{} is no scale of an operand", name(dst.dtype)),
                fmt::format("scales are exponents of 8 bits: {}", name(DType::E8M0)));
  const bool left = dst.space() == Space::L0aScales;
  const std::string_view wanted = left ? "zz" : "nn";
  if (dst.layout_name() != wanted)
    check.error(check.own("R13"), "dst", fmt::format("dst is {}, needs {}", dst.layout_name(), wanted),
                "scales of left operands are zz, those of right ones nn");
  if (src.rows != 1 && (!src.in_scale_boxes() || src.layout_name() != dst.layout_name()))
    check.error(check.own("R12"), "src",
                fmt::format("src is {} with boxes of {} bytes, needs {} with 32", src.layout_name(), src.fractal,
                            dst.layout_name()),
                "exponents move in the boxes that they are in");
}

void check_bias(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const DType from = src.type.dtype, to = dst.type.dtype;
  const bool widens = to == DType::F32 && (from == DType::F16 || (from == DType::BF16 && check.target() == Target::A5));
  if (!widens && !(from == to && (to == DType::F32 || to == DType::I32)))
    check.error(
        check.own("R11"), "dst", fmt::format("{} does not become a bias of {}", name(from), name(to)),
        check.target() == Target::A5 ? "i32 to i32; f32, f16 and bf16 to f32" : "i32 to i32; f32 and f16 to f32");
  if (dst.rows() != 1 || src.rows() != 1)
    check.error(check.own("R12"), "src", fmt::format("src has {} rows, dst {}", src.rows(), dst.rows()),
                "biases are one row");
  if (dst.cols() != src.cols())
    check.error(check.own("R15"), "dst", fmt::format("dst has {} columns, src {}", dst.cols(), src.cols()),
                "make the static shapes equal");
  const bool a5 = check.target() == Target::A5;
  const std::uint32_t bytes = dst.cols() * (a5 ? dst.elem_bytes() : src.elem_bytes());
  if (bytes % 64 != 0)
    check.error(check.own("R14"), a5 ? "dst" : "src", fmt::format("a row of {} bytes is no multiple of 64", bytes),
                "make it as many columns as fill 64 bytes");
}

void check_same_shape(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (dst.rows() != src.rows() || dst.cols() != src.cols())
    check.error(check.own("R15"), "dst",
                fmt::format("dst is {}x{}, src {}x{}", dst.rows(), dst.cols(), src.rows(), src.cols()),
                "make the static shapes equal, or take a window of src with textract");
}

// Elements of a window begin where a box does: the DMA moves boxes. Of one valid row any row may be taken.
void check_window_begin(RuleCheck& check, const Window& window) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  if (src.rows() == 1 || src.valid_rows == 1) return;
  const Box of_src = box_of(src.type), of_dst = box_of(dst.type);
  const std::uint32_t rows = std::max(of_src.rows, of_dst.rows), cols = std::max(of_src.cols, of_dst.cols);
  const bool turned = src.type.slayout != dst.type.slayout;
  const std::uint32_t by_row = turned ? rows : of_src.rows, by_col = turned ? cols : of_src.cols;
  if (window.from_row % by_row != 0 || window.from_col % by_col != 0)
    check.error(check.own("R6"), "src",
                fmt::format("the window begins at ({}, {}); boxes begin at multiples of ({}, {})", window.from_row,
                            window.from_col, by_row, by_col),
                "begin it where a box does");
}

}  // namespace

namespace cube_moves {

const Machines& operand_move() {
  static const Machines machines = cube_machines<move_operand>();
  return machines;
}

// Boxes are turned over element by element, and these share bytes.
const char* operand_move_waits(const Bound& bound) {
  const TileType &dst = bound.tile("dst").type, &src = bound.tile("src").type;
  const bool legal = !has_factor(bound) && src.dtype == dst.dtype && in_boxes_of_512(src) && dst.fractal == 512 &&
                     dst.layout_name() == operand_layout(dst, bound.target);
  const bool turned = src.rows > 1 && rows_run_on(dst) != rows_run_on(src);
  return is_packed(dst.dtype) && legal && turned ? "where elements of 4 bits are turned over" : nullptr;
}
const Machines& scale_move() {
  static const Machines machines = cube_machines<move_scales>();
  return machines;
}
const Machines& bias_move() {
  static const Machines machines = cube_machines<move_bias>();
  return machines;
}
const Machines& factor_move() {
  static const Machines machines = cube_machines<move_factors>();
  return machines;
}

void operand_move_rules(RuleCheck& check) {
  check_operand(check);
  check_same_shape(check);
}
void operand_window_rules(RuleCheck& check) {
  check_operand(check);
  const Window window = whole_window(check.bound());
  if (check_window_inside(check, window, check.own("R5"))) check_window_begin(check, window);
}
void scale_move_rules(RuleCheck& check) {
  check_scales(check);
  check_same_shape(check);
}
void scale_window_rules(RuleCheck& check) {
  check_scales(check);
  const Window window = whole_window(check.bound());
  if (check_window_inside(check, window, check.own("R5"))) check_window_begin(check, window);
}
void bias_rules(RuleCheck& check) { check_bias(check); }
void factor_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  check.need_same_type(check.own("R2"), "src", "dst");
  if (!kFactors.contains(dst.type.dtype))
    check.error(check.own("R11"), "dst", fmt::format("{} is no factor of the fixpipe", name(dst.type.dtype)),
                fmt::format("it takes {}", kFactors.list()));
  if (dst.rows() != 1 || src.rows() != 1)
    check.error(check.own("R12"), "src", fmt::format("src has {} rows, dst {}", src.rows(), dst.rows()),
                "factors are one row");
  check_same_shape(check);
  const std::uint32_t bytes = dst.cols() * dst.elem_bytes();
  if (dst.elem_bytes() == 8 && bytes % 128 != 0)
    check.error(check.own("R14"), "dst", fmt::format("a row of {} bytes is no multiple of 128", bytes),
                "make it as many columns as fill 128 bytes");
}

}  // namespace cube_moves
}  // namespace ts
