// Walking a program from step to step: runs its code, binds the operands of the next step, keeps the places of tiles.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/memory/memory.h"
#include "core/program/program.h"

namespace ts {

// Where tiles stand, and how much of them is valid.
struct Environment {
  struct Place {
    std::uint32_t address, valid_rows, valid_cols;
    bool known;  // false: only running tells
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> tiles;
  std::uint32_t version = 0;  // counts changes
};

// A loop that a step stands in: its variable (of a `while` the number of the turn), the turns before this one, which of
// all entries into loops this was, and where the loop stands in the text.
struct LoopTurn {
  std::int64_t variable = 0;
  std::uint32_t turn = 0, entry = 0;
  SourcePos pos = {};
  bool operator==(const LoopTurn&) const = default;
};

struct WalkLimits {
  std::uint64_t most_steps = 10'000'000;
  std::uint64_t most_code = 100'000'000;  // operations from one step to the next
  // Asked now and then with the steps so far, also where a loop has no steps at all; false stops the walk.
  std::function<bool(std::uint64_t)> go_on = {};
};

class Execution {
 public:
  enum class Kind : std::uint8_t {
    Run,    // for recording: every value is known
    Check,  // without memories: what depends on unknown values is passed over, both ways of such a branch are looked at
  };
  enum class Stop : std::uint8_t { None, End, Error, Missing, Limit, Interrupted };

  // Operations between two steps that a check waits for; more is for the run to tell.
  static constexpr std::uint64_t kCheckedCode = 5'000'000;

  // `memory` serves loads of scalars; without it they are unknown.
  Execution(const Program& program, const Memory* memory, Kind kind = Kind::Run, const WalkLimits& limits = {});

  // Goes on to the next step; false at the end, or where the program cannot go on (stop, problem).
  bool next();
  std::uint32_t instruction() const { return instruction_; }
  // An instruction without its operands, and with its attributes as the text has them.
  static Bound frame(const Program& program, std::size_t instruction);
  // The step's operands as they stand; nothing where one is unknown.
  std::optional<Bound> bind(std::size_t instruction) const;
  // Lets a step that ran change the places of tiles (tassign).
  void apply_effect(const Bound& bound);

  Stop stop() const { return stop_; }
  const std::optional<Diagnostic>& problem() const { return problem_; }
  // What was odd since the last step, but goes on.
  Diagnostics take_warnings() { return std::exchange(warnings_, {}); }
  const Environment& environment() const { return environment_; }
  std::span<const LoopTurn> loops() const { return turns_; }  // the loops around, outermost first
  std::uint32_t block() const { return block_; }
  Value value(Slot slot) const { return slots_[slot]; }
  // Whether everything that was decided so far was known.
  bool exact() const { return exact_; }
  // Buffers that scalars were loaded from.
  std::span<const std::uint32_t> loaded_scalars() const { return loaded_; }
  // By buffer: the shape of the first view made of it.
  const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& view_shapes() const { return view_shapes_; }
  // By buffer: the bytes that views made so far reach.
  std::span<const std::uint64_t> extents() const { return extents_; }
  // Warnings that the end of the program has: flags that nobody waited for.
  Diagnostics leftovers() const;

 private:
  struct Loop {
    std::int64_t upper, step;
    bool known;
    std::vector<Environment::Place> tiles = {};  // of a loop whose turns nobody knows: as they stood before it
  };
  // A branch whose condition nobody knows: both ways are looked at, and what they give is unknown.
  struct Fork {
    std::uint32_t first_end, second, end;
    bool in_second;
    const CodeOp* op;
    std::vector<Environment::Place> tiles;  // as they stand where the other way begins, then where the first one ended
  };

  void start_block();
  bool run_code();
  bool may_go_on();
  bool run_op(const CodeOp& op);
  bool step_at(std::uint32_t instruction);
  void join_forks();
  void forget_difference(const std::vector<Environment::Place>& other);
  void forget_outs(const CodeOp& op);
  void branch(const CodeOp& op);
  bool enter_loop(const CodeOp& op);
  void push_loop(const CodeOp& op, Loop loop, std::int64_t variable);
  void pop_loop();
  void next_turn(const CodeOp& op);
  void select(const CodeOp& op);
  bool missing(const CodeOp& op);
  void move(const CodeOp& op);
  bool compute(const CodeOp& op);
  bool make_view(const CodeOp& op);
  bool partition(const CodeOp& op);
  bool place_tile(const CodeOp& op);
  bool set_valid(const CodeOp& op);
  bool window(const CodeOp& op);
  void alias(const CodeOp& op);
  void query(const CodeOp& op);
  bool load_scalar(const CodeOp& op);
  bool check_flags(std::uint32_t instruction);
  bool fail(SourcePos pos, std::string rule, std::string text, std::string hint = "");
  bool fail_about(FindingKind kind, SourcePos pos, std::string rule, std::string text, std::string hint = "");
  void warn(const CodeOp& op, FindingKind kind, std::string rule, std::string text, std::string hint = "");
  Slot in(const CodeOp& op, std::size_t i) const { return program_.code_slots[op.slots + i]; }
  Slot out(const CodeOp& op, std::size_t i = 0) const { return program_.code_slots[op.slots + op.ins + i]; }
  bool all_known(const CodeOp& op) const;
  void set_out(const CodeOp& op, Value value);
  void set_view(Slot slot, ViewValue view);
  void set_place(std::uint32_t tile, const Environment::Place& place);
  void reach(const ViewValue& view);

  const Program& program_;
  const Memory* memory_;
  Kind kind_;
  WalkLimits limits_;
  Environment environment_;
  std::vector<Value> slots_;
  std::vector<ViewValue> views_;
  std::unordered_map<Slot, std::uint32_t> view_of_slot_;
  std::vector<std::uint64_t> extents_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> view_shapes_;
  std::vector<Loop> loops_;
  std::vector<LoopTurn> turns_;  // by loop
  std::uint32_t entries_ = 0;    // into loops, so far
  std::vector<std::uint32_t> calls_;
  std::vector<Fork> forks_;
  std::unordered_map<std::uint32_t, std::int64_t> flags_;  // raised and not waited for, by pipes and event
  std::unordered_map<std::uint32_t, SourcePos> flag_pos_;
  Diagnostics left_raised_;  // by the blocks before
  std::vector<std::uint32_t> loaded_;
  std::vector<Value> moved_;           // while values move
  std::vector<ViewValue> moved_views_;
  bool exact_ = true;  // nothing unknown decided anything so far
  std::uint32_t pc_ = 0, instruction_ = 0, block_ = 0;
  std::uint64_t steps_ = 0, ops_ = 0;
  Stop stop_ = Stop::None;
  std::optional<Diagnostic> problem_;
  Diagnostics warnings_;
  std::unordered_set<const CodeOp*> warned_;
};

}  // namespace ts
