// Walking a program from step to step: runs the code between them, and binds the operands of the next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/program/bind.h"
#include "core/program/cores/core_walk.h"
#include "core/program/cores/flags.h"
#include "core/program/cores/run_order.h"
#include "core/program/walk_state.h"

namespace ts {

// A loop that a step stands in: its variable (of a `while` the number of the turn), the turns before this one, which of
// all entries into loops this was, and where the loop stands in the text.
struct LoopTurn {
  static constexpr std::uint32_t kRegion = 0xFFFFFFFFu;  // the turn of a region of vector instructions, which has one
  std::int64_t variable = 0;
  std::uint32_t turn = 0, entry = 0;
  SourcePos pos = {};
  bool is_region() const { return turn == kRegion; }
  bool operator==(const LoopTurn&) const = default;
};

struct WalkLimits {
  std::uint64_t most_steps = 10'000'000;
  std::uint64_t most_code = 100'000'000;  // operations from one step to the next
  RunOrder order = {};                    // of cores
  // Asked now and then with the steps so far, also where a loop has no steps at all; false stops the walk.
  std::function<bool(std::uint64_t)> go_on = {};
  // Signals that only another device could give are waited for; else they are taken for given where nobody can go on.
  bool strict_signals = false;
  // Instructions that run again and again are written down; without plans each lowering is run each time. The same comes
  // of it.
  bool plans = true;
  // Blocks that share nothing are run by two threads where that pays; the same comes of it. `Early`: from the first step on.
  enum class Ahead : std::uint8_t { WherePays, Never, Early } ahead = Ahead::WherePays;
  // Whether the walk goes through a block; without it, through all. Asked when the block is to begin.
  std::function<bool(std::uint32_t)> takes_block = {};
};

class Execution final : public CoreWalk {
 public:
  enum class Kind : std::uint8_t {
    Run,    // for recording: every value is known
    Check,  // without memories: what depends on unknown values is passed over, both ways of such a branch are looked at
  };
  using Stop = WalkStop;

  // Operations between two steps that a check waits for; more is for the run to tell.
  static constexpr std::uint64_t kCheckedCode = 5'000'000;

  // `memory` serves loads of scalars; without it they are unknown.
  // The walk of one core, of all that there are at once; `together`: what they share. A check goes through all blocks.
  Execution(const Program& program, const Memory* memory, Kind kind = Kind::Run, const WalkLimits& limits = {},
            CoreId core = 0, Together* together = nullptr);

  bool next() override;
  const CodeOp* waits() const override { return state_.waits; }
  std::uint32_t instruction() const override { return instruction_; }
  std::optional<Bound> bind(std::size_t instruction) const override { return ts::bind(state_, instruction); }
  bool operand_words(std::size_t instruction, std::vector<std::uint64_t>& words) const override {
    return ts::operand_words(state_, instruction, words);
  }
  // With a guess for what is unknown (bind.h).
  std::optional<Bound> bind_guessing(std::size_t instruction, int guess) const {
    return ts::bind_guessing(state_, instruction, guess);
  }
  // Lets a step that ran change where tiles stand (tassign).
  void apply_effect(const Bound& bound) { ts::apply_effect(state_, bound); }
  void ran(const Bound& bound, std::span<const WritePattern>) override { apply_effect(bound); }

  Stop stop() const override { return state_.stop; }
  const std::optional<Diagnostic>& problem() const override { return state_.problem; }
  Diagnostics take_warnings() override { return std::exchange(state_.warnings, {}); }
  const Environment& environment() const override { return state_.environment; }
  std::span<const LoopTurn> loops() const override { return turns_; }
  std::uint32_t block() const override { return state_.block; }
  Value value(Slot slot) const { return state_.slots[slot]; }
  void set_number(Slot slot, std::uint64_t bits) override {
    state_.slots[slot] = scalar_value(bits);
    ++state_.environment.version;
  }
  // Whether everything that was decided so far was known.
  bool exact() const { return state_.exact; }
  // Buffers that scalars were loaded from.
  std::span<const std::uint32_t> loaded_scalars() const { return state_.loaded; }
  // Buffers that hold signals, or where other devices are.
  std::span<const std::uint32_t> cleared() const { return state_.cleared; }
  // By buffer: the shape of the first view made of it.
  const std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>& view_shapes() const {
    return state_.view_shapes;
  }
  // By buffer: the bytes that views made so far reach.
  std::span<const std::uint64_t> extents() const { return state_.extents; }
  Diagnostics leftovers() const override { return flags_.leftovers(state_); }
  std::string line_text(SourcePos pos) const override;

 private:
  struct Loop {
    std::int64_t upper, step;
    bool known;
    std::vector<Environment::TileState> tiles = {};  // of a loop whose turns nobody knows: as they stood before it
    const CodeOp* variables = nullptr;               // of a `while`: its outs are what turns hand on
  };
  // A branch whose condition nobody knows: both ways are looked at, and what they give is unknown.
  struct Fork {
    std::uint32_t first_end, second, end;
    bool in_second;
    const CodeOp* op;
    std::vector<Environment::TileState>
        tiles;  // as they stand where the other way begins, then where the first one ended
  };

  void start_block();
  void skip_blocks();
  bool run_code();
  bool end_block();
  void endless(const CodeOp& op);
  bool may_go_on();
  bool run_op(const CodeOp& op);
  bool step_at(std::uint32_t instruction);
  bool flags_and_others(std::uint32_t instruction);
  bool missing(const CodeOp& op);
  // Control flow.
  void join_forks();
  void forget_difference(const std::vector<Environment::TileState>& other);
  void branch(const CodeOp& op);
  void while_test(const CodeOp& op);
  bool enter_loop(const CodeOp& op);
  void push_loop(const CodeOp& op, Loop loop, std::int64_t variable);
  void enter_region(const CodeOp& op);
  void pop_loop();
  void next_turn(const CodeOp& op);
  void next_while_turn(const CodeOp& op);
  void call(const CodeOp& op);
  void return_from_call();

  const Program& program_;
  WalkLimits limits_;
  WalkState state_;
  Flags flags_;
  std::vector<Loop> loops_;
  std::vector<LoopTurn> turns_;  // by loop
  std::uint32_t entries_ = 0;    // into loops, so far, of all cores in turn
  std::vector<std::uint32_t> calls_;
  std::vector<Fork> forks_;
  std::uint32_t pc_ = 0, instruction_ = 0;
  std::uint64_t steps_ = 0, ops_ = 0;
};

// An instruction as it stands before the first step.
Bound bind_at_start(const Program& program, std::size_t instruction);

}  // namespace ts
