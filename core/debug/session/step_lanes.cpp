// Making the lanes, and cutting columns out of them.
#include "core/debug/session/step_lanes.h"

#include "core/debug/session/queue_history.h"

#include <algorithm>
#include <string>

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

std::uint32_t StepLanes::core_of(std::uint32_t step) const { return ts::core_of(*recording_, step); }
std::string StepLanes::core_name(std::uint32_t core) const { return ts::core_name(*recording_, core); }

std::vector<std::uint32_t>& StepLanes::steps_on(std::uint32_t core, Pipe pipe) {
  return of_cores_[core * kPipes + static_cast<std::size_t>(pipe)];
}

bool StepLanes::place_steps(const std::function<bool()>& go_on) {
  const Program& program = recording_->program();
  const std::uint32_t all_cores = program.together() ? program.cores_at_once() : program.blocks;
  const bool several = all_cores > 1;
  if (several) of_cores_.resize(all_cores * kPipes);
  steps_.resize(kPipes);
  bool has_steps[kPipes] = {};
  // A step's pipe is its instruction's.
  std::vector<std::optional<Pipe>> pipes(recording_->program().instructions.size());
  StopQuestion question(go_on);
  for (std::uint32_t step = 0; step < count(); ++step) {
    if (question.stops()) return false;
    const Step& now = recording_->step(step);
    const std::uint32_t core = core_of(step);
    if (turns_.empty() || turns_.back().core != core) turns_.push_back({{step, step}, core});
    turns_.back().span.end = step + 1;
    cores_ = std::max(cores_, core + 1);
    std::optional<Pipe>& pipe = pipes[now.instruction];
    if (!pipe) {
      pipe = recording_->bound(step).pipe;
      StepSet& set = steps_[static_cast<std::size_t>(*pipe)];
      if (!has_steps[static_cast<std::size_t>(*pipe)]) set = StepSet(count());
      has_steps[static_cast<std::size_t>(*pipe)] = true;
    }
    steps_[static_cast<std::size_t>(*pipe)].add(step);
    if (several) steps_on(core, *pipe).push_back(step);
  }
  for (const Pipe pipe : kPipeOrder) {
    if (!has_steps[static_cast<std::size_t>(pipe)]) continue;
    pipes_.push_back(pipe);
    steps_[static_cast<std::size_t>(pipe)].finish();
  }
  for (std::uint32_t core = 0; core < cores_; ++core)
    for (const Pipe pipe : pipes_)
      if (!several || !steps_on(core, pipe).empty()) rows_.push_back({pipe, core});
  return true;
}

std::optional<std::uint32_t> StepLanes::next_in(const StepLane& lane, std::uint32_t step) const {
  if (!lane.core || of_cores_.empty()) return steps_of(lane.pipe).next(step);
  return next_of(of_cores_[*lane.core * kPipes + static_cast<std::size_t>(lane.pipe)], step);
}

std::uint32_t StepLanes::steps_in(const StepLane& lane, StepSpan span) const {
  if (!lane.core || of_cores_.empty()) return steps_of(lane.pipe).count(span.first, span.end);
  const auto& steps = of_cores_[*lane.core * kPipes + static_cast<std::size_t>(lane.pipe)];
  return static_cast<std::uint32_t>(std::ranges::lower_bound(steps, span.end) -
                                    std::ranges::lower_bound(steps, span.first));
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
    if (of_cores_.empty()) continue;
    found_on_.resize(of_cores_.size());
    const auto pipe = static_cast<std::size_t>(recording_->bound(finding.step).pipe);
    Found& on_core = found_on_[core_of(finding.step) * kPipes + pipe];
    add(on_core.any, finding.step);
    if (is_error) add(on_core.errors, finding.step);
  }
}

std::optional<Severity> StepLanes::worst_of(StepSpan span) const {
  if (any_in(errors_, span)) return Severity::Error;
  if (any_in(warnings_, span)) return Severity::Warning;
  return any_in(findings_, span) ? std::optional(Severity::Note) : std::nullopt;
}

LaneColumn StepLanes::column_at(const StepLane& lane, std::uint32_t step, StepSpan view, std::uint32_t width) const {
  const std::uint64_t first = step / width * std::uint64_t{width};
  LaneColumn column;
  column.span = {std::max(static_cast<std::uint32_t>(first), view.first),
                 static_cast<std::uint32_t>(std::min<std::uint64_t>(first + width, view.end))};
  column.steps = width == 1 ? 1 : steps_in(lane, column.span);
  const bool of_one = lane.core && !of_cores_.empty();
  const std::size_t pipe = static_cast<std::size_t>(lane.pipe);
  static const Found none;
  const Found& found = !of_one ? found_[pipe] : found_on_.empty() ? none : found_on_[*lane.core * kPipes + pipe];
  column.finding = any_in(found.any, column.span);
  column.error = column.finding && any_in(found.errors, column.span);
  return column;
}

std::size_t StepLanes::bytes() const {
  std::size_t bytes = findings_.size() * sizeof(std::uint32_t) + loops_.bytes();
  for (const StepSet& set : steps_) bytes += set.bytes();
  for (const auto& steps : of_cores_) bytes += steps.capacity() * sizeof(std::uint32_t);
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
