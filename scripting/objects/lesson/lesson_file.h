// Lessons in files, as the window and the command line open them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/learn/bind_lesson.h"
#include "core/learn/judge.h"
#include "scripting/objects/lesson/open_lesson.h"
#include "scripting/run/script.h"

namespace ts::scripting {

// A lesson is somebody else's: what it does in all is bounded, however long a person stays with it.
inline const SandboxLimits kLessonLimits{.total_seconds = 60};

// A lesson's file, run in a sandbox of its own. Belongs to one thread.
class LessonFile {
 public:
  struct Failure {
    int status = 3;  // a ScriptStatus
    std::string text, hint = {};
  };
  static std::variant<std::shared_ptr<LessonFile>, Failure> open(ScriptHost host, std::string_view text,
                                                                 const std::string& name,
                                                                 const SandboxLimits& limits = kLessonLimits);

  const learn::Lesson& lesson() const { return open_->lesson; }
  const std::shared_ptr<Session>& session() const { return session_; }
  const LoadedProgram* program() const { return open_->program.get(); }
  // Whether there is such a page, and it is a question.
  bool asks(std::size_t page) const { return page < lesson().pages.size() && lesson().pages[page].asks(); }
  learn::Judgement judge(std::size_t page, std::span<const std::string> answers);
  std::vector<std::string> solution(std::size_t page);
  // Every question that nobody could answer, or whose answer is not known.
  std::vector<learn::Problem> check();

 private:
  LessonFile() = default;
  std::unique_ptr<Script> script_;
  std::shared_ptr<OpenLesson> open_;
  std::shared_ptr<Session> session_;
};

}  // namespace ts::scripting
