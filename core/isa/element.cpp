// The table of element formats, and what is asked of their bits.
#include "core/isa/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ts {
namespace {

using enum NumberKind;

// The types of tiles first, in the order of DType.
constexpr ElementFormat kFormats[] = {
    {"i8", Signed, 8, {}, DType::I8},
    {"u8", Unsigned, 8, {}, DType::U8},
    {"i16", Signed, 16, {}, DType::I16},
    {"u16", Unsigned, 16, {}, DType::U16},
    {"i32", Signed, 32, {}, DType::I32},
    {"u32", Unsigned, 32, {}, DType::U32},
    {"i64", Signed, 64, {}, DType::I64},
    {"u64", Unsigned, 64, {}, DType::U64},
    {"f16", Float, 16, kF16Format, DType::F16},
    {"bf16", Float, 16, kBf16Format, DType::BF16},
    {"f32", Float, 32, kF32Format, DType::F32},
    {"f8e4m3fn", Float, 8, kF8E4M3FnFormat, DType::F8E4M3},
    {"f8e5m2", Float, 8, kF8E5M2Format, DType::F8E5M2},
    {"hif8", Float, 8, kHif8Format, DType::HIF8},
    {"f8e8m0fnu", Float, 8, kF8E8M0FnuFormat, DType::E8M0},
    {"f4e2m1fn", Float, 4, kF4E2M1FnFormat, DType::E2M1},
    {"f4e1m2fn", Float, 4, kF4E1M2FnFormat, DType::E1M2},
    {"i4", Signed, 4, {}, DType::I4},
    {"u4", Unsigned, 4, {}, DType::U4},
    {"f64", Float, 64, kF64Format},
    {"bool", Unsigned, 8},
    {"f8e4m3", Float, 8, {4, 3, 7}},
};

constexpr bool begins_with_dtypes() {
  for (int i = 0; i < kDTypes; ++i)
    if (kFormats[i].dtype != static_cast<DType>(i)) return false;
  return true;
}
static_assert(begins_with_dtypes());

// A place on the line of all elements, on which neighbours are 1 apart.
std::int64_t ordinal(const ElementFormat& format, std::uint64_t bits) {
  const auto magnitude = static_cast<std::int64_t>(magnitude_rank(format.fields, bits));
  return (bits & format.fields.sign_mask()) != 0 ? -magnitude : magnitude;
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
               : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

std::uint64_t integer_distance(const ElementFormat& format, std::uint64_t a, std::uint64_t b) {
  const std::int64_t x = integer(format, a), y = integer(format, b);
  if (format.kind == Signed) return distance(x, y);
  const auto u = static_cast<std::uint64_t>(x), v = static_cast<std::uint64_t>(y);
  return u < v ? v - u : u - v;
}

// A finite number with all its digits; 767 are as many as any double has.
std::string all_digits(double value) {
  constexpr int kMostDecimals = 60, kMostExponent = 20;
  std::string text = fmt::format("{:.766e}", value);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1));
  text.resize(text.find_last_not_of('0', e - 1) + 1);
  const int after_point = static_cast<int>(text.size() - text.find('.')) - 1;
  const int decimals = std::max(0, after_point - exponent);
  if (exponent <= kMostExponent && decimals <= kMostDecimals) return fmt::format("{:.{}f}", value, decimals);
  if (text.back() == '.') text.pop_back();
  return fmt::format("{}e{}", text, exponent);
}

std::optional<std::uint64_t> nearest_float(const ElementFormat& format, bool negative, std::uint64_t magnitude) {
  const double size = format.size_bits < 64 ? roundable_double(magnitude) : static_cast<double>(magnitude);
  return element_bits(format, negative ? -size : size);
}

std::string special_text(double value) { return std::isnan(value) ? "nan" : value > 0 ? "+inf" : "-inf"; }

std::string binary(std::uint64_t bits, int from, int count) {
  std::string text;
  for (int bit = from + count - 1; bit >= from; --bit) text += (bits >> bit & 1) != 0 ? '1' : '0';
  return text;
}

}  // namespace

std::span<const ElementFormat> element_formats() { return kFormats; }

const ElementFormat& element_format(DType type) { return kFormats[static_cast<int>(type)]; }

const ElementFormat* find_element_format(std::string_view name) {
  const auto* found = std::ranges::find_if(kFormats, [&](const ElementFormat& format) { return name == format.name; });
  return found == std::end(kFormats) ? nullptr : found;
}

ElementClass classify(const ElementFormat& format, std::uint64_t bits) {
  if (!format.is_float()) return (bits & format.mask()) == 0 ? ElementClass::Zero : ElementClass::Normal;
  if (is_nan(format.fields, bits)) return ElementClass::Nan;
  if (is_infinite(format.fields, bits)) return ElementClass::Infinite;
  if (!is_tiny(format.fields, bits)) return ElementClass::Normal;
  return (bits & format.fields.magnitude_mask()) == 0 ? ElementClass::Zero : ElementClass::Denormal;
}

double number(const ElementFormat& format, std::uint64_t bits) {
  if (format.dtype) return to_double(*format.dtype, bits);
  if (format.is_float()) return float_value(format.fields, bits);
  const std::int64_t value = integer(format, bits);
  return format.kind == Signed ? static_cast<double>(value) : static_cast<double>(static_cast<std::uint64_t>(value));
}

