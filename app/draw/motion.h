// How much moves by itself. Knows no ImGui.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ts::ui {

struct Motion {
  // Off: nothing on the screen moves by itself. Step: a move goes on by one element a press. Play: it is played.
  enum class Mode : unsigned char { Off, Step, Play };
  Mode mode = Mode::Play;
  double speed = 1;  // of what is played: 0.25 to 4
  bool operator==(const Motion&) const = default;
};

// "off", "step", "0.25x" ... "4x".
std::string name_of(const Motion& motion);
// Nothing: none of these. "1" is the same as "1x", "on" the usual speed.
std::optional<Motion> motion_from_text(std::string_view text);
// The next one in the row off, step, 0.25x, 0.5x, 1x, 2x, 4x; `by` 1 or -1. At its ends it stays.
Motion stepped(const Motion& motion, int by);
// What it is where nobody set it: off where the environment asks for less, by TILESCOPE_MOTION=off (or step, 0.5x).
Motion usual_motion();

}  // namespace ts::ui
