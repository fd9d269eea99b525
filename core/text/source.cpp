// Lines, columns and code points of a program's text.
#include "core/text/source.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/data/utf8.h"

namespace ts::text {
namespace {

constexpr std::uint32_t kBlock = 1024;

std::uint32_t code_points(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count_if(text, std::not_fn(data::continues_character)));
}

bool eight_ascii(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  return (word & 0x8080808080808080ull) == 0;
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
  std::uint32_t before = 0;
  for (std::size_t at = 0; at < text_.size(); at += kBlock) {
    code_points_before_.push_back(before);
    before += code_points(std::string_view(text_).substr(at, kBlock));
  }
  code_points_before_.push_back(before);
}

std::uint32_t Source::code_points_before(std::uint32_t offset) const {
  const std::uint32_t block = offset / kBlock;
  return code_points_before_[block] + code_points(text({block * kBlock, offset}));
}

SourcePos Source::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  return {line, 1 + code_points_before(offset) - code_points_before(line_starts_[line - 1])};
}

std::uint32_t Source::span(SourceRange range) const {
  const std::string_view meant = text(range);
  const auto end = range.begin + static_cast<std::uint32_t>(std::min(meant.find_first_of("\r\n"), meant.size()));
  return std::max(1u, code_points_before(end) - code_points_before(range.begin));
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
    const std::size_t bytes = data::character_at(all, at).bytes;
    if (bytes == 0) break;
    at += bytes;
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace ts::text
