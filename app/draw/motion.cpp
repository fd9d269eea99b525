// Speeds.
#include "app/draw/motion.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace ts::ui {
namespace {

struct Row {
  const char* name;
  Motion motion;
};
// clang-format off
constexpr Row kRows[] = {
    {"off", {Motion::Mode::Off, 1}},     {"step", {Motion::Mode::Step, 1}}, {"0.25x", {Motion::Mode::Play, 0.25}},
    {"0.5x", {Motion::Mode::Play, 0.5}}, {"1x", {Motion::Mode::Play, 1}},   {"2x", {Motion::Mode::Play, 2}},
    {"4x", {Motion::Mode::Play, 4}},
};
// clang-format on

const Row* row_of(const Motion& motion) { return std::ranges::find(kRows, motion, &Row::motion); }

}  // namespace

std::string name_of(const Motion& motion) {
  const Row* row = row_of(motion);
  return row == std::end(kRows) ? "1x" : row->name;
}

std::optional<Motion> motion_from_text(std::string_view text) {
  if (text == "on") return Motion{};
  for (const Row& row : kRows) {
    const std::string_view name = row.name;
    if (text == name || (name.ends_with('x') && text == name.substr(0, name.size() - 1))) return row.motion;
  }
  return {};
}

Motion stepped(const Motion& motion, int by) {
  const auto at = static_cast<int>(row_of(motion) - std::begin(kRows)) + by;
  return kRows[std::clamp(at, 0, static_cast<int>(std::size(kRows)) - 1)].motion;
}

Motion usual_motion() {
  const char* wanted = std::getenv("TILESCOPE_MOTION");
  return motion_from_text(wanted != nullptr ? wanted : "").value_or(Motion{});
}

}  // namespace ts::ui
