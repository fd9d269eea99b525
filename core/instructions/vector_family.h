// What the files of the vector families share: their two machines, how tiles are walked, their rules and rows. Lowerings
// here are plain functions, compiled once for every element type.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "core/a2a3/shapes-inl.h"
#include "core/a5/shapes-inl.h"
#include "core/instructions/family-inl.h"

namespace ts::vec {

using A5 = HWY_NAMESPACE::A5Machine<AnyCore, AnyLane>;
using A2A3 = HWY_NAMESPACE::A2A3Machine<AnyCore, AnyLane>;
// Where the machines' operations on lanes are members.
using A5Lanes = HWY_NAMESPACE::A5Lanes<AnyCore, AnyLane>;
using A2A3Lanes = HWY_NAMESPACE::A2A3Lanes<AnyCore, AnyLane>;
inline A5Lanes& lanes_of(A5& m) { return m; }
inline A2A3Lanes& lanes_of(A2A3& m) { return m; }
using Reg = AnyReg;
using Pred = AnyPred;
using Words = AnyRegPair;  // 64-bit lanes as low and high words
using HWY_NAMESPACE::ceil_div;
using HWY_NAMESPACE::lane_scalar;
using HWY_NAMESPACE::Strides;

// --- machines of a row ------------------------------------------------------------------------------------------------

template <auto function>
struct ByFunction {
  template <class M>
  static void lower(M& m, const Bound& bound) {
    function(m, bound);
  }
};
// Of void a5(A5&, const Bound&) and void a2a3(A2A3&, const Bound&); nullptr where a target has none.
template <auto a5, auto a2a3>
Machines machines_of() {
  using HWY_NAMESPACE::Any, HWY_NAMESPACE::LoweringSet, HWY_NAMESPACE::MachineKind;
  const auto of = []<class Set>(Set) -> Machines {
    return {.run = &Set::template table<MachineKind::Run>,
            .trace = &Set::template table<MachineKind::Trace>,
            .tag = &Set::template table<MachineKind::Tag>};
  };
  if constexpr (std::is_null_pointer_v<decltype(a2a3)>) {
    return of(LoweringSet<Any<Target::A5, ByFunction<a5>>>());
  } else if constexpr (std::is_null_pointer_v<decltype(a5)>) {
    return of(LoweringSet<Any<Target::A2A3, ByFunction<a2a3>>>());
  } else {
    return of(LoweringSet<Any<Target::A5, ByFunction<a5>>, Any<Target::A2A3, ByFunction<a2a3>>>());
  }
}

// --- walking on A5 ----------------------------------------------------------------------------------------------------

struct Cell {
  std::uint32_t row, col;
  // In elements from the tile's first.
  std::uint32_t in(const TileRef& tile) const { return row * tile.row_stride() + col; }
  std::uint32_t bytes_in(const TileRef& tile) const { return in(tile)*tile.elem_bytes(); }
};

// f(cell, active) for every register's worth of dst's valid region, counted in lanes of a type of their own; where all
// tiles have no gaps, of one long row.
template <class F>
void each_register_of(A5& m, AnyLane lane, const TileRef& dst, std::initializer_list<const TileRef*> tiles, F f) {
  const bool one_run = HWY_NAMESPACE::contiguous(tiles);
  const std::uint32_t rows = one_run ? 1 : dst.valid_rows,
                      cols = one_run ? dst.valid_rows * dst.valid_cols : dst.valid_cols;
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += lane.lanes()) f(Cell{row, col}, m.plt(lane, left));
  }
}
template <class F>
void each_register(A5& m, const TileRef& dst, std::initializer_list<const TileRef*> tiles, F f) {
  each_register_of(m, m.ty(), dst, tiles, f);
}
// 64-bit elements, 64 a step: f(cell, active), the predicate for their words. The library does one step a row.
inline constexpr std::uint32_t kWordStep = VL / 4;
template <class F>
void each_words(A5& m, const TileRef& dst, bool library_loops, F f) {
  const std::uint32_t cols =
      !library_loops && m.options().quirk_words64 ? std::min(dst.valid_cols, kWordStep) : dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += kWordStep) f(Cell{row, col}, m.plt(AnyLane{DType::U32}, left));
  }
}
inline Words load_words(A5& m, const TileRef& tile, const Cell& cell) {
  return m.vlds_dintlv_b32(tile.ub(), cell.bytes_in(tile));
}
inline void store_words(A5& m, const Words& words, const TileRef& tile, const Cell& cell, const Pred& active) {
  m.emu_vsts_intlv(words, tile.ub(), cell.bytes_in(tile), active);
}
// The low bytes of lanes of `lane_bytes`, as elements of `to`, side by side.
inline void store_close(A5& m, AnyLane to, std::uint32_t lane_bytes, const Reg& v, const TileRef& dst, const Cell& cell,
                        const Pred& active) {
  const Ub base = dst.ub();
  const std::uint32_t at = cell.in(dst), size = to.bytes(), ratio = lane_bytes / size;
  if (ratio == 1) return m.vsts(to, v, base, at, active);
  if (ratio == 4) return m.vsts_pk4_b32(v, base, at, active);
  size == 1   ? m.vsts_pk_b16(v, base, at, active)
  : size == 2 ? m.vsts_pk_b32(v, base, at, active)
              : m.vsts_pk_b64(v, base, at, active);
}

