// Rows to one element each: dst[r][0] is the largest, the smallest or the product of row r of src. Only column 0 of dst is
// written. Floats depend on the order, so each target keeps to its own. TROWSUM has a file of its own.
#include "core/instructions/row_reduce.h"

namespace ts {
namespace {

using namespace vec;

// --- A5: each register becomes one lane, which joins what came before

using Across = Reg (A5Lanes::*)(AnyLane, const Reg&, const Pred&);
struct StepsA5 {
  Across across;
  A5Two join;
};
constexpr StepsA5 steps_a5(ReduceOp what) {
  if (what == ReduceOp::Max) return {&A5::vcmax, &A5::vmax};
  return {&A5::vcmin, &A5::vmin};
}

// Bytes are widened, even and odd ones apart: u8 to u16, i8 to f16.
template <ReduceOp what>
void reduce_bytes_a5(A5& m, const TileRef& src, const TileRef& dst) {
  constexpr StepsA5 kSteps = steps_a5(what);
  const AnyLane wide{m.dtype() == DType::U8 ? DType::U16 : DType::F16};
  const Pred all = m.pset_all(wide);
  const Reg start = m.vdup(wide, worst_of(what, wide), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg best = start;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      std::uint32_t odd_left = left / 2;
      const Pred active = m.plt(left), odd = m.plt(wide, odd_left);  // a lane of two bytes is on with its even one
      const Reg bytes = m.vlds(src.ub(), Cell{row, col}.in(src)),
                even_ones = m.vcvt(wide, m.ty(), {.part = 0}, bytes, active);
      const Reg odd_ones = m.vcvt(wide, m.ty(), {.part = 1}, bytes, active);
      const Reg of_even = (lanes_of(m).*kSteps.across)(wide, even_ones, active),
                of_odd = (lanes_of(m).*kSteps.across)(wide, odd_ones, odd);
      best = (lanes_of(m).*kSteps.join)(wide, best, (lanes_of(m).*kSteps.join)(wide, of_even, of_odd, all), all);
    }
    m.vsts_1pt(m.ty(), m.vcvt(m.ty(), wide, {.overflow = Overflow::Clamp}, best, all), dst.ub(),
               first_of_row(dst, row));
  }
}
template <ReduceOp what>
void reduce_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  if (m.bytes() == 8) return reduce_words_a5<what>(m, src, dst);
  if (m.bytes() == 1) return reduce_bytes_a5<what>(m, src, dst);
  constexpr StepsA5 kSteps = steps_a5(what);
  const Pred all = m.pset_all();
  const Reg start = m.vdup(worst_of(what, m.dtype()), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg result = start;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg part = (lanes_of(m).*kSteps.across)(m.ty(), m.vlds(src.ub(), Cell{row, col}.in(src)), active);
      result = (lanes_of(m).*kSteps.join)(m.ty(), result, part, all);
    }
    m.vsts_1pt(m.ty(), result, dst.ub(), first_of_row(dst, row));
  }
}

// Lane by lane over all registers; then lane i by lane i + half, which interleaving with ones brings together.
void product_a5(A5& m, const Bound& bound) {
  const TileRef src = bound.tile("src"), dst = bound.tile("dst");
  if (src.valid_rows == 0 || src.valid_cols == 0) return;
  const Pred all = m.pset_all();
  const Reg ones = m.vdup(start_of(ReduceOp::Prod, m.dtype()), all);
  for (std::uint32_t row = 0; row < src.valid_rows; ++row) {
    Reg product = ones;
    std::uint32_t left = src.valid_cols;
    for (std::uint32_t col = 0; col < src.valid_cols; col += m.lanes()) {
      const Pred active = m.plt(left);
      const Reg factors = m.vmul(m.ty(), product, m.vlds(src.ub(), Cell{row, col}.in(src)), active);
      product = m.vsel(factors, product, active);
    }
    for (std::uint32_t lanes = m.lanes(); lanes > 1; lanes /= 2) {
      const Words halves = m.vintlv(product, ones);
      product = m.vmul(m.ty(), halves.lo, halves.hi, all);
    }
    m.vsts_1pt(m.ty(), product, dst.ub(), first_of_row(dst, row));
  }
}

// --- rows

constexpr DTypeSet kExtrema = kA2A3Types | DTypeSet{DType::I8, DType::U8, DType::I64, DType::U64};

template <ReduceOp what>
Machines both() {
  return machines_of<reduce_a5<what>, reduce_a2a3<what>>();
}

const InstructionRow trowmax = row_of<ReduceOp::Max, kExtrema>("trowmax", "Finds the largest element of each row.",
                                                               "TROWMAX(dst, src, tmp)", both<ReduceOp::Max>());
const InstructionRow trowmin = row_of<ReduceOp::Min, kExtrema>("trowmin", "Finds the smallest element of each row.",
                                                               "TROWMIN(dst, src, tmp)", both<ReduceOp::Min>());
const InstructionRow trowprod =
    row_of<ReduceOp::Prod, kA2A3Types>("trowprod", "Multiplies the elements of each row.", "TROWPROD(dst, src, tmp)",
                                       machines_of<product_a5, reduce_a2a3<ReduceOp::Prod>>());

const Registered registered[] = {Registered(trowmax), Registered(trowmin), Registered(trowprod)};

}  // namespace
}  // namespace ts
