// Collects the drawings that families register at start-up.
#include <cassert>
#include <utility>
#include <vector>

#include "app/draw/chips.h"
#include "app/stage/drawing.h"

namespace ts::ui {
namespace {

std::vector<std::pair<Drawing, DrawStep>>& drawings() {
  static std::vector<std::pair<Drawing, DrawStep>> all;
  return all;
}

}  // namespace

RegisteredDrawing::RegisteredDrawing(Drawing drawing, DrawStep draw) {
  for (const auto& [of, other] : drawings()) assert(of != drawing);
  drawings().emplace_back(drawing, draw);
}

DrawStep drawing_of(Drawing drawing) {
  for (const auto& [of, draw] : drawings())
    if (of == drawing) return draw;
  return draw_general;
}

int choose_mode(StageStep& step, const std::string& drawing, ImVec2 at, const std::vector<const char*>& modes,
                float* end_x) {
  std::string& kept = step.memory.modes[drawing];
  int mode = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (kept == modes[i]) mode = static_cast<int>(i);
  const int clicked = choose(drawing.c_str(), at, modes, mode, end_x);
  if (clicked < 0) return mode;
  kept = modes[static_cast<std::size_t>(clicked)];
  return clicked;
}

}  // namespace ts::ui
