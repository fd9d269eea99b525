// TCVT: dst[r][c] = src[r][c] as an element of dst's type, over dst's valid region.
//   rmode: how a number between two elements is rounded. NONE, and ODD but for f32 to f16, mean towards zero for floats to
//   integers, else to nearest even. i32 to f16 is always to nearest even. f32 to f32 rounds to whole numbers.
//   sat_mode: ON takes what is beyond dst's elements to the last one, OFF keeps the low bits of integers and makes floats
//   infinite. Without it six pairs are OFF, all others ON; for those others A2A3 has no OFF.
//   Integers that become wider repeat their sign, but i16 to u32: what is negative becomes 0.
//   8-bit floats: HiFloat8 is rounded to nearest, ties away, whatever the mode; back to f32 all are exact.
//   4 bits: floats are as those of 8 bits with ON, whatever sat_mode says; without NaN, which becomes their largest number
//   7. bf16 has all of their numbers, f16 those of int4. A5 writes the last of an odd number of columns not at all, A2A3 a 0
//   behind it.
//   NaN: 0 as an integer, the default NaN as a float. Infinity: the last integer, or OFF what the steps leave; as a float
//   it stays.
// With OFF, f32 and f16 to i16 and f16 to i8 go by way of the i32 that clamping gives: on A2A3 with a tmp only, on A5 where
// static valid columns fill the rows of both tiles, or both have one row. Else the low bits of the true integer are kept;
// infinities are then on A5 as if they went by way of i32, on A2A3 they and NaN are 0 as i16.
#include <bit>
#include <cctype>
#include <cmath>
#include <string>

#include "tests/oracle/number.h"
#include "tests/oracle/small_float.h"
#include "tests/oracle/work.h"

namespace ts::oracle {
namespace {

// "CAST_RINT" and "rint" are the same.
std::string plain_word(std::string_view word) {
  std::string plain;
  for (const char c : word) plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain.starts_with("cast_") ? plain.substr(5) : plain;
}

class Conversion {
 public:
  Conversion(const Bound& bound, const Work& work)
      : from_(bound.tile("src").type.dtype),
        to_(bound.tile("dst").type.dtype),
        rounding_(rounding_of(plain_word(work.attribute("rmode")))),
        a2a3_(work.on(Target::A2A3)),
        off_(is_off(plain_word(work.attribute("sat_mode")))),
        by_i32_(off_ && goes_by_i32() && (a2a3_ ? bound.has("tmp") : is_dense(bound))) {}

  bool uses_tmp() const { return a2a3_ && by_i32_; }

  std::uint64_t of(std::uint64_t bits) const {
    if (from_ == DType::I4) return nearest_float(to_, static_cast<double>(bits < 8 ? int(bits) : int(bits) - 16));
    if (to_ == DType::I4) return convert_to_4(bits);
    if (is_small_float(from_) && to_ == DType::BF16)
      return nearest_float(to_, small_value(from_, static_cast<std::uint8_t>(bits)));
    if (is(DType::F32, DType::F32)) return integral(from_, bits, rounding_);
    if (is_small_float(to_)) {
      const double value = is_nan(from_, bits) ? std::nan("") : float_value(from_, bits);
      return small_element(to_, value, rounding_, !off_);
    }
    if (is_small_float(from_)) return of_small(static_cast<std::uint8_t>(bits));
    if (is_float(from_) && is_float(to_))
      return narrowed(to_, from_, bits, rounding_, off_ ? infinity(to_) : largest(to_));
    if (by_i32_) {
      const std::uint64_t word = convert(DType::I32, from_, bits, rounding_, Overflow::Saturate);
      return convert(to_, DType::I32, word, Rounding::TowardZero, Overflow::Wrap);
    }
    if (a2a3_ && off_ && to_ == DType::I16 && is_float(from_)) return low_half(bits);
    if (is(DType::I16, DType::U32)) return convert(to_, from_, bits, rounding_, Overflow::Saturate);
    const bool widens_int = !is_float(from_) && !is_float(to_) && size_bytes(to_) > size_bytes(from_);
    return convert(to_, from_, bits, rounding_, off_ || widens_int ? Overflow::Wrap : Overflow::Saturate);
  }

