// No frame of the window took long. Looked at on request only, because a machine with other work is slow as a whole:
// `TILESCOPE_SMOOTH=1 ./dev test -tc="window*"`. `./dev bench` has the slowest frames of opening, of the tour and of lessons.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/window/window.h"

namespace ts::test {

inline void check_smooth(Window& window) {
  if (std::getenv("TILESCOPE_SMOOTH") == nullptr) return;
  CHECK_MESSAGE(window.state().value("slow_frames", nlohmann::json::array()).empty(),
                window.state()["slow_frames"].dump());
}

}  // namespace ts::test
