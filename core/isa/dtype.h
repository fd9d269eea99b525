// Element types of tiles and scalars, and sets of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ts {

// clang-format off
enum class DType : std::uint8_t {
  I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F8E4M3, F8E5M2, HIF8, E8M0,
  E2M1, E1M2, I4, U4,  // packed: two in a byte, the first one in its lower half
};
// clang-format on
inline constexpr int kDTypes = 19;

constexpr std::uint32_t size_bits(DType type) {
  switch (type) {
    case DType::E2M1:
    case DType::E1M2:
    case DType::I4:
    case DType::U4: return 4;
    case DType::I8:
    case DType::U8:
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::HIF8:
    case DType::E8M0: return 8;
    case DType::I16:
    case DType::U16:
    case DType::F16:
    case DType::BF16: return 16;
    case DType::I32:
    case DType::U32:
    case DType::F32: return 32;
    case DType::I64:
    case DType::U64: return 64;
  }
  return 0;
}
constexpr bool is_packed(DType type) { return size_bits(type) < 8; }
// Of the bytes that one element is found in: 1 where two share it. What several take says `bytes_for`.
constexpr std::uint32_t size_bytes(DType type) { return (size_bits(type) + 7) / 8; }
// The bytes that so many elements behind each other take; the last one may not be full.
constexpr std::uint64_t bytes_for(DType type, std::uint64_t elements) { return (elements * size_bits(type) + 7) / 8; }
// How many elements bytes hold.
constexpr std::uint64_t elements_in(DType type, std::uint64_t bytes) { return bytes * 8 / size_bits(type); }

// Of 8 bits and less: moved and converted, never computed with. E8M0 has an exponent alone: 2^(bits - 127), and 255 is
// NaN.
constexpr bool is_small_float(DType type) {
  return type == DType::F8E4M3 || type == DType::F8E5M2 || type == DType::HIF8 || type == DType::E8M0 ||
         type == DType::E2M1 || type == DType::E1M2;
}
constexpr bool is_float(DType type) {
  return type == DType::F16 || type == DType::BF16 || type == DType::F32 || is_small_float(type);
}
constexpr bool is_signed_int(DType type) {
  return type == DType::I4 || type == DType::I8 || type == DType::I16 || type == DType::I32 || type == DType::I64;
}

// The ISA's spelling: i8, u8, ..., f16, bf16, f32; of small floats the one that arrays have: f8e4m3fn, f8e5m2, hif8,
// f8e8m0fnu, f4e2m1fn, f4e1m2fn.
const char* name(DType type);
std::optional<DType> dtype_from_name(std::string_view name);

// The value of one element for people: decimal, or nan / inf. Exact bits are a matter for the caller.
std::string format_value(DType type, std::uint64_t bits);
double to_double(DType type, std::uint64_t bits);
// All that a small float has, by their bits: 256, or 16.
std::span<const double> small_float_values(DType type);
// The nearest element (ties to even; HiFloat8 away from zero); integers are truncated and wrapped.
std::uint64_t from_double(DType type, double value);

// An element of an array of them, in memory.
std::uint64_t load_element(const std::byte* array, DType type, std::uint64_t index);
void store_element(std::byte* array, DType type, std::uint64_t index, std::uint64_t bits);

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
inline constexpr DTypeSet kFloats4{DType::E2M1, DType::E1M2}, kInts4{DType::I4, DType::U4};

}  // namespace ts
