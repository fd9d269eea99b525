// What the lane operations are, for one element; whole registers are loops over them (lane_functions.cpp), and double
// precision shadows are the same functions on doubles. Floats only here: what NaN results look like is settled outside.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/engine/lane_types.h"

namespace ts::lane {

// Integers compute modulo 2^n: in an unsigned type, and one that is not promoted to int.
template <class T>
struct ModuloOf {
  using U = std::make_unsigned_t<T>;
  using type = std::conditional_t<(sizeof(T) < 4), std::uint32_t, U>;
};
template <class T>
requires std::is_floating_point_v<T>
struct ModuloOf<T> {
  using type = T;
};
template <class T>
using Modulo = typename ModuloOf<T>::type;

template <class T>
constexpr Modulo<T> modulo(T x) {
  return static_cast<Modulo<T>>(x);
}

// The bits of a float or an integer.
template <class T>
BitsOf<T> bits(T x) {
  return std::bit_cast<BitsOf<T>>(x);
}
template <class T>
T from_bits(BitsOf<T> x) {
  return std::bit_cast<T>(x);
}

// Each a line or two: read as a table.
// clang-format off
struct Add {
  template <class T> static T of(T a, T b) { return static_cast<T>(modulo(a) + modulo(b)); }
};
struct Sub {
  template <class T> static T of(T a, T b) { return static_cast<T>(modulo(a) - modulo(b)); }
};
struct AddClamp {
  template <class T> static T of(T a, T b) {
    T sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};
struct SubClamp {
  template <class T> static T of(T a, T b) {
    T rest;
    if (!__builtin_sub_overflow(a, b, &rest)) return rest;
    return a < 0 || std::is_unsigned_v<T> ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
  }
};
struct Mul {
  template <class T> static T of(T a, T b) { return static_cast<T>(modulo(a) * modulo(b)); }
};
// Towards zero, of a divisor that is not 0. Hosts have no vectors for it, but floats with enough bits give the same: what a
// quotient that is not whole is away from the next whole number is more than they lose by rounding.
template <class T> T quotient(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    return std::is_signed_v<T> && b == static_cast<T>(-1) ? static_cast<T>(-modulo(a)) : static_cast<T>(a / b);
  } else {
    using Float = std::conditional_t<(sizeof(T) < 4), float, double>;
    using Whole = std::conditional_t<(sizeof(T) < 4), std::int32_t, std::int64_t>;
    return static_cast<T>(static_cast<Whole>(static_cast<Float>(a) / static_cast<Float>(b)));
  }
}
template <class T> T not_zero(T b) { return b == 0 ? T{1} : b; }
struct Div {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else {
      const T known = quotient(a, not_zero(b));
      return b == 0 ? static_cast<T>(~T{0}) : known;
    }
  }
};
// What division towards zero leaves, of a divisor that is not 0.
template <class T> T rest_of(T a, T b) { return static_cast<T>(modulo(a) - modulo(quotient(a, b)) * modulo(b)); }
struct DivZero {
  template <class T> static T of(T a, T b) { return b == 0 ? T{0} : Div::of(a, b); }
};
struct FloorMod {
  template <class T> static T of(T a, T b) {
    const T rest = rest_of(a, not_zero(b));
    const bool other_sign = std::is_signed_v<T> && rest != 0 && (rest < 0) != (b < 0);
    const T known = static_cast<T>(modulo(rest) + modulo(other_sign ? b : T{0}));
    return b == 0 ? static_cast<T>(~T{0}) : known;
  }
};
struct FloorModZero {
  template <class T> static T of(T a, T b) { return b == 0 ? T{0} : FloorMod::of(a, b); }
};
struct MulHigh {
  template <class T> static T of(T a, T b) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> 32);
  }
};
struct TruncMod {
  template <class T> static T of(T a, T b) {
    const T rest = rest_of(a, not_zero(b));
    return b == 0 ? T{0} : rest;
  }
};
// NaN wins, and -0 is below +0 (both: the best known).
struct Max {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T larger = a > b ? a : b, both = from_bits<T>(bits(a) & bits(b)), nan = std::numeric_limits<T>::quiet_NaN();
      const T ordered = a == b ? both : larger;
      return a != a || b != b ? nan : ordered;
    } else {
      return a > b ? a : b;
    }
  }
};
struct Min {
  template <class T> static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T smaller = a < b ? a : b, both = from_bits<T>(bits(a) | bits(b)), nan = std::numeric_limits<T>::quiet_NaN();
      const T ordered = a == b ? both : smaller;
      return a != a || b != b ? nan : ordered;
    } else {
      return a < b ? a : b;
    }
  }
};
struct And {
  template <class T> static T of(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <class T> static T of(T a, T b) { return static_cast<T>(a | b); }
};
struct Xor {
  template <class T> static T of(T a, T b) { return static_cast<T>(a ^ b); }
};
template <bool kModulo>
struct ShiftLeft {
  template <class T> static T of(T a, T count) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const auto n = static_cast<std::make_unsigned_t<T>>(count);
    if (!kModulo && n >= kBits) return T{0};
    return static_cast<T>(modulo(a) << (n % kBits));
  }
};
template <bool kModulo>
struct ShiftRight {
  template <class T> static T of(T a, T count) {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    const auto n = static_cast<std::make_unsigned_t<T>>(count);
    if (!kModulo && n >= kBits) return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> (n % kBits));
  }
};
// Without rounding on the way: what fmod gives is exact.
struct ExactMod {
  template <class T> static T of(T a, T b) { return std::fmod(a, b); }
};
struct ExactFloorMod {
  template <class T> static T of(T a, T b) {
    const T rest = std::fmod(a, b);
    return rest * b < 0 || (rest != 0 && std::signbit(rest) != std::signbit(b)) ? rest + b : rest;
  }
};
struct Power {
  template <class T> static T of(T a, T b) { return std::pow(a, b); }
};
struct Prelu {
  template <class T> static T of(T a, T b) {
    const T product = a * b;
    return a >= 0 ? a : product;
  }
};
// max(x, 0); -0 becomes +0.
template <bool kNanToZero>
struct ReluOf {
  template <class T> static T of(T a) { return a > 0 ? a : kNanToZero || a == a ? T{0} : a; }
};
struct Sqrt {
  template <class T> static T of(T a) { return std::sqrt(a); }
};
struct Recip {
  template <class T> static T of(T a) { return T{1} / a; }
};
struct RoundEven {
  template <class T> static T of(T a) { return std::nearbyint(a); }
};
struct RoundDown {
  template <class T> static T of(T a) { return std::floor(a); }
};
struct RoundUp {
  template <class T> static T of(T a) { return std::ceil(a); }
};
struct RoundZero {
  template <class T> static T of(T a) { return std::trunc(a); }
};
struct RoundAway {  // ties
  template <class T> static T of(T a) {
    const T whole = std::trunc(a);
    return std::fabs(a - whole) >= T{0.5} ? whole + std::copysign(T{1}, a) : whole;
  }
};
struct MulAdd {
  template <class T> static T of(T a, T b, T c) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fma(a, b, c);
    } else {
      return static_cast<T>(modulo(a) * modulo(b) + modulo(c));
    }
  }
};

// Integers only.
struct Abs {
  template <class T> static T of(T a) { return std::is_signed_v<T> && a < 0 ? static_cast<T>(-modulo(a)) : a; }
};
struct Neg {
  template <class T> static T of(T a) { return static_cast<T>(-modulo(a)); }
};
struct Not {
  template <class T> static T of(T a) { return static_cast<T>(~a); }
};

// clang-format on
}  // namespace ts::lane
