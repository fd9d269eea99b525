// Pages about a step: whole, alone, small, the same every time, and true.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "core/report/escape.h"
#include "core/report/html_report.h"
#include "tests/support/process/cli.h"
#include "tests/support/record/recorded.h"
#include "tests/support/report/markup.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::size_t kMostBytes = 400'000;

std::string page_of(Session& session, const HtmlReportRequest& request) {
  const auto page = html_report(session, request);
  if (const auto* refusal = std::get_if<Refusal>(&page)) FAIL(refusal->text);
  return std::get<std::string>(page);
}

void is_good(const std::string& page) {
  CHECK(markup_error(page) == "");
  CHECK(outside_reference(page) == "");
  CHECK(page.size() < kMostBytes);
}

std::string refusal_of(Session& session, const HtmlReportRequest& request) {
  const auto page = html_report(session, request);
  const auto* refusal = std::get_if<Refusal>(&page);
  return refusal != nullptr ? refusal->text + " (" + refusal->hint + ")" : "";
}

// Element `index` of a buffer as it was given.
float given(const Recording& recording, std::string_view name, std::size_t index) {
  for (const BufferDecl& buffer : recording.program().buffers) {
    if (buffer.name != name) continue;
    float value = 0;
    REQUIRE(buffer.data.size() >= 4 * (index + 1));
    std::memcpy(&value, buffer.data.data() + 4 * index, 4);
    return value;
  }
  FAIL("no such buffer");
  return 0;
}

std::string hex_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  return fmt::format("0x{:08x}", bits);
}

