// Lessons at the command line.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

std::string lesson_of(const std::string& steps) {
  return "return pto.lesson{title='t', teaches='t', family='t', file='row_loop', steps={" + steps + "}}";
}

ProcessResult check_text(const std::string& text) {
  const TempFolder folder;
  put_text(folder / "mine.lua", text);
  return tilescope({"lesson", folder / "mine.lua", "--check"});
}

}  // namespace

TEST_CASE("cli lesson: the list has every lesson, and each of them can be answered") {
  const ProcessResult list = tilescope({"lesson"});
  CHECK(list.status == 0);
  int lessons = 0;
  for (const auto& entry : std::filesystem::directory_iterator("assets/lessons")) {
    if (entry.path().extension() != ".lua") continue;
    const std::string name = entry.path().stem();
    CAPTURE(name);
    CHECK(has(list.out, name + " "));
    const ProcessResult checked = tilescope({"lesson", name, "--check"});
    CHECK_MESSAGE(checked.status == 0, checked.err);
    CHECK(has(checked.out, "all can be answered"));
    ++lessons;
  }
  CHECK(lessons >= 11);
}

TEST_CASE("cli lesson: what is wrong decides the status") {
  CHECK(check_text(lesson_of("{say='x'}")).status == 0);
  const ProcessResult unknown = check_text(lesson_of("{ask='?', answer=function(a) return a == 'x' end}"));
  CHECK(unknown.status == 1);
  CHECK(has(unknown.err, "step 1: answer: only a function knows what is right"));
  CHECK(check_text(lesson_of("{ask='?', answer=function(a) return a == 'x' end, solution='x'}")).status == 0);
  const ProcessResult refused = check_text(lesson_of("{ask='?', answer=function(a) return false end, solution='x'}"));
  CHECK(refused.status == 1);
  CHECK(has(refused.err, "the answer 'x' is not taken"));
  // A function is asked where the learner is.
  const std::string of_position = "function(a) return tostring(pto.current().pos) == a end";
  const std::string text = lesson_of("{say='x', at=1}, {ask='?', at=3, solution='3', answer=" + of_position +
                                     "}, {ask='?', solution='3', answer=" + of_position + "}");
  const ProcessResult asked = check_text(text);
  CAPTURE(asked.err);
  CHECK(asked.status == 0);
  const ProcessResult wrong = check_text(lesson_of("{sayy='x'}"));
  CHECK(wrong.status == 3);
  CHECK(has(wrong.err, "did you mean say?"));
  CHECK(check_text("return 1").status == 3);
  CHECK(check_text("while true do end").status == 5);
  CHECK(tilescope({"lesson", "gone", "--check"}).status == 4);
  CHECK(has(tilescope({"lesson", "gone", "--check"}).err, "lessons are zip, unzip, "));
  CHECK(tilescope({"lesson", "--check"}).status == 4);
}

TEST_CASE("cli lesson: a program beside the lesson is found, wherever one stands") {
  const TempFolder folder;
  put_text(folder / "kernel.pto", get_text("samples/masked_sum.pto"));
  put_text(folder / "mine.lua",
           "return pto.lesson{title='t', teaches='t', family='t', file='kernel.pto', "
           "steps={{predict={tile='sum', cols={0}}, at='tadd'}}}");
  const ProcessResult checked = tilescope({"lesson", folder / "mine.lua", "--check"});
  CHECK_MESSAGE(checked.status == 0, checked.err);
}

TEST_CASE("cli lesson: its steps as text") {
  const ProcessResult printed = tilescope({"lesson", "zip", "--print"});
  CHECK(printed.status == 0);
  CHECK(has(printed.out, "step 3 (position 0, step 0 comes next)"));
  CHECK(has(printed.out, "predict: dst0 [0,0] [0,1] [0,2]"));
  CHECK(has(printed.out, "answer: src1[0,0]"));
}

TEST_CASE("manual: every lesson and script in the page for teachers runs") {
  const std::string guide = get_text("assets/manual/lessons.md");
  const std::string begin = "```lua\n", end = "```\n";
  int blocks = 0;
  for (std::size_t at = guide.find(begin); at != std::string::npos; at = guide.find(begin, at)) {
    at += begin.size();
    const TempFolder folder;
    const std::string text = guide.substr(at, guide.find(end, at) - at);
    put_text(folder / "block.lua", text);
    const ProcessResult run = tilescope({"script", folder / "block.lua"});
    CHECK_MESSAGE(run.status == 0, text, run.out, run.err);
    if (has(text, "return pto.lesson")) {
      const ProcessResult checked = tilescope({"lesson", folder / "block.lua", "--check"});
      CHECK_MESSAGE(checked.status == 0, checked.err);
    }
    ++blocks;
  }
  CHECK(blocks == 3);
}

}  // namespace ts::test
