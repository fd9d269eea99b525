// Making the lanes, and cutting columns out of them.
#include "core/debug/session/step_lanes.h"

#include <algorithm>

#include "core/debug/session/stops.h"
#include "core/isa/stop_question.h"

namespace ts {
namespace {

// As data comes through them.
constexpr Pipe kPipeOrder[] = {Pipe::Mte2, Pipe::Mte1, Pipe::M, Pipe::Fix, Pipe::V, Pipe::Mte3, Pipe::S, Pipe::None};

bool any_in(std::span<const std::uint32_t> ascending, StepSpan span) {
  const auto next = next_of(ascending, span.first);
  return next && *next < span.end;
}

}  // namespace

std::optional<std::uint32_t> next_of(std::span<const std::uint32_t> ascending, std::uint32_t at) {
  const auto next = std::ranges::lower_bound(ascending, at);
  return next == ascending.end() ? std::nullopt : std::optional(*next);
}

std::optional<StepLanes> StepLanes::make(const Recording& recording, std::span<const Finding> findings,
                                         const std::function<bool()>& go_on) {
  StepLanes lanes(recording, go_on);
  if (!lanes.loops_.complete() || !lanes.place_steps(go_on)) return {};
  lanes.place_findings(findings);
  return lanes;
}

bool StepLanes::place_steps(const std::function<bool()>& go_on) {
  steps_.resize(kPipes);
  bool has_steps[kPipes] = {};
  // A step's pipe is its instruction's.
  std::vector<std::optional<Pipe>> pipes(recording_->program().instructions.size());
  StopQuestion question(go_on);
  for (std::uint32_t step = 0; step < count(); ++step) {
    if (question.stops()) return false;
    const Step& now = recording_->step(step);
    if (blocks_.size() <= now.block) blocks_.resize(now.block + std::size_t{1}, {step, step});
    blocks_[now.block].end = step + 1;
    std::optional<Pipe>& pipe = pipes[now.instruction];
    if (!pipe) {
      pipe = recording_->bound(step).pipe;
      StepSet& set = steps_[static_cast<std::size_t>(*pipe)];
      if (!has_steps[static_cast<std::size_t>(*pipe)]) set = StepSet(count());
      has_steps[static_cast<std::size_t>(*pipe)] = true;
    }
    steps_[static_cast<std::size_t>(*pipe)].add(step);
  }
  for (const Pipe pipe : kPipeOrder) {
    if (!has_steps[static_cast<std::size_t>(pipe)]) continue;
    pipes_.push_back(pipe);
    steps_[static_cast<std::size_t>(pipe)].finish();
  }
  return true;
}

void StepLanes::place_findings(std::span<const Finding> findings) {
  const auto add = [](std::vector<std::uint32_t>& steps, std::uint32_t step) {
    if (steps.empty() || steps.back() != step) steps.push_back(step);
  };
  for (const Finding& finding : findings) {
    const bool is_error = finding.diagnostic.severity == Severity::Error;
    add(findings_, finding.step);
    if (is_error) add(errors_, finding.step);
    if (finding.diagnostic.severity >= Severity::Warning) add(warnings_, finding.step);
    if (finding.step >= count()) continue;
    Found& found = found_[static_cast<std::size_t>(recording_->bound(finding.step).pipe)];
    add(found.any, finding.step);
    if (is_error) add(found.errors, finding.step);
  }
}

std::optional<Severity> StepLanes::worst_of(StepSpan span) const {
  if (any_in(errors_, span)) return Severity::Error;
  if (any_in(warnings_, span)) return Severity::Warning;
  return any_in(findings_, span) ? std::optional(Severity::Note) : std::nullopt;
}

LaneColumn StepLanes::column_at(Pipe pipe, std::uint32_t step, StepSpan view, std::uint32_t width) const {
  const std::uint64_t first = step / width * std::uint64_t{width};
  LaneColumn column;
  column.span = {std::max(static_cast<std::uint32_t>(first), view.first),
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(first + width, view.end))};
  column.steps = width == 1 ? 1 : steps_of(pipe).count(column.span.first, column.span.end);
  column.finding = any_in(findings(pipe), column.span);
  column.error = column.finding && any_in(errors(pipe), column.span);
  return column;
}

std::size_t StepLanes::bytes() const {
  std::size_t bytes = findings_.size() * sizeof(std::uint32_t) + loops_.bytes();
  for (const StepSet& set : steps_) bytes += set.bytes();
  return bytes;
}

std::optional<StepSet> steps_with_stops(const Recording& recording, std::span<const StopPlace> stops,
                                        const std::function<bool()>& go_on) {
  StepSet set(recording.count());
  const auto& instructions = recording.program().instructions;
  // By instruction: whether all its steps are meant.
  std::vector<char> all(instructions.size(), 0);
  for (const StopPlace& stop : stops) {
    if (stop.anywhere()) continue;
    const auto fits = [&](const Instruction& instruction) {
      return (!stop.line || instruction.pos.line == *stop.line) &&
             (stop.op.empty() || plain_op(stop.op) == instruction.row->name);
    };
    if (!stop.step)
      for (std::size_t i = 0; i < instructions.size(); ++i) all[i] |= static_cast<char>(fits(instructions[i]));
    else if (*stop.step < recording.count() && fits(instructions[recording.step(*stop.step).instruction]))
      set.add(*stop.step);
  }
  if (std::ranges::find(all, 1) != all.end()) {
    StopQuestion question(go_on);
    for (std::uint32_t step = 0; step < recording.count(); ++step) {
      if (question.stops()) return {};
      if (all[recording.step(step).instruction] != 0) set.add(step);
    }
  }
  set.finish();
  return set;
}

}  // namespace ts
