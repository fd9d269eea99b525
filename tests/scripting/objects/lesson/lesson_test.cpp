// pto.lesson: what it refuses, hostile lessons, and every lesson that the program brings along, walked to its end.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scripting/objects/lesson/lesson_file.h"
#include "scripting/run/engine.h"
#include "tests/support/process/cli.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

using scripting::LessonFile;

// A lesson over row_loop, with these steps.
std::string with_steps(const std::string& steps, const std::string& more = "") {
  return fmt::format("return pto.lesson{{title='t', teaches='t', family='t', file='row_loop', {} steps={{{}}}}}", more,
                     steps);
}

std::string error_of(const std::string& steps, const std::string& more = "") {
  std::string text = script_error(with_steps(steps, more));
  if (text.starts_with("pto.lesson: ")) text = text.substr(12);
  return text;
}

std::shared_ptr<LessonFile> open_text(const std::string& text, const scripting::SandboxLimits& limits = {}) {
  ScriptRun run;
  auto opened = LessonFile::open(script_host(run), text, "test.lua", limits);
  const auto* failed = std::get_if<LessonFile::Failure>(&opened);
  REQUIRE_MESSAGE(failed == nullptr, (failed != nullptr ? failed->text : ""));
  return std::get<std::shared_ptr<LessonFile>>(opened);
}

LessonFile::Failure failure_of(const std::string& text, const scripting::SandboxLimits& limits = {}) {
  ScriptRun run;
  auto opened = LessonFile::open(script_host(run), text, "test.lua", limits);
  const auto* failed = std::get_if<LessonFile::Failure>(&opened);
  return failed != nullptr ? *failed : LessonFile::Failure{0, "it opens"};
}

std::vector<std::string> lesson_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("assets/lessons"))
    if (entry.path().extension() == ".lua") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("lesson: what is written wrong is told with its step and its field") {
  constexpr struct {
    const char *steps, *said;
  } kCases[] = {
      {"", "steps: a lesson has at least one step"},
      {"1", "step 1: wanted a table, got the number 1"},
      {"{}", "step 1: it says nothing and asks nothing (say = \"...\")"},
      {"{say=1}", "step 1: say: wanted a text, got the number 1"},
      {"{sayy='x'}",
       "step 1: there is no 'sayy'; did you mean say? (it may have say, ask, choices, answer, why, solution, "
       "predict, find, hint, at, next, show, as, highlight)"},
      {"{say='x'}, {say='y', at=-1}",
       "step 2: at: wanted an instruction such as \"tadd\" or a number, got the number -1"},
      {"{say='x', at=10000}",
       "step 1: at: there is no position 10000 (the program makes 44 steps, so positions go from 0 to 44)"},
      {"{say='x', at='tnope'}",
       "step 1: at: no step of the program is tnope (the names are those of `tilescope list`)"},
      {"{say='x', at='tadd x'}",
       "step 1: at: wanted an instruction and which of them, such as \"tadd 2\", got the text 'tadd x'"},
      {"{say='x', next=1}", "step 1: next: wanted true or false, got the number 1"},
      {"{say='x', hint='y'}", "step 1: hint belongs to a question"},
      {"{say='x', why='y'}", "step 1: why belongs to a question"},
      {"{say='x', choices={'a','b'}}", "step 1: choices belongs to ask"},
      {"{ask='x', answer='a', predict={tile='y'}}",
       "step 1: there are several questions (a step has one of ask, predict and find)"},
      {"{ask='x'}", "step 1: answer: nothing says what is right (answer = a text, a list of texts, or a function)"},
      {"{ask='x', answer=true}", "step 1: answer: wanted a text, a number, a list of them or a function, got true"},
      {"{ask='x', answer={{}}}", "step 1: answer: wanted a text, a number, a list of them or a function, got a table"},
      {"{ask='x', choices={'a'}, answer='a'}", "step 1: choices: there is only one choice"},
      {"{ask='x', choices={'a','b'}, answer='c'}", "step 1: answer: 'c' is none of the choices"},
      {"{ask='x', choices={'a','b'}, answer='a', why={'y'}}",
       "step 1: why: there are 1 reasons for 2 choices (one text for each choice, or one text for all)"},
      {"{ask='x', choices={1,2}, answer='a'}", "step 1: choices: wanted a text, got the number 1"},
      {"{predict={}}", "step 1: predict.tile: wanted the name of a result, got nil"},
      {"{predict={tile='sum'}}", "step 1: predict: no cells are to be predicted (row = 0, cols = {0, 7})"},
      {"{predict={tile='sum', cols={0}, cells={{0,0}}}}",
       "step 1: predict: there are both cells and row, cols (give one of them)"},
      {"{predict={tile='sum', cells={0}}}",
       "step 1: predict.cells: wanted a list such as {{0, 3}, {1, 5}}, got a table"},
      {"{predict={tile='sum', cells={{0}}}}", "step 1: predict: cells: number 1 is no row and column (as in {0, 3})"},
      {"{predict={tile='sum', cols={-1}}}", "step 1: predict.cols: wanted a whole number from 0 on, got the number -1"},
      {"{predict={tile='sum', cols={0}, by='bits'}}",
       "step 1: predict.by: wanted \"value\" or \"source\", got the text 'bits'"},
      {"{find={}}", "step 1: find: one of step, cell and finding says what is right"},
      {"{find={step='tadd', cell='x[0,0]'}}", "step 1: find: one of step, cell and finding says what is right"},
      {"{find={finding='nope'}}",
       "step 1: find.finding: wanted a kind that `tilescope check --help` lists, such as \"defined\", got the text "
       "'nope'"},
      {"{find={step='tadd', what='step'}}", "step 1: find: what belongs to finding (step and cell say it themselves)"},
      {"{find={cell={'nope', 0, 0}}}",
       "step 1: find.cell: there is no tile, buffer or operand nope (names are those of the program's text)"},
      {"{say='x', highlight={'sum'}}", "step 1: highlight: wanted a cell such as {\"dst1\", 0, 3}, got a table"},
      {"{say='x', highlight='sum'}", "step 1: highlight: wanted a cell such as {\"dst1\", 0, 3}, got the text 'sum'"},
      {"{say='x', as='bytes'}", "step 1: as belongs to show (show = {\"dst\"}, as = \"bytes\")"},
      {"{say='x', show='y_even', as='heat'}", "step 1: as: wanted \"bytes\", got the text 'heat'"},
      {"{say='x', show={'nope'}}",
       "step 1: show: there is no tile, buffer or operand nope (names are those of the program's text)"},
  };
  for (const auto& one : kCases) {
    CAPTURE(one.steps);
    CHECK(error_of(one.steps) == one.said);
  }
}

