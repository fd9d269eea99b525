// Typed values and elements.
#include "core/learn/typed_value.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/learn/words.h"
#include "core/program/literal.h"

namespace ts::learn {

std::optional<std::uint64_t> read_value(const ElementFormat& format, std::string_view typed) {
  const std::string text = lower(trimmed(typed));
  if (text.empty()) return {};
  const bool negative = text.front() == '-', has_sign = negative || text.front() == '+';
  const std::string word = has_sign ? text.substr(1) : text;
  if (format.is_float() && is_one_of(word, {"nan", "inf", "infinity"})) {
    const double special = word == "nan" ? std::nan("") : HUGE_VAL;
    return element_bits(format, negative ? -special : special);
  }
  // Bits, as the inspector shows them.
  if (word.starts_with("0x")) {
    const auto bits = parse_integer(word);
    if (!bits || has_sign || (static_cast<std::uint64_t>(*bits) & ~format.mask()) != 0) return {};
    return static_cast<std::uint64_t>(*bits);
  }
  if (const auto whole = parse_integer(text.starts_with('+') ? word : text)) return element_bits(format, *whole);
  char* end = nullptr;
  const std::string number_text = text;
  if (std::isdigit(static_cast<unsigned char>(word.empty() ? 'x' : word.front())) == 0 && !word.starts_with('.'))
    return {};
  const double number = std::strtod(number_text.c_str(), &end);
  if (*end != 0) return {};
  return element_bits(format, number);
}

bool same_value(const ElementFormat& format, std::uint64_t a, std::uint64_t b) {
  if (a == b) return true;
  if (!format.is_float()) return false;
  const ElementClass first = classify(format, a), second = classify(format, b);
  return first == second && (first == ElementClass::Nan || first == ElementClass::Zero);
}

}  // namespace ts::learn
