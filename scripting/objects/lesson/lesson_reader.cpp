// From the table of pto.lesson to a lesson: everything in it is checked, and held against its recording.
#include "scripting/objects/lesson/lesson_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/kept_work.h"
#include "core/isa/finding_kind.h"
#include "core/learn/bind_lesson.h"
#include "core/learn/element_name.h"
#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/lesson/lesson_fields.h"
#include "scripting/objects/program/program.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostCells = 32, kMostChoices = 9, kMostPages = 100;
const std::vector<const char*> kLessonFields = {"title",  "teaches", "family", "program", "file",    "target", "entry",
                                                "inputs", "size",    "seed",   "blocks",  "options", "steps",  "edits"};

// --- the recording ---

void make_recording(lua_State* L, const Fields& fields, OpenLesson& open) {
  const OptionTable options(L, fields.index(), "lesson", kLessonFields);
  open.lesson.edits = options.truth("edits");
  const auto text = fields.text("program"), file = fields.text("file");
  if (text && file) fields.refuse("there are both a program and a file", "give one of them");
  if (!text && !file)
    fields.refuse("there is no program",
                  "program = its text, between [[ and ]]; or file = the name of a sample or a .ptorec file");
  if (file && file->ends_with(".ptorec")) {
    std::vector<std::string> lost;
    open.recording = open_session(L, open_file(L, *file, "pto.lesson: file", lost));
    return;
  }
  open.program = file ? load_program(L, *file, options) : load_program(L, ProgramSource{"lesson.pto", *text}, options);
  open.recording = record_program(L, *open.program, Engine::of(L).host().budget_bytes);
}

// --- pages ---

// {"dst1", 0, 3} or "dst1[0,3]", on top of the stack.
learn::NamedCell check_cell_name(const Fields& fields, const char* key) {
  lua_State* L = fields.state();
  const int value = lua_absindex(L, -1);
  if (lua_type(L, value) == LUA_TSTRING) {
    if (const auto cell = learn::read_element(lua_tostring(L, value)); cell && cell->row)
      return {cell->owner, *cell->row, cell->col};
  }
  if (lua_istable(L, value)) {
    lua_rawgeti(L, value, 1);
    lua_rawgeti(L, value, 2);
    lua_rawgeti(L, value, 3);
    const bool whole = lua_type(L, -3) == LUA_TSTRING && lua_isinteger(L, -2) && lua_isinteger(L, -1) &&
                       lua_tointeger(L, -2) >= 0 && lua_tointeger(L, -1) >= 0 && lua_tointeger(L, -2) < 1 << 30 &&
                       lua_tointeger(L, -1) < 1 << 30;
    if (whole) {
      learn::NamedCell cell{lua_tostring(L, -3), static_cast<std::uint32_t>(lua_tointeger(L, -2)),
                            static_cast<std::uint32_t>(lua_tointeger(L, -1))};
      lua_pop(L, 3);
      return cell;
    }
    lua_pop(L, 3);
  }
  raise(L, fmt::format("pto.lesson: {}: wanted a cell such as {{\"dst1\", 0, 3}}, got {}", fields.path(key),
                       describe(L, value)));
}

// "tadd", "tadd 2", or the number of a step, on top of the stack.
learn::StepName check_step_name(const Fields& fields, const char* key) {
  lua_State* L = fields.state();
  if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 0 && lua_tointeger(L, -1) < lua_Integer{1} << 31)
    return {.step = static_cast<std::uint32_t>(lua_tointeger(L, -1))};
  if (lua_type(L, -1) != LUA_TSTRING)
    raise(L, fmt::format("pto.lesson: {}: wanted an instruction such as \"tadd\" or a number, got {}", fields.path(key),
                         describe(L, -1)));
  const std::string text = lua_tostring(L, -1);
  learn::StepName name{.op = text.substr(0, text.find(' '))};
  if (text.find(' ') == std::string::npos) return name;
  char rest = 0;
  unsigned nth = 0;
  if (std::sscanf(text.c_str() + text.find(' '), " %u%c", &nth, &rest) != 1 || nth == 0)
    raise(L, fmt::format("pto.lesson: {}: wanted an instruction and which of them, such as \"tadd 2\", got {}",
                         fields.path(key), describe(L, -1)));
  name.nth = nth;
  return name;
}