TEST_CASE("lesson: what is wrong with the lesson as a whole") {
  const auto said = [](const std::string& fields) { return script_error("return pto.lesson{" + fields + "}"); };
  CHECK(script_error("pto.lesson(1)") ==
        "pto.lesson: lesson: wanted a table, or the name of a lesson, got the number 1");
  CHECK(said("") == "pto.lesson: title: wanted one line of text, got nil");
  CHECK(said("title='a\\nb'") == "pto.lesson: title: wanted one line of text, got the text 'a");
  CHECK(said("titel='x'").starts_with("pto.lesson: there is no 'titel'; did you mean title?"));
  CHECK(said("title='t', teaches='t', family='t', steps={{say='x'}}").starts_with("pto.lesson: there is no program ("));
  CHECK(said("title='t', teaches='t', family='t', program='x', file='y', steps={{say='x'}}") ==
        "pto.lesson: there are both a program and a file (give one of them)");
  CHECK(said("title='t', teaches='t', family='t', program='nonsense', steps={{say='x'}}")
            .starts_with("lesson.pto:1:1: [E-OP] unknown op 'nonsense'"));
  CHECK(said("title='t', teaches='t', family='t', file='row_loop'") == "pto.lesson: steps: wanted a list, got nil");
  CHECK(said("title='t', teaches='t', family='t', file='gone.ptorec', steps={{say='x'}}")
            .starts_with("pto.lesson: file: "));
  CHECK(script_error("pto.lesson('gone')").starts_with("pto.lesson: "));
}

TEST_CASE("lesson: answers that are functions run inside the limits") {
  const auto answer = [](const std::string& function, const scripting::SandboxLimits& limits = {}) {
    const auto file = open_text(with_steps("{ask='?', answer=" + function + "}"), limits);
    return file->judge(0, std::vector<std::string>{"x"});
  };
  CHECK(answer("function(a) return a == 'x' end").right);
  CHECK(answer("function(a) return false, 'because' end").text == "because");
  CHECK(answer("function(a) return nil end").right == false);
  const auto failed = answer("function(a) error('broken') end");
  CHECK(failed.unread);
  CHECK(failed.text.starts_with("the lesson's own answer function failed: "));
  CHECK(has(failed.text, "broken"));
  const auto endless = answer("function(a) while true do end end", {.steps = 1'000'000});
  CHECK(endless.unread);
  CHECK(has(endless.text, "steps"));
  const auto greedy = answer("function(a) local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1000) .. i end end",
                             {.memory_bytes = 16 << 20});
  CHECK(greedy.unread);
  CHECK(answer("function(a) pto.quit(0) end").unread);
  CHECK(answer("function(a) return pto.current():tile('x_even') ~= nil end").right == true);
}

