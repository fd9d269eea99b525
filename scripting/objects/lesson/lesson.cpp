// pto.lesson, and what scripts may do with a lesson: what a learner does in the window.
#include <fmt/format.h>

#include "core/learn/judge.h"
#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/lesson/lesson_reader.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/pto.h"
#include "scripting/sandbox/compile.h"

namespace ts::scripting {
namespace {

struct LessonObject {
  std::shared_ptr<OpenLesson> open;
  static const ObjectType& type();
};

OpenLesson& own_lesson(lua_State* L) { return *check_self<LessonObject>(L).open; }

// Runs a lesson's text in this script, and leaves what it gave back on the stack.
void run_lesson_text(lua_State* L, const std::string& name) {
  const ScriptHost& host = Engine::of(L).host();
  if (!host.open_lesson) raise(L, "pto.lesson: lessons cannot be opened here");
  ProgramSource source = host.open_lesson(name);
  if (!source.error.empty()) raise(L, "pto.lesson: " + source.error, source.hint);
  if (!compile(L, source.text, ("@" + source.name).c_str())) lua_error(L);
  lua_call(L, 0, 1);
}

int pto_lesson(lua_State* L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    const std::string name = check_text(L, 1, "lesson");
    run_lesson_text(L, name);
    if (to_object<LessonObject>(L, -1) == nullptr)
      raise(L, fmt::format("pto.lesson: {} gives back no lesson", name), "it ends with: return pto.lesson{...}");
    return 1;
  }
  if (!lua_istable(L, 1)) wrong_argument(L, 1, "lesson", "a table, or the name of a lesson");
  std::shared_ptr<OpenLesson> open = read_lesson(L, 1);
  Engine::of(L).slot<Lessons>().made.push_back(open);
  make_object<LessonObject>(L, std::move(open));
  return 1;
}

int lesson_title(lua_State* L) {
  push_text(L, own_lesson(L).lesson.title);
  return 1;
}
int lesson_teaches(lua_State* L) {
  push_text(L, own_lesson(L).lesson.teaches);
  return 1;
}
int lesson_family(lua_State* L) {
  push_text(L, own_lesson(L).lesson.family);
  return 1;
}
int lesson_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(own_lesson(L).lesson.pages.size()));
  return 1;
}
int lesson_number(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(own_lesson(L).page + 1));
  return 1;
}
int lesson_answered(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(own_lesson(L).progress.answered()));
  return 1;
}
int lesson_questions(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(own_lesson(L).lesson.questions()));
  return 1;
}
int lesson_recording(lua_State* L) {
  push_recording(L, own_lesson(L).recording);
  return 1;
}

void set_texts(lua_State* L, const char* key, const std::vector<std::string>& texts) {
  lua_newtable(L);
  for (const std::string& text : texts) append(L, [&] { push_text(L, text); });
  lua_setfield(L, -2, key);
}

void push_page(lua_State* L, const OpenLesson& open, std::size_t number) {
  const learn::Page& page = open.lesson.pages[number];
  lua_newtable(L);
  set_field(L, "number", static_cast<lua_Integer>(number + 1));
  set_field(L, "kind", page.asks() ? learn::kind_of(page) : "say");
  set_field(L, "position", static_cast<lua_Integer>(page.stands));
  if (!page.say.empty()) set_field(L, "say", page.say);
  if (!page.hint.empty()) set_field(L, "hint", page.hint);
  if (page.lit) set_field(L, "highlight", fmt::format("{}[{},{}]", page.lit->owner, page.lit->row, page.lit->col));
  if (!page.show.empty()) set_texts(L, "show", page.show);
  const learn::PageProgress done =
      number < open.progress.pages.size() ? open.progress.pages[number] : learn::PageProgress{};
  set_field(L, "tries", static_cast<lua_Integer>(done.tries));
  lua_pushboolean(L, done.right);
  lua_setfield(L, -2, "right");
  if (const auto* ask = std::get_if<learn::Ask>(&page.question)) {
    set_field(L, "ask", ask->text);
    if (!ask->choices.empty()) set_texts(L, "choices", ask->choices);
  }
  if (const learn::Predict* predict = page.predict()) {
    set_field(L, "tile", predict->tile);
    lua_newtable(L);
    for (const learn::Predict::Cell& cell : predict->cells)
      append(L, [&] {
        lua_newtable(L);
        append(L, [&] { lua_pushinteger(L, cell.row); });
        append(L, [&] { lua_pushinteger(L, cell.col); });
      });
    lua_setfield(L, -2, "cells");
  }
  if (const auto* find = std::get_if<learn::Find>(&page.question))
    set_field(L, "find", find->what == learn::Find::What::Step ? "step" : "cell");
}

