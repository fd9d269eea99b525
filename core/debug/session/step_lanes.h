// The steps of a recording as a timeline shows them: on the lanes of pipes, in blocks and loops, with what was found.
// Made once for a recording; what a picture of any width asks of it takes no longer for more steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/debug/session/loop_index.h"
#include "core/debug/session/step_set.h"
#include "core/record/recording.h"

namespace ts {

// Steps side by side on a lane that are drawn as one.
struct LaneColumn {
  StepSpan span;            // where the column stands, also for steps of other lanes
  std::uint32_t steps = 0;  // of this lane, more than 0
  bool finding = false;     // something was found in one of them
  bool error = false;       // of error severity
};

// A row of the timeline: the steps of a pipe, of all cores or of one.
struct StepLane {
  Pipe pipe = Pipe::None;
  std::optional<std::uint32_t> core = {};
};
// Steps behind each other on one core.
struct CoreTurn {
  StepSpan span;
  std::uint32_t core = 0;
};

class StepLanes {
 public:
  // Nothing when `go_on` said no. The recording has to live as long; the findings, which are by step, do not.
  static std::optional<StepLanes> make(const Recording& recording, std::span<const Finding> findings,
                                       const std::function<bool()>& go_on = {});

  std::uint32_t count() const { return recording_->count(); }
  // Those with steps, in the order that data comes through them: loads, work, stores, the rest.
  std::span<const Pipe> pipes() const { return pipes_; }
  const StepSet& steps_of(Pipe pipe) const { return steps_[static_cast<std::size_t>(pipe)]; }
  // The rows of each core that has steps, core by core. Where blocks run one after the other, each is a core of its own.
  std::span<const StepLane> rows() const { return rows_; }
  std::uint32_t cores() const { return cores_; }
  std::string core_name(std::uint32_t core) const;
  std::uint32_t core_of(std::uint32_t step) const;
  // Who ran when: the steps of all cores behind each other.
  std::span<const CoreTurn> turns() const { return turns_; }
  std::uint32_t steps_in(const StepLane& lane, StepSpan span) const;

  // Steps in which something was found, ascending, each once. One as high as the count is the step that could not be
  // made. Of a pipe: only steps that were made.
  std::span<const std::uint32_t> findings() const { return findings_; }
  std::span<const std::uint32_t> findings(Pipe pipe) const { return found_[static_cast<std::size_t>(pipe)].any; }
  std::span<const std::uint32_t> errors(Pipe pipe) const { return found_[static_cast<std::size_t>(pipe)].errors; }
  // The same, of error severity, and of at least that of a warning.
  std::span<const std::uint32_t> errors() const { return errors_; }
  std::span<const std::uint32_t> warnings() const { return warnings_; }
  // The gravest of what was found in these steps.
  std::optional<Severity> worst_of(StepSpan span) const;

  // The columns of a lane over `view` that have steps, each `width` steps wide and beginning at a multiple of it, so
  // that they stand still while the view moves. What was found never vanishes in them.
  template <class F>
  void for_columns(const StepLane& lane, StepSpan view, std::uint32_t width, F f) const {
    for (auto at = next_in(lane, view.first); at && *at < view.end;) {
      const LaneColumn column = column_at(lane, *at, view, width);
      f(column);
      if (column.span.end >= view.end) break;
      at = next_in(lane, column.span.end);
    }
  }

  // --- loops ---
  // How deep they stand in each other, at most.
  std::size_t depths() const { return loops_.levels(); }
  // All entries into loops of a depth, in their order; they stand side by side. 0 is the outermost.
  std::span<const LoopIndex::Loop> loops(std::size_t depth) const { return loops_.level(depth).loops; }
  const LoopTurn& turn_at(std::size_t depth, std::uint32_t step) const { return recording_->loops(step)[depth]; }
  std::uint32_t turns(std::size_t depth, StepSpan loop) const { return turn_at(depth, loop.end - 1).turn + 1; }
  // The first step behind `step`, which is of a loop of this depth, that is of a later turn, or the loop's end.
  std::uint32_t next_turn(std::size_t depth, std::uint32_t step) const { return loops_.next_turn(depth, step); }

  std::size_t bytes() const;

 private:
  StepLanes(const Recording& recording, const std::function<bool()>& go_on)
      : recording_(&recording), loops_(recording, go_on) {}
  bool place_steps(const std::function<bool()>& go_on);
  void place_findings(std::span<const Finding> findings);
  std::optional<std::uint32_t> next_in(const StepLane& lane, std::uint32_t step) const;
  LaneColumn column_at(const StepLane& lane, std::uint32_t step, StepSpan view, std::uint32_t width) const;
  std::vector<std::uint32_t>& steps_on(std::uint32_t core, Pipe pipe);

  static constexpr std::size_t kPipes = static_cast<std::size_t>(Pipe::None) + 1;
  struct Found {
    std::vector<std::uint32_t> any, errors;
  };
  const Recording* recording_;
  std::vector<Pipe> pipes_;
  std::vector<StepSet> steps_;  // by pipe; of no size where it has none
  std::vector<StepLane> rows_;
  std::vector<CoreTurn> turns_;
  std::uint32_t cores_ = 0;
  std::vector<std::vector<std::uint32_t>>
      of_cores_;                 // by core and pipe, ascending; none where all steps are of one core
  std::vector<Found> found_on_;  // the same, where something was found
  std::vector<std::uint32_t> findings_, errors_, warnings_;
  Found found_[kPipes];
  LoopIndex loops_;
};

// Where a stop waits, as far as that is a matter of places: what remains of its rule.
struct StopPlace {
  std::optional<std::uint32_t> step = {}, line = {};
  std::string op = {};
  // All three are looked at; a rule with none of them has no place.
  bool anywhere() const { return !step && !line && op.empty(); }
};
// All steps that one of these stops stands before. Nothing when `go_on` said no.
std::optional<StepSet> steps_with_stops(const Recording& recording, std::span<const StopPlace> stops,
                                        const std::function<bool()>& go_on = {});

// From `at` on the next of ascending steps.
std::optional<std::uint32_t> next_of(std::span<const std::uint32_t> ascending, std::uint32_t at);

}  // namespace ts
