// Conversions between element types, in two halves: any source to floats, doubles or 64-bit integers, the first of these
// that hold each of its values, and those to any result, rounded once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/engine/convert_functions.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "core/engine/arithmetic-inl.h"
#include "core/engine/level_functions-inl.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/engine/lane_ops.h"
#include "core/isa/hifloat8.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

inline constexpr std::uint32_t kMost = VL;  // elements of one register

// --- sources --------------------------------------------------------------------------------------------------------

template <class T, class To>
void read_as(const std::uint8_t* in, std::uint32_t count, To* out) {
  alignas(64) T lanes[kMost / sizeof(T)];
  std::memcpy(lanes, in, count * sizeof(T));
  for (std::uint32_t i = 0; i < count; ++i) out[i] = static_cast<To>(lanes[i]);
}
template <class T>
void read_narrow(const std::uint8_t* in, std::uint32_t count, float* out) {
  alignas(64) std::uint16_t lanes[kMost / 2];
  std::memcpy(lanes, in, count * sizeof(T));
  for (std::uint32_t i = count; i % (kPartBytes / 4) != 0; ++i) lanes[i] = 0;
  widen_lanes<T>(reinterpret_cast<const std::uint8_t*>(lanes), out, count);
}
// By all values of the type.
void read_small(DType from, const std::uint8_t* in, std::uint32_t count, float* out) {
  const double* values = small_float_values(from).data();
  for (std::uint32_t i = 0; i < count; ++i) out[i] = static_cast<float>(values[in[i]]);
}
void read_floats(DType from, const std::uint8_t* in, std::uint32_t count, float* out) {
  if (is_small_float(from)) return read_small(from, in, count, out);
  if (from == DType::F32) return read_as<float>(in, count, out);
  if (from == DType::F16) return read_narrow<f16>(in, count, out);
  read_narrow<bf16>(in, count, out);
}
// Wide: 64 bits, or 32 for what they hold.
bool fits_word(DType from) { return size_bytes(from) < 4 || from == DType::I32; }
template <class Wide>
void read_ints(DType from, const std::uint8_t* in, std::uint32_t count, Wide* out) {
  switch (from) {
    case DType::I4:  // a byte each, as all packed elements here
      for (std::uint32_t i = 0; i < count; ++i) out[i] = static_cast<Wide>((in[i] ^ 8) - 8);
      return;
    case DType::U4:
    case DType::I8: return read_as<std::int8_t>(in, count, out);
    case DType::U8: return read_as<std::uint8_t>(in, count, out);
    case DType::I16: return read_as<std::int16_t>(in, count, out);
    case DType::U16: return read_as<std::uint16_t>(in, count, out);
    case DType::I32: return read_as<std::int32_t>(in, count, out);
    case DType::U32: return read_as<std::uint32_t>(in, count, out);
    default: return read_as<std::int64_t>(in, count, out);
  }
}

// --- results --------------------------------------------------------------------------------------------------------
// Of floats or doubles: V.

template <Rounding rounding, class V>
TS_INLINE V integral(V x) {
  switch (rounding) {
    case Rounding::Even: return lane::RoundEven::of(x);
    case Rounding::Away: return lane::RoundAway::of(x);
    case Rounding::Down: return lane::RoundDown::of(x);
    case Rounding::Up: return lane::RoundUp::of(x);
    case Rounding::Zero: return lane::RoundZero::of(x);
    case Rounding::Odd: break;
  }
  const V whole = std::trunc(x), half = whole * V{0.5};
  return whole == x || std::trunc(half) != half ? whole : whole + std::copysign(V{1}, x);
}
// f(rounding as a constant)
template <class F>
void with_rounding(Rounding rounding, F f) {
  switch (rounding) {
    case Rounding::Even: return f(std::integral_constant<Rounding, Rounding::Even>());
    case Rounding::Away: return f(std::integral_constant<Rounding, Rounding::Away>());
    case Rounding::Down: return f(std::integral_constant<Rounding, Rounding::Down>());
    case Rounding::Up: return f(std::integral_constant<Rounding, Rounding::Up>());
    case Rounding::Zero: return f(std::integral_constant<Rounding, Rounding::Zero>());
    case Rounding::Odd: return f(std::integral_constant<Rounding, Rounding::Odd>());
  }
}

