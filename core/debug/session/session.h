// The one door to a recording for the window, scripts and the command line: where one stands in it, steps and stops
// both ways, and questions about values.
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

#include "core/debug/compare/reference.h"
#include "core/debug/edits/fork.h"
#include "core/debug/origins/questions.h"
#include "core/debug/session/followed.h"
#include "core/debug/session/moment.h"
#include "core/debug/session/note.h"
#include "core/debug/session/queue_history.h"
#include "core/debug/session/source_visits.h"
#include "core/debug/session/stops.h"
#include "core/isa/refusal.h"
#include "core/record/recording.h"

namespace ts {

enum class Direction : std::uint8_t { Forward, Backward };

// A place where a session can be asked to run to.
struct RunTarget {
  std::optional<std::uint32_t> step = {}, line = {};
  std::optional<SourceStop> source = {};
  std::string op = {};
  std::uint32_t nth = 1;
};

class Session : public Questions {
 public:
  explicit Session(std::shared_ptr<const Recording> recording);

  // --- where one stands ---
  Moment moment() const { return moment_; }
  // The memories there. Valid until anything else is asked of the session.
  const Memory& memory();

  // --- going there ---
  // Beyond the end: the end.
  void seek(Moment moment);
  // What one step is for those two: an instruction, or a visit to a line that somebody wrote (SourceVisits). Refused where
  // the program says not where it came from.
  std::optional<Refusal> step_by_source(bool by_source);
  bool steps_by_source() const { return by_source_; }
  // Steps are those of one core from now on, and the others make theirs on the way; nothing: of all cores. Refused where
  // there is no such core, or one alone.
  std::optional<Refusal> follow(std::optional<CoreId> core);
  std::optional<CoreId> followed() const { return followed_; }
  // On to where the core that is followed, or else that of the next step, waits for another one.
  std::variant<Stopped, Refusal> until_waits();
  // So many steps; backwards from the middle of a step, its start counts as one.
  Stopped steps(std::uint32_t count, Direction direction);
  Stopped over(Direction direction);
  // One step on, unless something stops it before.
  Stopped advance();
  // To where another visit begins, unless something stops it before.
  std::variant<Stopped, Refusal> source_step(Direction direction);
  Stopped into(Direction direction);
  // Out of the innermost of: the step, loops, the block, the program.
  Stopped out(Direction direction);
  // A condition is being asked. It may look around, and the session is back in its place afterwards; it may not run on:
  // `run` and `out` say Failed then, and nothing moves.
  bool running() const { return running_; }
  // On to the next stop, or to one of `extra`, of which neither counts nor conditions nor texts are looked at.
  Stopped run(Direction direction, std::span<const StopRule> extra = {});
  // To the nth place from here that fits; refused when there is none, and nothing moves.
  std::variant<Stopped, Refusal> run_to(const RunTarget& target, Direction direction);
  // The next or last write of these bytes; nothing moves when there is none.
  std::optional<Stopped> to_write(ByteRange place, Direction direction);
  // The place of a finding is before its step, where the operands still are what they were, or `behind` it. From a
  // finding that was shown, and left by nothing else, on to the next one, also of the same step; from anywhere else to
  // the first whose step comes next, or the last whose step has been made. Nothing moves where there is none.
  std::optional<Stopped> to_finding(Direction direction, bool behind = false);
  // To a finding by its index; `to_finding` goes on from it. Nothing: there is none.
  std::optional<Stopped> show_finding(std::size_t index, bool behind = false);
  // Behind the next or last step that differs from the reference; nothing, and nothing moves, when there is none.
  std::optional<Stopped> to_difference(Direction direction);
  // Through the places that were gone to, as in a browser.
  bool visit_back();
  bool visit_forward();

  // --- stops ---
  // Refused when it can never fire in this recording, or there are too many.
  std::variant<StopId, Refusal> add_stop(StopRule rule);
  bool remove_stop(StopId id);
  StopEntry* find_stop(StopId id);
  const std::vector<StopEntry>& stops() const { return stops_; }
  void clear_stops() { stops_.clear(); }

  // --- findings ---
  // All findings, by step: what the run found, or, once somebody checked more, everything (core/check).
  const std::vector<Finding>& findings() const { return checked_ ? *checked_ : recording_->findings(); }
  std::shared_ptr<const std::vector<Finding>> shared_findings() const;
  bool was_checked() const { return checked_ != nullptr; }
  // By step; with what the run found.
  void set_findings(std::shared_ptr<const std::vector<Finding>> findings) {
    checked_ = std::move(findings);
    shown_finding_.reset();
  }
  std::span<const Finding> findings_of(std::uint32_t step) const;

  // --- the lines that people wrote ---
  const SourceMap& sources();
  // Where a step stands, for people: "line 12", or "line 12, attn.py:41".
  std::string line_text(std::uint32_t step);
  // Null: making it was stopped.
  const SourceVisits* source_visits();

  // --- cores and their queues ---
  const QueueHistory& queues();
  const CoreHistory& cores();

  // --- a reference ---
  void set_reference(Reference reference) { reference_ = std::move(reference); }
  const Reference& reference() const { return reference_; }

