// The walk through a program's code: steps, and what leads from one to the next.
#include "core/program/execution.h"

#include <fmt/format.h>

#include "core/program/cores/together.h"
#include "core/program/run_code.h"
#include "core/program/scalar_ops.h"
#include "core/text/tree.h"

namespace ts {

using text::ScalarKind;

Bound bind_at_start(const Program& program, std::size_t instruction) {
  // What only a run knows it is without.
  return Execution(program, nullptr).bind(instruction).value_or(bind_frame(program, instruction));
}

Execution::Execution(const Program& program, const Memory* memory, Kind kind, const WalkLimits& limits, CoreId core,
                     Together* together)
    : program_(program), limits_(limits), state_(program, memory, kind == Kind::Check) {
  const auto cores = static_cast<CoreId>(program.cores.size());
  state_.core = core;
  entries_ = core;
  state_.core_of_block = core % cores;
  state_.block = core / cores;
  state_.together = together;
  if (!program.together()) skip_blocks();
  if (state_.block >= program.blocks) state_.stop = Stop::End;
  start_block();
}

// Past those that somebody else goes through.
void Execution::skip_blocks() {
  while (limits_.takes_block && state_.block < program_.blocks && !limits_.takes_block(state_.block)) ++state_.block;
}

void Execution::start_block() {
  flags_.start_block(state_);
  state_.start_block();
  loops_.clear();
  turns_.clear();
  calls_.clear();
  forks_.clear();
  pc_ = program_.cores[state_.core_of_block].code;
}

std::string Execution::line_text(SourcePos pos) const { return fmt::format("line {}", pos.line); }

bool Execution::next() {
  if (state_.stop != Stop::None) return false;
  state_.waits = nullptr;
  if (!program_.code.empty()) return run_code();
  if (pc_ < program_.instructions.size()) return step_at(pc_++);
  state_.stop = Stop::End;
  return false;
}

bool Execution::step_at(std::uint32_t instruction) {
  constexpr std::uint64_t kAskEvery = 256;
  instruction_ = instruction;
  ops_ = 0;
  if (steps_ % kAskEvery == 0 && !may_go_on()) return false;
  if (++steps_ <= limits_.most_steps) return flags_and_others(instruction);
  if (!state_.checking)
    state_.fail(program_.instructions[instruction].pos, "E-LIMIT",
                fmt::format("the limit of {} steps is reached", limits_.most_steps), "raise it with --max-steps");
  state_.stop = Stop::Limit;
  return false;
}

// Whoever waits comes back to the same step.
bool Execution::flags_and_others(std::uint32_t instruction) {
  const CodeOp* code = program_.code.empty() ? nullptr : &program_.code[pc_ - 1];
  if (!flags_.step(state_, instruction, code)) return false;
  if (step_with_others(state_, instruction, code)) return true;
  if (state_.waits != nullptr) --pc_, --steps_;
  return false;
}

bool Execution::may_go_on() {
  if (!limits_.go_on || limits_.go_on(steps_)) return true;
  state_.stop = Stop::Interrupted;
  return false;
}

bool Execution::run_code() {
  constexpr std::uint64_t kAskEvery = 1 << 16;
  for (;;) {
    if (!forks_.empty()) join_forks();
    const CodeOp& op = program_.code[pc_++];
    if (op.kind == CodeKind::Step) return step_at(op.data);
    if (op.kind == CodeKind::End) {
      if (end_block()) return false;
      continue;
    }
    if (!run_op(op)) {
      if (state_.waits != nullptr) --pc_;
      return false;
    }
    if (++ops_ % kAskEvery == 0 && !may_go_on()) return false;
    if (ops_ <= limits_.most_code) continue;
    if (!state_.checking) endless(op);
    state_.stop = Stop::Limit;
    return false;
  }
}

// So much code and no step. Of a `while` what its test was asked with last.
void Execution::endless(const CodeOp& op) {
  std::string text = fmt::format("{} operations and no step: does the loop ever end?", limits_.most_code);
  const CodeOp* loop = loops_.empty() ? nullptr : loops_.back().variables;
  if (loop == nullptr) return void(state_.fail(op.pos, "E-LIMIT", std::move(text)));
  std::string values;
  for (std::size_t i = 0; i < loop->outs; ++i) {
    const Value value = state_.slots[state_.out(*loop, i)];
    if (value.kind == ValueKind::Scalar) values += fmt::format("{}{}", values.empty() ? "" : ", ", value.number());
  }
  state_.fail(loop->pos, "V60-37",
              fmt::format("turn {} of scf.while, and no step: does the loop ever end? {}", turns_.back().turn + 1,
                          values.empty() ? "It hands nothing on" : "Its variables are " + values),
              "does its condition ever become false?");
}

// True: it was the last one.
bool Execution::end_block() {
  const std::uint32_t last = state_.block;
  if (!program_.together() || state_.checking) {
    ++state_.block;
    skip_blocks();
    if (state_.block < program_.blocks) return start_block(), false;
  }
  state_.block = last;
  state_.stop = Stop::End;
  return true;
}

bool Execution::run_op(const CodeOp& op) {
  switch (op.kind) {
    case CodeKind::Compute: return compute(state_, op);
    case CodeKind::Move: return state_.move(op), true;
    case CodeKind::Jump: return pc_ = op.data, true;
    case CodeKind::BranchUnless: return branch(op), true;
    case CodeKind::LoopEnter: return enter_loop(op);
    case CodeKind::LoopNext: return next_turn(op), true;
    case CodeKind::WhileEnter: return push_loop(op, {.upper = 0, .step = 1, .known = true, .variables = &op}, 0), true;
    case CodeKind::WhileTest: return while_test(op), true;
    case CodeKind::WhileNext: return next_while_turn(op), true;
    case CodeKind::RegionEnter: return enter_region(op), true;
    case CodeKind::RegionLeave: return pop_loop(), true;
    case CodeKind::Call: return call(op), true;
    case CodeKind::Return: return return_from_call(), true;
    case CodeKind::MakeView: return make_view(state_, op);
    case CodeKind::Partition: return partition_view(state_, op);
    case CodeKind::PlaceTile: return place_tile(state_, op);
    case CodeKind::SetValid: return set_valid(state_, op);
    case CodeKind::GetValid: return get_valid(state_, op), true;
    case CodeKind::PickTile: return pick_tile(state_, op);
    case CodeKind::ViewExtent: return view_extent(state_, op);
    case CodeKind::ElementView: return element_view(state_, op);
    case CodeKind::SameExtents: return same_extents(state_, op);
    case CodeKind::TestSignal: return test_signal(state_, op);
    case CodeKind::GetElement: return get_element(state_, op);
    case CodeKind::DeclareArray: return declare_array(state_, op), true;
    case CodeKind::ArrayGet: return array_get(state_, op);
    case CodeKind::ArraySet: return array_set(state_, op);
    case CodeKind::Window: return window(state_, op);
    case CodeKind::Alias:
    case CodeKind::Rebase: return alias_tile(state_, op), true;
    case CodeKind::PickRegister: return pick_register(state_, op), true;
    case CodeKind::PointTile: return point_tile(state_, op), true;
    case CodeKind::AddPointer: return add_pointer(state_, op);
    case CodeKind::PointerCast: return cast_pointer(state_, op), true;
    case CodeKind::LoadScalar: return load_scalar(state_, op);
    case CodeKind::BeginQueue: return begin_queue(state_, op), true;
    case CodeKind::UseQueue: return use_queue(state_, op);
    case CodeKind::Query: return query(state_, op), true;
    case CodeKind::Missing: return missing(op);
    case CodeKind::Step:
    case CodeKind::End: break;
  }
  return true;
}

bool Execution::missing(const CodeOp& op) {
  if (state_.checking) {
    state_.forget_outs(op);
    state_.exact = false;
    return true;
  }
  const text::Op& source = program_.tree->ops[op.data];
  state_.fail(op.pos, "E-EMULATE",
              fmt::format("not emulated on {} yet: {}", name(program_.target), program_.tree->name_of(source)));
  state_.stop = Stop::Missing;
  return false;
}

// --- control flow --------------------------------------------------------------------------------------------------

void Execution::join_forks() {
  while (!forks_.empty()) {
    Fork& fork = forks_.back();
    if (!fork.in_second && pc_ == fork.first_end) {
      fork.in_second = true;
      pc_ = fork.second;
      state_.environment.tiles.swap(fork.tiles);
      ++state_.environment.version;
    }
    if (!fork.in_second || pc_ != fork.end) return;
    forget_difference(fork.tiles);
    state_.forget_outs(*fork.op);
    forks_.pop_back();
  }
}

// Tiles stand as they do now, or as they did there; nobody knows which.
void Execution::forget_difference(const std::vector<Environment::TileState>& other) {
  for (std::size_t i = 0; i < other.size(); ++i)
    if (state_.environment.tiles[i] != other[i]) state_.environment.tiles[i].known = false;
  ++state_.environment.version;
}

void Execution::branch(const CodeOp& op) {
  const Value condition = state_.value_in(op, 0);
  state_.exact = state_.exact && condition.known();
  if (condition.known()) {
    if (condition.bits == 0) pc_ = op.data;
    return;
  }
  // The jump over the second way stands right before it.
  forks_.push_back({op.data - 1, op.data, program_.code[op.data - 1].data, false, &op, state_.environment.tiles});
}

void Execution::while_test(const CodeOp& op) {
  const Value condition = state_.value_in(op, 0);
  state_.exact = state_.exact && condition.known();
  if (condition.known() && condition.bits != 0) return;
  if (!condition.known()) state_.forget_outs(op);
  pop_loop();
  pc_ = op.data;
}

void Execution::push_loop(const CodeOp& op, Loop loop, std::int64_t variable) {
  loops_.push_back(std::move(loop));
  turns_.push_back({variable, 0, entries_, op.pos});
  entries_ += program_.cores_at_once();
}

void Execution::enter_region(const CodeOp& op) {
  push_loop(op, {.upper = 0, .step = 1, .known = true}, 0);
  turns_.back().turn = LoopTurn::kRegion;
}

void Execution::pop_loop() {
  loops_.pop_back();
  turns_.pop_back();
}

bool Execution::enter_loop(const CodeOp& op) {
  const bool is_unsigned = op.to != 0;
  const auto number = [&](std::size_t i) {
    const Value value = state_.value_in(op, i);
    return is_unsigned ? value.number() : sign_extended(static_cast<ScalarKind>(op.type), value.bits);
  };
  if (!state_.all_known(op)) {
    state_.exact = false;
    push_loop(op, {0, 1, false, state_.environment.tiles}, 0);
    state_.forget_outs(op);
    return true;
  }
  const std::int64_t lower = number(0), upper = number(1), step = number(2);
  if (is_unsigned ? step == 0 : step <= 0)
    return state_.fail(op.pos, "E-LOOP", fmt::format("step must be positive; it is {}", step));
  if (is_unsigned ? static_cast<std::uint64_t>(lower) >= static_cast<std::uint64_t>(upper) : lower >= upper) {
    pc_ = op.data;
    return true;
  }
  push_loop(op, {upper, step, true}, lower);
  state_.set_out(op, scalar_value(cut_to(static_cast<ScalarKind>(op.type), static_cast<std::uint64_t>(lower))));
  return true;
}

void Execution::next_turn(const CodeOp& op) {
  const Loop& loop = loops_.back();
  std::int64_t& value = turns_.back().variable;
  // The distance, which is not negative, may need all 64 bits.
  const auto left = static_cast<std::uint64_t>(loop.upper) - static_cast<std::uint64_t>(value);
  if (loop.known && left > static_cast<std::uint64_t>(loop.step)) {
    value += loop.step;
    ++turns_.back().turn;
    state_.set_out(op, scalar_value(cut_to(static_cast<ScalarKind>(op.type), static_cast<std::uint64_t>(value))));
    pc_ = op.data;
    return;
  }
  if (!loop.known) {
    forget_difference(loop.tiles);
    state_.forget_outs(op);
  }
  pop_loop();
}

void Execution::next_while_turn(const CodeOp& op) {
  ++turns_.back().variable;
  ++turns_.back().turn;
  pc_ = op.data;
}

void Execution::call(const CodeOp& op) {
  calls_.push_back(pc_);
  pc_ = op.data;
}

void Execution::return_from_call() {
  pc_ = calls_.back();
  calls_.pop_back();
}

}  // namespace ts