using A5One = Reg (A5Lanes::*)(AnyLane, const Reg&, const Pred&);
using A5Two = Reg (A5Lanes::*)(AnyLane, const Reg&, const Reg&, const Pred&);
using A5Scaled = Reg (A5Lanes::*)(AnyLane, const Reg&, const LaneScalar&, const Pred&);

// dst = op(src0, src1). 64-bit elements: by `words`, as the emulator's own step, unless the instruction has a way of its own.
template <class F>
void binary_a5(A5& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, F f) {
  each_register(m, dst, {&dst, &src0, &src1}, [&](const Cell& cell, const Pred& active) {
    const Reg a = m.vlds(src0.ub(), cell.in(src0)), b = m.vlds(src1.ub(), cell.in(src1));
    m.vsts(f(a, b, active), dst.ub(), cell.in(dst), active);
  });
}
template <class F>
void unary_a5(A5& m, const TileRef& dst, const TileRef& src, F f) {
  each_register(m, dst, {&dst, &src}, [&](const Cell& cell, const Pred& active) {
    m.vsts(f(m.vlds(src.ub(), cell.in(src)), active), dst.ub(), cell.in(dst), active);
  });
}
template <class F>
void binary_words_a5(A5& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, bool library_loops, F f) {
  each_words(m, dst, library_loops, [&](const Cell& cell, const Pred& active) {
    const Words a = load_words(m, src0, cell), b = load_words(m, src1, cell);
    store_words(m, f(a, b, active), dst, cell, active);
  });
}
// A scalar's words in every lane.
inline Words words_of(A5& m, const LaneScalar& scalar) { return m.vdup_words(scalar, m.pset_all(AnyLane{DType::U32})); }
// Shifts of 64 bits; counts are below 64, or taken modulo 64. Option quirks.shift64: to the left, the library brings the
// low word into the high one with its sign, for counts below 32.
inline Words shift_words(A5& m, LaneOp op, const Words& a, const Words& count) {
  const Words shifted = m.emu_words(op, m.dtype(), op == LaneOp::ShlModulo ? "shift left" : "shift right", a, count);
  if (op != LaneOp::ShlModulo || m.options().quirk_shift64 == 0) return shifted;
  constexpr DType kSigned = DType::I64;
  const auto number = [&](std::uint64_t bits) { return words_of(m, {bits, kSigned, 0}); };
  const auto step = [&](LaneOp what, const Words& x, const Words& y) {
    return m.emu_words(what, kSigned, "the low word's sign", x, y);
  };
  const Words sign = step(LaneOp::ShrModulo, step(LaneOp::ShlModulo, a, number(32)), number(63));
  return step(LaneOp::Or, shifted,
              step(LaneOp::Shl, sign, step(LaneOp::Add, step(LaneOp::And, count, number(63)), number(32))));
}

