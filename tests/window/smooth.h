// No frame of the window took long.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/window/window.h"

namespace ts::test {

inline void check_smooth(Window& window) {
  CHECK_MESSAGE(window.state().value("slow_frames", nlohmann::json::array()).empty(),
                window.state()["slow_frames"].dump());
}

}  // namespace ts::test
