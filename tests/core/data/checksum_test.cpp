// Sums of files, as Python's zlib.crc32 makes them.
#include "core/data/checksum.h"

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("checksum: the published check value, nothing at all, and one bit of difference") {
  const auto sum = [](std::string_view text) { return ts::data::checksum_of(std::as_bytes(std::span(text))); };
  CHECK(sum("123456789") == "crc32:cbf43926");
  CHECK(sum("") == "crc32:00000000");
  CHECK(sum("123456788") != sum("123456789"));
}