// The first two operands of an instruction, the second of which may be a scalar.
struct TwoInputs {
  TileRef dst, first, second;
  std::optional<LaneScalar> scalar;
};
inline TwoInputs two_inputs(const Bound& bound) {
  const std::vector<OperandSpec>& specs = bound.row->forms[bound.form].operands;
  TwoInputs in{.dst = bound.tile("dst"), .first = bound.tile(specs[0].name), .second = {}, .scalar = {}};
  if (specs[1].kind == OperandKind::Scalar) {
    in.second = in.first;
    in.scalar = lane_scalar(bound, specs[1].name);
  } else {
    in.second = bound.tile(specs[1].name);
  }
  return in;
}
// dst = f(first, second, active), register by register.
template <class F>
void pairs_a5(A5& m, const TwoInputs& in, F f) {
  const Reg scalar = in.scalar ? m.vdup(m.ty(), *in.scalar, m.pset_all()) : Reg{};
  each_register(m, in.dst, {&in.dst, &in.first, &in.second}, [&](const Cell& cell, const Pred& active) {
    const Reg a = m.vlds(in.first.ub(), cell.in(in.first)),
              b = in.scalar ? scalar : m.vlds(in.second.ub(), cell.in(in.second));
    m.vsts(f(a, b, active), in.dst.ub(), cell.in(in.dst), active);
  });
}
// The same for 16-bit elements that stand in the low halves of 32-bit lanes; active: in 32-bit lanes.
template <class F>
void half_pairs_a5(A5& m, const TwoInputs& in, F f) {
  constexpr AnyLane kWord{DType::U32};
  const Reg scalar =
      in.scalar ? m.vdup(kWord, {in.scalar->bits & 0xFFFF, DType::U32, in.scalar->origin}, m.pset_all(kWord)) : Reg{};
  each_register_of(m, kWord, in.dst, {&in.dst, &in.first, &in.second}, [&](const Cell& cell, const Pred& active) {
    const Reg a = m.vlds_unpk_b16(in.first.ub(), cell.in(in.first)),
              b = in.scalar ? scalar : m.vlds_unpk_b16(in.second.ub(), cell.in(in.second));
    m.vsts_pk_b32(f(a, b, active), in.dst.ub(), cell.in(in.dst), active);
  });
}

// --- walking on A2A3 --------------------------------------------------------------------------------------------------

using A3One = void (A2A3Lanes::*)(AnyLane, Ub, Ub, std::uint32_t, Strides, Strides);
using A3Two = void (A2A3Lanes::*)(AnyLane, Ub, Ub, Ub, std::uint32_t, Strides, Strides, Strides);
using A3Scaled = void (A2A3Lanes::*)(AnyLane, Ub, Ub, const LaneScalar&, std::uint32_t, Strides, Strides);
using HWY_NAMESPACE::Shape;

