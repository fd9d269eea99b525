// What a newcomer should be told: that there are no flags, rows that nobody wrote, columns that are left out. Each is
// tried both ways, and over all samples that are right.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "tests/support/process/cli.h"
#include "tests/support/scale.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

std::unique_ptr<Recording> record_of_text(const std::string& text) {
  OpenedText opened = open_text(text);
  for (const Diagnostic& one : opened.diagnostics)
    if (one.severity == Severity::Error) FAIL_CHECK(one.format());
  REQUIRE(opened.opened);
  return Recording::run(std::move(opened.opened->program), {});
}

std::vector<Diagnostic> told_by(const Recording& recording, std::string_view rule, const CheckOptions& options = {}) {
  std::vector<Diagnostic> told;
  for (const Finding& finding : check(recording, options).findings)
    if (finding.diagnostic.rule == rule) told.push_back(finding.diagnostic);
  return told;
}

// x is doubled, 16 rows at a time, from 0 to `rows` of 50; `used` columns of the 8 that were loaded.
struct RowsOfFifty {
  std::uint32_t rows = 50, used = 8, turns = 16;
  bool flags = true;
  std::string between(const char* from, const char* to) const {
    return flags ? fmt::format(
                       "    pto.set_flag [<{0}>, <{1}>, <EVENT_ID0>]\n    pto.wait_flag [<{0}>, <{1}>, <EVENT_ID0>]\n",
                       from, to)
                 : "";
  }
  std::string text() const {
    const std::string tile = "!pto.tile_buf<vec, 16x8xf32, valid=?x?>", part = "!pto.partition_tensor_view<?x?xf32>";
    std::string made = "func.func @k(%x: !pto.ptr<f32>, %out: !pto.ptr<f32>) {\n";
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::uint32_t>>{
             {"c0", 0}, {"c1", 1}, {"c8", 8}, {"c16", 16}, {"c50", 50}, {"end", rows}, {"used", used}})
      made += fmt::format("  %{} = arith.constant {} : index\n", name, value);
    for (const char* name : {"x", "out"})
      made += fmt::format(
          "  %{0}_all = pto.make_tensor_view %{0}, shape = [%c50, %c8], strides = [%c8, %c1] : !pto.tensor_view<50x8xf32>\n",
          name);
    made += "  %two = arith.constant 2.0 : f32\n  %a = pto.alloc_tile valid_row = %c16 valid_col = %c8 : " + tile +
            "\n  %b = pto.alloc_tile valid_row = %c16 valid_col = %c8 : " + tile +
            "\n  scf.for %row = %c0 to %end step %c16 {\n    %left = arith.subi %end, %row : index\n"
            "    %now = arith.minsi %left, %c16 : index\n";
    const auto view = [&](const char* name, const char* cols) {
      return fmt::format(
          "    %{0}_now = pto.partition_view %{0}_all, offsets = [%row, %c0], sizes = [%now, %{1}] : !pto.tensor_view<50x8xf32> -> {2}\n",
          name, cols, part);
    };
    made += view("x", "c8") + view("out", "used");
    made +=
        fmt::format("    pto.set_validshape %a, %now, %c8 : {0}\n    pto.set_validshape %b, %now, %c8 : {0}\n", tile);
    made += fmt::format("    pto.tload ins(%x_now : {}) outs(%a : {})\n", part, tile) + between("PIPE_MTE2", "PIPE_V");
    made +=
        fmt::format("    pto.tmuls ins(%a, %two : {0}, f32) outs(%b : {0})\n", tile) + between("PIPE_V", "PIPE_MTE3");
    made +=
        fmt::format("    pto.set_validshape %b, %now, %used : {0}\n    pto.tstore ins(%b : {0}) outs(%out_now : {1})\n",
                    tile, part);
    made += between("PIPE_MTE3", "PIPE_MTE2");
    return made + "  }\n  return\n}\n";
  }
};

const char *const kUnwritten = "CHK-UNWRITTEN", *const kNarrowed = "CHK-NARROWED",
                  *const kSynchronous = "CHK-SYNCHRONOUS";

}  // namespace

TEST_CASE("check newcomer: rows of an output that nobody wrote") {
  const auto whole = record_of_text(RowsOfFifty{}.text()),
             short_of_two = record_of_text(RowsOfFifty{.rows = 48}.text());
  CHECK(told_by(*whole, kUnwritten).empty());
  const auto told = told_by(*short_of_two, kUnwritten);
  REQUIRE(told.size() == 1);
  CHECK(told[0].text == "2 of the 50 rows of %out were written by nobody; the first is row 48");
  CHECK(told[0].severity == Severity::Warning);
  CHECK(has(told[0].hint, "--blocks"));
  CheckOptions off;
  off.set(FindingKind::Rule, Level::Off);
  CHECK(told_by(*short_of_two, kUnwritten, off).empty());
  CheckOptions grave;
  grave.set(FindingKind::Rule, Level::Error);
  CHECK(told_by(*short_of_two, kUnwritten, grave).at(0).severity == Severity::Error);
}