void read_at(const Fields& fields, learn::Page& page) {
  lua_State* L = fields.state();
  if (fields.push("at") != LUA_TNIL) {
    const learn::StepName name = check_step_name(fields, "at");
    // A number is a position, as everywhere in scripts.
    if (name.step) page.position = name.step;
    else page.at = name;
  }
  lua_pop(L, 1);
  page.next = fields.truth("next");
}

// The function on top of the stack becomes the judge of a question.
std::function<learn::Verdict(const std::string&)> function_judge(lua_State* L, OpenLesson& lesson) {
  lua_pushvalue(L, -1);
  lesson.functions.emplace_back(L);
  const std::size_t index = lesson.functions.size() - 1;
  Engine& engine = Engine::of(L);
  Sandbox& sandbox = Sandbox::of(L);
  return [&lesson, &engine, &sandbox, index](const std::string& answer) -> learn::Verdict {
    if (index >= lesson.functions.size()) return {.unread = true, .said = "the lesson's script has ended"};
    lua_State* state = engine.calling();
    luaL_checkstack(state, 4, nullptr);
    lesson.functions[index].push(state);
    push_text(state, answer);
    const Outcome outcome = sandbox.call(state, 1, 2);
    if (outcome.kind != Outcome::Kind::Ok)
      return {.unread = true, .said = "the lesson's own answer function failed: " + outcome.message};
    learn::Verdict verdict{.right = lua_toboolean(state, -2) != 0};
    if (lua_type(state, -1) == LUA_TSTRING) verdict.said = lua_tostring(state, -1);
    lua_pop(state, 2);
    return verdict;
  };
}

// A text, a number, a list of them, or a function.
void read_answer(const Fields& fields, OpenLesson& lesson, learn::Ask& ask) {
  lua_State* L = fields.state();
  const auto answer = [&](int index) -> std::string {
    if (lua_type(L, index) == LUA_TSTRING) return lua_tostring(L, index);
    if (lua_type(L, index) == LUA_TNUMBER) {
      std::string text(Sandbox::push_text(L, index));
      lua_pop(L, 1);
      return text;
    }
    raise(L, fmt::format("pto.lesson: {}: wanted a text, a number, a list of them or a function, got {}",
                         fields.path("answer"), describe(L, index)));
  };
  const int type = fields.push("answer");
  if (type == LUA_TFUNCTION) ask.judge = function_judge(L, lesson);
  else if (type != LUA_TTABLE && type != LUA_TNIL) ask.answers.push_back(answer(-1));
  lua_pop(L, 1);
  if (type == LUA_TTABLE) fields.each("answer", [&](lua_Integer) { ask.answers.push_back(answer(-1)); });
  // The number of a choice stands for it.
  for (std::string& one : ask.answers)
    for (std::size_t i = 0; i < ask.choices.size(); ++i)
      if (one == std::to_string(i + 1) && std::ranges::find(ask.choices, one) == ask.choices.end())
        one = ask.choices[i];
}

learn::Ask read_ask(const Fields& fields, OpenLesson& lesson, learn::Page& page) {
  lua_State* L = fields.state();
  learn::Ask ask{.text = *fields.text("ask")};
  ask.choices = fields.texts("choices");
  if (ask.choices.size() > kMostChoices)
    raise(L, fmt::format("pto.lesson: {}: {} choices are too many", fields.path("choices"), ask.choices.size()),
          "at most 9: each has a digit as its key");
  read_answer(fields, lesson, ask);
  ask.solution = fields.text("solution").value_or("");
  const int why = fields.push("why");
  lua_pop(L, 1);
  if (why == LUA_TTABLE) {
    ask.why = fields.texts("why");
    if (ask.why.size() != ask.choices.size())
      raise(L,
            fmt::format("pto.lesson: {}: there are {} reasons for {} choices", fields.path("why"), ask.why.size(),
                        ask.choices.size()),
            "one text for each choice, or one text for all");
  } else {
    page.why = fields.text("why").value_or("");
  }
  return ask;
}