// Integers to integers, by way of a signed type that holds every source.
template <class T, class Wide>
requires std::is_integral_v<Wide>
void write_ints(const Wide* values, std::uint32_t count, Overflow overflow, std::uint8_t* out) {
  alignas(64) T lanes[kMost / sizeof(T)];
  constexpr auto kLow =
      static_cast<Wide>(std::max<std::int64_t>(std::numeric_limits<T>::min(), std::numeric_limits<Wide>::min()));
  constexpr auto kHigh =
      static_cast<Wide>(std::min<std::uint64_t>(std::numeric_limits<T>::max(), std::numeric_limits<Wide>::max()));
  if (overflow == Overflow::Wrap || overflow == Overflow::WrapInfZero) {
    for (std::uint32_t i = 0; i < count; ++i) lanes[i] = static_cast<T>(values[i]);
  } else {
    for (std::uint32_t i = 0; i < count; ++i) lanes[i] = static_cast<T>(std::min(std::max(values[i], kLow), kHigh));
  }
  std::memcpy(out, lanes, count * sizeof(T));
}

// The low bits of a whole number that has more than 32; of infinities, those of the limits of i32.
std::int64_t low_word(double whole) {
  if (std::isfinite(whole)) return static_cast<std::int64_t>(std::fmod(whole, 0x1p32));
  return whole > 0 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int32_t>::min();
}
template <class T>
T clamped(double whole) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<T>::min()),
                   kHigh = static_cast<double>(std::numeric_limits<T>::max());
  if (whole != whole) return T{0};
  if (whole <= kLow) return std::numeric_limits<T>::min();
  return whole >= kHigh ? std::numeric_limits<T>::max() : static_cast<T>(whole);
}
template <class T>
T wrapped(double whole) {
  if (whole != whole) return T{0};
  if (sizeof(T) < 4)
    return static_cast<T>(std::fabs(whole) < 0x1p31 ? static_cast<std::int64_t>(whole) : low_word(whole));
  return static_cast<T>(clamped<std::int64_t>(whole));
}
template <class T>
T wrapped_infinite_zero(double whole) {
  return std::isfinite(whole) ? static_cast<T>(static_cast<std::int64_t>(std::fmod(whole, 0x1p32))) : T{0};
}
// Whole numbers to integers. Where i32 holds all of them, as it does nearly always, they go through it, in loops that the
// compiler makes vectors of.
template <class V>
bool are_words(const V* whole, std::uint32_t count) {
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < count; ++i) others |= std::fabs(whole[i]) < V{0x1p31} ? 0u : ~0u;  // a NaN is none
  return others == 0;
}
template <class T, class V>
requires std::is_floating_point_v<V>
void write_ints(const V* whole, std::uint32_t count, Overflow overflow, std::uint8_t* out) {
  if (are_words(whole, count)) {
    alignas(64) std::int32_t words[kMost];
    for (std::uint32_t i = 0; i < count; ++i) words[i] = static_cast<std::int32_t>(whole[i]);
    return write_ints<T>(words, count, overflow, out);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(whole[i]);
    const T lane = overflow == Overflow::WrapInfZero ? wrapped_infinite_zero<T>(x)
                   : overflow >= Overflow::Clamp     ? clamped<T>(x)
                                                     : wrapped<T>(x);
    std::memcpy(out + i * sizeof(T), &lane, sizeof(T));
  }
}
// A byte for each element of 4 bits.
template <class T, class Value>
void write_quarters(const Value* values, std::uint32_t count, Overflow overflow, std::uint8_t* out, int least,
                    int most) {
  write_ints<T>(values, count, overflow, out);
  const bool clamps = overflow >= Overflow::Clamp;
  for (std::uint32_t i = 0; i < count; ++i) {
    const int value = static_cast<T>(out[i]);
    out[i] = static_cast<std::uint8_t>((clamps ? std::clamp(value, least, most) : value) & 0xF);
  }
}
template <class Value>
void write_ints_of(DType to, const Value* values, std::uint32_t count, Overflow overflow, std::uint8_t* out) {
  switch (to) {
    case DType::I4: return write_quarters<std::int8_t>(values, count, overflow, out, -8, 7);
    case DType::U4: return write_quarters<std::uint8_t>(values, count, overflow, out, 0, 15);
    case DType::I8: return write_ints<std::int8_t>(values, count, overflow, out);
    case DType::U8: return write_ints<std::uint8_t>(values, count, overflow, out);
    case DType::I16: return write_ints<std::int16_t>(values, count, overflow, out);
    case DType::U16: return write_ints<std::uint16_t>(values, count, overflow, out);
    case DType::I32: return write_ints<std::int32_t>(values, count, overflow, out);
    case DType::U32: return write_ints<std::uint32_t>(values, count, overflow, out);
    default: return write_ints<std::int64_t>(values, count, overflow, out);
  }
}

