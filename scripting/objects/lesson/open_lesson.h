// A lesson that a script made, while the script is there.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/learn/lesson.h"
#include "core/learn/progress.h"
#include "scripting/run/lua_value.h"

namespace ts::scripting {

struct OpenRecording;
struct LoadedProgram;

// With its recording and the functions that judge answers.
struct OpenLesson {
  learn::Lesson lesson;
  std::shared_ptr<OpenRecording> recording;
  std::shared_ptr<const LoadedProgram> program = {};  // null: it is about a recording of a file
  std::vector<LuaValue> functions = {};               // of questions; empty once the script has ended
  std::size_t page = 0;
  learn::Progress progress = {};
};

// The lessons of one script, in the order they were made: a slot of its engine. The functions that judge their answers go
// with the engine.
struct Lessons {
  std::vector<std::shared_ptr<OpenLesson>> made;
  ~Lessons() {
    for (const auto& lesson : made) lesson->functions.clear();
  }
};

}  // namespace ts::scripting
