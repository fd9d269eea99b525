// Times of instructions, as times of lines.
#include "app/panes/program/heat.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/session/session.h"
#include "core/isa/thread_time.h"

namespace ts::ui {
namespace {

// Other questions of the window wait so long at most; a run of more steps is told by its first ones.
constexpr double kMostSeconds = 2;

Heat heat_of(const ListedText& text, const Profile& profile, std::uint32_t count) {
  Heat heat{.lines = {}, .seconds = profile.seconds, .steps = profile.steps, .all = profile.steps == count};
  for (const ProfileRow& row : profile.rows) {
    const std::vector<std::uint32_t> lines = text.lines_of(row.first);
    if (lines.empty() || lines.front() == 0) continue;
    LineHeat& line = heat.lines[lines.front()];
    line.seconds += row.seconds;
    line.steps += row.steps;
    heat.most = std::max(heat.most, line.seconds);
  }
  return heat;
}

}  // namespace

const LineHeat* Heat::of(std::uint32_t line) const {
  const auto found = lines.find(line);
  return found != lines.end() ? &found->second : nullptr;
}

const Profile* StepTimes::profile(DebugView& view, std::uint64_t generation) {
  return profile_.get(view.answerer(), fmt::format("{}", generation), [](Session& session, const auto& go_on) {
    const double begin = thread_seconds();
    return ts::profile(session.recording(), [&] { return go_on() && thread_seconds() < begin + kMostSeconds; });
  });
}

const Heat* HeatColumn::heat(const ListedText& text, const Profile& profile, std::uint32_t count,
                             std::uint64_t generation) {
  if (!kept_ || kept_->first != generation) kept_ = {generation, heat_of(text, profile, count)};
  return &kept_->second;
}

std::string heat_text(const Heat& heat, const LineHeat& line) {
  const double each = line.steps > 0 ? line.seconds / line.steps : 0;
  std::string text =
      fmt::format("{:.1f} % of the emulation's time, {:.3g} ms: {} step{} of {:.3g} us", 100 * heat.share(line),
                  1e3 * line.seconds, line.steps, line.steps == 1 ? "" : "s", 1e6 * each);
  if (!heat.all) text += fmt::format("\nof the first {} steps", heat.steps);
  return text + "\nwithout recording, checks and what stands between steps";
}

}  // namespace ts::ui