// The grid of a float type: bits behind the point of its mantissa, its smallest normal exponent, its largest value.
struct Grid {
  int fraction, lowest;
  double largest;
};
constexpr Grid grid_of(DType type) {
  if (type == DType::F16) return {10, -14, 65504.0};
  if (type == DType::BF16) return {7, -126, 0x1.FEp127};
  if (type == DType::F8E4M3) return {3, -6, 448.0};
  if (type == DType::F8E5M2) return {2, -14, 57344.0};
  if (type == DType::E2M1) return {1, 0, 6.0};
  if (type == DType::E1M2) return {2, 0, 1.75};
  return {23, -126, 0x1.FFFFFEp127};
}
// What becomes of values that are not on the grid: of finite ones that are too large, of infinities and of NaN.
struct Limits {
  double large, infinite;
  bool keeps_nan;
};
Limits limits_of(const Grid& grid, Overflow overflow) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool infinite = overflow == Overflow::Wrap || overflow == Overflow::WrapInfZero,
             clamps = overflow == Overflow::ClampAll || overflow == Overflow::ClampInf;
  return {infinite ? kInfinity : grid.largest, clamps ? grid.largest : kInfinity, overflow != Overflow::ClampAll};
}
// Whether floats compute on a grid: the powers of two that they are multiplied by are among them.
bool is_coarse(const Grid& grid) { return grid.lowest - grid.fraction >= -126; }
// The fields of V.
template <class V>
struct Fields;
template <>
struct Fields<float> {
  static constexpr int kFraction = 23, kBias = 127;
};
template <>
struct Fields<double> {
  static constexpr int kFraction = 52, kBias = 1023;
};
// What becomes of x, which was rounded. No branches, here and below, so that the compiler makes vectors of a loop of it.
template <class V>
TS_INLINE V within_limits(V rounded, V x, const Grid& grid, const Limits& limits) {
  const V finite =
      std::fabs(rounded) <= static_cast<V>(grid.largest) ? rounded : std::copysign(static_cast<V>(limits.large), x);
  const bool infinite = std::fabs(x) == std::numeric_limits<V>::infinity();
  const V known = infinite ? std::copysign(static_cast<V>(limits.infinite), x) : finite;
  const V nan = limits.keeps_nan ? x : V{0};
  return x == x ? known : nan;
}
template <Rounding rounding, class V>
TS_INLINE V on_grid(V x, const Grid& grid, const Limits& limits) {
  using U = std::conditional_t<sizeof(V) == 8, std::uint64_t, std::uint32_t>;
  using I = std::make_signed_t<U>;
  constexpr I kBias = Fields<V>::kBias;
  constexpr int kFraction = Fields<V>::kFraction;
  const I exponent = static_cast<I>(std::bit_cast<U>(x) >> kFraction & U{2 * kBias + 1}) - kBias;
  const I place = (exponent < grid.lowest ? I{grid.lowest} : exponent) - grid.fraction;
  const V up = std::bit_cast<V>(static_cast<U>(kBias - place) << kFraction),
          down = std::bit_cast<V>(static_cast<U>(kBias + place) << kFraction);
  return within_limits(integral<rounding>(x * up) * down, x, grid, limits);
}
// Floats to a narrower format, to nearest even, the too large ones to infinity, as the host does it; every NaN is one. Whole
// vectors are read.
template <class T>
void narrow_floats(const float* lanes, std::uint32_t count, std::uint8_t* out) {
  constexpr std::uint32_t kStep = kPartBytes / 4;
  const Floats d;
  const HalfWords halves;
  const auto nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  const auto narrowed = [&](std::uint32_t i) HWY_ATTR {
    const auto v = hn::LoadU(d, lanes + i);
    return Narrow<T>::round(hn::IfThenElse(hn::IsNaN(v), nan, v));
  };
  std::uint32_t i = 0;
  for (; i + kStep <= count; i += kStep) hn::StoreU(narrowed(i), halves, reinterpret_cast<std::uint16_t*>(out) + i);
  if (i == count) return;
  alignas(64) std::uint16_t rest[kStep];
  hn::Store(narrowed(i), halves, rest);
  std::memcpy(out + i * 2, rest, (count - i) * 2);
}
void narrow_floats(const float* lanes, std::uint32_t count, DType to, std::uint8_t* out) {
  if (to == DType::F16) narrow_floats<f16>(lanes, count, out);
  else narrow_floats<bf16>(lanes, count, out);
}
// Numbers of the grid, infinities and NaN, to 8 bits. As f32 with the smaller type's bias they have its fields, its
// denormal ones included.
template <int kFraction, int kBias, class V>
void write_fields(const V* values, std::uint32_t count, std::uint8_t infinity, std::uint8_t nan, std::uint8_t* out) {
  constexpr float kRebias = std::bit_cast<float>(static_cast<std::uint32_t>(kBias) << 23);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[i]));
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    const auto fields = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * kRebias) >> (23 - kFraction);
    const std::uint32_t known = magnitude == 0x7F800000u ? infinity : fields;
    // A NaN that stands in for infinity has no sign either.
    const bool is_nan = magnitude > 0x7F800000u || known == nan;
    out[i] = is_nan ? nan : static_cast<std::uint8_t>((bits >> 24 & 0x80u) | known);
  }
}
// To 4 bits, which have neither infinity nor NaN: what is too large is the largest number; of NaN no page tells but that of
// quantisation: it is the largest as well, without a sign (unverified).
template <int kFraction, class V>
void write_float4(const V* values, std::uint32_t count, std::uint8_t* out) {
  constexpr float kRebias = std::bit_cast<float>(std::uint32_t{1} << 23);
  constexpr std::uint32_t kLargest = 7;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[i]));
    const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
    const auto fields = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * kRebias) >> (23 - kFraction);
    const std::uint32_t code = std::min(fields, kLargest), sign = bits >> 28 & 8;
    out[i] = static_cast<std::uint8_t>(magnitude > 0x7F800000u ? kLargest : sign | code);
  }
}
template <class V>
void write_hif8(const V* values, std::uint32_t count, Overflow overflow, std::uint8_t* out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t bits = hif8::nearest(static_cast<double>(values[i]));
    const bool too_large = (bits & 0x7F) == hif8::kInfinity && std::isfinite(values[i]);
    out[i] = too_large && overflow >= Overflow::Clamp ? (bits & 0x80) | hif8::kLargest : bits;
  }
}
// Without infinity in e4m3: clamped it is the largest number, and NaN where nothing is clamped (unverified).
template <class V>
void write_small(DType to, const V* values, std::uint32_t count, Overflow overflow, std::uint8_t* out) {
  constexpr std::uint8_t kE4M3Largest = 0x7E, kE4M3Nan = 0x7F, kE5M2Infinity = 0x7C, kE5M2Nan = 0x7E;
  if (to == DType::E2M1) return write_float4<1>(values, count, out);
  if (to == DType::E1M2) return write_float4<2>(values, count, out);
  if (to == DType::F8E5M2) return write_fields<2, 15>(values, count, kE5M2Infinity, kE5M2Nan, out);
  write_fields<3, 7>(values, count, overflow >= Overflow::Clamp ? kE4M3Largest : kE4M3Nan, kE4M3Nan, out);
}
// Values that the format holds exactly.
template <class V>
void write_floats(DType to, const V* values, std::uint32_t count, std::uint8_t* out) {
  alignas(64) float lanes[kMost + 64];
  for (std::uint32_t i = 0; i < count; ++i) lanes[i] = static_cast<float>(values[i]);
  std::fill_n(lanes + count, 64, 0.0f);  // whole vectors are read
  if (to != DType::F32) return narrow_floats(lanes, count, to, out);
  for (std::uint32_t i = 0; i < count; ++i)
    lanes[i] = lanes[i] != lanes[i] ? std::bit_cast<float>(0x7FC00000u) : lanes[i];
  std::memcpy(out, lanes, count * 4);
}

