// Making such texts, and looking at what is told.
#include "tests/support/text/broken_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kFirstLine = 16;

}  // namespace

std::string text_of(const Broken& broken) {
  return fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func private @outside(%x: i32)
  func.func @k(%p: !pto.ptr<i32>, %n: index) attributes {{pto.entry, pto.kernel_kind = #pto.kernel_kind<{}>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c17 = arith.constant 17 : index
    %c32 = arith.constant 32 : index
    %i5 = arith.constant 5 : i32
    %i0 = arith.constant 0 : i32
    %far = arith.constant 262112 : i64
    %one = arith.constant 1.0 : f32
    %fixed = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    %open = pto.alloc_tile valid_row = %c16 valid_col = %c16 : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
{}
    return
  }}
}}
)",
                     broken.target, broken.core, broken.statements);
}

const Diagnostic* first_of(const Diagnostics& all, std::string_view rule) {
  const auto it = std::ranges::find(all, rule, &Diagnostic::rule);
  return it == all.end() ? nullptr : &*it;
}

void check_message(const Broken& broken, const std::string& text, const Diagnostic* told, bool exact_column) {
  REQUIRE(told != nullptr);
  CAPTURE(told->format());
  CHECK(told->text.find(broken.says) != std::string::npos);
  CHECK((told->hint + "|" + told->expected).find(broken.hint) != std::string::npos);
  CHECK(told->pos.line == kFirstLine + broken.line);
  if (!exact_column) return;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < told->pos.line; ++line) begin = text.find('\n', begin) + 1;
  const std::string_view line = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
  REQUIRE(told->pos.column >= 1);
  CHECK(line.substr(told->pos.column - 1).starts_with(broken.at));
}

void check_broken(const Broken& broken, bool exact_column) {
  CAPTURE(std::string(broken.rule));
  CAPTURE(std::string(broken.statements));
  const std::string text = text_of(broken);
  const OpenedText opened = open_text(text);
  const Diagnostic* told = first_of(opened.diagnostics, broken.rule);
  for (const Diagnostic& diagnostic : opened.diagnostics) CAPTURE(diagnostic.format());
  check_message(broken, text, told, exact_column);
  // What is legal and only odd opens all the same.
  CHECK(opened.opened.has_value() == (told != nullptr && told->severity != Severity::Error));
}

}  // namespace ts::test
