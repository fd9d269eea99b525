// A program's run, kept so that every step can be looked at and every position be gone to.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/program/cores/deadlock.h"
#include "core/program/execution.h"
#include "core/program/step_source.h"
#include "core/record/finding.h"
#include "core/record/step_bounds.h"
#include "core/record/step_runner.h"
#include "core/record/timeline.h"

namespace ts {

class AheadChoice;
class BlocksAhead;

// One executed instruction. Step s leads from position s to s + 1. Everything it worked on is in the recording: its
// operands as they stood (bound), what it wrote, what was found.
struct Step {
  std::uint32_t instruction = 0;  // index in the program
  std::uint32_t bound = 0;
  std::uint32_t first_write = 0, write_count = 0;
  std::uint32_t loops = 0;  // where the turns of its loops are kept
  std::uint16_t block = 0;
  std::uint16_t loop_count = 0;
};

enum class StopReason : std::uint8_t { End, Error, NotEmulated, Budget, Limit, Interrupted };
const char* name(StopReason reason);

// Bytes changed by hand: they are these from a position on, and count as written.
struct Edit {
  std::uint32_t position = 0;
  Space space = Space::Ub;
  std::uint32_t address = 0;
  std::vector<std::byte> bytes = {};
  CoreId core = 0;
  bool by_kernel = false;  // compiled code changed them, and will again when it runs again
  ByteRange place() const { return {space, address, static_cast<std::uint32_t>(bytes.size()), BytePart::Whole, core}; }
};

// A number of the program, changed by hand: it is this from a position on, until the program gives its slot another one. Of
// all cores.
struct NumberEdit {
  std::uint32_t position = 0;
  Slot slot = 0;
  std::uint64_t bits = 0;
  bool operator==(const NumberEdit&) const = default;
};

struct RecordOptions {
  // Bounds what is given or looked at of the inputs, snapshots, steps with their operands, and write patterns; 0: a quarter of the machine's memory, half of
  // what it can spare, or 4 GiB, whichever is least.
  // When it is used up, older snapshots are thinned and the recording goes on. Steps are never given up: a quarter stays
  // with the snapshots, however many steps there are.
  std::size_t budget_bytes = 0;
  // Bounds everything that it takes of the host, steps as well: it ends there. 0: no bound.
  std::size_t most_bytes = 0;
  std::function<void(Memory&)> initial = {};  // changes the memories of position 0, with the inputs already in place
  std::vector<Edit> edits = {};               // inside the memories
  std::vector<NumberEdit> number_edits = {};
  WalkLimits limits = {};
};

// A recording that was made before: what `Recording` gives out, and where its snapshots are.
struct RecordingParts {
  Program program;
  RecordOptions options = {};
  std::vector<Step> steps = {};  // `first_write` and `loops` are places in the lists below
  std::deque<Bound> bounds = {};
  std::vector<WritePattern> writes = {};
  std::vector<LoopTurn> loops = {};
  std::vector<Finding> findings = {};
  StopReason stop = StopReason::End;
  std::optional<Step> unmade = {};
  std::vector<CoreWait> waits = {};
  std::vector<Environment::TileState> tiles_at_end = {};
  Thinning thinning = {};
  PagesElsewhere pages = {};
};

// What RecordOptions::budget_bytes 0 stands for.
std::size_t default_budget_bytes();

class Recording {
 public:
  static std::unique_ptr<Recording> run(Program program, const RecordOptions& options = {});
  // Everything in it has been checked.
  static std::unique_ptr<Recording> restore(RecordingParts parts);
  ~Recording();

