// Running the file of a lesson, and trying its answers.
#include "scripting/objects/lesson/lesson_file.h"

#include <fmt/format.h>

#include "scripting/run/engine.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {

std::variant<std::shared_ptr<LessonFile>, LessonFile::Failure> LessonFile::open(ScriptHost host, std::string_view text,
                                                                                const std::string& name,
                                                                                const SandboxLimits& limits) {
  auto said = std::make_shared<std::string>();
  host.complain = [said](std::string_view line) {
    if (said->empty()) *said = line;  // the message; what follows is a traceback
  };
  host.print = [](std::string_view) {};
  std::shared_ptr<LessonFile> file(new LessonFile);
  file->script_ = std::make_unique<Script>(std::move(host), limits);
  const int status = file->script_->run(text, name);
  while (said->ends_with('\n')) said->pop_back();
  if (status != 0) {
    // Whatever it quit with: the status of the process says how the command went.
    const ScriptStatus failed =
        status == static_cast<int>(ScriptStatus::Limit) ? ScriptStatus::Limit : ScriptStatus::Error;
    return Failure{static_cast<int>(failed),
                   said->empty() ? fmt::format("{} ended with status {}", name, status) : *said};
  }
  const auto& lessons = file->script_->engine().slot<Lessons>().made;
  if (lessons.empty())
    return Failure{static_cast<int>(ScriptStatus::Error), fmt::format("{} makes no lesson", name),
                   "a lesson's file ends with: return pto.lesson{...}"};
  file->open_ = lessons.back();
  file->session_ = file->open_->recording->session;
  return file;
}

learn::Judgement LessonFile::judge(std::size_t page, std::span<const std::string> answers) {
  return learn::judge(*session_, lesson().pages[page], answers);
}

std::vector<std::string> LessonFile::solution(std::size_t page) {
  return learn::solution(*session_, lesson().pages[page]);
}

std::vector<learn::Problem> LessonFile::check() {
  std::vector<learn::Problem> problems;
  for (std::size_t i = 0; i < lesson().pages.size(); ++i) {
    const learn::Page& page = lesson().pages[i];
    if (!page.asks()) continue;
    session_->seek({page.stands, 0});  // where a learner is asked
    const std::vector<std::string> answers = solution(i);
    if (answers.empty()) {
      problems.push_back({i + 1, "answer", "only a function knows what is right, so nobody can try it",
                          "solution = an answer that the function takes"});
      continue;
    }
    const learn::Judgement judged = judge(i, answers);
    if (!judged.right)
      problems.push_back(
          {i + 1, learn::kind_of(page), fmt::format("the answer '{}' is not taken: {}", answers.front(), judged.text)});
  }
  return problems;
}

}  // namespace ts::scripting
