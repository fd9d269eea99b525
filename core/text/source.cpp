// Lines, columns and code points of a program's text.
#include "core/text/source.h"

#include <algorithm>
#include <cstring>

namespace ts::text {
namespace {

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::uint32_t code_points(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count_if(text, starts_code_point));
}

bool eight_ascii(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return (word & 0x8080808080808080ull) == 0;
}

bool continues(std::string_view text, std::size_t at, unsigned low = 0x80, unsigned high = 0xBF) {
  if (at >= text.size()) return false;
  const unsigned byte = static_cast<unsigned char>(text[at]);
  return byte >= low && byte <= high;
}

// Bytes of the code point at `at`; 0 where no code point begins. Overlong forms, surrogates and numbers above 0x10FFFF are
// none (Unicode, table 3-7).
std::size_t code_point_bytes(std::string_view text, std::size_t at) {
  const unsigned lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return continues(text, at + 1) ? 2 : 0;
  if (lead < 0xF0) {
    const bool second = continues(text, at + 1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && continues(text, at + 2) ? 3 : 0;
  }
  const bool second = continues(text, at + 1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
  return second && continues(text, at + 2) && continues(text, at + 3) ? 4 : 0;
}

}  // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
  line_starts_.push_back(0);
  const char* const begin = text_.data();
  const char* const end = begin + text_.size();
  for (const char* at = begin; at != end;) {
    const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    if (found == nullptr) break;
    at = static_cast<const char*>(found) + 1;
    line_starts_.push_back(static_cast<std::uint32_t>(at - begin));
  }
}

SourcePos Source::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  const std::uint32_t start = line_starts_[line - 1];
  return {line, 1 + code_points(text({start, offset}))};
}

std::uint32_t Source::span(SourceRange range) const {
  const std::string_view meant = text(range);
  return std::max(1u, code_points(meant.substr(0, meant.find_first_of("\r\n"))));
}

std::string_view Source::line(std::uint32_t number) const {
  const std::uint32_t begin = line_starts_[number - 1];
  const std::uint32_t end = number < lines() ? line_starts_[number] : static_cast<std::uint32_t>(text_.size());
  std::string_view line = text({begin, end});
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

std::uint32_t Source::first_bad_utf8() const {
  const std::string_view all = text_;
  std::size_t at = 0;
  while (at < all.size()) {
    if (at + 8 <= all.size() && eight_ascii(all.data() + at)) {
      at += 8;
      continue;
    }
    const std::size_t bytes = code_point_bytes(all, at);
    if (bytes == 0) break;
    at += bytes;
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace ts::text
