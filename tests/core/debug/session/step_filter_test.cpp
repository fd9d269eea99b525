// The filter line: what it finds, against brute force, and what it says when it is wrong.
#include "core/debug/session/step_filter.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "tests/support/debug/session_model.h"
#include "tests/support/record/recorded.h"

namespace ts::test {
namespace {

StepQuery query_of(std::string_view text, const Recording& recording) {
  auto read = read_filter(text, recording);
  CAPTURE(text);
  if (const auto* wrong = std::get_if<WrongFilter>(&read)) FAIL(wrong->refusal.text);
  return std::get<StepQuery>(read);
}

std::vector<std::uint32_t> found(const SharedRecording& recording, std::string_view text) {
  Session session(recording);
  const StepQuery query = query_of(text, *recording);
  std::vector<std::uint32_t> steps;
  for (std::uint32_t next = 0; next < recording->count();) {
    const StepsFound part = find_steps(session, query, next, nullptr);
    REQUIRE(part.next > next);
    steps.insert(steps.end(), part.steps.begin(), part.steps.end());
    next = part.next;
  }
  return steps;
}

// "text | hint @ what it is about"
std::string wrong(const SharedRecording& recording, std::string_view text) {
  const auto read = read_filter(text, *recording);
  const auto* refused = std::get_if<WrongFilter>(&read);
  if (refused == nullptr) return "";
  return fmt::format("{} | {} @ {}", refused->refusal.text, refused->refusal.hint,
                     text.substr(refused->begin, refused->end - refused->begin));
}

}  // namespace

TEST_CASE("step filter: finds what plain looking finds") {
  for (const Recorded& recorded : some_recordings(501)) {
    CAPTURE(recorded.name);
    const Recording& recording = *recorded.recording;
    const Facts facts(recording);
    const std::uint32_t some = recording.count() / 2;
    const std::string op = facts.step(some).op;
    const std::uint32_t line = facts.step(some).line;
    const auto all = [&](auto fits) {
      std::vector<std::uint32_t> steps;
      for (std::uint32_t step = 0; step < facts.count(); ++step)
        if (fits(step)) steps.push_back(step);
      return steps;
    };
    const auto touches = [&](std::uint32_t step, Touch touch, Flat begin, Flat end) {
      for (Flat at = begin; at < end; ++at)
        if (facts.touches(step, touch, at)) return true;
      return false;
    };
    CHECK(found(recorded.recording, "").size() == facts.count());
    CHECK(found(recorded.recording, "op:" + op) == all([&](std::uint32_t s) { return facts.step(s).op == op; }));
    CHECK(found(recorded.recording, "finding") ==
          all([&](std::uint32_t s) { return facts.step(s).finding.has_value(); }));
    if (line != 0)
      CHECK(found(recorded.recording, fmt::format("line:{} op:pto.{}", line, op)) ==
            all([&](std::uint32_t s) { return facts.step(s).line == line && facts.step(s).op == op; }));
    CHECK(found(recorded.recording, fmt::format("TLOAD core:{}", recording.program().blocks - 1)) ==
          all([&](std::uint32_t s) {
            return facts.step(s).text.find("tload") != std::string::npos &&
                   recording.step(s).block == recording.program().blocks - 1;
          }));
    const Flat ub = recording.map().origin(Space::Ub);
    CHECK(found(recorded.recording, "writes:ub[0x400..0x480]") ==
          all([&](std::uint32_t s) { return touches(s, Touch::Write, ub + 0x400, ub + 0x480); }));
    CHECK(found(recorded.recording, "reads:ub[1024, 1152)") ==
          all([&](std::uint32_t s) { return touches(s, Touch::Read, ub + 0x400, ub + 0x480); }));
  }
}

TEST_CASE("step filter: tiles, elements and buffers are places") {
  const SharedRecording recording = record_sample("transpose_loop");
  const Facts facts(*recording);
  Session session(recording);
  for (std::uint32_t id = 0; id < recording->program().tiles.size(); ++id) {
    const TileDecl& decl = recording->program().tiles[id];
    if (decl.implicit) continue;
    std::vector<std::uint32_t> expected, expected_element;
    for (std::uint32_t step = 0; step < facts.count(); ++step) {
      const TileRef tile = session.tile_at(id, step);
      const Flat begin = recording->map().flat(tile.range());
      const auto writes = [&](Flat at) { return facts.touches(step, Touch::Write, at); };
      bool any = false;
      for (std::uint32_t i = 0; i < tile.range().size; ++i) any = any || writes(begin + i);
      if (any) expected.push_back(step);
      if (writes(recording->map().flat(tile.space(), tile.at(0, 0)))) expected_element.push_back(step);
    }
    CHECK(found(recording, "writes:%" + decl.name) == expected);
    CHECK(found(recording, fmt::format("writes:{}[0, 0]", decl.name)) == expected_element);
  }
  const BufferDecl& buffer = recording->program().buffers.front();
  CHECK(found(recording, "writes:" + buffer.name) ==
        found(recording, fmt::format("writes:gm[{}..{}]", buffer.address, buffer.address + buffer.size())));
}

TEST_CASE("step filter: what is wrong is said, where it is, and what would be right") {
  const SharedRecording recording = record_sample("masked_select");
  CHECK(wrong(recording, "  op:tsle") == "there is no operation tsle | did you mean tsel or tsels or tshl? @ op:tsle");
  CHECK(wrong(recording, "nan opp:tsel") == "there is no 'opp:' | did you mean op? @ opp:tsel");
  CHECK(wrong(recording, "colour:red") ==
        "there is no 'colour:' | it can be op:, line:, writes:, reads:, pipe:, core:, block: @ colour:red");
  CHECK(wrong(recording, "op:tgatherb").starts_with("there is no tgatherb in the program | it has "));
  CHECK(wrong(recording, "line:1").starts_with("line 1 has no instruction | the next one is in line "));
  CHECK(wrong(recording, "line:x") == "'x' is no line | a number, as in line:40 @ line:x");
  CHECK(wrong(recording, "pipe:W") == "there is no pipe 'W' | S, V, M, MTE1, MTE2, MTE3 or FIX @ pipe:W");
  CHECK(wrong(recording, "core:1") == "there is no core 1 | the program ran on core 0 alone @ core:1");
  CHECK(wrong(recording, "op:tsel op:tsel") == "op: is given twice | no step is both; leave one out @ op:tsel");
  CHECK(wrong(recording, "writes:") == "writes: of what? | as in writes:t2 @ writes:");
  CHECK(wrong(recording, "writes:ub[0x400..0x300]") ==
        "'ub[0x400..0x300]' has no bytes | the end is not part of a range @ writes:ub[0x400..0x300]");
  CHECK(wrong(recording, "reads:ub[5]").starts_with("'ub[5]' is no range of bytes | as in ub[0x400..0x800]"));
  CHECK(wrong(recording, "reads:ub[0..0x100000]").starts_with("ub has 0x"));
  CHECK(wrong(recording, "reads:zzzzzzzz").starts_with("there is no tile or buffer 'zzzzzzzz' | bytes are written as"));
  CHECK(wrong(recording, "pipe:pipe_v PIPE:v").starts_with("pipe: is given twice"));
}

TEST_CASE("step filter: a search that is told to stop says where it got to") {
  const SharedRecording recording = record_sample("row_loop");
  Session session(recording);
  const StepsFound part = find_steps(session, {}, 3, [] { return false; });
  CHECK(part.next == 3);
  CHECK(part.steps.empty());
}

TEST_CASE("step filter: every word of its help can be read") {
  const SharedRecording recording = record_sample("row_loop");
  for (const FilterWord& word : filter_words()) {
    CAPTURE(word.example);
    const auto read = read_filter(word.example, *recording);
    const auto* refused = std::get_if<WrongFilter>(&read);
    // The program need not have the tile or the line of the example.
    if (refused == nullptr) continue;
    CHECK_FALSE(refused->refusal.text.starts_with("there is no '"));
    CHECK_FALSE(refused->refusal.text.starts_with("'"));
  }
}

}  // namespace ts::test
