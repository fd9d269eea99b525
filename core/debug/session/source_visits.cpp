// One pass over the steps.
#include "core/debug/session/source_visits.h"

#include <algorithm>

#include "core/isa/stop_question.h"

namespace ts {
namespace {

// Whether a step stands in the same turns of the same loops as the one before it; only loops that `counts` are looked at.
template <class F>
bool same_turns(const Recording& recording, std::uint32_t step, F counts) {
  const Step &a = recording.step(step - 1), &b = recording.step(step);
  if (a.loops == b.loops && a.loop_count == b.loop_count) return true;
  const auto turns_of = [&](std::uint32_t of) {
    std::vector<LoopTurn> turns;
    for (const LoopTurn& turn : recording.loops(of))
      if (counts(turn)) turns.push_back(turn);
    return turns;
  };
  return turns_of(step - 1) == turns_of(step);
}

}  // namespace

SourceVisits::SourceVisits(const Recording& recording, const SourceMap& map, const std::function<bool()>& go_on)
    : recording_(&recording), map_(&map), steps_(recording.count()) {
  StopQuestion question(go_on);
  std::uint32_t origin = SourceMap::kUnknown;  // of the visit at hand
  for (std::uint32_t step = 0; step < steps_; ++step) {
    if (question.stops()) return;
    const std::uint32_t now = map.origin_of(recording.step(step).instruction);
    const bool same_line = now == SourceMap::kUnknown || now == origin;
    const auto of_other_lines = [&](const LoopTurn& turn) { return map.origin_of_loop(turn.pos) != origin; };
    const bool goes_on = step > 0 && same_line && recording.step(step - 1).block == recording.step(step).block &&
                         same_turns(recording, step, of_other_lines);
    if (!goes_on) firsts_.push_back(step);
    if (!goes_on || now != SourceMap::kUnknown) origin = now;
  }
  complete_ = true;
}

bool SourceVisits::begins(std::uint32_t step) const { return std::ranges::binary_search(firsts_, step); }

bool SourceVisits::comes_to(SourceLine line, std::uint32_t step) const {
  if (!begins(step)) return false;
  // How many calls below the line; nothing: it did not come from there.
  const auto depth = [&](std::uint32_t origin) -> std::optional<std::size_t> {
    const std::vector<SourceLine>& lines = map_->lines(origin);
    const auto found = std::ranges::find(lines, line);
    return found == lines.end() ? std::nullopt : std::optional<std::size_t>(found - lines.begin());
  };
  const auto origin_at = [&](std::uint32_t at) { return map_->origin_of(recording_->step(at).instruction); };
  const auto now = depth(origin_at(step));
  if (!now || *now == 0 || step == 0) return now.has_value();
  // A call goes on while lines below it come one after the other, also in the turns of its own loops.
  const auto around_call = [&](const LoopTurn& turn) { return !depth(map_->origin_of_loop(turn.pos)); };
  const bool before_was_below = depth(origin_at(begin_of(step - 1))).value_or(0) > 0;
  return !before_was_below || recording_->step(step - 1).block != recording_->step(step).block ||
         !same_turns(*recording_, step, around_call);
}

std::uint32_t SourceVisits::origin_of(std::uint32_t step) const {
  const auto own = [&](std::uint32_t at) { return map_->origin_of(recording_->step(at).instruction); };
  if (own(step) != SourceMap::kUnknown) return own(step);
  for (std::uint32_t at = begin_of(step); at < end_of(step); ++at)
    if (own(at) != SourceMap::kUnknown) return own(at);
  return SourceMap::kUnknown;
}

std::uint32_t SourceVisits::begin_of(std::uint32_t step) const {
  const auto behind = std::ranges::upper_bound(firsts_, step);
  return behind == firsts_.begin() ? 0 : *std::prev(behind);
}

std::uint32_t SourceVisits::end_of(std::uint32_t step) const {
  const auto behind = std::ranges::upper_bound(firsts_, step);
  return behind == firsts_.end() ? steps_ : *behind;
}

Refusal no_sources() {
  return {"the program does not say which lines it came from", "its operations have no loc(\"file\":line:column)"};
}

}  // namespace ts
