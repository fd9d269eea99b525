// Escaping, with what is no UTF-8 replaced.
#include "core/report/escape.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/data/utf8.h"

namespace ts {
namespace {

constexpr std::string_view kReplaced = "\xEF\xBF\xBD";  // U+FFFD

// The bytes of the character that begins at `at`, 0: none does that XML may hold.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const data::Character found = data::character_at(text, at);
  return found.code == 0xFFFE || found.code == 0xFFFF ? 0 : found.bytes;
}

// `escape` says what stands for a byte below 0x80; empty: itself.
template <class Escape>
std::string escaped(std::string_view text, Escape escape) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_bytes(text, at);
    if (size == 0) out += kReplaced;
    const std::string special = size == 1 ? escape(text[at]) : std::string();
    out += special.empty() ? text.substr(at, size) : std::string_view(special);
    at += size == 0 ? 1 : size;
  }
  return out;
}

bool is_control(char c) { return static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string json_string(std::string_view text) {
  return "\"" +
         escaped(text,
                 [](char c) -> std::string {
                   if (c == '"' || c == '\\') return {'\\', c};
                   if (c == '\n') return "\\n";
                   return is_control(c) ? fmt::format("\\u{:04x}", static_cast<int>(c)) : "";
                 }) +
         "\"";
}

std::string html_text(std::string_view text) {
  return escaped(text, [](char c) -> std::string {
    switch (c) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '"': return "&quot;";
      case '\'': return "&#39;";
      case '\n':
      case '\t': return "";
      default: return is_control(c) ? std::string(kReplaced) : "";
    }
  });
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string lua_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += {'\\', c};
    else if (is_control(c)) out += fmt::format("\\{:03}", static_cast<int>(static_cast<std::uint8_t>(c)));
    else out += c;
  }
  return out + "\"";
}

}  // namespace ts