  // --- marks ---
  // So many bookmarks, breakpoints and watches each, whoever sets them: all of them are looked at all the time.
  static constexpr std::size_t kMostMarks = 1000;
  const std::map<std::string, std::uint32_t>& bookmarks() const { return bookmarks_; }
  // Beyond the end: the end. Refused where there are too many.
  std::optional<Refusal> bookmark(const std::string& name, std::uint32_t position);
  bool remove_bookmark(const std::string& name) { return bookmarks_.erase(name) != 0; }
  const std::vector<std::string>& watches() const { return watches_; }
  std::optional<Refusal> watch(std::string text);
  void change_watch(std::size_t index, std::string text) { watches_[index] = std::move(text); }
  void remove_watch(std::size_t index) { watches_.erase(watches_.begin() + static_cast<std::ptrdiff_t>(index)); }
  // False: nobody watched it.
  bool unwatch(const std::string& text) { return std::erase(watches_, text) != 0; }
  void clear_watches() { watches_.clear(); }
  const std::vector<Note>& notes() const { return notes_; }
  // As `put_note`; refused where it can be about nothing in this recording.
  std::optional<Refusal> note(Note note);

  // What became of marks when the text was edited: those that are elsewhere now, and those whose place is gone, with the
  // marks themselves.
  const std::vector<FollowedMark>& followed_marks() const { return followed_marks_; }
  void set_followed_marks(std::vector<FollowedMark> marks) { followed_marks_ = std::move(marks); }

  // Another recording: the same program with bytes changed at positions (core/debug/edits/fork.h).
  std::variant<std::shared_ptr<const Recording>, Refusal> fork(std::vector<Edit> edits,
                                                               std::function<bool(std::uint64_t)> asked = {},
                                                               std::optional<ForkBounds> bounds = {}) const {
    return fork_recording(*recording_, std::move(edits), {}, std::move(asked), bounds);
  }
  // Runs that came of this one, as they are kept with it.
  const std::vector<KeptFork>& forks() const { return forks_; }
  // Takes the place of the one of the same name.
  std::optional<Refusal> keep_fork(KeptFork fork);
  bool remove_fork(const std::string& name);  // false: there is none

  // Asked now and then in what may take long; false: it ends where it is.
  std::function<bool()> go_on;
  // Told where the session stands after every call that moved it.
  std::function<void(const Stopped&)> on_stop;
  // What log points say.
  std::function<void(const std::string&)> on_log;

 private:
  // Steps that belong together, up to `end`.
  struct Span {
    std::uint32_t first, end;
  };
  // session.cpp
  void arrive(Moment moment);
  Stopped land(Moment moment, Stopped stop);
  Stopped told(Stopped stop);
  bool visit(std::size_t place);
  Stopped at_end(Direction direction) const;
  std::uint32_t micro_count(std::uint32_t step);
  Stopped source_steps(std::uint32_t count, Direction direction);
  Stopped core_steps(std::uint32_t count, Direction direction);
  std::optional<std::uint32_t> behind_region(Direction direction) const;
  Span span_of(std::uint32_t step, std::size_t loop) const;
  std::vector<Span> spans_around(std::uint32_t step) const;
  Stopped go_to(std::uint32_t target, Direction direction, std::span<const StopRule> extra);
  Stopped go_forward(std::uint32_t target, std::span<const StopRule> extra);
  Stopped go_backward(std::uint32_t target, std::span<const StopRule> extra);
  bool may_go_on();
  bool has_stops(std::span<const StopRule> extra) const;
  std::optional<Stopped> stop_at(std::uint32_t step, bool made, Moment there, std::span<const StopRule> extra);
  bool hit(StopId id, Stopped& stop, Moment there);
  // stop_checks.cpp
  bool waits_for_step(const StopRule& rule) const;
  bool fits_place(const StopRule& rule, std::uint32_t step);
  bool fits(const StopRule& rule, std::uint32_t step, Stopped& stop);
  bool may_fit(const StopRule& rule, std::uint32_t step);
  std::optional<ByteRange> first_touched(const Watched& watch, std::uint32_t step);
  std::optional<Refusal> never_fires(const StopRule& rule);
  std::optional<Refusal> wrong_place(const Watched& watch) const;
  Refusal too_few(const StopRule& rule, std::uint32_t found, Direction direction) const;
  std::optional<Refusal> wrong_log(const std::string& log) const;
  std::string log_text(const StopEntry& entry, const Stopped& stop, std::uint32_t position);

  std::shared_ptr<const std::vector<Finding>> checked_;
  Reference reference_;
  Moment moment_;
  std::optional<std::size_t> shown_finding_;  // the session was brought here to see it
  // What stands before the step at the session's place has not stopped it yet.
  bool before_due_ = true;
  bool running_ = false;
  std::vector<StopEntry> stops_;
  StopId next_stop_ = 1;
  std::map<std::string, std::uint32_t> bookmarks_;
  std::vector<std::string> watches_;
  std::vector<Note> notes_;
  std::vector<FollowedMark> followed_marks_;
  std::vector<KeptFork> forks_;
  bool by_source_ = false;
  std::optional<CoreId> followed_;
  std::unique_ptr<const SourceMap> sources_;
  std::unique_ptr<const SourceVisits> source_visits_;
  std::unique_ptr<const QueueHistory> queues_;
  std::unique_ptr<const CoreHistory> cores_;
  std::vector<Moment> visited_;
  std::size_t visit_ = 0;
};

}  // namespace ts
