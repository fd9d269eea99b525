// Ranges of bytes as scripts, filters and stops take them: one reader for all.
#include "core/text/byte_span.h"

#include <doctest/doctest.h>

namespace ts::test {
namespace {

bool is_span(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  const auto span = text::read_byte_span(text);
  return span && span->begin == begin && span->end == end;
}

}  // namespace

TEST_CASE("text: ranges of bytes") {
  CHECK(is_span("[0x400,0x800)", 0x400, 0x800));
  CHECK(is_span("[0x400..0x800]", 0x400, 0x800));
  CHECK(is_span("[0x400..0x800)", 0x400, 0x800));
  CHECK(is_span("[ 16 , 32 )", 16, 32));
  CHECK(is_span("[8,4)", 8, 4));
  for (const char* wrong :
       {"", "[", "[]", "[4]", "[4,8]", "[4,8", "[4,8)x", "4,8)", "[4;8)", "[-1,8)", "[x,8)", "[4,99999999999)"}) {
    CAPTURE(wrong);
    CHECK(!text::read_byte_span(wrong));
  }
}

}  // namespace ts::test
