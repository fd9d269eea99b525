// Tiles that are made of a number. TCI: dst[0][k] = start + k, or start - k. TTRI: ones on one side of a diagonal, zeros on
// the other.
#include <fmt/format.h>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// --- TCI

bool counts_down(const Bound& bound) { return bound.attribute("descending") != 0; }
// The start of what begins k elements further.
LaneScalar moved(LaneScalar start, std::uint64_t k, bool down) {
  start.bits = down ? start.bits - k : start.bits + k;
  return start;
}

void tci_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const LaneScalar start = lane_scalar(bound, "start");
  const bool down = counts_down(bound);
  if (dst.valid_cols == 0) return;
  if (!bound.has("tmp")) return m.scalar_count(m.ty(), dst.ub(), start, down, dst.valid_cols);
  std::uint32_t left = dst.valid_cols;
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const Reg values = m.vci(m.ty(), moved(start, col, down), down);
    m.vsts(values, dst.ub(), col, m.plt(left));
  }
}

// 0, 1, 2, ... of a repeat's integers, in tmp: where they stand. Eight blocks of k/B sum up to eight numbers k; spread over
// a block each, and scaled by B, they are what the numbers in a block begin with.
Ub ramp_a2a3(A2A3& m, const TileRef& tmp) {
  const AnyLane count{m.bytes() == 2 ? DType::F16 : DType::F32}, integer{m.bytes() == 2 ? DType::I16 : DType::I32};
  const std::uint32_t block = BLK / m.bytes();
  const auto number = [&](double value) { return LaneScalar{from_double(count, value), count, 0}; };
  const Ub parts = tmp.ub(), numbers{parts.address + block * BLK}, begins{numbers.address + BLK}, ramp = parts,
           integers{parts.address + 2 * block * BLK};
  m.set_mask_first(block);
  for (std::uint32_t k = 0; k < block; ++k)
    m.vector_dup(count, {parts.address + k * BLK}, number(static_cast<double>(k) / block), 1, {});
  m.set_mask_all();
  m.vcgroup(ReduceOp::Sum, count, numbers, parts, block / 8, 1, {});
  m.set_mask_first(8);
  m.vmuls(count, begins, numbers, number(block), 1, {}, {});
  m.set_mask_all();
  m.vbrcb(bits_of(count), ramp, begins, 1, 8, 1);
  m.vadd(count, ramp, ramp, numbers, 1, {}, {}, {0, 0});
  m.vconv(integer, count, {.rounding = Rounding::Zero}, integers, ramp, 1, 8, 8);
  return integers;
}
void tci_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const LaneScalar start = lane_scalar(bound, "start");
  const bool down = counts_down(bound), negates_all = down && m.options().quirk_tci;
  if (dst.valid_cols == 0) return;
  if (!bound.has("tmp")) {
    m.scalar_count(m.ty(), dst.ub(), start, down, dst.valid_cols);
    return m.sync(Pipe::S, Pipe::V);
  }
  const LaneScalar minus{~0ull, m.dtype(), 0};
  const Ub ramp = ramp_a2a3(m, bound.tile("tmp"));
  // The library turns the sums around, which counts from -start; the emulator the ramp.
  if (down && !negates_all) m.vmuls(m.ty(), ramp, ramp, minus, 1, {}, {});
  for (std::uint32_t col = 0; col < dst.valid_cols; col += m.lanes()) {
    const std::uint32_t lanes = std::min(dst.valid_cols - col, m.lanes());
    const Ub to{dst.at(0, col)};
    if (lanes < m.lanes()) m.set_mask_first(lanes);
    m.vadds(m.ty(), to, ramp, moved(start, col, down && !negates_all), 1, {}, {});
    if (negates_all) m.vmuls(m.ty(), to, to, minus, 1, {}, {});
    if (lanes < m.lanes()) m.set_mask_all();
  }
  leave_scratch(m, bound);
}

// --- TTRI

struct Triangle {
  explicit Triangle(const Bound& bound) : upper(bound.attribute("upperOrLower") != 0) {
    const Scalar& diagonal = bound.scalar("diagonal");
    const std::uint32_t unused = 64 - 8 * size_bytes(diagonal.dtype);
    const auto up = diagonal.bits << unused;
    edge = is_signed_int(diagonal.dtype) ? static_cast<std::int64_t>(up) >> unused
                                         : static_cast<std::int64_t>(up >> unused);
    const DType type = bound.dtype();
    const LaneScalar zero{0, type, 0}, one{from_double(type, 1), type, 0};
    before = upper ? zero : one;
    behind = upper ? one : zero;
  }
  // How many elements of a row are before the diagonal, or on it where it counts as before; at most `limit`.
  std::uint32_t prefix(std::uint32_t row, std::uint32_t limit) const {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(row + edge + (upper ? 0 : 1), 0, limit));
  }
  const bool upper;
  std::int64_t edge;
  LaneScalar before, behind;
};

