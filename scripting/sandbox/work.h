// Work of a loop, charged in portions so that a turn costs next to nothing.
#pragma once

#include <cstdint>

#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

class Work {
 public:
  explicit Work(lua_State* L) : L_(L) {}

  // Raises when the script's steps are used up.
  void add(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ >= kPortion) settle();
  }
  // What was not charged yet; at the end.
  void settle() {
    Sandbox::charge(L_, steps_);
    steps_ = 0;
  }

 private:
  static constexpr std::uint64_t kPortion = 1000;
  lua_State* L_;
  std::uint64_t steps_ = 0;
};

// For bytes that are copied or compared.
inline std::uint64_t steps_for_bytes(std::uint64_t bytes) { return bytes / 32; }

}  // namespace ts::scripting
