// Reading what is looked for, and comparing.
#include "core/debug/elements/element_search.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace ts {
namespace {

std::string plain(std::string_view text) {
  std::string made;
  for (const char letter : text)
    if (letter != ' ') made += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return made;
}

std::optional<double> number_in(const std::string& text) {
  const bool begins = !text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) != 0 ||
                                        text.front() == '-' || text.front() == '+' || text.front() == '.');
  if (!begins) return {};
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != 0 || !std::isfinite(value)) return {};
  return value;
}

// Half of the last digit's place; whole numbers are meant as they are.
double half_of_last_digit(const std::string& text) {
  const std::size_t exponent = text.find('e'), point = text.find('.');
  const std::size_t digits_end = std::min(exponent, text.size());
  if (point == std::string::npos || point > digits_end) return 0;
  const auto power = exponent == std::string::npos ? 0 : std::strtol(text.c_str() + exponent + 1, nullptr, 10);
  return 0.5 * std::pow(10.0, static_cast<double>(power) - static_cast<double>(digits_end - point - 1));
}

}  // namespace

bool ElementSearch::matches(const ElementFormat& format, std::uint64_t element, Definedness worth) const {
  if (kind == Kind::Undefined) return worth != Definedness::Written;
  if (worth == Definedness::Never) return false;
  const ElementClass is = classify(format, element);
  if (kind == Kind::Nan) return is == ElementClass::Nan;
  if (kind == Kind::Inf) return is == ElementClass::Infinite;
  if (kind == Kind::Bits) return (element & format.mask()) == bits;
  if (is == ElementClass::Nan) return false;
  const double held = number(format, element);
  if (kind == Kind::Above) return held > value;
  if (kind == Kind::Below) return held < value;
  return std::abs(held - value) <= tolerance;
}

std::optional<ElementSearch> read_element_search(std::string_view given) {
  const std::string text = plain(given);
  using Kind = ElementSearch::Kind;
  if (text == "nan") return ElementSearch{.kind = Kind::Nan};
  if (text == "inf" || text == "infinity") return ElementSearch{.kind = Kind::Inf};
  if (text == ".." || text == "undefined") return ElementSearch{.kind = Kind::Undefined};
  if (text.starts_with("0x")) {
    std::uint64_t bits = 0;
    const auto [end, wrong] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (wrong != std::errc() || end != text.data() + text.size()) return {};
    return ElementSearch{.kind = Kind::Bits, .bits = bits};
  }
  if (text.starts_with('>') || text.starts_with('<')) {
    const auto limit = number_in(text.substr(1));
    if (!limit) return {};
    return ElementSearch{.kind = text.front() == '>' ? Kind::Above : Kind::Below, .value = *limit};
  }
  const std::size_t around = text.find('~');
  const auto value = number_in(text.substr(0, around));
  if (!value) return {};
  ElementSearch search{.value = *value, .tolerance = half_of_last_digit(text)};
  if (around == std::string::npos) return search;
  const auto tolerance = number_in(text.substr(around + 1));
  if (!tolerance || *tolerance < 0) return {};
  search.tolerance = *tolerance;
  return search;
}

}  // namespace ts
