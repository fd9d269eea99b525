// The thread that runs ahead, and what the recorder asks before it takes a step from it.
#include "core/record/blocks_ahead.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/catalogue/rules.h"
#include "core/program/cores/schedule.h"
#include "core/program/inputs.h"

namespace ts {
namespace {

// What may lie ready for the recorder; then the thread waits.
constexpr std::size_t kMostReady = std::size_t{64} << 20;

// What a block finds that another one left: its core's memories are emptied, these are not.
std::vector<std::byte> special_registers_of(const Memory& memory, CoreId core) {
  const MemoryMap& map = memory.map();
  const Flat begin = map.origin(Space::Spr, core);
  const auto bytes = memory.at(begin, map.end_of(core) - begin);
  std::vector<std::byte> out(bytes.begin(), bytes.end());
  for (std::uint32_t page = begin / kPageBytes; page < map.end_of(core) / kPageBytes; ++page)
    for (const auto plane : {memory.written_plane(page), memory.unspecified_plane(page)}) {
      const auto words = std::as_bytes(plane);
      out.insert(out.end(), words.begin(), words.end());
    }
  return out;
}

}  // namespace

bool BlocksAhead::may_run(const Program& program, const WalkLimits& limits) {
  return program.blocks > 1 && program.blocks < BlockOwners::kMostBlocks && !program.meets &&
         program.kernel == nullptr && limits.order == RunOrder{} && late_inputs(program) == nullptr;
}

BlocksAhead::BlocksAhead(const Program& program, const WalkLimits& limits, std::uint32_t block,
                         std::function<void(Memory&)> start)
    : program_(program),
      limits_(limits),
      memory_(program.memory_map()),
      runner_(memory_, limits.plans),
      bounds_(program),
      written_(memory_.map()),
      owners_(memory_.map()),
      spoiled_(program.blocks, false),
      block_(block) {
  limits_.takes_block = [this](std::uint32_t asked) { return takes(asked); };
  limits_.go_on = [this](std::uint64_t) { return !stop_; };
  thread_ = std::thread([this, start = std::move(start)] {
    try {
      start(memory_);
      memory_.note_needs(&needs_);
      run_ahead();
    } catch (const std::bad_alloc&) {
      // The recorder goes on alone.
    }
    over_ = true;
  });
}

BlocksAhead::~BlocksAhead() {
  stop();
  thread_.join();
}

void BlocksAhead::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  room_.notify_all();
}

// Where one comes after the other, those that the recorder has begun are its own as well.
bool BlocksAhead::takes(std::uint32_t block) const {
  return is_for_thread(block) && (program_.together() || block > block_);
}

BlocksAhead::Begun BlocksAhead::begun(std::uint32_t instruction, const Bound& bound, const Memory& memory) {
  Begun begun{.instruction = instruction, .bound = &bound};
  if (bound.row->effect == Effect::StartsBlock) begun.registers = special_registers_of(memory, bound.core);
  return begun;
}

// --- the thread --------------------------------------------------------------------------------------------------------

// Whatever is not plain is for the recorder to run, and to tell of.
void BlocksAhead::run_ahead() {
  Schedule source(program_, &memory_, limits_);
  while (!stop_ && source.next() && run_step(source, source.instruction())) {
  }
}

bool BlocksAhead::run_step(StepSource& source, std::size_t instruction) {
  const std::uint32_t known = bounds_.count(), block = source.block();
  const auto number = bounds_.bind(source, instruction);
  if (!number) return false;
  const Bound& bound = bounds_[*number];
  if (*number == known) {
    Diagnostics found;
    check_rules(bound, found);
    if (has_error(found)) return false;
  }
  Made made = with_room();
  made.begun = begun(static_cast<std::uint32_t>(instruction), bound, memory_);
  needs_.clear();
  if (!runner_.execute(bound, *number) || runner_.context().odd_data) return false;
  made.needs = needs_;
  runner_.mark_definedness();  // which looks at whole pages
  if (std::ranges::any_of(made.needs, [&](FlatRange range) { return written_.is_of_another(block, range); }))
    return false;
  written_.wrote(block, runner_.writes());
  source.ran(bound, runner_.writes());
  runner_.leave(made.trail);
  return hand_over(block, std::move(made));
}

BlocksAhead::Made BlocksAhead::with_room() {
  const std::lock_guard lock(mutex_);
  if (taken_.empty()) return {};
  Made made = std::move(taken_.back());
  taken_.pop_back();
  return made;
}

bool BlocksAhead::hand_over(std::uint32_t block, Made made) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return stop_ || ready_bytes_ < kMostReady; });
  if (!is_behind(block)) {
    ready_bytes_ += made.trail.held_bytes();
    ready_[block].push_back(std::move(made));
  }
  return !stop_;
}

// --- the recorder ------------------------------------------------------------------------------------------------------

void BlocksAhead::made_before(std::uint32_t block, std::uint32_t instruction, const Bound& bound,
                              std::span<const WritePattern> writes) {
  // Where one block comes after the other, the thread takes none that is begun.
  if (program_.together() && is_for_thread(block)) own_[block].push_back({.instruction = instruction, .bound = &bound});
  owners_.wrote(block, writes);
}

const StepTrail* BlocksAhead::next(std::uint32_t block, std::uint32_t instruction, const Bound& bound,
                                   const Memory& memory) {
  if (!is_for_thread(block) || spoiled_[block]) return nullptr;
  std::deque<Begun>& own = own_[block];
  own.push_back(begun(instruction, bound, memory));
  // Those that the recorder had to run, because the thread was behind, tell whether what it does now is worth anything.
  while (!own.empty()) {
    if (!take(block)) return nullptr;
    if (!found_the_same(block, own.front(), now_)) {
      spoiled_[block] = true;
      forget(block);
      return nullptr;
    }
    own.pop_front();
  }
  // Emptying memories is nothing that a trail tells.
  return bound.row->effect == Effect::StartsBlock ? nullptr : &now_.trail;
}

// The thread's next step of the block becomes the one of now; false: it is not there yet.
bool BlocksAhead::take(std::uint32_t block) {
  {
    const std::lock_guard lock(mutex_);
    std::deque<Made>& ready = ready_[block];
    if (ready.empty()) {
      if (over_) {
        spoiled_[block] = true;
        own_.erase(block);
      }
      return false;
    }
    taken_.push_back(std::exchange(now_, std::move(ready.front())));
    ready.pop_front();
    ready_bytes_ -= now_.trail.held_bytes();
  }
  room_.notify_one();
  return true;
}

bool BlocksAhead::found_the_same(std::uint32_t block, const Begun& own, const Made& made) const {
  return own.instruction == made.begun.instruction && work_on_the_same(*own.bound, *made.begun.bound) &&
         own.registers == made.begun.registers &&
         std::ranges::none_of(made.needs, [&](FlatRange range) { return owners_.is_of_another(block, range); });
}

void BlocksAhead::made(std::uint32_t block, std::span<const WritePattern> writes) {
  owners_.wrote(block, writes);
  if (block == block_) return;
  const std::uint32_t last = block_.exchange(block);
  if (!program_.together()) forget(last);
}

// Nobody asks for its steps again.
void BlocksAhead::forget(std::uint32_t block) {
  own_.erase(block);
  const std::lock_guard lock(mutex_);
  for (const Made& made : ready_[block]) ready_bytes_ -= made.trail.held_bytes();
  ready_.erase(block);
}

}  // namespace ts