std::size_t check_page(lua_State* L, const OpenLesson& open, int index) {
  return static_cast<std::size_t>(
      check_integer(L, index, "number", 1, static_cast<std::int64_t>(open.lesson.pages.size())) - 1);
}

int lesson_step(lua_State* L) {
  const OpenLesson& open = own_lesson(L);
  push_page(L, open, lua_isnoneornil(L, 2) ? open.page : check_page(L, open, 2));
  return 1;
}

// The recording follows, as the window does.
int turn_to(lua_State* L, OpenLesson& open, std::size_t page) {
  open.page = page;
  const std::uint32_t position = open.lesson.pages[page].stands;
  move_session(L, open.recording, "going there", [&](Session& session) {
    session.seek({position, 0});
    return true;
  });
  push_page(L, open, page);
  return 1;
}

int lesson_go(lua_State* L) {
  OpenLesson& open = own_lesson(L);
  return turn_to(L, open, check_page(L, open, 2));
}

int lesson_next(lua_State* L) {
  OpenLesson& open = own_lesson(L);
  if (open.page + 1 < open.lesson.pages.size()) return turn_to(L, open, open.page + 1);
  lua_pushnil(L);
  return 1;
}

int lesson_back(lua_State* L) {
  OpenLesson& open = own_lesson(L);
  if (open.page > 0) return turn_to(L, open, open.page - 1);
  lua_pushnil(L);
  return 1;
}

// Texts and numbers; a prediction takes one for each cell.
std::vector<std::string> check_answers(lua_State* L, const learn::Page& page) {
  std::vector<std::string> answers;
  for (int i = 2; i <= lua_gettop(L); ++i) {
    if (lua_type(L, i) != LUA_TSTRING && lua_type(L, i) != LUA_TNUMBER)
      wrong_argument(L, i, "answer", "a text or a number");
    answers.emplace_back(Sandbox::push_text(L, i));
    lua_pop(L, 1);
  }
  const std::size_t wanted = learn::answers_wanted(page);
  if (answers.size() != wanted)
    raise(L, fmt::format("lesson:answer: wanted {} answer{}, got {}", wanted, wanted == 1 ? "" : "s", answers.size()),
          wanted == 1 ? "" : "one for each cell of the prediction, in their order");
  return answers;
}

void push_verdict(lua_State* L, bool right, bool unread, const std::string& text) {
  lua_newtable(L);
  lua_pushboolean(L, right);
  lua_setfield(L, -2, "right");
  lua_pushboolean(L, unread);
  lua_setfield(L, -2, "unread");
  set_field(L, "text", text);
}

int lesson_answer(lua_State* L) {
  OpenLesson& open = own_lesson(L);
  const learn::Page& page = open.lesson.pages[open.page];
  if (!page.asks())
    raise(L, fmt::format("lesson:answer: step {} asks nothing", open.page + 1), "lesson:next() turns the page");
  const std::vector<std::string> answers = check_answers(L, page);
  const learn::Judgement judged = ask_session(L, open.recording, "judging an answer",
                                              [&](Session& session) { return learn::judge(session, page, answers); });
  if (!judged.unread) open.progress.take(open.page, judged.right);
  push_verdict(L, judged.right, judged.unread, judged.text);
  lua_newtable(L);
  for (const learn::Verdict& part : judged.parts)
    append(L, [&] { push_verdict(L, part.right, part.unread, part.said); });
  lua_setfield(L, -2, "parts");
  return 1;
}

int lesson_solution(lua_State* L) {
  OpenLesson& open = own_lesson(L);
  const learn::Page& page = open.lesson.pages[open.page];
  const std::vector<std::string> answers = ask_session(
      L, open.recording, "finding the answer", [&](Session& session) { return learn::solution(session, page); });
  lua_newtable(L);
  for (const std::string& answer : answers) append(L, [&] { push_text(L, answer); });
  return 1;
}

int lesson_to_text(lua_State* L) {
  const OpenLesson& open = own_lesson(L);
  push_text(L, fmt::format("lesson '{}', step {} of {}", open.lesson.title, open.page + 1, open.lesson.pages.size()));
  return 1;
}

constexpr char kLessonExample[] = R"(local lesson = pto.lesson("zip")
)";
constexpr RowMaker kLessonRow{"lesson", kLessonExample};