TEST_CASE("lesson: hostile files fail with a message") {
  CHECK(failure_of("return 1").text == "test.lua makes no lesson");
  CHECK(failure_of("syntax error here").status == 3);
  CHECK(failure_of("error('no')").status == 3);
  CHECK(failure_of("while true do end", {.steps = 1'000'000}).status == 5);
  CHECK(failure_of("pto.quit(7)").status == 3);
  CHECK(has(failure_of(with_steps("{say=('x'):rep(100000)}")).text, "a text of 100000 bytes is too long"));
  CHECK(has(failure_of("local s = {} for i = 1, 101 do s[i] = {say='x'} end "
                       "pto.lesson{title='t', teaches='t', family='t', file='row_loop', steps=s}")
                .text,
            "too many steps"));
  CHECK(has(failure_of("local c = {} for i = 1, 33 do c[i] = i end pto.lesson{title='t', teaches='t', family='t', "
                       "file='row_loop', steps={{predict={tile='x', cols=c}}}}")
                .text,
            "33 cells are too many"));
  CHECK(has(failure_of(with_steps("{ask='?', choices={'1','2','3','4','5','6','7','8','9','10'}, answer='1'}")).text,
            "10 choices are too many"));
  // A lesson that opens itself again and again comes to an end.
  CHECK(failure_of("return pto.lesson('assets/lessons/gone.lua')").status == 3);
  // A metatable is no way around the checks.
  CHECK(has(failure_of("pto.lesson(setmetatable({}, {__index = function() error('asked') end}))").text, "asked"));
}

TEST_CASE("lesson: a lesson that outlives its question's function says so") {
  std::shared_ptr<scripting::OpenLesson> kept;
  {
    ScriptRun run;
    scripting::Script script(script_host(run));
    REQUIRE(script.run(with_steps("{ask='?', answer=function() return true end}"), "test.lua") == 0);
    kept = script.engine().slot<scripting::Lessons>().made.back();
    CHECK(std::get<learn::Ask>(kept->lesson.pages[0].question).judge("x").right);
  }
  CHECK(kept->functions.empty());
  const learn::Verdict verdict = std::get<learn::Ask>(kept->lesson.pages[0].question).judge("x");
  CHECK(verdict.unread);
  CHECK(verdict.said == "the lesson's script has ended");
}

TEST_CASE("lesson: the lessons that come along are many, and each has what it needs") {
  const std::vector<std::string> names = lesson_names();
  CHECK(names.size() >= 11);
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto file = open_text(get_text("assets/lessons/" + name + ".lua"));
    const learn::Lesson& lesson = file->lesson();
    CHECK(lesson.pages.size() >= 6);
    CHECK(lesson.pages.size() <= 10);
    CHECK(lesson.questions() >= 4);
    // The first page tells, and asks nothing.
    CHECK(!lesson.pages.front().asks());
    CHECK(!lesson.pages.front().say.empty());
    const auto problems = file->check();
    CHECK_MESSAGE(problems.empty(), (problems.empty() ? "" : learn::problem_text(problems.front())));
    for (const learn::Page& page : lesson.pages)
      if (page.asks()) CHECK(!page.hint.empty());
    // Its texts are plain ASCII: the fonts have no more for sure.
    for (const char letter : get_text("assets/lessons/" + name + ".lua"))
      CHECK((letter == '\n' || (letter >= ' ' && letter <= '~')));
  }
}

TEST_CASE("lesson: every lesson that comes along, with wrong answers and then the right ones") {
  for (const std::string& name : lesson_names()) {
    CAPTURE(name);
    const ScriptRun run = run_script(fmt::format(R"(
local lesson = pto.lesson("{}")
local asked = 0
while true do
  local step = lesson:step()
  assert(lesson.recording.pos == step.position, "position")
  if step.kind ~= "say" then
    asked = asked + 1
    local right = lesson:solution()
    assert(#right > 0, "no solution of step " .. step.number)
    local wrong = {{}}
    for i = 1, #right do wrong[i] = step.kind == "predict" and "12345" or "9999" end
    if step.kind == "predict" then
      for i = 1, #right do wrong[i] = "0x7b" end
      if step.number % 2 == 0 then wrong[1] = "unspecified" end
    elseif step.kind == "find" then
      wrong = {{step.find == "step" and "step 0" or (right[1]:gsub("%[.*", "[0,0]"))}}
    elseif step.choices then
      for i, choice in ipairs(step.choices) do
        if choice ~= right[1] then wrong = {{i}} end
      end
    end
    local judged = lesson:answer(table.unpack(wrong))
    assert(not judged.right, ("step %d takes %s"):format(step.number, wrong[1]))
    if not judged.unread then
      assert(lesson:step().tries == 1)
      -- Whoever is wrong is told something, by the question or by each of its cells.
      local told = judged.text ~= "" or step.hint
      assert(told)
    end
    judged = lesson:answer(table.unpack(right))
    assert(judged.right, ("step %d does not take %s: %s"):format(step.number, right[1], judged.text))
    assert(lesson.answered == asked)
  end
  if lesson:next() == nil then break end
end
assert(lesson.answered == lesson.questions and lesson.number == lesson.count)
while lesson:back() do end
assert(lesson.number == 1)
)",
                                                 name));
    CHECK_MESSAGE(run.status == 0, run.complained);
  }
}

}  // namespace ts::test
