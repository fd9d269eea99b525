// The Lesson menu.
#include <algorithm>

#include "app/files/files.h"
#include "app/view/shown_lesson.h"
#include "app/window/commands/rows.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void show_lessons(Shell& shell, const Command&) {
  if (shell.desk().view().document() == nullptr) return shell.open(std::string(lessons().front().name));
  shell.set_layout("learn");
  shell.show_pane("lesson");
  if (Pane* pane = shell.panes().find("lesson")) pane->act({"lessons"}, shell.desk().view(), shell.queue());
}

void open_lesson(Shell& shell, const Command& command) {
  if (!command.text(0).empty()) shell.open_program(command.text(0));
  else shell.chooser().open({"Open a lesson", {".lua"}, {"openLesson"}});
}

// After the last one: the list.
void next_lesson(Shell& shell, const Command& command) {
  const std::vector<Sample> all = lessons();
  const ShownLesson* now = shell.desk().view().lesson();
  if (now == nullptr) return shell.open(std::string(all.front().name));
  const auto here =
      std::ranges::find_if(all, [&](const Sample& one) { return now->name == std::string(one.name) + ".lua"; });
  if (here == all.end() || here + 1 == all.end()) return show_lessons(shell, command);
  shell.open(std::string((here + 1)->name));
}

// A number is an answer as well.
std::string answer_in(const Command& command) {
  const bool number = command.values.size() > 1 && std::holds_alternative<std::int64_t>(command.values[1]);
  return number ? std::to_string(command.number(1)) : command.text(1);
}

}  // namespace

// Pages and choices are counted from 1, as they are shown.
std::vector<CommandRow> lesson_rows() {
  // clang-format off
  return {
      {.name = "lessons", .menu = "Lesson", .title = "All lessons", .words = "learn, tutorial, course, teach, exercises",
       .help = "Lists the lessons that the program brings along.",
       .act = ShellAct{show_lessons}},
      {.name = "openLesson", .menu = "Lesson", .title = "Open a lesson...", .words = "tutorial file",
       .help = "Opens a lesson: a .lua file, or one by its name.",
       .parameters = {{"name", kText, kMaybe}},
       .act = ShellAct{open_lesson}},
      {.name = "nextLesson", .menu = "Lesson", .title = "Next lesson", .words = "next tutorial",
       .help = "Opens the lesson that comes after this one.",
       .act = ShellAct{next_lesson}},
      {.name = "lessonNext", .menu = "Lesson", .title = "Next step", .keys = "Ctrl+PageDown",
       .help = "Turns to the lesson's next step.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.lesson().turn(1); }}},
      {.name = "lessonBack", .menu = "Lesson", .title = "Step before", .keys = "Ctrl+PageUp",
       .help = "Turns back to the lesson's step before.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.lesson().turn(-1); }}},
      {.name = "lessonHint", .menu = "Lesson", .title = "Hint", .words = "help me", .keys = "Ctrl+H",
       .help = "A word that helps with the question.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.lesson().hint(); }}},
      {.name = "lessonAnswer", .menu = "Lesson", .title = "Answer",
       .help = "Judges what was filled in or chosen.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.lesson().answer(); }}},
      {.name = "lessonTell", .menu = "Lesson", .title = "Reveal the answer", .words = "solution, show answer",
       .help = "Shows the answer; it does not count as yours.",
       .act = DeskAct{[](Desk& desk, const Command&) { desk.lesson().tell(); }}},
      {.name = "lessonPage", .menu = "Lesson", .title = "Go to a step of the lesson",
       .help = "Turns to a step by its number, from 1.",
       .parameters = {{"number", kInteger}},
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.lesson().page(command.count(0, 1) - 1); }}},
      {.name = "lessonChoose", .menu = "Lesson", .title = "Choose an answer",
       .help = "Answers with a choice by its number, from 1.",
       .parameters = {{"number", kInteger}},
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.lesson().choose(command.count(0, 1) - 1); }}},
      {.name = "lessonFill", .menu = "Lesson", .title = "Fill in an answer",
       .help = "Puts a text into a field of the question, counted from 0.",
       .parameters = {{"field", kInteger}, {"text", kAny}},
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.lesson().fill(command.count(0), answer_in(command)); }}},
      {.name = "lessonDrop", .menu = "Lesson", .title = "Fill in a source",
       .help = "The same; the next empty field follows.",
       .parameters = {{"field", kInteger}, {"text", kAny}},
       .act = DeskAct{[](Desk& desk, const Command& command) { desk.lesson().drop(command.count(0), answer_in(command)); }}},
  };
  // clang-format on
}

}  // namespace ts::ui