// Widening needs no double, which would quieten NaNs: f16 has its quiet bit set, bf16 is the upper half of an f32.
template <class T>
void widen_floats(const std::uint8_t* in, std::uint32_t count, std::uint8_t* out) {
  constexpr std::uint32_t kStep = kPartBytes / 4;
  const Words d;
  const auto widened = [&](const std::uint16_t* halves) HWY_ATTR {
    const auto wide = Narrow<T>::widen(hn::LoadU(HalfWords(), halves));
    const auto bits = hn::BitCast(d, wide);
    if constexpr (std::is_same_v<T, bf16>) return bits;
    const auto nan = hn::BitCast(d, hn::VecFromMask(Floats(), hn::IsNaN(wide)));
    return hn::Or(bits, hn::And(nan, hn::Set(d, 0x00400000u)));
  };
  const auto* halves = reinterpret_cast<const std::uint16_t*>(in);
  auto* words = reinterpret_cast<std::uint32_t*>(out);
  std::uint32_t i = 0;
  for (; i + kStep <= count; i += kStep) hn::StoreU(widened(halves + i), d, words + i);
  if (i == count) return;
  alignas(64) std::uint16_t last[kStep] = {};
  alignas(64) std::uint32_t wide[kStep];
  std::memcpy(last, halves + i, (count - i) * 2);
  hn::Store(widened(last), d, wide);
  std::memcpy(words + i, wide, (count - i) * 4);
}