// As tests of text: shares of a page between two headings.
std::string between(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  REQUIRE(begin != std::string::npos);
  return text.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("page: an element of a split, with its source, bits and way back") {
  const SharedRecording recording = record_sample("complex_split");
  Session session(recording);
  const std::string page =
      page_of(session, {.step = 5, .tile = "im", .row = 1, .col = 7, .launch = {.file = "k.pto", .seed = 1}});
  is_good(page);
  const std::string text = text_of(page);
  // im[r][c] is the odd element 2c + 1 of row r of both halves together, which are 12 wide each: element 15 of 24.
  const float value = given(*recording, "iq", 24 + 15);
  CHECK(has(text, fmt::format("from %second[1,3] = {}", value)));
  CHECK(has(between(text, "%im[1,7], exactly", "address"), hex_of(value)));
  CHECK(has(text, "ub: 0x300 + (1*16 + 7)*4 = 0x35c"));
  CHECK(has(text, fmt::format("iq[1,15] = {}  (input)", value)));
  CHECK(has(text, "tilescope run k.pto --target a5 --step 5 --cell 'im[1,7]'"));
  CHECK(has(text, fmt::format("pto.assert.equal(t:bits(1, 7), 0x{:x})", std::stoul(hex_of(value), nullptr, 16))));
  CHECK(has(text, "digest of the run: " + recording->digest()));
  CHECK(times(page, "class=\"ring\"") == 2);  // the element, and the legend
  CHECK(has(text, "undefined: nothing has written"));
}

TEST_CASE("page: the way back says everything that the run was given") {
  Session session(record_sample("complex_split"));
  RunOrigin launch{.file = "k.pto", .seed = 1, .order = "reverse", .comm = "strict", .private_slots = true};
  launch.inputs = {{"iq", GivenInput::Kind::Made, "edge"}, {"w", GivenInput::Kind::Raw, "bf16:2x2"}};
  const std::string text = text_of(page_of(session, {.step = 5, .launch = launch}));
  CHECK(has(text, "--make iq=edge --raw w=bf16:2x2"));
  CHECK(has(text, "--order reverse --comm strict --private-slots"));
  CHECK(has(text,
            "make = {[\"iq\"] = \"edge\"}, private_slots = true}):record({order = \"reverse\", comm = \"strict\"})"));
}

TEST_CASE("page: a mask's bit that decided is drawn with its byte") {
  const SharedRecording recording = record_sample("masked_sum");
  Session session(recording);
  const std::string page = page_of(session, {.step = 6, .tile = "out", .row = 0, .col = 2});
  is_good(page);
  const std::string text = text_of(page);
  CHECK(has(text, "bit 2 governs [0,2]"));
  CHECK(has(text, fmt::format("from %sum[0,2] = {}", given(*recording, "x", 2) + given(*recording, "y", 2))));
  CHECK(has(page, "class=\"line s-mask decides\""));
  CHECK(has(text, "What the inputs were is not known here"));
}

TEST_CASE("page: every step of every sample, twice the same") {
  for (const auto& file : std::filesystem::directory_iterator("samples")) {
    if (file.path().extension() != ".pto") continue;
    const std::string name = file.path().stem();
    CAPTURE(name);
    const SharedRecording recording = record_sample(name);
    Session session(recording), other(record_sample(name));
    // Kernels have hundreds of steps that are much alike.
    for (std::uint32_t step = 0; step < recording->count(); step += rounds(42u, 3u, 1u)) {
      CAPTURE(step);
      const std::string page = page_of(session, {.step = step});
      is_good(page);
      if (step % 21 == 0) CHECK(page == page_of(other, {.step = step}));
    }
    for (std::size_t i = 0; i < session.findings().size(); ++i) is_good(page_of(session, {.finding = i}));
  }
}

TEST_CASE("page: random programs, whole and thinned") {
  for (const Recorded& one : some_recordings(8)) {
    CAPTURE(one.name);
    Session session(one.recording);
    for (std::uint32_t step = 0; step < one.recording->count(); step += 1 + one.recording->count() / 12)
      is_good(page_of(session, {.step = step}));
  }
}

TEST_CASE("page: a finding that ended the run tells its bytes and where they came from") {
  const SharedRecording recording = record_sample("bug_offset_units");
  Session session(recording);
  REQUIRE(!session.findings().empty());
  const std::string page = page_of(session, {.finding = 0});
  is_good(page);
  const std::string text = text_of(page);
  CHECK(has(text, session.findings()[0].diagnostic.rule));
  CHECK(has(text, session.findings()[0].diagnostic.text));
  CHECK(has(text, "where[0,0] = "));
  CHECK(has(text, "pto.assert.equal(rec.count, 4)"));
}

TEST_CASE("page: a finding about an input explains what the input reached") {
  const SharedRecording recording = record_sample("complex_split");
  Session session(recording);
  auto findings = std::make_shared<std::vector<Finding>>(1);
  Finding& finding = findings->front();
  finding.step = 5;
  finding.diagnostic = {"X-R1", Severity::Warning, {47, 5}, "src1", "odd <b>&amp;", "do \"that\""};
  finding.diagnostic.notes.push_back({{3, 1}, "a note"});
  finding.element = FoundElement{1, 1, 3, {Space::Ub, 0x14c, 4}};
  session.set_findings(findings);
  const std::string page = page_of(session, {.finding = 0});
  is_good(page);
  const std::string text = text_of(page);
  CHECK(has(text, "Where %im[1,7] came from"));
  CHECK(has(text, "%second[1,3], exactly"));
  CHECK(has(text, "odd <b>&amp;"));
  CHECK(has(text, "do \"that\""));
  CHECK(has(text, "Line 3: a note"));
  CHECK(times(page, "class=\"bad\"") == 4);  // two borders of the cell, and of the legend
}

TEST_CASE("page: what has no step, finding or element is refused with what there is") {
  Session session(record_sample("complex_split"));
  CHECK(refusal_of(session, {.step = 11}) == "there is no step 11 (they are 0 to 10)");
  CHECK(refusal_of(session, {.finding = 0}) == "there is no finding 0 (nothing was found)");
  CHECK(refusal_of(session, {.step = 5, .tile = "x"}) ==
        "step 5 has no tile or buffer x (it has first, second, re, im)");
  CHECK(refusal_of(session, {.step = 5, .tile = "im", .row = 4}) ==
        "im[4,0]: im is 4x16 (rows and columns count from 0)");
}

TEST_CASE("page: names and texts of strangers stay texts") {
  constexpr std::string_view kHostile =
      R"pto(// </pre><script>alert(1)</script> <img src=x onerror="alert(2)"> &lt; ]]> --> '"
module attributes {pto.target_arch = "a5"} {
  func.func @k() {
    %a = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    %s = arith.constant 1.5 : f32
    pto.texpands ins(%s : f32) outs(%a : !pto.tile_buf<vec, 2x8xf32>)  // </span><svg onload=alert(3)>
    return
  }
}
)pto";
  Diagnostics told;
  const auto tree = read_program("<b>\"x\"&\x01\xFF'.pto", std::string(kHostile), told);
  const std::vector<EntryPoint> entries = entry_points(*tree, told);
  REQUIRE(!entries.empty());
  auto opened = open_program(tree, entries.front(), {.target = Target::A5}, told);
  REQUIRE(opened.has_value());
  const SharedRecording recording = Recording::run(std::move(opened->program), {.budget_bytes = kPlentyOfBytes});
  Session session(recording);
  HtmlReportRequest hostile{.step = 0};
  hostile.launch = {.file = "$(rm -rf x); '<i>'\n.pto", .seed = 1};
  hostile.launch.inputs = {{"<u>", GivenInput::Kind::File, "a b;c"},
                           {"\"]]", GivenInput::Kind::Number, "\"..os.exit()..\""},
                           {"<s>", GivenInput::Kind::MadeUp, "</td>"}};
  const std::string page = page_of(session, hostile);
  is_good(page);
  CHECK(!has(page, "<script"));
  CHECK(!has(page, "<img"));
  CHECK(!has(page, "<svg onload"));
  const std::string seen = text_of(page);
  CHECK(has(seen, "</pre><script>alert(1)</script>"));
  CHECK(has(seen, "tilescope run '$(rm -rf x); '\\''<i>'\\''\n.pto' --target a5 --in '<u>=a b;c'"));
  CHECK(has(seen, R"(["\"]]"] = "\"..os.exit()..\"")"));
  CHECK(has(seen, "$(rm -rf x); '<i>'\\010.pto"));
}

