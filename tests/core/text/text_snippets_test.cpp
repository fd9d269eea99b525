// Programs with one mistake each get the message that their reader needs: at the right place, with what would be right.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/text/render.h"
#include "tests/support/text/open_text.h"
#include "tests/support/text/snippets.h"

namespace ts::test {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string all_of(const OpenedText& opened) {
  std::string out;
  for (const Diagnostic& diagnostic : opened.diagnostics) out += text::render(diagnostic, *opened.tree->source);
  return out;
}

}  // namespace

TEST_CASE("text: programs with one mistake get the message for it") {
  for (const Snippet& snippet : snippets()) {
    const OpenedText opened = open_text(snippet.text, snippet.target);
    CAPTURE(snippet.number);
    CAPTURE(std::string(snippet.text));
    CAPTURE(all_of(opened));
    const auto about =
        std::ranges::find_if(opened.diagnostics, [&](const Diagnostic& d) { return d.severity == snippet.severity; });
    CHECK(about != opened.diagnostics.end());
    if (about == opened.diagnostics.end()) continue;
    CHECK(fmt::format("{}:{}", about->pos.line, about->pos.column) ==
          fmt::format("{}:{}", snippet.line, snippet.column));
    CHECK_MESSAGE(contains(about->text, snippet.says), about->text, " <- ", snippet.says);
    CHECK_MESSAGE(contains(about->expected, snippet.expected), about->expected, " <- ", snippet.expected);
    CHECK_MESSAGE(contains(about->hint, snippet.hint), about->hint, " <- ", snippet.hint);
    CHECK(has_error(opened.diagnostics) == (snippet.severity == Severity::Error));
  }
}

}  // namespace ts::test
