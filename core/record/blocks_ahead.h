// Every other block of a program, run ahead by a thread of its own on memories of its own. A recorder that comes to a step
// of such a block takes what it did instead of running it, as long as it is certain that the same would come of it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/program/execution.h"
#include "core/record/block_owners.h"
#include "core/record/step_bounds.h"
#include "core/record/step_runner.h"

namespace ts {

class BlocksAhead {
 public:
  // Whether the program has blocks that could share nothing.
  static bool may_run(const Program& program, const WalkLimits& limits);

  // `start` puts into memories what they hold before the first step. `block`: that the recorder is in.
  BlocksAhead(const Program& program, const WalkLimits& limits, std::uint32_t block,
              std::function<void(Memory&)> start);
  ~BlocksAhead();  // the thread ends

  // A step that the recorder had made before; of all of them, before anything else.
  void made_before(std::uint32_t block, std::uint32_t instruction, const Bound& bound,
                   std::span<const WritePattern> writes);
  // What the next step of a block did, where it was made ahead and found what it would find in the recorder's memory. Else
  // null: it has to be run. Valid until the next call. Asked of every step, in their order; `bound` stays where it is.
  const StepTrail* next(std::uint32_t block, std::uint32_t instruction, const Bound& bound, const Memory& memory);
  // The recorder made that step, one way or the other.
  void made(std::uint32_t block, std::span<const WritePattern> writes);

 private:
  // A step, as it began.
  struct Begun {
    std::uint32_t instruction = 0;
    const Bound* bound = nullptr;
    // Where a core's memories are emptied: what its special registers hold, which stay.
    std::vector<std::byte> registers = {};
  };
  struct Made {
    Begun begun = {};
    std::vector<FlatRange> needs = {};  // of global memory
    StepTrail trail = {};
  };
  static Begun begun(std::uint32_t instruction, const Bound& bound, const Memory& memory);

  void run_ahead();
  bool run_step(StepSource& source, std::size_t instruction);
  Made with_room();
  bool hand_over(std::uint32_t block, Made made);
  // The others are the recorder's.
  static bool is_for_thread(std::uint32_t block) { return block % 2 == 1; }
  bool takes(std::uint32_t block) const;
  bool is_behind(std::uint32_t block) const { return !program_.together() && block < block_; }
  bool take(std::uint32_t block);
  bool found_the_same(std::uint32_t block, const Begun& own, const Made& made) const;
  void forget(std::uint32_t block);
  void stop();

  const Program& program_;
  WalkLimits limits_;

  // Of the thread.
  Memory memory_;
  StepRunner runner_;
  StepBounds bounds_;
  std::vector<FlatRange> needs_;
  BlockOwners written_;

  // Of the recorder.
  BlockOwners owners_;
  std::map<std::uint32_t, std::deque<Begun>> own_;  // by block: steps that the thread has not come to yet
  std::vector<bool> spoiled_;                       // by block: from some step on the thread found other things there
  Made now_;

  // Of both.
  std::mutex mutex_;
  std::condition_variable room_;
  std::map<std::uint32_t, std::deque<Made>> ready_;  // by block
  std::vector<Made> taken_;                          // whose room the next ones have
  std::size_t ready_bytes_ = 0;
  std::atomic<std::uint32_t> block_;               // the recorder's
  std::atomic<bool> stop_ = false, over_ = false;  // asked to end; at its end
  std::thread thread_;
};

}  // namespace ts
