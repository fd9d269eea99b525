// Decoding, and showing what must not be sent.
#include "core/data/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ts::data {
namespace {

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<std::uint8_t>(text[at]) : 0;
}

// By its first byte; 0: none begins so.
std::size_t length_of(std::uint32_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
}

bool goes_on(std::uint32_t byte) { return (byte & 0xC0) == 0x80; }

// The text ends in the middle of what may be a character, or of the end of a line.
bool is_cut(std::string_view text, std::size_t at) {
  if (text[at] == '\r') return at + 1 == text.size();
  if (at + length_of(byte_at(text, at)) <= text.size()) return false;
  while (++at < text.size())
    if (!goes_on(byte_at(text, at))) return false;
  return true;
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte_at(text, at);
  const std::size_t bytes = length_of(first);
  if (bytes <= 1) return {first, bytes};
  std::uint32_t code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    const std::uint32_t next = byte_at(text, at + i);
    if (!goes_on(next)) return {};
    code = code << 6 | (next & 0x3F);
  }
  // Written longer than needed, halves of pairs, beyond the last one.
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool wrong = code < kSmallest[bytes] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return wrong ? Character{} : Character{code, bytes};
}

bool is_control(std::uint32_t code) {
  if (code < 0x20) return code != '\n' && code != '\t';
  if (code < 0x200E) return (code >= 0x7F && code < 0xA0) || code == 0x61C;
  return code <= 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF ||
         (code >= 0xFFF9 && code <= 0xFFFB);
}

std::size_t append_shown(std::string& out, std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && !is_cut(text, at)) {
    const Character next = character_at(text, at);
    const std::size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    const bool ends_line = next.code == '\r' && byte_at(text, at + 1) == '\n';
    if (next.bytes == 0) fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(text, at));
    else if (!is_control(next.code)) out += text.substr(at, bytes);
    else if (next.code < 0x80 && !ends_line) fmt::format_to(std::back_inserter(out), "\\x{:02x}", next.code);
    else if (!ends_line) fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", next.code);
    at += bytes;
  }
  return at;
}

std::string shown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = append_shown(out, text);
  for (; at < text.size(); ++at) fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte_at(text, at));
  return out;
}

std::string shown_name(std::string_view name) {
  std::string out;
  for (const char c : shown(name)) c == '\n' || c == '\t' ? out += fmt::format("\\x{:02x}", c) : out += c;
  return out;
}

std::string some_of(std::span<const std::string> names) {
  constexpr std::size_t kSome = 8;
  std::string out;
  for (const std::string& name : names.first(std::min(names.size(), kSome)))
    out += (out.empty() ? "" : ", ") + shown_name(name);
  return names.size() > kSome ? out + ", ..." : out;
}

}  // namespace ts::data
