// Where a move stands, and its going on.
#include "app/stage/motion/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/draw/look.h"
#include "app/view/later.h"
#include "core/debug/session/session.h"

namespace ts::ui {
namespace {

constexpr const char *kModeKey = "motion", *kLoopKey = "motion loop";
constexpr std::array<const char*, 3> kModeNames = {"as it runs", "row by row", "at once"};

}  // namespace

bool can_move(const StageStep& step) {
  const Machines machines = machines_for(step.bound);
  return step.bound.row->effect == Effect::None && machines.tag != nullptr && machines.trace != nullptr;
}

std::optional<MoveView> move_of(StageStep& step) {
  if (!step.memory.progress || !can_move(step)) return std::nullopt;
  const StepMotion* motion = step.view.kept().of<Later<StepMotion>>().get(
      step.view.answerer(), fmt::format("{}", step.step),
      [at = step.step](Session& session, const std::function<bool()>& go_on) {
        const Trace trace = session.trace(at);
        return StepMotion(session.recording(), at, trace, session.flow_of(at), go_on);
      });
  if (motion == nullptr || motion->empty()) return std::nullopt;
  return MoveView{motion, motion_mode(step.memory), *step.memory.progress};
}

MotionMode motion_mode(const StageMemory& memory) {
  const auto chosen = memory.modes.find(kModeKey);
  for (std::size_t i = 0; i < kModeNames.size() && chosen != memory.modes.end(); ++i)
    if (chosen->second == kModeNames[i]) return static_cast<MotionMode>(i);
  return MotionMode::AsItRuns;
}

bool choose_motion_mode(StageMemory& memory, const std::string& name) {
  const auto found = name.empty() ? kModeNames.begin() + (static_cast<int>(motion_mode(memory)) + 1) % 3
                                  : std::ranges::find_if(kModeNames, [&](const char* one) { return name == one; });
  if (found == kModeNames.end()) return false;
  memory.modes[kModeKey] = *found;
  return true;
}

bool motion_loops(const StageMemory& memory) {
  const auto chosen = memory.modes.find(kLoopKey);
  return chosen != memory.modes.end() && chosen->second == "on";
}
void set_motion_loops(StageMemory& memory, bool loops) { memory.modes[kLoopKey] = loops ? "on" : ""; }

double seconds_of(const StepMotion& motion, MotionMode mode) {
  if (mode == MotionMode::AtOnce) return 2;
  std::size_t landings = 0;
  for (double last = -1; const Travel& one : motion.travels(mode)) {
    landings += one.way.lands != last ? 1 : 0;
    last = one.way.lands;
  }
  return std::clamp(1 + 0.6 * static_cast<double>(landings), 2.0, 16.0);
}

void play_move(StageMemory& memory) {
  memory.plays = true;
  if (!memory.progress || *memory.progress >= 1) memory.progress = 0;
}

void walk_move(StageStep& step, int by) {
  StageMemory& memory = step.memory;
  memory.plays = false;
  if (!memory.progress) memory.progress = by > 0 ? 0 : 1;
  if (!step.move) return;
  memory.progress = by > 0 ? step.move->motion->next_landing(step.move->mode, step.move->progress)
                           : step.move->motion->previous_landing(step.move->mode, step.move->progress);
}

void let_time_pass(StageStep& step, double speed) {
  StageMemory& memory = step.memory;
  if (!memory.plays) return;
  step.view.keep_moving();
  if (!step.move) return;
  // A window that stood still does not jump.
  const double passed = std::min(0.1, static_cast<double>(ImGui::GetIO().DeltaTime));
  const double seconds = seconds_of(*step.move->motion, step.move->mode) / std::max(0.01, speed * look().motion.speed);
  double& progress = *memory.progress;
  progress += passed / seconds;
  if (progress < 1) return;
  progress = motion_loops(memory) ? 0 : 1;
  memory.plays = motion_loops(memory);
}

}  // namespace ts::ui
