// Counting what is outside of Lua.
#include "scripting/sandbox/weight.h"

#include "scripting/sandbox/budget.h"

namespace ts::scripting {

void Weight::set(lua_State* L, std::size_t bytes) {
  if (bytes == bytes_) return;
  if (!held_) held_ = budget_of(L).held();
  const bool grows = bytes > bytes_;
  *held_ += bytes - bytes_;
  bytes_ = bytes;
  if (grows) budget_of(L).check_memory(L);
}

void Weight::release() {
  if (held_) *held_ -= bytes_;
  bytes_ = 0;
}

}  // namespace ts::scripting