 private:
  bool is(DType from, DType to) const { return from_ == from && to_ == to; }
  bool goes_by_i32() const {
    return is(DType::F32, DType::I16) || is(DType::F16, DType::I16) || is(DType::F16, DType::I8);
  }

  static bool is_dense(const Bound& bound) {
    bool full = true, one_row = true;
    for (const char* name : {"src", "dst"}) {
      const TileType& type = bound.tile(name).type;
      full = full && type.valid_cols >= 0 && static_cast<std::uint32_t>(type.valid_cols) == type.cols;
      one_row = one_row && type.rows == 1;
    }
    return full || one_row;
  }

  Rounding rounding_of(const std::string& word) const {
    if (is(DType::I32, DType::F16)) return Rounding::NearestEven;
    if (to_ == DType::HIF8) return Rounding::NearestAway;
    if (word == "round") return Rounding::NearestAway;
    if (word == "floor") return Rounding::Down;
    if (word == "ceil") return Rounding::Up;
    if (word == "trunc") return Rounding::TowardZero;
    if (word == "odd" && is(DType::F32, DType::F16)) return Rounding::ToOdd;
    const bool towards_zero = word != "rint" && !word.empty() && is_float(from_) && !is_float(to_) && to_ != DType::I4;
    return towards_zero ? Rounding::TowardZero : Rounding::NearestEven;
  }

  bool is_off(const std::string& word) const {
    const bool by_itself =
        goes_by_i32() || is(DType::F16, DType::U8) || is(DType::I64, DType::I32) || is(DType::I32, DType::I16);
    if (word == "on") return false;
    if (word == "off") return by_itself || !a2a3_;
    return by_itself;
  }

  std::uint64_t convert_to_4(std::uint64_t bits) const {
    if (is_nan(from_, bits)) return 0;
    if (is_infinite(from_, bits)) return float_value(from_, bits) > 0 ? 7 : 8;
    const double whole = float_value(from_, integral(from_, bits, rounding_));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::min(std::max(whole, -8.0), 7.0))) & 15;
  }
  // Exact: f32 has all of their numbers.
  std::uint64_t of_small(std::uint8_t bits) const {
    const double value = small_value(from_, bits);
    return std::isnan(value) ? default_nan(to_) : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  std::uint64_t low_half(std::uint64_t bits) const {
    if (is_nan(from_, bits) || is_infinite(from_, bits)) return 0;
    const double whole = float_value(from_, integral(from_, bits, rounding_));
    return low_bits(to_, static_cast<std::uint64_t>(static_cast<std::int64_t>(std::fmod(whole, 65536.0))));
  }

  const DType from_, to_;
  const Rounding rounding_;
  const bool a2a3_, off_, by_i32_;
};

Effects tcvt(const Bound& bound, const Before& before) {
  const TileRef& dst = bound.tile("dst");
  Work work(bound, before);
  const Conversion conversion(bound, work);
  const bool pairs = whole_bytes(dst.type.dtype, 1) == 2, odd = pairs && dst.valid_cols % 2 == 1;
  const std::uint32_t cols = odd && work.on(Target::A5) ? dst.valid_cols - 1 : dst.valid_cols;
  for (std::uint32_t row = 0; row < dst.valid_rows; ++row) {
    if (odd && work.on(Target::A2A3)) work.put("dst", row, dst.valid_cols, {});
    for (std::uint32_t col = 0; col < cols; ++col) {
      const Value element = work.element("src", row, col);
      work.put("dst", row, col, {conversion.of(element.bits), element.from});
    }
  }
  if (conversion.uses_tmp()) work.leave_scratch();
  return work.take();
}

const Oracles convert_oracles{{"tcvt", tcvt}};

}  // namespace
}  // namespace ts::oracle
