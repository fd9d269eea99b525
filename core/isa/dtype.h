// Element types of tiles and scalars, and sets of them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ts {

enum class DType : std::uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F8E4M3, F8E5M2, HIF8, E8M0 };
inline constexpr int kDTypes = 15;

constexpr std::uint32_t size_bytes(DType type) {
  switch (type) {
    case DType::I8:
    case DType::U8:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8:
    case DType::E8M0: return 1;
    case DType::I16:
    case DType::U16:
    case DType::F16:
    case DType::BF16: return 2;
    case DType::I32:
    case DType::U32:
    case DType::F32: return 4;
    case DType::I64:
    case DType::U64: return 8;
  }
  return 0;
}

// Of 8 bits: moved and converted, never computed with. E8M0 has an exponent alone: 2^(bits - 127), and 255 is NaN.
constexpr bool is_small_float(DType type) {
  return type == DType::F8E4M3 || type == DType::F8E5M2 || type == DType::HIF8 || type == DType::E8M0;
}
constexpr bool is_float(DType type) {
  return type == DType::F16 || type == DType::BF16 || type == DType::F32 || is_small_float(type);
}
constexpr bool is_signed_int(DType type) {
  return type == DType::I8 || type == DType::I16 || type == DType::I32 || type == DType::I64;
}

// The ISA's spelling: i8, u8, ..., f16, bf16, f32; of small floats the one that arrays have: f8e4m3fn, f8e5m2, hif8,
// f8e8m0fnu.
const char* name(DType type);
std::optional<DType> dtype_from_name(std::string_view name);

// The value of one element for people: decimal, or nan / inf. Exact bits are a matter for the caller.
std::string format_value(DType type, std::uint64_t bits);
double to_double(DType type, std::uint64_t bits);
// All 256 of a small float, by their bits.
std::span<const double> small_float_values(DType type);
// The nearest element (ties to even; HiFloat8 away from zero); integers are truncated and wrapped.
std::uint64_t from_double(DType type, double value);

// A small set of element types, as legality rules name them.
class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType type : types) bits_ |= bit(type);
  }
  constexpr bool contains(DType type) const { return (bits_ & bit(type)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr DTypeSet operator|(DTypeSet other) const {
    other.bits_ |= bits_;
    return other;
  }
  std::string list() const;  // "i8, u8, f32"

 private:
  static constexpr std::uint32_t bit(DType type) { return 1u << static_cast<unsigned>(type); }
  std::uint32_t bits_ = 0;
};

// All but the 64-bit ones.
inline constexpr DTypeSet kTypesTo32{DType::I8,  DType::U8,  DType::I16,  DType::U16, DType::I32,
                                     DType::U32, DType::F16, DType::BF16, DType::F32};
// Those that are computed with.
inline constexpr DTypeSet kAllTypes{DType::I8,  DType::U8,  DType::I16, DType::U16,  DType::I32, DType::U32,
                                    DType::I64, DType::U64, DType::F16, DType::BF16, DType::F32};
inline constexpr DTypeSet kSmallFloats{DType::F8E4M3, DType::F8E5M2, DType::HIF8, DType::E8M0};

}  // namespace ts