// f(d, a, b, repeats, strides of d, a, b) in the header's choice of repeats and masks.
template <class F>
void binary_a2a3(A2A3& m, const TileRef& dst, const TileRef& src0, const TileRef& src1, F f) {
  HWY_NAMESPACE::binary_shape(m, dst, src0, src1, f, VL / dst.elem_bytes(), Shape::Binary);
}
// f(d, s, repeats, strides of d and s).
template <class F>
void single_a2a3(A2A3& m, Shape shape, const TileRef& dst, const TileRef& src, F f) {
  HWY_NAMESPACE::binary_shape(
      m, dst, src, src, [&](Ub d, Ub s, Ub, std::uint32_t n, Strides ds, Strides ss, Strides) { f(d, s, n, ds, ss); },
      VL / dst.elem_bytes(), shape);
}
// dst = op(src0, src1).
template <A3Two op>
void two_a2a3(A2A3& m, const Bound& bound) {
  binary_a2a3(m, bound.tile("dst"), bound.tile("src0"), bound.tile("src1"),
              [&](Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
                (lanes_of(m).*op)(m.ty(), d, a, b, n, ds, as, bs);
              });
}
// The tile's bytes as 16-bit elements: what operations that know no others work on. Of an odd number of bytes a row, the
// next one too.
inline TileRef as_halves(TileRef tile) {
  const std::uint32_t size = tile.elem_bytes();
  const auto halves = [&](std::uint32_t elements) { return (elements * size + 1) / 2; };
  if (tile.type.valid_cols != kDynamic)
    tile.type.valid_cols = static_cast<std::int32_t>(halves(static_cast<std::uint32_t>(tile.type.valid_cols)));
  tile.type.cols = halves(tile.type.cols);
  tile.valid_cols = halves(tile.valid_cols);
  tile.type.dtype = DType::U16;
  return tile;
}
// Bit operations know 16-bit lanes only.
template <A3Two op>
void bits_a2a3(A2A3& m, const TileRef& dst, const TileRef& src0, const TileRef& src1) {
  binary_a2a3(m, as_halves(dst), as_halves(src0), as_halves(src1),
              [&](Ub d, Ub a, Ub b, std::uint32_t n, Strides ds, Strides as, Strides bs) {
                (lanes_of(m).*op)(AnyLane{DType::U16}, d, a, b, n, ds, as, bs);
              });
}
inline void not_a2a3(A2A3& m, const TileRef& dst, const TileRef& src) {
  single_a2a3(
      m, Shape::Unary, as_halves(dst), as_halves(src),
      [&](Ub d, Ub s, std::uint32_t n, Strides ds, Strides ss) { m.vnot(AnyLane{DType::U16}, d, s, n, ds, ss); });
}
// A scratch tile of which so much is used as is valid of another.
inline TileRef valid_as(TileRef scratch, const TileRef& other) {
  scratch.valid_rows = other.valid_rows;
  scratch.valid_cols = other.valid_cols;
  scratch.type.valid_rows = scratch.type.valid_cols = kDynamic;
  return scratch;
}
// One instruction a row, in counter mode: f(row).
template <class F>
void counted_rows(A2A3& m, std::uint32_t rows, std::uint32_t cols, F f) {
  if (rows == 0 || cols == 0) return;
  m.set_mask_count();
  m.set_vector_mask(0, cols);
  for (std::uint32_t row = 0; row < rows; ++row) f(row);
  m.set_mask_norm();
  m.set_mask_all();
}
// dst = on where the row's bits in `mask` are 1, else off: TSEL's steps, with the address of each mask row by way of `address`.
inline void select_rows(A2A3& m, const TileRef& dst, const TileRef& mask, const TileRef& on, const TileRef& off,
                        Ub address) {
  m.set_mask_count();
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    m.set_vector_mask(0, m.bytes() == 2 ? 4 : 2);
    m.vector_dup(AnyLane{DType::U32}, address, LaneScalar{mask.at(row, 0), DType::U32, 0}, 1, {});
    m.pipe_barrier();
    m.set_cmpmask(address);
    m.pipe_barrier();
    m.set_vector_mask(0, dst.valid_cols);
    m.vsel_tensor({dst.at(row, 0)}, {on.at(row, 0)}, {off.at(row, 0)}, 1, {}, {}, {});
  }
  m.set_mask_norm();
  m.set_mask_all();
}
// Elements of a row, from one block's start to another's. The unit copies whole blocks; the documents promise that the rest
// stays, so what ends within a block is moved by the emulator unless option quirks.blocks is on.
inline void copy_row(A2A3& m, Ub to, Ub from, std::uint32_t elements) {
  const std::uint32_t size = elements * m.bytes();
  if (size == 0) return;
  if (m.options().quirk_blocks || size % BLK == 0) return m.copy_ubuf_to_ubuf(to, from, 1, ceil_div(size, BLK), 0, 0);
  m.emu_move({Space::Ub, to.address, m.bytes()}, {Space::Ub, from.address, m.bytes()}, elements);
}
using HWY_NAMESPACE::leave_scratch;

