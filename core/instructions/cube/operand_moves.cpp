// Tiles that move from L1 to where the cube core reads its operands. TEXTRACT: dst[i][j] = src[row + i][col + j], all of dst.
// TMOV: the same of a whole tile, and a row of biases.
#include <fmt/format.h>

#include "core/catalogue/catalogue.h"
#include "core/catalogue/rules.h"
#include "core/cube/cube_machine.h"
#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/transfer.h"

namespace ts {
namespace {

constexpr DTypeSet kOperandTypes{DType::I8, DType::F16, DType::BF16, DType::F32};
constexpr DTypeSet kMoreOnA5{DType::F8E4M3, DType::F8E5M2, DType::HIF8};
DTypeSet operand_types(Target target) { return target == Target::A5 ? kOperandTypes | kMoreOnA5 : kOperandTypes; }

struct Pair {
  TileLoc from, to;
  bool operator==(const Pair&) const = default;
};
Pair pair_of(const Bound& bound) { return {bound.tile("src").type.loc, bound.tile("dst").type.loc}; }
bool to_operand(const Pair& pair) {
  return pair.from == TileLoc::Mat && (pair.to == TileLoc::Left || pair.to == TileLoc::Right);
}
bool to_bias(const Pair& pair) { return pair == Pair{TileLoc::Mat, TileLoc::Bias}; }

// --- lowerings

void move_operand(CubeMachine& m, const Bound& bound) { m.l1_to_operand(bound.tile("dst"), bound.tile("src"), 0, 0); }
void move_bias(CubeMachine& m, const Bound& bound) { m.l1_to_bias(bound.tile("dst"), bound.tile("src")); }
void extract(CubeMachine& m, const Bound& bound) {
  m.l1_to_operand(bound.tile("dst"), bound.tile("src"), static_cast<std::uint32_t>(bound.scalar("row").bits),
                  static_cast<std::uint32_t>(bound.scalar("col").bits));
}

// --- rules

// The DMA reads boxes, or a row of elements, and writes the operand's own.
void check_operand(RuleCheck& check) {
  const TileType &dst = check.tile("dst").type, &src = check.tile("src").type;
  check.need_same_type(check.own("R2"), "src", "dst");
  const DTypeSet types = operand_types(check.target());
  if (!types.contains(dst.dtype))
    check.error(check.own("R11"), "dst", fmt::format("{} is no operand of the cube core", name(dst.dtype)),
                fmt::format("it takes {}", types.list()));
  const std::string source = src.layout_name(), operand = dst.layout_name();
  const bool a_row = src.rows == 1;
  if (!a_row && (src.fractal != 512 || (source != "nz" && source != "zn")))
    check.error(check.own("R12"), "src", fmt::format("src is {}, needs nz or zn with boxes of 512 bytes", source),
                "load it into boxes: nz from nd, zn from dn");
  const char* wanted = dst.loc == TileLoc::Right ? "zn" : check.target() == Target::A5 ? "nz" : "zz";
  if (dst.fractal != 512 || operand != wanted)
    check.error(check.own("R13"), "dst", fmt::format("dst is {}, needs {} with boxes of 512 bytes", operand, wanted),
                "the cube core reads its operands in boxes of its own");
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
void check_window(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const auto row = static_cast<std::int64_t>(check.bound().scalar("row").bits),
             col = static_cast<std::int64_t>(check.bound().scalar("col").bits);
  if (row < 0 || col < 0 || row + dst.rows() > src.rows() || col + dst.cols() > src.cols()) {
    check.error(check.own("R5"), "src",
                fmt::format("the window {}x{} at ({}, {}) leaves src {}x{}", dst.rows(), dst.cols(), row, col,
                            src.rows(), src.cols()),
                "make the window smaller, or begin it earlier");
    return check.about(FindingKind::Bounds);
  }
  if (src.rows() == 1 || src.valid_rows == 1) return;
  const Box of_src = box_of(src.type), of_dst = box_of(dst.type);
  const std::uint32_t rows = std::max(of_src.rows, of_dst.rows), cols = std::max(of_src.cols, of_dst.cols);
  const bool turned = src.type.slayout != dst.type.slayout;
  const std::uint32_t by_row = turned ? rows : of_src.rows, by_col = turned ? cols : of_src.cols;
  if (row % by_row != 0 || col % by_col != 0)
    check.error(
        check.own("R6"), "src",
        fmt::format("the window begins at ({}, {}); boxes begin at multiples of ({}, {})", row, col, by_row, by_col),
        "begin it where a box does");
}

// --- TMOV

const char* no_such_move(Target target, const Pair& pair) {
  const bool a5 = target == Target::A5;
  const Pair legal[] = {{TileLoc::Mat, TileLoc::Left},    {TileLoc::Mat, TileLoc::Right}, {TileLoc::Mat, TileLoc::Bias},
                        {TileLoc::Mat, TileLoc::Scaling}, {TileLoc::Vec, TileLoc::Vec},   {TileLoc::Acc, TileLoc::Mat}};
  const Pair legal_on_a5[] = {{TileLoc::Acc, TileLoc::Vec}, {TileLoc::Vec, TileLoc::Mat}};
  if (std::ranges::count(legal, pair) != 0 || (a5 && std::ranges::count(legal_on_a5, pair) != 0)) return nullptr;
  return a5 ? "a5 moves mat to left, right, bias, scaling; acc to mat, vec; vec to vec, mat"
            : "a2a3 moves mat to left, right, bias, scaling; acc to mat; vec to vec";
}

// --- TEXTRACT

bool textract_waits(const Bound& bound) {
  const Pair pair = pair_of(bound);
  const Pair legal[] = {{TileLoc::Acc, TileLoc::Mat}, {TileLoc::Vec, TileLoc::Vec}},
             legal_on_a5[] = {
                 {TileLoc::Acc, TileLoc::Vec}, {TileLoc::Vec, TileLoc::Mat}, {TileLoc::Mat, TileLoc::Scaling}};
  return std::ranges::count(legal, pair) != 0 ||
         (bound.target == Target::A5 && std::ranges::count(legal_on_a5, pair) != 0);
}
void textract_rules(RuleCheck& check) {
  if (textract_waits(check.bound())) return check.error("E-EMULATE", "src", "this window is not emulated yet");
  const Pair pair = pair_of(check.bound());
  if (!to_operand(pair))
    return check.error(check.own("R4"), "dst",
                       fmt::format("no window of {} goes to {}", name(pair.from), name(pair.to)),
                       "windows of mat go to left and right");
  check_operand(check);
  check_window(check);
}

const InstructionRow textract{
    .name = "textract",
    .summary = "Copies the window of a tile that begins at a row and a column.",
    .forms = {{"",
               {any_in("src"), scalar("row"), scalar("col"), any_out("dst")},
               "TEXTRACT(dst, src, indexRow, indexCol)"}},
    .attributes = {{"reluPreMode", "no_relu|normal_relu"}},
    .typed_by = "dst",
    .types = every_type,
    .pipe = Pipe::Mte1,
    .rules = textract_rules,
    .waits = textract_waits,
    .moves = true,
    .machines = cube_machines<extract>(),
};
const Registered registered(textract);

}  // namespace

bool moves_on_cube(const Bound& bound) { return pair_of(bound) != Pair{TileLoc::Vec, TileLoc::Vec}; }

const Machines* tmov_on_cube(const Bound& bound) {
  static const Machines operand = cube_machines<move_operand>(), bias = cube_machines<move_bias>();
  const Pair pair = pair_of(bound);
  return to_operand(pair) ? &operand : to_bias(pair) ? &bias : nullptr;
}

bool tmov_on_cube_waits(const Bound& bound) {
  return moves_on_cube(bound) && no_such_move(bound.target, pair_of(bound)) == nullptr &&
         tmov_on_cube(bound) == nullptr;
}

Pipe tmov_pipe(const Bound& bound) {
  if (!moves_on_cube(bound)) return Pipe::V;
  return to_operand(pair_of(bound)) || to_bias(pair_of(bound)) ? Pipe::Mte1 : Pipe::Fix;
}

void tmov_on_cube_rules(RuleCheck& check) {
  const Pair pair = pair_of(check.bound());
  if (const char* hint = no_such_move(check.target(), pair)) {
    check.error(check.own("R10"), "dst", fmt::format("no move from {} to {}", name(pair.from), name(pair.to)), hint);
    return check.about(FindingKind::Reach);
  }
  if (tmov_on_cube_waits(check.bound()))
    return check.error("E-EMULATE", "src",
                       fmt::format("moves from {} to {} are not emulated yet", name(pair.from), name(pair.to)));
  if (to_bias(pair)) return check_bias(check);
  check_operand(check);
  check_same_shape(check);
}

}  // namespace ts
