// Sums that leave the accumulator through the fixpipe, for global memory (TSTORE) or a tile (TMOV, TEXTRACT, TINSERT).
#include <fmt/format.h>

#include <algorithm>

#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/cube/moves.h"
#include "core/instructions/transfer.h"

namespace ts {
namespace {

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

// From boxes to boxes all rows move, and all columns of a box of dst that has a valid one.
Window acc_window_of_move(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  Window window{.rows = src.valid_rows, .cols = src.valid_cols};
  if (!dst.type.boxed() || window.rows == 0 || window.cols == 0) return window;
  const std::uint32_t box = dst.elem_bytes() == 4 ? 16 : box_of(dst.type).cols;
  window.rows = std::min(src.rows(), dst.rows());
  window.cols = std::min({rounded_up(window.cols, box), src.cols(), dst.cols()});
  return window;
}

template <Window (*window)(const Bound&)>
void to_tile(CubeMachine& m, const Bound& bound) {
  const TileRef& dst = bound.tile("dst");
  m.l0c_to_tile(dst, bound.tile("src"), window(bound), fixpipe_of(bound, dst.type.dtype));
}

// Rows, or columns, from the middle on go to the second core.
void to_vector_cores(CubeMachine& m, const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  const Fixpipe how = fixpipe_of(bound, dst.type.dtype);
  Window window{.rows = src.valid_rows, .cols = src.valid_cols};
  const bool by_rows = bound.attribute("split") == 1;
  if (bound.has("dst1")) (by_rows ? window.rows : window.cols) /= 2;
  m.l0c_to_tile(dst, src, window, how, Space::Ub);
  if (!bound.has("dst1")) return;
  if (by_rows) window.from_row = window.rows;
  else window.from_col = window.cols;
  m.l0c_to_tile(bound.tile("dst1"), src, window, how, kSecondUb);
}

void store(CubeMachine& m, const Bound& bound) {
  const GlobalRef& dst = bound.global("dst");
  Fixpipe how = fixpipe_of(bound, dst.dtype);
  how.adding = bound.attribute("atomicType") != 0;
  m.l0c_to_gm(dst, bound.tile("src"), how);
}

// --- rules

FixpipeIds own_ids(const RuleCheck& check) {
  return {check.own("R16"), check.own("R17"), check.own("R18"), check.own("W3")};
}

// The fixpipe writes boxes of L1, and of UB rows and columns as well.
void check_tile(RuleCheck& check, std::uint32_t cols) {
  const FixpipeIds ids = own_ids(check);
  const TileType& dst = check.tile("dst").type;
  check_fixpipe(check, dst.dtype, false, cols, ids);
  check_sums_layout(check, ids.layout);
  const std::string layout = dst.layout_name();
  const bool boxes = layout == "nz" && dst.fractal == 512;
  if (boxes || (check.target() == Target::A5 && !dst.boxed())) return;
  check.error(ids.layout, "dst", fmt::format("dst is {} with boxes of {} bytes", layout, dst.fractal),
              check.target() == Target::A5 ? "sums go to nz boxes of 512 bytes, to rows or to columns"
                                           : "sums go to nz boxes of 512 bytes");
}

// What goes to the UB of two vector cores, a half of the rows or of the columns to each.
enum class Halves : std::uint8_t { None, Rows, Cols };
Halves halves_of(const Bound& bound) {
  switch (bound.attribute("accToVecMode")) {
    case 2: return Halves::Rows;
    case 3: return Halves::Cols;
    default: return Halves::None;
  }
}
void check_halves(RuleCheck& check) {
  const Halves halves = halves_of(check.bound());
  const TileType& dst = check.tile("dst").type;
  if (halves == Halves::None) return;
  const auto refuse = [&](const char* operand, std::string text, const char* hint) {
    check.error(check.own("R20"), operand, std::move(text), hint);
  };
  if (has_factor(check.bound()))
    refuse(check.bound().has("fp") ? "fp" : "factor", "sums for two vector cores take no factor",
           "send them to one core after the other");
  if (dst.col_major())
    refuse("dst", "dst is col_major; sums for two vector cores do not go to columns", "nz boxes or rows");
  const std::uint32_t cols = check.tile("src").valid_cols;
  if (halves == Halves::Cols && size_bits(dst.dtype) == 32 && cols % 32 != 0)
    refuse("src", fmt::format("{} columns of {} are not split in two", cols, name(dst.dtype)),
           "a multiple of 32 columns, or dual_mode_split_m");
}

void check_window_of_sums(RuleCheck& check, const Window& window) {
  check_tile(check, window.cols);
  check_halves(check);
  // Of a window no page says which halves it has.
  if (halves_of(check.bound()) == Halves::None) check_window_inside(check, window, check.own("R5"));
}

// Maps: of A2A3 those with groups of channels, of A5 those without.
bool takes_sums(Target target, GlobalLayout layout) {
  using enum GlobalLayout;
  switch (layout) {
    case ND:
    case NZ: return true;
    case NC1HWC0:
    case NDC1HWC0: return target == Target::A2A3;
    case NHWC:
    case NCHW:
    case NCDHW: return target == Target::A5;
    default: return false;
  }
}

void check_view(RuleCheck& check) {
  const GlobalRef& view = check.bound().global("dst");
  const TileRef& src = check.tile("src");
  if (!takes_sums(check.target(), view.layout))
    return check.error(
        "TSTORE-R2", "dst",
        fmt::format("{} view and acc tile do not go together on {}", name(view.layout), name(check.target())),
        check.target() == Target::A5 ? "sums go to nd, nz, nhwc, nchw and ncdhw views"
                                     : "sums go to nd, nz, nc1hwc0 and ndc1hwc0 views");
  if (view.layout == GlobalLayout::NC1HWC0) {
    const std::uint32_t width = view.shape[4], of_blocks = BLK / size_bytes(view.dtype);
    // The wider group is that of nz views (unverified).
    if (width != of_blocks && !(width == 16 && size_bytes(view.dtype) == 4))
      check.error("TSTORE-R2", "dst", fmt::format("groups of {} channels, need {}", width, of_blocks),
                  "a group of channels is a block of 32 bytes");
  }
  if (view.layout == GlobalLayout::NZ) {
    const std::uint32_t width = view.shape[4], of_blocks = BLK / size_bytes(view.dtype);
    if (view.shape[3] != 16 || (width != of_blocks && !(width == 16 && size_bytes(view.dtype) == 4)))
      check.error("TSTORE-R2", "dst",
                  fmt::format("nz view boxes are {}x{}, need 16x{}", view.shape[3], width, of_blocks));
  }
  if (check_view_size(check, "src", "dst", "TSTORE-R4"))
    check_inside_buffer(check, "dst", {src.valid_rows, src.valid_cols}, "TSTORE-R5");
}

}  // namespace

namespace cube_moves {

const Machines& acc_move() {
  static const Machines machines = cube_machines<to_tile<acc_window_of_move>>();
  return machines;
}
const Machines& acc_window() {
  static const Machines machines = cube_machines<to_tile<extracted_window>>();
  return machines;
}
const Machines& acc_insert() {
  static const Machines machines = cube_machines<to_tile<inserted_window>>();
  return machines;
}

const Machines& push_sums() {
  static const Machines machines = cube_machines<to_vector_cores>();
  return machines;
}

void push_sums_rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  if (src.type.loc != TileLoc::Acc)
    return check.error(check.own("R1"), "src", fmt::format("src is in {}", name(src.type.loc)),
                       "what the cube core pushes is an accumulator");
  const bool halves = check.bound().has("dst1"), by_rows = check.bound().attribute("split") == 1;
  const std::uint32_t split = by_rows ? src.valid_rows : src.valid_cols;
  if (halves && split % (by_rows ? 2 : 32) != 0)
    check.error(check.own("R2"), "src", fmt::format("{} {} are not split in two", split, by_rows ? "rows" : "columns"),
                by_rows ? "an even number of rows" : "a multiple of 32 columns");
  check_tile(check, src.valid_cols);
}

void acc_move_rules(RuleCheck& check) {
  const TileRef& src = check.tile("src");
  check_tile(check, src.valid_cols);
  check_halves(check);
  Window window{.rows = src.valid_rows, .cols = src.valid_cols};
  const Halves halves = halves_of(check.bound());
  if (halves == Halves::Rows) window.rows = (window.rows + 1) / 2;
  if (halves == Halves::Cols) window.cols = (window.cols + 1) / 2;
  check_window_inside(check, window, check.own("R15"));
}
void acc_window_rules(RuleCheck& check) { check_window_of_sums(check, extracted_window(check.bound())); }
void acc_insert_rules(RuleCheck& check) { check_window_of_sums(check, inserted_window(check.bound())); }

}  // namespace cube_moves

const Machines* tstore_from_acc(const Bound& bound) {
  static const Machines machines = cube_machines<store>();
  return bound.tile("src").type.loc == TileLoc::Acc ? &machines : nullptr;
}

Pipe tstore_pipe(const Bound& bound) { return bound.tile("src").type.loc == TileLoc::Acc ? Pipe::Fix : Pipe::Mte3; }

void tstore_from_acc_rules(RuleCheck& check) {
  const FixpipeIds ids{"TSTORE-R7", "TSTORE-R9", "TSTORE-R2", "TSTORE-W3"};
  check_fixpipe(check, check.bound().global("dst").dtype, true, check.tile("src").valid_cols, ids);
  check_sums_layout(check, ids.layout);
  check_view(check);
}

}  // namespace ts