void ttri_words(A5& m, const TileRef& dst, const Triangle& triangle) {
  each_words(m, dst, false, [&](const Cell& cell, const Pred& active) {
    store_words(m, words_of(m, triangle.behind), dst, cell, active);
  });
  const std::uint32_t cols = m.options().quirk_words64 ? std::min(dst.valid_cols, kWordStep) : dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = triangle.prefix(row, cols);
    for (std::uint32_t col = 0; left > 0; col += kWordStep)
      store_words(m, words_of(m, triangle.before), dst, {row, col}, m.plt(AnyLane{DType::U32}, left));
  }
}
void ttri_a5(A5& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const Triangle triangle(bound);
  if (m.bytes() == 8) return ttri_words(m, dst, triangle);
  each_register(m, dst, {&dst}, [&](const Cell& cell, const Pred& active) {
    m.vsts(m.vdup(triangle.behind, active), dst.ub(), cell.in(dst), active);
  });
  // The library goes on to the end of the last register.
  const std::uint32_t limit = m.options().quirk_ttri ? ceil_div(dst.valid_cols, m.lanes()) * m.lanes() : dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = triangle.prefix(row, limit);
    for (std::uint32_t col = 0; left > 0; col += m.lanes()) {
      const Pred active = m.plt(left);
      m.vsts(m.vdup(triangle.before, active), dst.ub(), row * dst.row_stride() + col, active);
    }
  }
}
void ttri_a2a3(A2A3& m, const Bound& bound) {
  const TileRef dst = bound.tile("dst");
  const Triangle triangle(bound);
  if (dst.valid_rows == 0 || dst.valid_cols == 0) return;
  m.set_mask_count();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    const Ub to{dst.at(row, 0)};
    m.set_vector_mask(0, dst.valid_cols);
    m.vector_dup(m.ty(), to, triangle.behind, 1, {});
    const std::uint32_t prefix = triangle.prefix(row, dst.valid_cols);
    if (prefix == 0) continue;
    m.set_vector_mask(0, prefix);
    m.vector_dup(m.ty(), to, triangle.before, 1, {});
  }
  m.set_mask_norm();
  m.set_mask_all();
}

// --- rows

constexpr DTypeSet kCounted = kIntegers16And32 | kF16AndF32 | DTypeSet{DType::BF16};
constexpr DTypeSet kTriangle = kIntegers16And32 | kF16AndF32;
void tci_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  scalar_type(check, "start", "dst");
  row_major(check, {"dst"});
  if (dst.rows() != 1)
    check.error(check.own("R8"), "dst", fmt::format("dst has {} rows, needs 1", dst.rows()),
                "fill further rows with tcolexpand");
  if (check.target() == Target::A5 || !check.bound().has("tmp")) return;
  const std::uint32_t needed = dst.elem_bytes() == 2 ? 1792 : 768;
  if (is_float(dst.type.dtype))
    check.error(check.own("R1"), "dst", fmt::format("element type {} not supported with tmp", name(dst.type.dtype)),
                fmt::format("tci with tmp takes {}", kIntegers16And32.list()));
  scratch_bytes(check, needed, "a ramp of one repeat is made there");
  if (check.tile("tmp").elem_bytes() != 4)
    check.error(check.own("R7"), "tmp",
                fmt::format("tmp is {}, needs elements of 4 bytes", name(check.tile("tmp").type.dtype)),
                "declare it as i32");
  check.warn_overlap("tmp", "dst", false);
  if (counts_down(check.bound()) && check.bound().scalar("start").bits != 0)
    check.warn(
        check.own("W1"), "start", "the library negates start too when it counts down with tmp",
        check.options().quirk_tci
            ? ""
            : "the emulator counts down from start; leave tmp out, or option quirks.tci does what the library does");
}

void ttri_rules(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  row_major(check, {"dst"});
  if (check.target() == Target::A2A3 || dst.valid_rows == 0 || dst.valid_cols == 0) return;
  if (dst.elem_bytes() < 8) {
    const std::uint32_t lanes = VL / dst.elem_bytes(), end = ceil_div(dst.valid_cols, lanes) * lanes,
                        prefix = Triangle(check.bound()).prefix(dst.valid_rows - 1, end);
    if (prefix > dst.valid_cols)
      check.warn(
          check.own("W1"), "dst",
          fmt::format("the edge lies behind column {}; the library writes {} columns of a row", dst.valid_cols, prefix),
          check.options().quirk_ttri ? "" : "the emulator stops at the last valid column; option quirks.ttri goes on");
  } else if (dst.valid_cols > kWordStep) {
    check.warn(check.own("W2"), "dst",
               fmt::format("validCol {} of 64-bit elements; the library does {} columns", dst.valid_cols, kWordStep),
               check.options().quirk_words64 ? "" : "all are done; option quirks.words64 leaves the others alone");
  }
}

const InstructionRow tci{
    .name = "tci",
    .summary = "Counts up, or down, from a start value along one row.",
    .forms = {{"", {scalar("start"), optional_tmp("tmp"), out("dst")}, "TCI(dst, start, tmp)"}},
    .attributes = {{"descending", "false|true", "0=false|1=true"}},
    .typed_by = "dst",
    .types = types_of<kIntegers16And32, kCounted>,
    .draw = Drawing::Fill,
    .rules = tci_rules,
    .machines = machines_of<tci_a5, tci_a2a3>(),
};
const InstructionRow ttri{
    .name = "ttri",
    .summary = "Makes a triangle of ones and zeros.",
    .forms = {{"", {scalar("diagonal"), out("dst")}, "TTRI(dst, diagonal)"}},
    .attributes = {{"upperOrLower", "0|1"}},
    .typed_by = "dst",
    .types = types_of<kAllTypes, kTriangle>,
    .draw = Drawing::Fill,
    .rules = ttri_rules,
    .machines = machines_of<ttri_a5, ttri_a2a3>(),
};
const Registered registered[] = {Registered(tci), Registered(ttri)};

}  // namespace
}  // namespace ts
