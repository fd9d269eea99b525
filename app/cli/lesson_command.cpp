// lesson: lists lessons, opens one in the window, walks one without it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal/terminal.h"
#include "app/files/files.h"
#include "app/files/script_host.h"
#include "app/settings/lesson_progress.h"
#include "app/settings/settings.h"
#include "scripting/objects/lesson/lesson_file.h"

namespace ts {
namespace {

using scripting::LessonFile;

int list_lessons() {
  const auto kept = ui::load_lesson_progress(ui::state_folder());
  std::vector<Sample> all = lessons();
  std::size_t widest = 0;
  for (const Sample& lesson : all) widest = std::max(widest, lesson.name.size());
  for (const Sample& lesson : all) {
    const auto found = kept.find(ui::lesson_hash(lesson.text));
    std::string note;
    if (found != kept.end()) {
      learn::Score score;
      learn::add_to(score, found->second.progress, found->second.questions);
      note = fmt::format("  [{}]", learn::score_text(score));
    }
    fmt::print("{:<{}}  {}{}\n", lesson.name, widest, lesson.summary, note);
  }
  const auto scores = ui::scores_of(kept);
  if (!scores.empty()) fmt::print("\nby family of instructions\n");
  for (const auto& [family, score] : scores) fmt::print("  {:<14}  {}\n", family, learn::score_text(score));
  return kOk;
}

std::variant<std::shared_ptr<LessonFile>, int> open_lesson(const std::string& name) {
  const ProgramText text = lesson_text(name);
  if (!text.error.empty()) return fail(text.error, text.hint);
  scripting::SandboxLimits limits = scripting::kLessonLimits;
  limits.stopped = interrupted;
  auto opened = LessonFile::open(lesson_host(text.name), text.text, text.name, limits);
  if (const auto* failed = std::get_if<LessonFile::Failure>(&opened)) {
    fail(failed->text, failed->hint);
    return failed->status;
  }
  return std::get<std::shared_ptr<LessonFile>>(std::move(opened));
}

std::string place_of(const learn::Page& page) {
  return page.step ? fmt::format("position {}, step {} {}", page.stands, *page.step,
                                 page.shows_next ? "comes next" : "was made")
                   : fmt::format("position {}", page.stands);
}

void print_question(LessonFile& file, std::size_t number) {
  const learn::Page& page = file.lesson().pages[number];
  if (const auto* ask = std::get_if<learn::Ask>(&page.question)) {
    fmt::print("  ask: {}\n", ask->text);
    for (std::size_t i = 0; i < ask->choices.size(); ++i) fmt::print("    {}  {}\n", i + 1, ask->choices[i]);
  }
  if (const learn::Predict* predict = page.predict()) {
    std::string cells;
    for (const learn::Predict::Cell& cell : predict->cells) cells += fmt::format(" [{},{}]", cell.row, cell.col);
    fmt::print("  predict: {}{}\n", predict->tile, cells);
  }
  if (const auto* find = std::get_if<learn::Find>(&page.question))
    fmt::print("  find: the {}\n", find->what == learn::Find::What::Step ? "step" : "cell");
  for (const std::string& answer : file.solution(number)) fmt::print("    answer: {}\n", answer);
  if (!page.hint.empty()) fmt::print("  hint: {}\n", page.hint);
}

int print_lesson(LessonFile& file) {
  const learn::Lesson& lesson = file.lesson();
  fmt::print("{}\n{}\n", lesson.title, lesson.teaches);
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    const learn::Page& page = lesson.pages[i];
    fmt::print("\nstep {} ({})\n", i + 1, place_of(page));
    if (!page.say.empty()) fmt::print("{}\n", page.say);
    if (page.asks()) print_question(file, i);
  }
  return kOk;
}

int check_lesson(LessonFile& file, const std::string& name) {
  const std::vector<learn::Problem> problems = file.check();
  for (const learn::Problem& problem : problems)
    fail(fmt::format("{}: {}", name, learn::problem_text(problem)), problem.hint);
  if (!problems.empty()) return static_cast<int>(scripting::ScriptStatus::AssertionFailed);
  fmt::print("{}: {} steps, {} questions, all can be answered\n", name, file.lesson().pages.size(),
             file.lesson().questions());
  return kOk;
}

}  // namespace

int lesson_command(const LessonArguments& arguments) {
  if (arguments.lesson.empty()) {
    if (arguments.check || arguments.print) return fail("which lesson?", "tilescope lesson zip --check");
    return list_lessons();
  }
  if (!arguments.check && !arguments.print) {
    // A wrong lesson is told here, and not only in the window.
    const auto opened = open_lesson(arguments.lesson);
    if (const int* status = std::get_if<int>(&opened)) return *status;
    WindowArguments window = arguments;
    window.files = {arguments.lesson};
    // A name without its ending is a lesson's here, also where a sample or file has it.
    std::error_code wrong;
    if (!std::filesystem::exists(arguments.lesson, wrong) && !arguments.lesson.ends_with(".lua"))
      window.files = {arguments.lesson + ".lua"};
    return window_command(window);
  }
  const auto opened = open_lesson(arguments.lesson);
  if (const int* status = std::get_if<int>(&opened)) return *status;
  LessonFile& file = *std::get<std::shared_ptr<LessonFile>>(opened);
  if (arguments.print)
    if (const int status = print_lesson(file); status != kOk || !arguments.check) return status;
  return check_lesson(file, arguments.lesson);
}

}  // namespace ts