// --- element types ----------------------------------------------------------------------------------------------------

inline constexpr DTypeSet kF16AndF32{DType::F16, DType::F32};
inline constexpr DTypeSet kA2A3Types{DType::I16, DType::I32, DType::F16, DType::F32};
inline constexpr DTypeSet kIntegers16And32{DType::I16, DType::U16, DType::I32, DType::U32};
inline constexpr DTypeSet kIntegersTo32{DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::U32};
inline constexpr DTypeSet kIntegers64{DType::I64, DType::U64};
inline constexpr DTypeSet kIntegers = kIntegersTo32 | kIntegers64;
inline constexpr DTypeSet kA5TypesFrom16 =
    kIntegers16And32 | kIntegers64 | DTypeSet{DType::F16, DType::BF16, DType::F32};
inline constexpr DTypeSet kA5DividedTypes = kIntegers16And32 | kIntegers64 | kF16AndF32;

template <const DTypeSet& a5, const DTypeSet& a2a3>
DTypeSet types_of(Target target, const Options&) {
  return target == Target::A5 ? a5 : a2a3;
}

// --- rules ------------------------------------------------------------------------------------------------------------

// R2 to R4 and overlap, of the tiles that the row calls inputs and results; each by its number.
void same_types(RuleCheck& check, std::initializer_list<const char*> others, const char* as = "dst");
void row_major(RuleCheck& check, std::initializer_list<const char*> tiles);
void same_valid(RuleCheck& check, std::initializer_list<const char*> others, const char* as = "dst");
void may_be_in_place(RuleCheck& check, std::initializer_list<const char*> sources);
void elementwise_rules(RuleCheck& check, std::initializer_list<const char*> sources);
void two_sources(RuleCheck& check);
// R2 for a scalar operand.
void scalar_type(RuleCheck& check, const char* scalar, const char* as);
// R5: the domain holds an element.
void not_empty(RuleCheck& check, const char* tile = "dst");
// R6: these have no byte in common.
void distinct(RuleCheck& check, const char* a, const char* b);
// R7: the scratch tile of A2A3 has at least so many bytes.
void scratch_bytes(RuleCheck& check, std::uint64_t bytes, std::string_view why, const char* tmp = "tmp");
// R7: dst's valid region fits into scratch of its type.
void scratch_like_dst(RuleCheck& check);
// W2: integers divided by zero, the first one. `columns`: how many of each row of the divisor count. Lowerings watch for
// them, where the divisor is a tile.
enum class Division : std::uint8_t { Quotient, Remainder };
void warn_zero(RuleCheck& check, const Memory& before, Division what, const char* divisor, std::uint32_t rows,
               std::uint32_t columns);
void warn_zero(RuleCheck& check, const Memory& before, Division what, const char* divisor);  // all valid elements
void warn_zero_scalar(RuleCheck& check, Division what);
template <class M>
void watch_divisor(M& m, const TileRef& divisor) {
  if (!is_float(m.dtype())) m.watch_zeros(divisor);
}
// W1: 64-bit elements that the library does for 64 columns only.
void warn_words(RuleCheck& check, const char* tile = "dst", const char* id = "W1");

// Scratch that a text leaves out: of the element type and static shape of another operand, on A2A3 only.
TileType like(const Bound& bound, const char* operand);
TileType scratch_of(const Bound& bound, DType type, std::uint32_t rows, std::uint32_t bytes_a_row);
inline TileType no_scratch() { return {.rows = 0}; }

inline constexpr AttributeSpec kPrecision{"precision_mode", "default|high_precision",
                                          "true=high_precision|false=default"};
inline bool high_precision(const Bound& bound) {
  return bound.target == Target::A5 && bound.attribute("precision_mode") != 0;
}

}  // namespace ts::vec