TEST_CASE("check newcomer: a buffer that has data is not wanted whole") {
  OpenRequest request;
  request.inputs.data["out"] = std::vector<std::byte>(50 * 8 * 4);
  OpenedText opened = open_text(RowsOfFifty{.rows = 48}.text(), {}, request);
  REQUIRE(opened.opened);
  CHECK(told_by(*Recording::run(std::move(opened.opened->program), {}), kUnwritten).empty());
}

TEST_CASE("check newcomer: a store of fewer columns than were written") {
  CHECK(told_by(*record_of_text(RowsOfFifty{}.text()), kNarrowed).empty());
  const auto told = told_by(*record_of_text(RowsOfFifty{.used = 7}.text()), kNarrowed);
  REQUIRE(!told.empty());
  CHECK(told[0].text == "tstore takes 7 of the 8 columns of %b that tmuls (step 3) wrote");
  CHECK(told[0].severity == Severity::Note);
  CHECK(told[0].notes.size() == 1);
}

TEST_CASE("check newcomer: a mean over 99 of 100 columns") {
  const auto text = [](int cols) {
    const std::string tile = "!pto.tile_buf<vec, 16x104xf32, valid=?x?>",
                      mean = "!pto.tile_buf<vec, 16x1xf32, blayout=col_major>";
    return fmt::format(
        "%c16 = arith.constant 16 : index\n%c100 = arith.constant 100 : index\n%n = arith.constant {2} : index\n"
        "%one = arith.constant 1.0 : f32\n"
        "%a = pto.alloc_tile valid_row = %c16 valid_col = %c100 : {0}\n%tmp = pto.alloc_tile : !pto.tile_buf<vec, 16x104xf32>\n"
        "%sum = pto.alloc_tile : {1}\npto.texpands ins(%one : f32) outs(%a : {0})\n"
        "pto.set_validshape %a, %c16, %n : {0}\n"
        "pto.trowsum ins(%a, %tmp : {0}, !pto.tile_buf<vec, 16x104xf32>) outs(%sum : {1})\n",
        tile, mean, cols);
  };
  CHECK(told_by(*record_of_text(text(100)), kNarrowed).empty());
  const auto told = told_by(*record_of_text(text(99)), kNarrowed);
  REQUIRE(told.size() == 1);
  CHECK(told[0].text == "trowsum takes 99 of the 100 columns of %a that texpands (step 0) wrote");
}

TEST_CASE("check newcomer: a program without flags says so once") {
  const auto told = told_by(*record_of_text(RowsOfFifty{.flags = false}.text()), kSynchronous);
  REQUIRE(told.size() == 1);
  CHECK(told[0].text == "no flags: synchronous form assumed; V waits for what MTE2 did before it");
  CHECK(told[0].severity == Severity::Note);
  CHECK(told_by(*record_of_text(RowsOfFifty{}.text()), kSynchronous).empty());
  // One pipe alone waits for nobody.
  const auto one = record_of_text(
      "%one = arith.constant 1.0 : f32\n%a = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>\n"
      "pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 4x8xf32>)\n");
  CHECK(told_by(*one, kSynchronous).empty());
}

// MTE1 moves what MTE2 loaded, M multiplies that: without flags these too wait only because the assembler sees to it.
TEST_CASE("check newcomer: the cube core's programs without flags say so too, and those with flags do not") {
  std::string text = get_text("samples/cube/matmul.pto");
  const auto told = told_by(*record_of_text(text), kSynchronous);
  REQUIRE(told.size() == 1);
  CHECK(told[0].text == "no flags: synchronous form assumed; MTE1 waits for what MTE2 did before it");
  const std::size_t store = text.rfind("    pto.tstore");
  REQUIRE(store != std::string::npos);
  text.insert(store,
              "    pto.set_flag [<PIPE_M>, <PIPE_FIX>, <EVENT_ID0>]\n"
              "    pto.wait_flag [<PIPE_M>, <PIPE_FIX>, <EVENT_ID0>]\n");
  CHECK(told_by(*record_of_text(text), kSynchronous).empty());
}

TEST_CASE("check newcomer: samples that are right are told of nothing but missing flags") {
  std::size_t looked_at = 0;
  CheckOptions options;
  for (const CheckRow& row : checks()) options.set(row.kind, Level::Off);
  options.set(FindingKind::Rule, Level::Own);
  options.set(FindingKind::Flags, Level::Own);
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples")) {
    if (entry.path().extension() != ".pto" || entry.path().filename().string().starts_with("bug_")) continue;
    if (++looked_at % 6 != 0 && kSanitized) continue;
    CAPTURE(entry.path().string());
    const std::string text = get_text(entry.path().string());
    OpenedText opened = open_text(text);
    REQUIRE(opened.opened);
    const auto recording = Recording::run(std::move(opened.opened->program), {});
    const bool flags = has(text, "set_flag") || has(text, "record_event") || has(text, "pto.barrier");
    for (const auto* rule : {kUnwritten, kNarrowed})
      for (const Diagnostic& one : told_by(*recording, rule, options)) CHECK_MESSAGE(false, one.format());
    CHECK(told_by(*recording, kSynchronous, options).size() <= (flags ? 0 : 1));
  }
  CHECK(looked_at > 40);
}

}  // namespace ts::test
