// Lessons: pto.lesson, what scripts hold of one, and lessons in files as the window and the command line open them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/learn/judge.h"
#include "core/learn/lesson.h"
#include "core/learn/places.h"
#include "core/learn/progress.h"
#include "scripting/binding/binding.h"
#include "scripting/run/engine.h"
#include "scripting/run/script.h"

namespace ts::scripting {

struct OpenRecording;
struct LoadedProgram;

// A lesson that a script made, with its recording and the functions that judge answers.
struct OpenLesson {
  learn::Lesson lesson;
  std::shared_ptr<OpenRecording> recording;
  std::shared_ptr<const LoadedProgram> program = {};  // null: it is about a recording of a file
  std::vector<LuaValue> functions = {};               // of questions; empty once the script has ended
  std::size_t page = 0;
  learn::Progress progress = {};
};

struct LessonObject {
  std::shared_ptr<OpenLesson> open;
  static const ObjectType& type();
};

// lesson_reader.cpp: the table at `index`, checked; raises what is wrong with it, by the step's number and the field.
std::shared_ptr<OpenLesson> read_lesson(lua_State* L, int index);

// A lesson's file, run in a sandbox of its own. Belongs to one thread.
class LessonFile {
 public:
  struct Failure {
    int status = 3;  // a ScriptStatus
    std::string text, hint = {};
  };
  static std::variant<std::shared_ptr<LessonFile>, Failure> open(ScriptHost host, std::string_view text,
                                                                 const std::string& name,
                                                                 const SandboxLimits& limits = {});

  const learn::Lesson& lesson() const { return open_->lesson; }
  const std::shared_ptr<Session>& session() const { return session_; }
  const LoadedProgram* program() const { return open_->program.get(); }
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
