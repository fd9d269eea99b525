// Reading a range of bytes.
#include "core/text/byte_span.h"

#include "core/text/count.h"

namespace ts::text {
namespace {

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// With spaces around it.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  while (take(text, " ")) continue;
  const std::optional<std::uint32_t> number = take_count(text);
  while (take(text, " ")) continue;
  return number;
}

}  // namespace

std::optional<ByteSpan> read_byte_span(std::string_view text) {
  if (!take(text, "[")) return {};
  const auto begin = take_number(text);
  const bool dots = take(text, "..");
  if (!begin || (!dots && !take(text, ","))) return {};
  const auto end = take_number(text);
  // "[0,4]" would say that 4 is part of it.
  if (!end || (text != ")" && !(dots && text == "]"))) return {};
  return ByteSpan{*begin, *end};
}

}  // namespace ts::text
