// A long time of use in a short one: memory stays where it was, and no frame takes long.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "tests/support/window/window.h"
#include "tests/window/smooth.h"

namespace ts::test {
namespace {

// Without TILESCOPE_LONG=1 a twentieth, because all of it takes minutes without a graphics card.
const int kActions = std::getenv("TILESCOPE_LONG") != nullptr ? 10'000 : 500;
constexpr int kBatch = 50, kWarmUp = 250;
// Of resident memory, from the end of warming up: what kept pictures and the allocator's free lists come and go by.
constexpr std::size_t kMostGrowth = std::size_t{24} << 20;

// What moves, looks and sets; not what leaves the program or its file.
// clang-format off
const char* const kKeys[] = {
    "F10",    "F10",     "shift+F10", "F11",      "F11",   "ctrl+F11", "shift+F11", "F5",     "shift+F5",
    "F9",     "F4",      "alt+Up",    "alt+Down", "F8",    "x",        "h",         "n",      "comma",
    "period", "Down",    "Up",        "Right",    "Left",  "Tab",      "Escape",    "Escape", "ctrl+e",
    "ctrl+b", "ctrl+F9", "ctrl+t",    "alt+Left", "Prior", "Next",     "Home",      "End",    "ctrl+shift+F5"};

class Monkey {
 public:
  Monkey(Window& window, unsigned seed) : window_(window), random_(seed) {}
  void act(int count) {
    for (int i = 0; i < count; i += kBatch) {
      for (int k = 0; k < kBatch; ++k) once();
      // What was opened by the way is closed, and the layout is the same in the end.
      window_.press_blindly("Escape");
      window_.press_blindly("ctrl+alt+2");
      window_.settle();
    }
  }

 private:
  void once() {
    if (random_() % 3 == 0) {
      // Below the menus and the tool bar: a click in a menu may end the program, as it should.
      window_.click_blindly({static_cast<double>(random_() % 800), 90 + static_cast<double>(random_() % 500)});
    } else {
      window_.press_blindly(kKeys[random_() % std::size(kKeys)]);
    }
  }
  Window& window_;
  std::mt19937 random_;
};
// clang-format on

}  // namespace

TEST_CASE("window: memory is flat over thousands of random actions") {
  Window window({.arguments = {"complex_split"}, .width = 800, .height = 600, .pixels = true});
  Monkey monkey(window, 11);
  monkey.act(kWarmUp);
  const std::size_t before = window.resident_bytes();
  monkey.act(kActions);
  REQUIRE(window.running());
  const std::size_t after = window.resident_bytes();
  CAPTURE(before);
  CAPTURE(after);
  MESSAGE("resident memory: " << before / 1000000 << " MB, then " << after / 1000000 << " MB");
  CHECK(after <= before + kMostGrowth);
  CHECK(window.draws());
  check_smooth(window);
}

}  // namespace ts::test
