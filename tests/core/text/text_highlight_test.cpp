// What the words of a line are; and how stops are written and read.
#include "core/text/highlight.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/debug/session/stop_text.h"
#include "tests/support/record/recorded.h"
#include "tests/support/text/open_text.h"

namespace ts::test {
namespace {

// "op pto.tadd|name %a|..."
std::string words(std::string_view program, std::uint32_t line) {
  const auto opened = open_text(program);
  constexpr const char* kNames[] = {"plain", "comment", "name",   "symbol",   "op",
                                    "type",  "number",  "string", "attribute"};
  std::string out;
  const std::string_view text = opened.tree->source->line(line);
  for (const text::ColoredWord& word : text::colored_words(*opened.tree, line))
    out += fmt::format("{}{} {}", out.empty() ? "" : "|", kNames[static_cast<int>(word.kind)],
                       text.substr(word.begin, word.end - word.begin));
  return out;
}

}  // namespace

TEST_CASE("highlight: the words of a line are known by what they are") {
  const std::string_view program =
      "// a comment\n"
      "func.func @f(%a: !pto.tile_buf<vec, 16x16xf32>, %n: index) {  // behind code\n"
      "  %c = arith.constant 16 : i32\n"
      "  pto.tadd ins(%a, %a : !pto.tile_buf<vec, 16x16xf32>,\n"
      "  pto.set_flag [<PIPE_V>, \"x\"]\n";
  CHECK(words(program, 1) == "comment // a comment");
  CHECK(words(program, 2) ==
        "op func.func|symbol @f|name %a|type !pto.tile_buf<vec, 16x16xf32>|name %n|type index|comment // behind code");
  CHECK(words(program, 3) == "name %c|op arith.constant|number 16|type i32");
  CHECK(words(program, 4) == "op pto.tadd|name %a|name %a|type !pto.tile_buf<vec, 16x16xf32>");
  CHECK(words(program, 5) == "op pto.set_flag|string \"x\"");
}

TEST_CASE("highlight: loops have titles") {
  const SharedRecording recording = record_sample("row_loop");
  for (std::uint32_t step = 0; step < recording->count(); ++step)
    for (const LoopTurn& turn : recording->loops(step))
      CHECK(text::loop_title(*recording->program().tree, turn.pos) == "for %row");
  CHECK(text::loop_title(*recording->program().tree, {}) == "loop");
}

namespace {

std::string stop(Session& session, std::string_view text) {
  const auto read = read_stop(text, session);
  if (const auto* refusal = std::get_if<Refusal>(&read))
    return fmt::format("no: {} | {}", refusal->text, refusal->hint);
  return describe(std::get<StopRule>(read));
}

}  // namespace

TEST_CASE("stop text: what is written is what is waited for") {
  Session session(record_sample("masked_select"));
  CHECK(stop(session, "TSEL") == "tsel");
  CHECK(stop(session, " 40 ") == "line 40");
  CHECK(stop(session, "line 40") == "line 40");
  CHECK(stop(session, "@3") == "step 3");
  CHECK(stop(session, "step 3") == "step 3");
  CHECK(stop(session, "nan") == "makes a NaN");
  CHECK(stop(session, "op:tsel finding") == "tsel, something is found");
  CHECK(stop(session, "writes:ub[0x0..0x20] op:tload") == "tload, writes ub[0x0..0x20]");
  CHECK(stop(session, "reads:ub[0..32]") == "reads ub[0..32]");
  CHECK(stop(session, "") == "no: nothing is said to stop at | a mnemonic, a line's number, or step 12");
  CHECK(stop(session, "tsal").starts_with("no: there is no operation tsal | did you mean tsel"));
  CHECK(stop(session, "step x") == "no: 'x' is no step | a number, as in step 12");
  CHECK(stop(session, "core:0") == "on core 0");
  CHECK(stop(session, "tsel on core 0") == "tsel, on core 0");
  CHECK(stop(session, "tsel on core 1") == "no: there is no core 1 | the program ran on core 0 alone");
  CHECK(stop(session, "pipe:V").starts_with("no: 'pipe:V' is nothing to stop at"));
  const auto& program = session.recording().program();
  const std::string tile = program.tiles.front().name;
  CHECK(stop(session, "writes:" + tile) == "writes " + tile);
}

}  // namespace ts::test
