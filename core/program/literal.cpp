// Reading numbers.
#include "core/program/literal.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include "core/program/scalar_ops.h"

namespace ts {
namespace {

// The whole text as one number in this base.
std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failed != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

bool is_hex(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  constexpr std::uint64_t kSmallest = std::uint64_t{1} << 63;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto value = is_hex(text) ? digits(text.substr(2), 16) : digits(text, 10);
  if (!value || (negative && *value > kSmallest)) return {};
  return static_cast<std::int64_t>(negative ? 0 - *value : *value);
}

std::optional<std::uint64_t> parse_scalar(std::string_view text, text::ScalarKind kind) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::uint32_t width = text::bits(kind);
  if (text::is_float(kind)) {
    if (is_hex(text)) {
      const auto bits = digits(text.substr(2), 16);
      return bits && *bits == cut_to(kind, *bits) ? bits : std::nullopt;
    }
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed == std::errc::invalid_argument || end != text.data() + text.size()) return {};
    // Infinity or zero; from_chars does not say which.
    if (failed == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
    return scalar_bits(kind, value);
  }
  const auto value = parse_integer(text);
  if (!value) return {};
  // Written without a sign, it has the 64th bit.
  if (width < 64 && *value < 0 && !text.starts_with('-')) return {};
  const std::int64_t low = width >= 64 ? INT64_MIN : -(std::int64_t{1} << (width - 1));
  const bool fits = width >= 64 || (*value >= low && *value < (std::int64_t{1} << width));
  return fits ? std::optional(cut_to(kind, static_cast<std::uint64_t>(*value))) : std::nullopt;
}

}  // namespace ts
