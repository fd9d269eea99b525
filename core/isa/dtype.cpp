// Names and values of element types.
#include "core/isa/dtype.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/isa/float_format.h"
#include "core/isa/half.h"

namespace ts {
namespace {

constexpr const char* kTypeNames[kDTypes] = {"i8",        "u8",       "i16",      "u16", "i32",      "u32",    "i64",
                                             "u64",       "f16",      "bf16",     "f32", "f8e4m3fn", "f8e5m2", "hif8",
                                             "f8e8m0fnu", "f4e2m1fn", "f4e1m2fn", "i4",  "u4"};

// Of a small float.
const FloatFormat& small_format(DType type) {
  switch (type) {
    case DType::F8E4M3: return kF8E4M3FnFormat;
    case DType::F8E5M2: return kF8E5M2Format;
    case DType::E8M0: return kF8E8M0FnuFormat;
    case DType::E2M1: return kF4E2M1FnFormat;
    case DType::E1M2: return kF4E1M2FnFormat;
    default: return kHif8Format;
  }
}

// Of a small float.
std::size_t codes_of(DType type) { return std::size_t{1} << size_bits(type); }

// `size` bits.
std::int64_t sign_extend(std::uint64_t bits, unsigned size) {
  const unsigned shift = 64 - size;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

// Truncates towards zero and keeps the low bits, for values of any size.
std::uint64_t wrap_to_integer(double value) {
  if (!std::isfinite(value)) return 0;
  const double truncated = std::fmod(std::trunc(value), 18446744073709551616.0);
  return truncated < 0 ? ~static_cast<std::uint64_t>(-truncated) + 1 : static_cast<std::uint64_t>(truncated);
}

}  // namespace

const char* name(DType type) { return kTypeNames[static_cast<int>(type)]; }

std::optional<DType> dtype_from_name(std::string_view wanted) {
  for (int i = 0; i < kDTypes; ++i)
    if (wanted == kTypeNames[i]) return static_cast<DType>(i);
  return std::nullopt;
}

double to_double(DType type, std::uint64_t bits) {
  switch (type) {
    case DType::F32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case DType::F16: return half_to_float(static_cast<std::uint16_t>(bits));
    case DType::BF16: return bfloat_to_float(static_cast<std::uint16_t>(bits));
    default:
      if (is_small_float(type)) return float_value(small_format(type), bits);
      if (is_signed_int(type)) return static_cast<double>(sign_extend(bits, size_bits(type)));
      return static_cast<double>(bits);
  }
}

std::span<const double> small_float_values(DType type) {
  static const auto tables = [] {
    std::array<std::array<double, 256>, kDTypes> all = {};
    for (int i = 0; i < kDTypes; ++i)
      for (std::uint64_t bits = 0; is_small_float(static_cast<DType>(i)) && bits < codes_of(static_cast<DType>(i));
           ++bits)
        all[i][bits] = float_value(small_format(static_cast<DType>(i)), bits);
    return all;
  }();
  return std::span(tables[static_cast<std::size_t>(type)]).first(codes_of(type));
}

std::uint64_t from_double(DType type, double value) {
  switch (type) {
    case DType::F32: return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case DType::F16: return double_to_half(value);
    case DType::BF16: return double_to_bfloat(value);
    default: {
      if (is_small_float(type)) return float_bits(small_format(type), value);
      const std::uint64_t bits = wrap_to_integer(value);
      return size_bits(type) == 64 ? bits : bits & ((1ull << size_bits(type)) - 1);
    }
  }
}

std::string format_value(DType type, std::uint64_t bits) {
  if (is_float(type)) {
    const double value = to_double(type, bits);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
    // Enough digits that two different elements never look alike.
    return type == DType::F32 || is_small_float(type) ? fmt::format("{}", static_cast<float>(value))
                                                      : fmt::format("{:.{}g}", value, type == DType::F16 ? 5 : 4);
  }
  if (is_signed_int(type)) return fmt::format("{}", sign_extend(bits, size_bits(type)));
  return fmt::format("{}", bits);
}

std::uint64_t load_element(const std::byte* array, DType type, std::uint64_t index) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, array + index * size_bits(type) / 8, size_bytes(type));
  return is_packed(type) ? bits >> (index % 2 * 4) & 0xF : bits;
}

void store_element(std::byte* array, DType type, std::uint64_t index, std::uint64_t bits) {
  std::byte* const at = array + index * size_bits(type) / 8;
  if (is_packed(type)) {
    const unsigned shift = index % 2 * 4;
    bits = (std::to_integer<std::uint64_t>(*at) & ~(0xFull << shift)) | (bits & 0xF) << shift;
  }
  std::memcpy(at, &bits, size_bytes(type));
}

std::string DTypeSet::list() const {
  std::string text;
  for (int i = 0; i < kDTypes; ++i) {
    if (!contains(static_cast<DType>(i))) continue;
    if (!text.empty()) text += ", ";
    text += kTypeNames[i];
  }
  return text;
}

}  // namespace ts