// {tile=, row=, cols=} or {tile=, cells={{row, col}, ...}}, on top of the stack.
learn::Predict read_predict(lua_State* L, const std::string& path) {
  const Fields fields(L, -1, path, {"tile", "row", "cols", "cells", "by"});
  learn::Predict predict;
  const auto tile = fields.text("tile");
  if (!tile) fields.wrong("tile", "the name of a result");
  predict.tile = *tile;
  if (const auto by = fields.text("by")) {
    if (*by != "value" && *by != "source") fields.wrong("by", "\"value\" or \"source\"");
    predict.by = *by == "value" ? learn::Predict::By::Value : learn::Predict::By::Source;
  }
  if (fields.has("cells")) {
    if (fields.has("row") || fields.has("cols"))
      fields.refuse("there are both cells and row, cols", "give one of them");
    fields.each("cells", [&](lua_Integer number) {
      if (!lua_istable(L, -1)) fields.wrong("cells", "a list such as {{0, 3}, {1, 5}}");
      lua_rawgeti(L, -1, 1);
      lua_rawgeti(L, -2, 2);
      if (!lua_isinteger(L, -1) || !lua_isinteger(L, -2) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -2) < 0 ||
          lua_tointeger(L, -1) >= 1 << 30 || lua_tointeger(L, -2) >= 1 << 30)
        fields.refuse(fmt::format("cells: number {} is no row and column", number), "as in {0, 3}");
      predict.cells.push_back(
          {static_cast<std::uint32_t>(lua_tointeger(L, -2)), static_cast<std::uint32_t>(lua_tointeger(L, -1))});
      lua_pop(L, 2);
    });
  } else {
    const std::uint32_t row = fields.number("row").value_or(0);
    for (const std::uint32_t col : fields.numbers("cols")) predict.cells.push_back({row, col});
  }
  if (predict.cells.empty()) fields.refuse("no cells are to be predicted", "row = 0, cols = {0, 7}");
  if (predict.cells.size() > kMostCells)
    fields.refuse(fmt::format("{} cells are too many to fill in", predict.cells.size()), "at most 32");
  return predict;
}

// {step=}, {cell=} or {finding=}, on top of the stack.
learn::Find read_find(lua_State* L, const std::string& path) {
  const Fields fields(L, -1, path, {"step", "cell", "finding", "what"});
  learn::Find find;
  const int given = (fields.has("step") ? 1 : 0) + (fields.has("cell") ? 1 : 0) + (fields.has("finding") ? 1 : 0);
  if (given != 1) fields.refuse("one of step, cell and finding says what is right");
  if (const auto what = fields.text("what")) {
    if (*what != "step" && *what != "cell") fields.wrong("what", "\"step\" or \"cell\"");
    if (!fields.has("finding")) fields.refuse("what belongs to finding", "step and cell say it themselves");
    find.what = *what == "cell" ? learn::Find::What::Cell : learn::Find::What::Step;
  }
  if (const auto finding = fields.text("finding")) {
    find.finding = find_finding_kind(*finding);
    if (!find.finding) fields.wrong("finding", "a kind that `tilescope check --help` lists, such as \"defined\"");
  }
  const int step = fields.push("step");
  if (step != LUA_TNIL && step != LUA_TTABLE) find.steps.push_back(check_step_name(fields, "step"));
  lua_pop(L, 1);
  if (step == LUA_TTABLE)
    fields.each("step", [&](lua_Integer) { find.steps.push_back(check_step_name(fields, "step")); });
  if (fields.push("cell") != LUA_TNIL) {
    find.what = learn::Find::What::Cell;
    lua_rawgeti(L, -1, 1);
    const bool several = lua_istable(L, -2) && lua_istable(L, -1);
    lua_pop(L, 1);
    if (!several) find.cells.push_back(check_cell_name(fields, "cell"));
    else fields.each("cell", [&](lua_Integer) { find.cells.push_back(check_cell_name(fields, "cell")); });
  }
  lua_pop(L, 1);
  return find;
}