std::vector<Binding> lesson_rows() {
  return {
      {"lesson", Binding::Kind::Function, pto_lesson, "pto.lesson(lesson: table | string) -> lesson",
       "A lesson over a recording: text, questions that the recording answers, cells to be predicted. The file of a "
       "lesson ends with `return pto.lesson{...}`; a text opens such a file, or a lesson of the program by its name. "
       "lessons.md of the manual has the fields.",
       R"(local lesson = pto.lesson{
  title = "A sum", teaches = "TADD adds element by element.", family = "arithmetic",
  file = "row_loop",
  steps = {
    {say = "Two tiles are added.", at = "tadd"},
    {ask = "How many results does it have?", answer = {"one", "1"}, hint = "Look at the stage."},
  },
}
assert(lesson.title == "A sum" and lesson.count == 2)
local ok, message = pcall(pto.lesson, {title = "A sum", teaches = "x", family = "y", file = "row_loop", steps = {{sayy = "?"}}})
assert(not ok and message:find("step 1: there is no 'sayy'; did you mean say?", 1, true)))"},
  };
}

const ObjectType& LessonObject::type() {
  static const ObjectType made{
      .name = "lesson",
      .owner = "lesson",
      .help = "A lesson, walked through as a learner does.",
      .bindings =
          {
              kLessonRow.field("title", lesson_title, "string", "Its title.", R"(assert(#lesson.title > 0))"),
              kLessonRow.field("teaches", lesson_teaches, "string", "What one knows after it.",
                               R"(assert(#lesson.teaches > 0))"),
              kLessonRow.field("family", lesson_family, "string",
                               "The family of instructions that its score counts for.",
                               R"(assert(lesson.family == "interleave"))"),
              kLessonRow.field("count", lesson_count, "integer", "How many steps it has.",
                               R"(assert(lesson.count >= 6))"),
              kLessonRow.field("number", lesson_number, "integer", "Which step one is at, from 1.",
                               R"(assert(lesson.number == 1))"),
              kLessonRow.field("questions", lesson_questions, "integer", "How many of its steps ask something.",
                               R"(assert(lesson.questions >= 3))"),
              kLessonRow.field("answered", lesson_answered, "integer", "How many questions were answered right.",
                               R"(assert(lesson.answered == 0))"),
              kLessonRow.field("recording", lesson_recording, "recording", "What it is about.",
                               R"(assert(lesson.recording.count > 0))"),
              kLessonRow.method(
                  "step", lesson_step, "(number?: integer) -> table",
                  "A step, or the one that one is at: number, kind (say, ask, predict, find), position, say, hint, "
                  "highlight, show, ask, choices, tile, cells, tries, right.",
                  R"(assert(lesson:step().number == 1 and lesson:step().kind == "say"))"),
              kLessonRow.method("go", lesson_go, "(number: integer) -> table",
                                "To a step; the recording goes where it is about.",
                                R"(assert(lesson:go(2).number == 2 and lesson.number == 2)
assert(lesson.recording.pos == lesson:step().position))"),
              kLessonRow.method("next", lesson_next, "() -> table | nil", "To the next step; nil at the end.",
                                R"(assert(lesson:next().number == 2))"),
              kLessonRow.method("back", lesson_back, "() -> table | nil", "To the step before; nil at the start.",
                                R"(assert(lesson:back() == nil))"),
              kLessonRow.method(
                  "answer", lesson_answer, "(answer: string | number, ...) -> table",
                  "Answers the question of the step: {right=, unread=, text=, parts=}. A prediction takes an "
                  "answer for each cell: a value, an element such as \"src1[0,5]\", \"unchanged\", \"undefined\" "
                  "or \"unspecified\". unread: it says nothing that could be right, and is no try.",
                  R"(while lesson:step().kind ~= "predict" do lesson:next() end
local right = lesson:answer(table.unpack(lesson:solution()))
assert(right.right and lesson.answered == 1))"),
              kLessonRow.method("solution", lesson_solution, "() -> string[]",
                                "Right answers to the question of the step; empty where only a function knows them.",
                                R"(while lesson:step().kind == "say" do lesson:next() end
assert(#lesson:solution() > 0))"),
          },
      .to_text = guarded<lesson_to_text>};
  return made;
}

const ListedRows kLessonRows{90, {pto_type, lesson_rows}};
const ListedType kLessonType{180, LessonObject::type};

}  // namespace
}  // namespace ts::scripting
