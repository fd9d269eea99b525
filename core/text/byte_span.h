// Bytes of a memory as people write them, behind the memory's name: "[0x400,0x800)" or "[0x400..0x800]". The end is not
// part of it either way.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ts::text {

struct ByteSpan {
  std::uint32_t begin = 0, end = 0;
};
// Nothing: it is not of that form. The end may lie before the beginning.
std::optional<ByteSpan> read_byte_span(std::string_view text);

}  // namespace ts::text