TEST_CASE("page: tiles and texts of any size make a small page") {
  std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k() {\n    %s = arith.constant 1 : i8\n"
      "    %a = pto.alloc_tile : !pto.tile_buf<vec, 256x512xi8>\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("    %c{} = arith.constant {} : index\n", i, i);
  text += "    pto.texpands ins(%s : i8) outs(%a : !pto.tile_buf<vec, 256x512xi8>)" + std::string(100'000, ' ') +
          "\n    return\n  }\n}\n";
  Session session(record_text(text));
  const std::string page = page_of(session, {.step = 0, .tile = "a", .row = 200, .col = 500});
  is_good(page);
  CHECK(has(text_of(page), "rows 196 to 203 of 256; columns 492 to 507 of 512"));
  CHECK(has(text_of(page), "131072 in the valid region of 256x512"));
}

TEST_CASE("page: escapes") {
  CHECK(html_text("a<b>&\"'\n\t\x01") == "a&lt;b&gt;&amp;&quot;&#39;\n\t\xEF\xBF\xBD");
  CHECK(html_text("\xE2\x82\xAC \xE2\x82 \xC0\xAF \xED\xA0\x80 \xF4\x90\x80\x80") ==
        "\xE2\x82\xAC \xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD "
        "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(json_string("a\"\\\n\t\x7F\xFF") == "\"a\\\"\\\\\\n\\u0009\\u007f\xEF\xBF\xBD\"");
  CHECK(shell_word("x=x.npy") == "x=x.npy");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("im[1,7]") == "'im[1,7]'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(lua_string("a\"\\\n") == "\"a\\\"\\\\\\010\"");
}

TEST_CASE("page: the check of markup finds what is wrong") {
  const std::string good = "<!DOCTYPE html>\n<html lang=\"en\"><p a=\"1\">x &lt; y<br /></p></html>\n";
  CHECK(markup_error(good) == "");
  const auto with = [&](std::string_view old, std::string_view now) {
    std::string page = good;
    page.replace(page.find(old), old.size(), now);
    return markup_error(page) != "";
  };
  CHECK(with("</p>", ""));
  CHECK(with("</p></html>", "</html></p>"));
  CHECK(with("&lt;", "<"));
  CHECK(with("&lt;", "&"));
  CHECK(with("a=\"1\"", "a=1"));
  CHECK(with("a=\"1\"", "a=\"1\" a=\"2\""));
  CHECK(with("</html>", ""));
  CHECK(outside_reference("<p><a href=\"x\">y</a></p>") != "");
  CHECK(outside_reference("<p style=\"background:url(x)\">y</p>") != "");
  CHECK(outside_reference("<P><SCRIPT>x</SCRIPT></P>") != "");
}

}  // namespace ts::test