std::int64_t integer(const ElementFormat& format, std::uint64_t bits) {
  const int unused = 64 - format.size_bits;
  if (format.kind == Signed) return static_cast<std::int64_t>(bits << unused) >> unused;
  return static_cast<std::int64_t>(bits & format.mask());
}

std::optional<std::uint64_t> element_bits(const ElementFormat& format, double value) {
  if (format.is_float()) return format.dtype ? from_double(*format.dtype, value) : float_bits(format.fields, value);
  const bool is_signed = format.kind == Signed;
  const double low = is_signed ? -std::ldexp(1.0, format.size_bits - 1) : 0;
  const double high = std::ldexp(1.0, is_signed ? format.size_bits - 1 : format.size_bits);
  if (!(value >= low && value < high) || value != std::trunc(value)) return {};
  const auto bits =
      value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
  return bits & format.mask();
}

std::optional<std::uint64_t> element_bits(const ElementFormat& format, std::int64_t value) {
  if (format.is_float()) {
    return nearest_float(format, value < 0,
                         value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
  }
  const std::uint64_t bits = static_cast<std::uint64_t>(value) & format.mask();
  // An unsigned 64-bit element takes all integers, as scripts write the upper half of them as negative numbers.
  return integer(format, bits) == value ? std::optional(bits) : std::nullopt;
}

std::optional<std::uint64_t> convert(const ElementFormat& to, const ElementFormat& from, std::uint64_t bits) {
  if (&to == &from) return bits & to.mask();
  if (from.is_float()) return element_bits(to, number(from, bits));
  const std::int64_t value = integer(from, bits);
  if (from.kind == Unsigned && value < 0) {
    if (to.is_float()) return nearest_float(to, false, bits);
    return to.kind == Unsigned && to.size_bits == 64 ? std::optional(bits) : std::nullopt;
  }
  if (to.kind == Unsigned && value < 0) return {};
  return element_bits(to, value);
}

std::optional<std::uint64_t> ulp_distance(const ElementFormat& format, std::uint64_t a, std::uint64_t b) {
  if (!format.is_float()) return integer_distance(format, a, b);
  if (is_nan(format.fields, a) || is_nan(format.fields, b)) return {};
  const bool infinite = is_infinite(format.fields, a) || is_infinite(format.fields, b);
  const std::uint64_t steps = distance(ordinal(format, a), ordinal(format, b));
  return infinite && steps != 0 ? std::nullopt : std::optional(steps);
}

double absolute_difference(const ElementFormat& format, std::uint64_t a, std::uint64_t b) {
  if (!format.is_float()) return static_cast<double>(integer_distance(format, a, b));
  return std::fabs(number(format, a) - number(format, b));
}

const ElementFormat& mask_byte_format() {
  static constexpr ElementFormat kFormat{"bits", NumberKind::Unsigned, 8};
  return kFormat;
}

std::string short_text(const ElementFormat& format, std::uint64_t bits) {
  if (&format == &mask_byte_format()) {
    std::string text;
    for (int bit = 0; bit < 8; ++bit) text += (bits >> bit & 1) != 0 ? '1' : '0';
    return text;
  }
  if (format.dtype) return format_value(*format.dtype, bits);
  if (!format.is_float()) return fmt::format("{}", integer(format, bits));
  const double value = number(format, bits);
  return std::isfinite(value) ? fmt::format("{}", value) : special_text(value);
}

std::string exact_text(const ElementFormat& format, std::uint64_t bits) {
  if (!format.is_float()) return short_text(format, bits);
  const double value = number(format, bits);
  return std::isfinite(value) ? all_digits(value) : special_text(value);
}

std::string hex_text(const ElementFormat& format, std::uint64_t bits) {
  return fmt::format("0x{:0{}x}", bits & format.mask(), (format.size_bits + 3) / 4);
}

std::vector<BitGroup> bit_groups(const ElementFormat& format, std::uint64_t bits) {
  if (!format.is_float()) {
    if (format.kind == Signed) return {{"sign", 1}, {"", format.size_bits - 1}};
    return {{"", format.size_bits}};
  }
  const FloatFormat& fields = format.fields;
  std::vector<BitGroup> groups;
  const auto add = [&](const char* name, int width) {
    if (width != 0) groups.push_back({name, width});
  };
  add("sign", fields.sign ? 1 : 0);
  if (fields.tapered()) {
    const hif8::Fields widths = hif8::fields(static_cast<std::uint8_t>(bits));
    add("dot", widths.dot);
    add("exponent", widths.exponent);
    add("fraction", widths.fraction);
  } else {
    add("exponent", fields.exponent_bits);
    add("fraction", fields.fraction_bits);
  }
  return groups;
}

std::string bit_text(const ElementFormat& format, std::uint64_t bits) {
  std::string text;
  if (!format.is_float()) {
    for (int from = format.size_bits - 4; from >= 0; from -= 4) text += binary(bits, from, 4) + (from == 0 ? "" : " ");
    return text;
  }
  int left = format.fields.size_bits();
  for (const BitGroup& group : bit_groups(format, bits)) {
    left -= group.bits;
    text += (text.empty() ? "" : " ") + binary(bits, left, group.bits);
  }
  return text;
}

}  // namespace ts
