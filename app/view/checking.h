// The looking for findings beside the window: what is looked for, and how far it is.
#pragma once

#include <cstdint>

#include "core/check/check.h"

namespace ts::ui {

struct Checking {
  enum class State : std::uint8_t {
    Waiting,  // until somebody asks: it is turned off, or the recording is long
    Running,
    Done,
    Ended,  // before its end, because somebody said so
  };
  State state = State::Waiting;
  std::uint64_t done = 0;  // steps
  // --- what the user set ---
  bool automatic = true;  // after every opening
  CheckOptions options = {};
};

}  // namespace ts::ui
