// Texts of elements.
#include "core/debug/elements/cell_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace ts {
namespace {

// "1e+07" to "1e7", "2e-05" to "2e-5".
std::string plain_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digits = e + 1;
  const bool negative = text[digits] == '-';
  if (text[digits] == '-' || text[digits] == '+') ++digits;
  while (digits + 1 < text.size() && text[digits] == '0') ++digits;
  return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digits);
}

std::string special_text(const ElementFormat& format, std::uint64_t bits) {
  switch (classify(format, bits)) {
    case ElementClass::Nan: return "NaN";
    case ElementClass::Infinite: return number(format, bits) > 0 ? "+inf" : "-inf";
    case ElementClass::Normal:
    case ElementClass::Zero:
    case ElementClass::Denormal: break;
  }
  return {};
}

// Behind the number, what else is to be known of it.
std::string suffix(const ElementFormat& format, std::uint64_t bits, Definedness worth) {
  std::string text = classify(format, bits) == ElementClass::Denormal ? "·d" : "";
  if (worth == Definedness::Unspecified) text += "?";
  return text;
}

std::string digits_of(const ElementFormat& format, std::uint64_t bits, NumberStyle style) {
  switch (style) {
    case NumberStyle::Hex: return hex_text(format, bits).substr(2);
    case NumberStyle::Bits: return bit_text(format, bits);
    case NumberStyle::Exact:
      return special_text(format, bits).empty() ? exact_text(format, bits) : special_text(format, bits);
    case NumberStyle::Decimal: break;
  }
  return special_text(format, bits).empty() ? plain_exponent(short_text(format, bits)) : special_text(format, bits);
}

// Whether a decimal text is this very element.
bool is_whole(const ElementFormat& format, std::uint64_t bits, const std::string& text) {
  return element_bits(format, std::strtod(text.c_str(), nullptr)) == (bits & format.mask()) &&
         (format.is_float() || std::to_string(integer(format, bits)) == text);
}

}  // namespace

const char* name(NumberStyle style) {
  constexpr const char* kNames[kNumberStyles] = {"decimal", "hex", "bits", "exact"};
  return kNames[static_cast<int>(style)];
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string rounded_text(const ElementFormat& format, std::uint64_t bits, int digits) {
  if (std::string special = special_text(format, bits); !special.empty()) return special;
  const std::string text = plain_exponent(fmt::format("{:.{}g}", number(format, bits), digits));
  return is_whole(format, bits, text) ? text : text + kCutMark;
}

std::string cell_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, NumberStyle style) {
  if (worth == Definedness::Never) return kUndefinedText;
  const bool is_decimal = style == NumberStyle::Decimal || style == NumberStyle::Exact;
  if (!is_decimal) return digits_of(format, bits, style) + (worth == Definedness::Unspecified ? "?" : "");
  return digits_of(format, bits, style) + suffix(format, bits, worth);
}

std::string fitted_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, NumberStyle style,
                        std::size_t most) {
  std::string whole = cell_text(format, bits, worth, style);
  if (characters(whole) <= most) return whole;
  if (worth == Definedness::Never) return {};
  if (style == NumberStyle::Hex || style == NumberStyle::Bits) {
    const std::size_t kept = most > 3 ? most - 1 : 0;
    return kept == 0 ? std::string() : kCutMark + whole.substr(whole.size() - kept);
  }
  const std::string behind = suffix(format, bits, worth);
  // Three digits are enough at a glance; the whole number is in the inspector.
  for (const int digits : {3, 2, 1}) {
    std::string text = rounded_text(format, bits, digits) + behind;
    if (characters(text) <= most) return text;
  }
  return {};
}

std::string class_words(const ElementFormat& format, std::uint64_t bits) {
  switch (classify(format, bits)) {
    case ElementClass::Nan: return "not a number";
    case ElementClass::Infinite: return "infinite";
    case ElementClass::Denormal: return "denormal: smaller than the smallest normal number";
    case ElementClass::Zero:
      return format.is_float() && (bits & format.fields.sign_mask()) != 0 ? "negative zero" : "zero";
    case ElementClass::Normal: break;
  }
  return format.is_float() ? "a normal number" : "an integer";
}

const char* worth_words(Definedness worth) {
  switch (worth) {
    case Definedness::Never: return "undefined: nothing has written all of its bytes";
    case Definedness::Unspecified: return "unspecified: something was written, and nobody promises what";
    case Definedness::Written: break;
  }
  return "defined";
}

}  // namespace ts
