// Terms of products that were never loaded, and those that were and are left out: told with their values, and not where
// nothing is wrong.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "tests/support/process/cli.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// f16 between 1 and 2, so that none is 0; `zeros`: those of these columns are.
std::vector<std::byte> halves(std::uint32_t rows, std::uint32_t cols, std::uint32_t zeros_from = 0,
                              std::uint32_t zeros_to = 0) {
  Random random(rows);
  std::vector<std::byte> bytes;
  for (std::uint32_t i = 0; i < rows * cols; ++i) {
    const bool zero = i % cols >= zeros_from && i % cols < zeros_to;
    const std::uint32_t bits = zero ? 0 : 0x3C00 + random.below(0x400);
    bytes.push_back(static_cast<std::byte>(bits & 0xFF));
    bytes.push_back(static_cast<std::byte>(bits >> 8));
  }
  return bytes;
}

std::vector<Diagnostic> told(const Recording& recording, std::string_view rule, const CheckOptions& options = {}) {
  std::vector<Diagnostic> found;
  for (const Finding& finding : check(recording, options).findings)
    if (finding.diagnostic.rule == rule) found.push_back(finding.diagnostic);
  return found;
}

// The sample with the planted bug, whose parts can be changed: 64 x 100 times 100 x 64 in steps of 64.
struct Product {
  std::string text = get_text("samples/cube/bug_k_tail.pto");
  std::vector<std::byte> a = halves(64, 100), b = halves(100, 64);

  Product& change(const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    text.replace(at, from.size(), to);
    return *this;
  }
  // As many terms of both sides as there are.
  Product& valid_terms(const std::string& terms) {
    change("set_validshape %l, %c64, %c64", "set_validshape %l, %c64, " + terms);
    return change("set_validshape %r, %c64, %c64", "set_validshape %r, " + terms + ", %c64");
  }
  std::unique_ptr<Recording> run(Target target) const {
    OpenRequest request;
    request.inputs.data["a_at"] = a;
    request.inputs.data["b_at"] = b;
    OpenedText opened = open_text(text, target, request);
    for (const Diagnostic& one : opened.diagnostics)
      if (one.severity == Severity::Error) FAIL_CHECK(one.format());
    REQUIRE(opened.opened);
    return Recording::run(std::move(opened.opened->program), {});
  }
};

constexpr const char* kTerms = "CHK-TERMS";

}  // namespace

TEST_CASE("check terms: the last step of a loop over k goes on with what the step before left") {
  for (const Target target : {Target::A5, Target::A2A3}) {
    const auto recording = Product().run(target);
    const auto found = told(*recording, kTerms);
    REQUIRE(found.size() == 1);
    const Diagnostic& one = found[0];
    CHECK(one.severity == Severity::Warning);
    CHECK(one.operand == "lhs");
    const std::string before = Product().text.substr(0, Product().text.find("pto.tmatmul.acc"));
    const auto line = static_cast<std::uint32_t>(1 + std::ranges::count(before, '\n'));
    CHECK(one.pos.line >= line);
    CHECK(one.pos.line < line + 5);
    CHECK(
        one.text.starts_with("28 of the 64 terms stand beyond the valid 64x36 of %a (step 7); 16 of them are no 0: the "
                             "first is %l[0,48] = 1."));
    CHECK(one.text.find(" times %r[48,0] = 1.") != std::string::npos);
    CHECK(one.hint.find("valid") != std::string::npos);
    CHECK(one.notes.size() == 1);
    CheckOptions off;
    off.set(FindingKind::Rule, Level::Off);
    CHECK(told(*recording, kTerms, off).empty());
  }
}

TEST_CASE("check terms: nothing is told where as many terms are valid as were loaded, or the rest is 0") {
  for (const Target target : {Target::A5, Target::A2A3}) {
    CHECK(told(*Product().valid_terms("%terms").run(target), kTerms).empty());
    // What is left of the step before is 0 on one side, which is enough.
    Product zeros;
    zeros.a = halves(64, 100, 48, 64);
    CHECK(told(*zeros.run(target), kTerms).empty());
    Product padded;
    for (const char* tile : {"%a", "%b"}) {
      const std::string type = "!pto.tile_buf<mat, 64x64xf16, valid=?x?, blayout=col_major, slayout=row_major>";
      padded.change("      // The cube core's own tiles",
                    fmt::format("      pto.tfillpad ins({0} : {1}) outs({0} : {1})\n"
                                "      // The cube core's own tiles",
                                tile, type));
    }
    CHECK(told(*padded.run(target), kTerms).empty());
    // 0 times infinity is none.
    for (std::uint32_t row = 48; row < 64; ++row)
      zeros.b[2 * (row * 64 + 5)] = {}, zeros.b[2 * (row * 64 + 5) + 1] = std::byte{0x7C};
    CHECK(told(*zeros.run(target), kTerms).size() == 1);
  }
}

TEST_CASE("check terms: sides with different numbers of terms are told of by the rule alone") {
  Product one_side;
  one_side.change("set_validshape %r, %c64, %c64", "set_validshape %r, %terms, %c64");
  const auto recording = one_side.run(Target::A5);
  CHECK(told(*recording, kTerms).empty());
  CHECK(told(*recording, "TMATMUL.ACC-W1").size() == 1);
}

TEST_CASE("check terms: what nobody wrote is told of as that") {
  // The only step is the short one.
  Product short_one;
  short_one.change("%c100 = arith.constant 100", "%c100 = arith.constant 36");
  for (const char* sizes : {"64x100", "100x64"}) {
    std::size_t at = 0;
    while ((at = short_one.text.find(sizes)) != std::string::npos)
      short_one.text.replace(at, 6, sizes[0] == '6' ? "64x36" : "36x64");
  }
  short_one.a = halves(64, 36), short_one.b = halves(36, 64);
  const auto recording = short_one.run(Target::A5);
  CHECK(told(*recording, kTerms).empty());
  CHECK(!told(*recording, "CHK-DEFINED").empty());
}

TEST_CASE("check terms: terms that both sides have and no product multiplies") {
  for (const Target target : {Target::A5, Target::A2A3}) {
    const auto found = told(*Product()
                                 .valid_terms("%c32")
                                 .change("%c100 = arith", "%c32 = arith.constant 32 : index\n    %c100 = arith")
                                 .run(target),
                            kTerms);
    REQUIRE(found.size() == 2);
    CHECK(found[0].text == "32 of the 64 terms that both sides have are multiplied; the last 32 are left out");
    CHECK(found[1].text == "32 of the 36 terms that both sides have are multiplied; the last 4 are left out");
    CHECK(found[0].severity == Severity::Note);
  }
}

TEST_CASE("check terms: what is right of the samples is told of nothing") {
  std::size_t looked_at = 0;
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  options.set(FindingKind::Rule, Level::Own);
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() != ".pto" || path.find("bug_k_tail") != std::string::npos) continue;
    const std::string text = get_text(path);
    if (text.find("tmatmul") == std::string::npos && text.find("tgemv") == std::string::npos) continue;
    if (++looked_at % 3 != 0 && kSanitized) continue;
    CAPTURE(path);
    OpenedText opened = open_text(text);
    REQUIRE(opened.opened);
    const auto recording = Recording::run(std::move(opened.opened->program), {});
    for (const Diagnostic& one : told(*recording, kTerms, options)) CHECK_MESSAGE(false, one.format());
  }
  CHECK(looked_at > 10);
}

}  // namespace ts::test
