// From one element type to another. TCVT: dst[r][c] = src[r][c] as an element of dst's type, over dst's valid region.
#include <fmt/format.h>

#include <iterator>

#include "core/instructions/vector_family.h"

namespace ts {
namespace {

using namespace vec;

// `wraps`: without a sat_mode, what does not fit keeps its low bits; all others clamp.
struct Pair {
  DType from, to;
  bool a2a3, a5, wraps;
};
// clang-format off
constexpr Pair kPairs[] = {
    {DType::F32, DType::F16, true, true, false},  {DType::F32, DType::BF16, true, true, false},  {DType::F32, DType::F32, true, true, false},
    {DType::F32, DType::I16, true, true, true},   {DType::F32, DType::I32, true, true, false},   {DType::F32, DType::I64, true, true, false},
    {DType::F16, DType::F32, true, true, false},  {DType::F16, DType::I32, true, true, false},   {DType::F16, DType::I16, true, true, true},
    {DType::F16, DType::I8, true, true, true},    {DType::F16, DType::U8, true, true, true},     {DType::BF16, DType::F32, true, true, false},
    {DType::BF16, DType::I32, true, true, false}, {DType::BF16, DType::F16, false, true, false}, {DType::I16, DType::F16, true, true, false},
    {DType::I16, DType::F32, true, true, false},  {DType::I16, DType::U8, false, true, false},   {DType::I16, DType::U32, false, true, false},
    {DType::I16, DType::I32, false, true, false}, {DType::I8, DType::F16, true, true, false},    {DType::I8, DType::I16, false, true, false},
    {DType::I8, DType::I32, false, true, false},  {DType::U8, DType::F16, true, true, false},    {DType::U8, DType::U16, false, true, false},
    {DType::I32, DType::F32, true, true, false},  {DType::I32, DType::I16, true, true, true},    {DType::I32, DType::I64, true, true, false},
    {DType::I32, DType::F16, true, false, false}, {DType::I32, DType::U8, false, true, false},   {DType::I32, DType::U16, false, true, false},
    {DType::U32, DType::U8, false, true, false},  {DType::U32, DType::U16, false, true, false},  {DType::U32, DType::I16, false, true, false},
    {DType::I64, DType::F32, true, true, false},  {DType::I64, DType::I32, true, true, true},
    {DType::F32, DType::F8E4M3, false, true, false}, {DType::F32, DType::F8E5M2, false, true, false}, {DType::F32, DType::HIF8, false, true, false},
    {DType::F16, DType::HIF8, false, true, false}, {DType::F8E4M3, DType::F32, false, true, false}, {DType::F8E5M2, DType::F32, false, true, false},
    {DType::HIF8, DType::F32, false, true, false},
    {DType::F16, DType::I4, true, false, false}, {DType::I4, DType::F16, true, false, false},
    {DType::BF16, DType::E2M1, false, true, false}, {DType::BF16, DType::E1M2, false, true, false},
    {DType::E2M1, DType::BF16, false, true, false}, {DType::E1M2, DType::BF16, false, true, false},
};
// clang-format on
const Pair* pair_of(Target target, DType from, DType to) {
  const auto fits = [&](const Pair& pair) {
    return pair.from == from && pair.to == to && (target == Target::A5 ? pair.a5 : pair.a2a3);
  };
  const Pair* found = std::ranges::find_if(kPairs, fits);
  return found == std::end(kPairs) ? nullptr : found;
}

constexpr AnyLane kI32{DType::I32}, kI16{DType::I16}, kU16{DType::U16}, kF16{DType::F16};

enum class Mode : std::uint8_t { Rint, Round, Floor, Ceil, Trunc, Odd, None };
enum class Saturation : std::uint8_t { ByPair, On, Off };

// A mode that the pair does not have is the one that the library takes for those it does not know.
Rounding rounding_of(Mode mode, DType from, DType to) {
  if (from == DType::I32 && to == DType::F16) return Rounding::Even;
  if (to == DType::HIF8) return Rounding::Away;
  switch (mode) {
    case Mode::Rint: return Rounding::Even;
    case Mode::Round: return Rounding::Away;
    case Mode::Floor: return Rounding::Down;
    case Mode::Ceil: return Rounding::Up;
    case Mode::Trunc: return Rounding::Zero;
    case Mode::Odd:
      if (from == DType::F32 && to == DType::F16) return Rounding::Odd;
      break;
    case Mode::None: break;
  }
  return is_float(from) && !is_float(to) && !is_packed(to) ? Rounding::Zero : Rounding::Even;
}

struct Work {
  TileRef dst, src;
  AnyLane to, from, wide;
  Conversion how;
  bool off;  // what does not fit is not clamped
};
Work work_of(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  const DType to = dst.type.dtype, from = src.type.dtype;
  const bool wraps = pair_of(bound.target, from, to)->wraps, a5 = bound.target == Target::A5;
  const auto saturation = static_cast<Saturation>(bound.attribute("sat_mode"));
  // A2A3 has no choice but for the pairs that wrap by themselves.
  const bool off = saturation == Saturation::ByPair ? wraps : saturation == Saturation::Off && (wraps || a5);
  const bool widens_int = !is_float(from) && !is_float(to) && size_bytes(to) > size_bytes(from);
  const Rounding rounding = rounding_of(static_cast<Mode>(bound.attribute("rmode")), from, to);
  return {dst,
          src,
          AnyLane{to},
          AnyLane{from},
          AnyLane{size_bytes(to) > size_bytes(from) ? to : from},
          {.rounding = rounding, .overflow = off || widens_int ? Overflow::Wrap : Overflow::Clamp},
          off};
}

// --- A5: the lanes of the wider type a step; elements of the narrower one stand at their starts

Reg load_apart(A5& m, const Work& work, const Cell& cell) {
  const Ub base = work.src.ub();
  const std::uint32_t at = cell.in(work.src), size = work.from.bytes(), ratio = work.wide.bytes() / size;
  if (ratio == 1) return m.vlds(base, at);
  if (ratio == 4) return m.vlds_unpk4_b8(base, at);
  return size == 1 ? m.vlds_unpk_b8(base, at) : size == 2 ? m.vlds_unpk_b16(base, at) : m.vlds_unpk_b32(base, at);
}
// f32 and f16 to i16 where every row is full or there is but one: clamped to i32, whose low half is kept. Tiles with padding,
// or with sizes that only running tells, are converted at once.
bool goes_by_words(const Work& work) {
  return work.off && is_float(work.from.dtype) && work.to.dtype == DType::I16 &&
         HWY_NAMESPACE::contiguous({&work.dst, &work.src});
}
Reg convert_a5(A5& m, const Work& work, bool by_words, const Reg& v, const Pred& active) {
  if (work.from.dtype == work.to.dtype) return m.vtrc(work.to, work.how.rounding, v, active);
  if (!by_words) return m.vcvt(work.to, work.from, work.how, v, active);
  const Reg words = m.vcvt(kI32, work.from, {.rounding = work.how.rounding, .overflow = Overflow::Clamp}, v, active);
  return m.vcvt(work.to, kI32, {.overflow = Overflow::Wrap}, words, active);
}
// Two elements a byte beside lanes of 16 bits: those of a byte are converted together, and only whole bytes are stored.
void convert_packed(A5& m, const Work& work) {
  const bool narrows = is_packed(work.to.dtype);
  const AnyLane lane = narrows ? work.from : work.to;
  const std::uint32_t cols = narrows ? work.dst.valid_cols / 2 * 2 : work.dst.valid_cols;
  for (std::uint32_t row = 0; row < work.dst.valid_rows; ++row) {
    std::uint32_t left = cols;
    for (std::uint32_t col = 0; col < cols; col += lane.lanes()) {
      const Pred active = m.plt(lane, left);
      const Ub from{work.src.at(row, col)}, to{work.dst.at(row, col)};
      const Reg v = narrows ? m.vlds(from, 0) : m.vlds_unpk4_b8(from, 0);
      const Reg made = m.vcvt(work.to, work.from, work.how, v, active);
      narrows ? m.vsts_pk4_b32(made, to, 0, active) : m.vsts(lane, made, to, 0, active);
    }
  }
}
void tcvt_a5(A5& m, const Bound& bound) {
  Work work = work_of(bound);
  if (is_packed(work.to.dtype) || is_packed(work.from.dtype)) return convert_packed(m, work);
  const bool by_words = goes_by_words(work);
  if (by_words) work.wide = kI32;
  for (std::uint32_t row = 0; row < work.dst.valid_rows; ++row) {
    std::uint32_t left = work.dst.valid_cols;
    for (std::uint32_t col = 0; col < work.dst.valid_cols; col += work.wide.lanes()) {
      const Cell cell{row, col};
      const Pred active = m.plt(work.wide, left);
      const Reg v = load_apart(m, work, cell);
      store_close(m, work.to, work.wide.bytes(), convert_a5(m, work, by_words, v, active), work.dst, cell, active);
    }
  }
}

// --- A2A3: per row whole repeats, then the tails of all rows under one mask

constexpr std::uint32_t kRepeatBlocks = VL / BLK;

void convert_repeats(A2A3& m, const Work& work, std::uint32_t row, std::uint32_t col, std::uint32_t n,
                     std::uint32_t d_repeat, std::uint32_t s_repeat) {
  const Ub d{work.dst.at(row, col)}, s{work.src.at(row, col)};
  if (work.from.dtype == work.to.dtype)
    return m.vconv_same(work.to, work.how.rounding, d, s, n, {1, d_repeat}, {1, s_repeat});
  m.vconv(work.to, work.from, work.how, d, s, n, d_repeat, s_repeat);
}
void convert_tile(A2A3& m, const Work& work) {
  const TileRef& dst = work.dst;
  const std::uint32_t lanes = work.wide.lanes(), whole = dst.valid_cols / lanes, tail = dst.valid_cols % lanes;
  const std::uint32_t d_repeat = kRepeatBlocks * size_bits(work.to) / size_bits(work.wide),
                      s_repeat = kRepeatBlocks * size_bits(work.from) / size_bits(work.wide);
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row)
    for (std::uint32_t done = 0; done < whole; done += A2A3::kMaxRepeat)
      convert_repeats(m, work, row, done * lanes, std::min(whole - done, A2A3::kMaxRepeat), d_repeat, s_repeat);
  if (tail == 0) return;
  m.set_mask_first(tail);
  const std::uint32_t d_pitch = dst.pitch_bytes() / BLK, s_pitch = work.src.pitch_bytes() / BLK;
  const std::uint32_t rows_a_call = std::max(d_pitch, s_pitch) <= A2A3::kMaxStride ? A2A3::kMaxRepeat : 1;
  for (std::uint32_t row = 0; row < dst.valid_rows; row += rows_a_call)
    convert_repeats(m, work, row, whole * lanes, std::min(dst.valid_rows - row, rows_a_call), d_pitch, s_pitch);
  m.set_mask_all();
}

// Off, with a tmp: by way of the i32 that clamping gives, whose low bits are kept.
bool goes_by_i32(DType from, DType to) {
  return is_float(from) && (to == DType::I16 || (from == DType::F16 && to == DType::I8));
}
void convert_by_i32(A2A3& m, const Work& work, const TileRef& tmp) {
  constexpr std::uint32_t kChunk = VL / 4;
  const bool bytes = work.to.bytes() == 1;
  const Ub words = tmp.ub(), low_bytes{tmp.address + VL / 2};
  const Conversion wrap{.overflow = Overflow::Wrap};
  m.set_mask_count();
  for (std::uint32_t row = 0; row < work.dst.valid_rows; ++row) {
    for (std::uint32_t col = 0; col < work.dst.valid_cols; col += kChunk) {
      const Ub d{work.dst.at(row, col)}, s{work.src.at(row, col)};
      m.set_vector_mask(0, std::min(work.dst.valid_cols - col, kChunk));
      m.vconv(kI32, work.from, {.rounding = work.how.rounding, .overflow = Overflow::Clamp}, words, s, 1, 0, 0);
      m.vconv(kI16, kI32, wrap, bytes ? words : d, words, 1, 0, 0);
      if (!bytes) continue;
      m.vector_dup(kU16, low_bytes, {0x00FF, DType::U16, 0}, 1, {});
      m.vand(kU16, words, words, low_bytes, 1, {}, {}, {});
      m.vconv(kF16, kI16, wrap, words, words, 1, 0, 0);
      m.vconv(work.to, kF16, wrap, d, words, 1, 0, 0);
    }
  }
  m.set_mask_norm();
  m.set_mask_all();
}
void tcvt_a2a3(A2A3& m, const Bound& bound) {
  Work work = work_of(bound);
  if (work.dst.valid_rows == 0 || work.dst.valid_cols == 0) return;
  m.set_ctrl_saturation(!work.off);
  const bool by_i32 = work.off && goes_by_i32(work.from.dtype, work.to.dtype);
  if (by_i32 && bound.has("tmp")) {
    convert_by_i32(m, work, bound.tile("tmp"));
    leave_scratch(m, bound);
  } else {
    // Its own conversion knows nothing of an i32 on the way; infinities give 0 (as far as goldens tell).
    if (by_i32 && work.to.dtype == DType::I16) work.how.overflow = Overflow::WrapInfZero;
    convert_tile(m, work);
  }
  m.set_ctrl_saturation(true);
}

// --- the row

std::uint64_t chain_bytes(const TileRef& dst, const TileRef& src) {
  if (src.type.dtype == DType::F16) return VL;
  const std::uint64_t most = A2A3::kMaxRepeat, rows = std::min<std::uint64_t>(dst.valid_rows, most),
                      cols = dst.valid_cols;
  if (rows == 0) return 0;
  return std::max(VL * std::min(cols / 64, most), BLK * ((rows - 1) * src.row_stride() / 8 + (cols % 64 + 7) / 8));
}
// What becomes of an odd column that would be half a byte.
void half_bytes(RuleCheck& check) {
  const TileRef& dst = check.tile("dst");
  if (!is_packed(dst.type.dtype) || dst.valid_cols % 2 == 0) return;
  const bool a5 = check.target() == Target::A5;
  check.warn(check.own("W2"), "dst",
             fmt::format("dst has {} valid columns, and two {} share a byte; {}", dst.valid_cols, name(dst.type.dtype),
                         a5 ? fmt::format("the last column, {}, is not written", dst.valid_cols - 1)
                            : "the element behind the last one becomes 0"),
             "make the number of valid columns even");
}
void tcvt_rules(RuleCheck& check) {
  const TileRef &dst = check.tile("dst"), &src = check.tile("src");
  const DType from = src.type.dtype, to = dst.type.dtype;
  row_major(check, {"dst", "src"});
  same_valid(check, {"src"});
  may_be_in_place(check, {"src"});
  const Pair* pair = pair_of(check.target(), from, to);
  if (pair == nullptr) {
    check.error(check.own("R8"), "dst",
                fmt::format("{} to {} is no conversion of {}", name(from), name(to), name(check.target())),
                "go through f32 or i32");
    return;
  }
  half_bytes(check);
  if (check.target() == Target::A5) return;
  const auto saturation = static_cast<Saturation>(check.bound().attribute("sat_mode"));
  if (saturation == Saturation::Off && !pair->wraps)
    check.warn(check.own("W1"), "dst",
               fmt::format("sat_mode = off for {} to {}; this target clamps", name(from), name(to)),
               "mask the low bits yourself");
  if (!check.bound().has("tmp")) return;
  for (const char* other : {"src", "dst"}) check.warn_overlap("tmp", other, false);
  if (saturation != Saturation::On && pair->wraps && goes_by_i32(from, to))
    scratch_bytes(check, chain_bytes(dst, src), "what wraps goes through it as i32");
}

DTypeSet tcvt_types(Target target, const Options&) {
  DTypeSet types{};
  for (const Pair& pair : kPairs)
    if (target == Target::A5 ? pair.a5 : pair.a2a3) types = types | DTypeSet{pair.from};
  return types;
}

const InstructionRow tcvt{
    .name = "tcvt",
    .summary = "Converts each element to dst's element type.",
    .forms = {{"", {in("src"), optional_tmp("tmp"), out("dst")}, "TCVT(dst, src, tmp, rmode, sat_mode)"}},
    .attributes = {{"rmode", "rint|round|floor|ceil|trunc|odd|none"}, {"sat_mode", "auto|on|off"}},
    .typed_by = "src",
    .types = tcvt_types,
    .draw = Drawing::Lanes,
    .rules = tcvt_rules,
    .machines = machines_of<tcvt_a5, tcvt_a2a3>(),
};
const Registered registered(tcvt);

}  // namespace
}  // namespace ts
