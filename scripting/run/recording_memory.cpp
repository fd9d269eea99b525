// How much of a script's memory a recording may take.
#include "scripting/run/recording_memory.h"

#include <algorithm>
#include <utility>

#include "scripting/sandbox/sandbox.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {

// Snapshots take all they may, so half of what is left stays; a quarter does in any case, for the session that looks at
// the recording and for what the script does with it.
RecordingMemory::RecordingMemory(lua_State* L, const Program& program, std::size_t budget, int recordings)
    : asked_(budget != 0 ? budget : default_budget_bytes()) {
  const std::size_t least = Recording::least_bytes(program), each = static_cast<std::size_t>(recordings);
  const std::size_t left = Sandbox::memory_left(L) / each;
  if (left < least) Sandbox::raise_no_memory(L, least * each);
  budget_ = std::min(asked_, std::max<std::size_t>(left / 2, 1));
  most_ = std::max<std::size_t>(left / 4 * 3, 1);
}

std::shared_ptr<const Recording> RecordingMemory::weigh(lua_State* L,
                                                        std::shared_ptr<const Recording> recording) const {
  const std::size_t bytes = recording->held_bytes();
  if (recording->stop_reason() == StopReason::Budget && (budget_ < asked_ || bytes > most_))
    Sandbox::raise_no_memory(L, std::max(bytes, budget_));
  return weighed(L, std::move(recording), bytes);
}

}  // namespace ts::scripting
