// Factors are 64 bits: 0..31 the scale, an f32, of which columns have ten bits of mantissa; 32..35 places to shift by, less
// one; 37..45 an offset; 46 whether bytes have a sign. Or f16, in columns: the scale, and bytes have the sign of their type.
// Bytes: sum * scale to the nearest whole number, ties to the even one, within -256 .. 255; plus the offset; within what eight
// bits with or without a sign hold. NaN counts as 0. i16: the sum shifted right. Floats: sum * scale in f32, rounded to the
// nearest (hif8: ties away from zero); beyond the largest it becomes that. i32 becomes the nearest f32 first.
#include "tests/oracle/fixpipe.h"

#include <algorithm>
#include <cmath>

#include "tests/oracle/number.h"
#include "tests/oracle/small_float.h"

namespace ts::oracle {
namespace {

std::uint64_t float_as(DType to, std::uint64_t bits) {
  constexpr DType kFrom = DType::F32;
  if (to == kFrom) return bits;
  if (is_nan(kFrom, bits))
    return size_bytes(to) == 1 ? small_element(to, NAN, Rounding::NearestEven, true) : default_nan(to);
  const std::uint64_t sign = (bits & sign_bit(kFrom)) != 0 ? sign_bit(to) : 0;
  if (size_bytes(to) == 1) {
    const double value = is_infinite(kFrom, bits) ? sign != 0 ? -INFINITY : INFINITY : float_value(kFrom, bits);
    return small_element(to, value, to == DType::HIF8 ? Rounding::NearestAway : Rounding::NearestEven, true);
  }
  if (is_infinite(kFrom, bits)) return infinity(to) | sign;
  const std::uint64_t rounded = nearest_float(to, float_value(kFrom, bits));
  return is_infinite(to, rounded) ? largest(to) | sign : rounded | sign;
}

std::uint64_t float_relu(std::uint64_t bits) {
  if (is_nan(DType::F32, bits)) return quieted(DType::F32, bits);
  return (bits & sign_bit(DType::F32)) != 0 ? 0 : bits;
}

double whole_between(double value, double least, double most) { return std::nearbyint(std::clamp(value, least, most)); }

std::uint64_t byte_of(std::uint64_t scaled, std::uint64_t factor, bool relu) {
  double whole = 0;
  if (is_infinite(DType::F32, scaled)) whole = (scaled & sign_bit(DType::F32)) != 0 ? -256 : 255;
  else if (!is_nan(DType::F32, scaled)) whole = whole_between(float_value(DType::F32, scaled), -256, 255);
  whole += static_cast<double>(factor >> 37 & 511);
  if (relu) whole = std::max(whole, 0.0);
  const bool is_signed = (factor >> 46 & 1) != 0;
  return static_cast<std::uint8_t>(
      static_cast<int>(std::clamp(whole, is_signed ? -128.0 : 0.0, is_signed ? 127.0 : 255.0)));
}

std::uint64_t half_word_of(std::uint64_t sum, std::uint64_t factor, bool relu) {
  const std::int32_t shifted = static_cast<std::int32_t>(sum) >> ((factor >> 32 & 15) + 1);
  return static_cast<std::uint16_t>(std::clamp(shifted, relu ? 0 : -32768, 32767));
}

}  // namespace

Value through_fixpipe(const Work& work, const Bound& bound, DType to, std::uint32_t row, std::uint32_t col,
                      std::uint32_t first_col) {
  const DType from = bound.tile("src").type.dtype;
  const bool relu = bound.attribute("reluPreMode") != 0, columns = bound.has("fp");
  Value sum = work.element("src", row, col);
  if (!columns && !bound.has("factor")) {
    if (from == DType::I32) sum.bits = relu && static_cast<std::int32_t>(sum.bits) < 0 ? 0 : sum.bits;
    else sum.bits = float_as(to, relu ? float_relu(sum.bits) : sum.bits);
    return sum;
  }
  Value factor = columns ? work.element("fp", 0, col - first_col) : work.scalar("factor");
  Value out = computed(0, sum, factor);
  if (to == DType::I16) {
    out.bits = half_word_of(sum.bits, factor.bits, relu);
    return out;
  }
  const bool plain = columns && bound.tile("fp").type.dtype == DType::F16;
  if (plain)
    factor.bits = convert(DType::F32, DType::F16, factor.bits, Rounding::NearestEven, Overflow::Wrap) |
                  std::uint64_t{to == DType::I8} << 46;
  const std::uint64_t scale = factor.bits & (columns && !plain ? 0xFFFFE000 : 0xFFFFFFFF);
  const std::uint64_t number =
      from == DType::I32 ? convert(DType::F32, from, sum.bits, Rounding::NearestEven, Overflow::Wrap) : sum.bits;
  const std::uint64_t scaled = mul(DType::F32, number, scale);
  if (to == DType::I8 || to == DType::U8) out.bits = byte_of(scaled, factor.bits, relu);
  else out.bits = float_as(to, relu ? float_relu(scaled) : scaled);
  return out;
}

}  // namespace ts::oracle
