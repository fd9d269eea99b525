// The table of programs with mistakes is right in itself: places point at the text they mean.
#include "tests/support/text/snippets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ts::test {
namespace {

// The text from (line, column) on. The programs are ASCII, so that a byte is a code point.
std::string_view from(std::string_view text, unsigned line, unsigned column) {
  for (unsigned i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    REQUIRE(end != std::string_view::npos);
    text.remove_prefix(end + 1);
  }
  REQUIRE(column >= 1);
  const std::size_t line_size = std::min(text.find('\n'), text.size());
  REQUIRE(column - 1 <= line_size);
  return text.substr(column - 1);
}

}  // namespace

TEST_CASE("snippets: there are 47 kinds, and each place holds the text that is meant") {
  std::set<int> numbers;
  for (const Snippet& snippet : snippets()) {
    CAPTURE(snippet.number);
    numbers.insert(snippet.number);
    for (const char c : snippet.text) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
    const std::string_view rest = from(snippet.text, snippet.line, snippet.column);
    CHECK(rest.starts_with(snippet.at));
    CHECK(snippet.at.empty() == rest.empty());
    CHECK(!snippet.says.empty());
  }
  CHECK(numbers.size() == 47);
  CHECK(*numbers.begin() == 1);
  CHECK(*numbers.rbegin() == 47);
}

TEST_CASE("snippets: a module's target is the one that the row says") {
  for (const Snippet& snippet : snippets()) {
    CAPTURE(snippet.number);
    const bool a2a3 = snippet.text.find("pto.target_arch = \"a2a3\"") != std::string_view::npos;
    CHECK(a2a3 == (snippet.target == Target::A2A3));
  }
}

}  // namespace ts::test