// A double that rounds to every float type as the integer does: below its 53 bits one stands for all that is cut off.
double sticky_double(std::int64_t x) {
  if (x > -(std::int64_t{1} << 53) && x < std::int64_t{1} << 53) return static_cast<double>(x);
  const std::int64_t low = x & 0x7FF;
  return static_cast<double>((x & ~std::int64_t{0x7FF}) | (low != 0 ? 0x800 : 0));
}

// Whether none is larger, nor NaN.
bool are_within(const float* lanes, std::uint32_t count, float largest) {
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < count; ++i) others |= std::fabs(lanes[i]) <= largest ? 0u : ~0u;
  return others == 0;
}
// What rounding would bring beyond the largest number is the largest one before as well as after.
void clamp_floats(float* lanes, std::uint32_t count, const Grid& grid, Overflow overflow) {
  const Limits limits = limits_of(grid, overflow);
  for (std::uint32_t i = 0; i < count; ++i) lanes[i] = within_limits(lanes[i], lanes[i], grid, limits);
}
// Where floats hold the source's values, and the host rounds them once as it is asked to.
bool convert_in_floats(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                       Rounding rounding, Overflow overflow) {
  constexpr float kExact = 0x1p24f;  // integers up to it
  alignas(64) float lanes[kMost + 64];
  std::fill_n(lanes + count, 64, 0.0f);  // whole vectors are read
  switch (from) {
    case DType::I8: read_as<std::int8_t>(in, count, lanes); break;
    case DType::U8: read_as<std::uint8_t>(in, count, lanes); break;
    case DType::I16: read_as<std::int16_t>(in, count, lanes); break;
    case DType::U16: read_as<std::uint16_t>(in, count, lanes); break;
    case DType::I32:
      read_as<std::int32_t>(in, count, lanes);
      if ((to != DType::F32 || rounding != Rounding::Even) && !are_within(lanes, count, kExact)) return false;
      break;
    case DType::F32:
      if (to == DType::F32) return false;
      std::memcpy(lanes, in, count * 4);
      break;
    default: return false;
  }
  if (to == DType::F32) {
    std::memcpy(out, lanes, count * 4);
    return true;
  }
  if (size_bytes(from) > 1) {
    if (rounding != Rounding::Even) return false;
    if (overflow >= Overflow::Clamp) clamp_floats(lanes, count, grid_of(to), overflow);
  }
  narrow_floats(lanes, count, to, out);
  return true;
}