  const Program& program() const { return program_; }
  const RecordOptions& options() const { return options_; }
  const MemoryMap& map() const { return memory_.map(); }
  const Timeline& timeline() const { return timeline_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(steps_.size()); }  // steps; positions are 0..count
  const Step& step(std::uint32_t step) const { return steps_[step]; }
  const Bound& bound(std::uint32_t step) const { return bounds_[steps_[step].bound]; }
  // What a finding's step worked on: also of the step that could not be made, which ended the program. Null where nobody
  // knows, as for an operand without a value.
  const Bound* bound_of(const Finding& finding) const;
  // The cores that could not go on when nobody could.
  const std::vector<CoreWait>& waits() const { return restored_ ? waits_ : source_->waits(); }
  // The step that could not be made.
  const std::optional<Step>& unmade() const { return unmade_; }
  const Bound& bound(const Step& step) const { return bounds_[step.bound]; }
  std::span<const WritePattern> writes(std::uint32_t step) const;
  // The loops around it, outermost first.
  std::span<const LoopTurn> loops(std::uint32_t step) const {
    return {loops_.data() + steps_[step].loops, steps_[step].loop_count};
  }
  // Of warnings and notes of one rule at one place in the text only the first ones.
  static constexpr std::uint32_t kMostFindingsAPlace = 1000;
  const std::vector<Finding>& findings() const { return findings_; }
  StopReason stop_reason() const { return stop_; }
  // Which positions have no snapshots any more and are rebuilt from the keyframe before them.
  const Thinning& thinning() const { return timeline_.thinning(); }
  // Of the steps of blocks that share nothing: those that another thread had run when the recording came to them.
  std::uint64_t taken_steps() const { return taken_steps_; }
  // What counts towards the budget.
  std::size_t used_bytes() const { return step_bytes() + timeline_.used_bytes() + inputs_bytes(); }
  // Steps with all that is kept of them.
  std::size_t step_bytes() const;
  // What it takes of the host at most, also while the next step is made; and what a recording of this program takes
  // before its first step.
  std::size_t held_bytes() const;
  static std::size_t least_bytes(const Program& program);
  // Where a tile stands after the last step.
  Environment::TileState place_at_end(std::uint32_t tile) const {
    return restored_ ? tiles_at_end_[tile] : source_->place_of(tile);
  }
  TileRef tile_at_end(std::uint32_t tile) const;
  // The memories after the last step.
  const Memory& final_memory() const;
  // A digest over the steps, what they wrote, and the pages they touched as they left them: the same for every run of the
  // same program on the same inputs, whatever the budget. 32 hex digits. Runs all steps once more; `go_on` is asked with
  // the steps so far, and where it says no the digest is empty.
  std::string digest(const std::function<bool(std::uint32_t)>& go_on = {}) const;

  // By position; of equal ones in the order given. Those behind the last step were never made.
  std::span<const Edit> edits() const { return options_.edits; }
  std::span<const Edit> edits_at(std::uint32_t position) const;
  // Whether an edit of this position changed one of these bytes.
  bool is_edited(std::uint32_t position, ByteRange place) const;
  // Puts into fresh memories what the program is given, before any edit.
  void load_start(Memory& memory) const;
  // The memories of this position as the edits have it, made of how the steps left them.
  void apply_edits(std::uint32_t position, Memory& memory, std::vector<TouchedPage>* pages = nullptr) const;

  // For benchmarks and tests: executes instruction `index` once more, as the next step. False when the run stopped.
  bool execute(std::size_t index);
  Timeline& timeline() { return timeline_; }

 private:
  Recording(Program program, const RecordOptions& options);
  explicit Recording(RecordingParts parts);
  bool edit();
  bool take_host_writes();
  void settle_places();
  void tell_no_kernel();
  bool record(std::size_t index);
  bool run_or_take(const Bound& bound, std::uint32_t number);
  bool run_step(const Bound& bound, std::uint32_t number);
  bool may_run_ahead() const;
  void begin_ahead();
  std::optional<std::uint32_t> bind(std::size_t index);
  void keep_loops(Step& step, std::span<const LoopTurn> now);
  void stop_by(WalkStop stop);
  void tell_small_budget();
  void tell_large_inputs();
  // What inputs take of the budget. A quarter of it stays for what the steps do.
  std::size_t inputs_bytes() const;
  std::size_t room_for_inputs() const { return budget_ - budget_ / 4; }
  bool check_late_inputs(const Bound& bound);
  bool is_full() const { return options_.most_bytes != 0 && held_bytes() > options_.most_bytes; }
  void find(std::uint32_t step, Diagnostic diagnostic, const Bound* bound = nullptr);
  void keep_finding(std::uint32_t step, Diagnostic diagnostic, const Bound* bound = nullptr);
  bool check_data(const Bound& bound, std::uint32_t step);
  Flat own_range_end(const Bound& bound, Flat at) const;
  void report_stray_writes(const Bound& bound);
  void report_fault(const Bound& bound);
  void report_unbound(std::size_t index);
  void undo_step();

  Program program_;
  RecordOptions options_;
  mutable Memory memory_;
  StepRunner runner_;
  std::size_t given_;  // bytes
  std::size_t budget_;
  Timeline timeline_;
  std::unique_ptr<StepSource> source_;   // none in one that was made before
  std::unique_ptr<AheadChoice> choice_;  // null: it is made, and `ahead_` is there where blocks run ahead
  std::unique_ptr<BlocksAhead> ahead_;

  std::vector<Step> steps_;
  StepBounds bounds_;
  std::size_t finding_bytes_ = 0, program_bytes_ = 0;
  std::vector<Diagnostics> bound_findings_;  // by bound: what the rules say
  std::vector<WritePattern> writes_;
  std::vector<LoopTurn> loops_;
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t>
      found_;  // how often, by rule, line and column
  StopReason stop_ = StopReason::End;
  std::optional<Step> unmade_;
  std::uint64_t taken_steps_ = 0;
  // Of one that was made before: it cannot go on, and `memory_` is loaded when somebody asks for it.
  const bool restored_ = false;
  mutable std::once_flag final_memory_loaded_;
  std::vector<CoreWait> waits_;
  std::vector<Environment::TileState> tiles_at_end_;
};

}  // namespace ts
