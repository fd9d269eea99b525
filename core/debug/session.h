// The one door to a recording for the window, scripts and the command line: where one stands in it, steps and stops both
// ways, and questions about values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/debug/data_flow.h"
#include "core/debug/moment.h"
#include "core/debug/refusal.h"
#include "core/debug/stops.h"
#include "core/record/recording.h"

namespace ts {

enum class Direction : std::uint8_t { Forward, Backward };

// A place where a session can be asked to run to.
struct RunTarget {
  std::optional<std::uint32_t> step, line;
  std::string op = {};
  std::uint32_t nth = 1;
};

class Session {
 public:
  explicit Session(std::shared_ptr<const Recording> recording);

  const Recording& recording() const { return *recording_; }
  std::shared_ptr<const Recording> shared_recording() const { return recording_; }
  std::uint32_t count() const { return recording_->count(); }

  // --- where one stands ---
  Moment moment() const { return moment_; }
  // The memories there. Valid until anything else is asked of the session.
  const Memory& memory();
  // The memories at a position. Valid as above.
  const Memory& memory_at(std::uint32_t position) { return inspector_.at(position); }
  void peek(std::uint32_t position, ByteRange place, std::span<std::byte> out) { inspector_.peek(position, place, out); }
  // The micro-steps of a step; kept for the step asked last. Valid until the next call.
  const Trace& trace(std::uint32_t step);

  // --- going there ---
  // Beyond the end: the end.
  void seek(Moment moment);
  // So many steps; backwards from the middle of a step, its start counts as one.
  Stopped steps(std::uint32_t count, Direction direction);
  Stopped over(Direction direction);
  Stopped into(Direction direction);
  // Out of the innermost of: the step, loops, the block, the program.
  Stopped out(Direction direction);
  // On to the next stop, or to one of `extra`, which count no hits.
  Stopped run(Direction direction, std::span<const StopRule> extra = {});
  // To the nth place from here that fits; refused when there is none, and nothing moves.
  std::variant<Stopped, Refusal> run_to(const RunTarget& target, Direction direction);
  // The next or last write of these bytes; nothing moves when there is none.
  std::optional<Stopped> to_write(ByteRange place, Direction direction);
  std::optional<Stopped> to_finding(Direction direction);
  // Through the places that were gone to, as in a browser.
  bool visit_back();
  bool visit_forward();

  // --- stops ---
  // Refused when it can never fire in this recording.
  std::variant<StopId, Refusal> add_stop(StopRule rule);
  bool remove_stop(StopId id);
  StopEntry* find_stop(StopId id);
  const std::vector<StopEntry>& stops() const { return stops_; }
  void clear_stops() { stops_.clear(); }

  // --- questions ---
  const StepIndex& index();
  DataFlow flow() { return {*recording_, inspector_, index()}; }
  Flow flow_of(std::uint32_t step) { return inspector_.flow(step); }
  History history(ByteRange range) { return {*recording_, inspector_, range}; }
  // The tile of this name: its last declaration that ran before `position`, or else the first.
  std::optional<std::uint32_t> find_tile(std::string_view name, std::uint32_t position);
  std::optional<std::uint32_t> find_buffer(std::string_view name) const;
  // Where a tile stands, as the steps around `position` see it.
  TileRef tile_at(std::uint32_t tile, std::uint32_t position);
  // The first element of a step's results that is NaN (or infinite) while nothing it was made of is; of what came in from
  // outside, the load that brought it.
  std::optional<Cell> produced(std::uint32_t step, bool nan, bool inf);
  // The findings of a step.
  std::span<const Finding> findings_of(std::uint32_t step) const;

  // --- notes ---
  std::map<std::string, std::uint32_t>& bookmarks() { return bookmarks_; }
  std::vector<std::string>& watches() { return watches_; }

  // Another recording: the same program with bytes changed at positions. What this one's fork changed stays changed.
  std::shared_ptr<const Recording> fork(std::vector<Edit> edits, std::function<bool(std::uint64_t)> go_on = {}) const;

  // Asked now and then in what may take long; false: it ends where it is.
  std::function<bool()> go_on;
  // Told where the session stands after every call that moved it.
  std::function<void(const Stopped&)> on_stop;
  // What log points say.
  std::function<void(const std::string&)> on_log;

 private:
  struct Hit;
  void arrive(Moment moment);
  Stopped stopped(Stopped::Reason reason, std::uint32_t step);
  Stopped told(Stopped stop);
  std::optional<Stopped> stop_before(std::uint32_t step, std::span<const StopRule> extra, Direction direction);
  std::optional<Stopped> stop_after(std::uint32_t step, std::span<const StopRule> extra, Direction direction);
  bool crosses(const StopRule& rule, std::uint32_t step, Stopped& stop);
  std::optional<Refusal> never_fires(const StopRule& rule);
  std::uint32_t micro_count(std::uint32_t step);

  std::shared_ptr<const Recording> recording_;
  Inspector inspector_;
  std::optional<StepIndex> index_;
  Moment moment_;
  std::optional<std::uint32_t> traced_;
  Trace trace_;
  std::vector<StopEntry> stops_;
  StopId next_stop_ = 1;
  std::map<std::string, std::uint32_t> bookmarks_;
  std::vector<std::string> watches_;
  std::vector<Moment> visited_;
  std::size_t visit_ = 0;
};

}  // namespace ts