// The table on top of the stack.
learn::Page read_page(lua_State* L, lua_Integer number, OpenLesson& lesson) {
  const std::string path = fmt::format("step {}: ", number);
  const Fields fields(L, -1, path,
                      {"say", "ask", "choices", "answer", "why", "solution", "predict", "find", "hint", "at", "next",
                       "show", "as", "highlight"});
  learn::Page page;
  page.say = fields.text("say").value_or("");
  page.hint = fields.text("hint").value_or("");
  page.show = fields.texts("show");
  if (const auto as = fields.text("as")) {
    if (*as != "bytes") fields.wrong("as", "\"bytes\"");
    if (page.show.empty()) fields.refuse("as belongs to show", "show = {\"dst\"}, as = \"bytes\"");
    page.as_bytes = true;
  }
  read_at(fields, page);
  if (fields.push("highlight") != LUA_TNIL) page.highlight = check_cell_name(fields, "highlight");
  lua_pop(L, 1);
  const int questions = (fields.has("ask") ? 1 : 0) + (fields.has("predict") ? 1 : 0) + (fields.has("find") ? 1 : 0);
  if (questions > 1) fields.refuse("there are several questions", "a step has one of ask, predict and find");
  if (questions == 0 && page.say.empty()) fields.refuse("it says nothing and asks nothing", "say = \"...\"");
  for (const char* belongs : {"choices", "answer", "solution"})
    if (!fields.has("ask") && fields.has(belongs)) fields.refuse(fmt::format("{} belongs to ask", belongs));
  if (questions == 0 && fields.has("why")) fields.refuse("why belongs to a question");
  if (questions == 0 && fields.has("hint")) fields.refuse("hint belongs to a question");
  if (fields.has("ask")) {
    page.question = read_ask(fields, lesson, page);
    return page;
  }
  page.why = fields.text("why").value_or("");
  if (fields.push("predict") != LUA_TNIL) page.question = read_predict(L, path + "predict");
  lua_pop(L, 1);
  if (fields.push("find") != LUA_TNIL) page.question = read_find(L, path + "find");
  lua_pop(L, 1);
  return page;
}

std::string check_line(const Fields& fields, const char* key) {
  const std::string text = fields.text(key).value_or("");
  if (text.empty() || text.size() > 200 || text.find('\n') != std::string::npos) fields.wrong(key, "one line of text");
  return text;
}

}  // namespace

std::shared_ptr<OpenLesson> read_lesson(lua_State* L, int index) {
  const Fields fields(L, index, "", kLessonFields);
  auto open = std::make_shared<OpenLesson>();
  open->lesson.title = check_line(fields, "title");
  open->lesson.teaches = check_line(fields, "teaches");
  open->lesson.family = check_line(fields, "family");
  // Before the program runs: what is written wrong is told at once.
  fields.each("steps", [&](lua_Integer number) {
    if (static_cast<std::size_t>(number) > kMostPages) fields.refuse("there are too many steps", "at most 100");
    open->lesson.pages.push_back(read_page(L, number, *open));
  });
  make_recording(L, fields, *open);
  const auto problems = ask_session(L, open->recording, "looking for what the lesson names", [&](Session& session) {
    std::vector<learn::Problem> found = learn::bind_lesson(open->lesson, session);
    if (found.empty()) session.seek({open->lesson.pages.front().stands, 0});
    return found;
  });
  if (!problems.empty()) raise(L, "pto.lesson: " + learn::problem_text(problems.front()), problems.front().hint);
  return open;
}

}  // namespace ts::scripting