template <class Wide>
void ints_to_ints(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                  Overflow overflow) {
  alignas(64) Wide ints[kMost];
  read_ints(from, in, count, ints);
  write_ints_of(to, ints, count, overflow, out);
}

template <class V>
void write_rounded(std::uint8_t* out, DType to, V* values, std::uint32_t count, Rounding rounding, Overflow overflow) {
  if (to == DType::HIF8) return write_hif8(values, count, overflow, out);
  with_rounding(rounding, [&](auto mode) HWY_ATTR {
    constexpr Rounding kMode = decltype(mode)::value;
    if (!is_float(to)) {
      for (std::uint32_t i = 0; i < count; ++i) values[i] = integral<kMode>(values[i]);
    } else {
      const Grid grid = grid_of(to);
      const Limits limits = limits_of(grid, overflow);
      for (std::uint32_t i = 0; i < count; ++i) values[i] = on_grid<kMode>(values[i], grid, limits);
    }
  });
  if (is_small_float(to)) return write_small(to, values, count, overflow, out);
  if (is_float(to)) return write_floats(to, values, count, out);
  write_ints_of(to, values, count, overflow, out);
}
void floats_to_any(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                   Rounding rounding, Overflow overflow) {
  alignas(64) float floats[kMost + 64];  // whole vectors are written
  read_floats(from, in, count, floats);
  // The wide formats hold every finite number of the small ones.
  const bool widens = is_small_float(from) && is_float(to) && !is_small_float(to);
  if (widens && are_within(floats, count, static_cast<float>(grid_of(to).largest)))
    return write_floats(to, floats, count, out);
  if (!is_float(to) || is_coarse(grid_of(to))) return write_rounded(out, to, floats, count, rounding, overflow);
  alignas(64) double doubles[kMost];
  for (std::uint32_t i = 0; i < count; ++i) doubles[i] = static_cast<double>(floats[i]);
  write_rounded(out, to, doubles, count, rounding, overflow);
}
void ints_to_floats(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                    Rounding rounding, Overflow overflow) {
  alignas(64) std::int64_t ints[kMost];
  alignas(64) double doubles[kMost];
  read_ints(from, in, count, ints);
  for (std::uint32_t i = 0; i < count; ++i) doubles[i] = sticky_double(ints[i]);
  write_rounded(out, to, doubles, count, rounding, overflow);
}

void convert_lanes(std::uint8_t* out, DType to, const std::uint8_t* in, DType from, std::uint32_t count,
                   Rounding rounding, Overflow overflow) {
  if (from == DType::F16 && to == DType::F32) return widen_floats<f16>(in, count, out);
  if (from == DType::BF16 && to == DType::F32) return widen_floats<bf16>(in, count, out);
  if (is_float(to) && !is_small_float(to) && convert_in_floats(out, to, in, from, count, rounding, overflow)) return;
  if (is_float(from)) return floats_to_any(out, to, in, from, count, rounding, overflow);
  if (is_float(to)) return ints_to_floats(out, to, in, from, count, rounding, overflow);
  if (fits_word(from)) return ints_to_ints<std::int32_t>(out, to, in, from, count, overflow);
  ints_to_ints<std::int64_t>(out, to, in, from, count, overflow);
}

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();
