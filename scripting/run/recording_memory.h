// Recordings that a script makes, within its memory.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <memory>

#include "core/record/recording.h"

namespace ts::scripting {

//   const RecordingMemory memory(L, program, budget);
//   recording = memory.weigh(L, Recording::run(program, memory.options()));
class RecordingMemory {
 public:
  // `budget` is what was asked for, as RecordOptions has it. Raises where the program alone is too much, for as many
  // recordings as are made at once.
  RecordingMemory(lua_State* L, const Program& program, std::size_t budget, int recordings = 1);

  RecordOptions options() const { return {.budget_bytes = budget_, .most_bytes = most_}; }
  // It counts as the script's until nobody has it. Raises where the script's memory has ended it.
  std::shared_ptr<const Recording> weigh(lua_State* L, std::shared_ptr<const Recording> recording) const;

 private:
  std::size_t asked_, budget_, most_;
};

}  // namespace ts::scripting
