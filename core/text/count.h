// Counts as people write and read them: decimal, or hexadecimal behind 0x; with spaces between thousands.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace ts::text {

// The whole text is the count: nothing else stands before or behind it.
template <class T>
bool parse_count(std::string_view text, T& out) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, hex ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size();
}

// The count that the text begins with; takes it off the text, which stays as it is where there is none.
inline std::optional<std::uint32_t> take_count(std::string_view& text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const std::string_view digits = text.substr(hex ? 2 : 0);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count, hex ? 16 : 10);
  if (error != std::errc{}) return {};
  text = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return count;
}

// The count that is the whole text, also with 0X before it.
inline std::optional<std::uint32_t> whole_count(std::string_view text) {
  const auto count = take_count(text);
  return text.empty() ? count : std::nullopt;
}

// 1234567 as "1 234 567".
inline std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ' ');
  return text;
}

}  // namespace ts::text
