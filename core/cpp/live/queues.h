// Queues of compiled kernels: their calls become the same steps that text's operations on queues are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/cpp/live/run.h"

namespace ts::cpp {

// A call that uses a queue: the code that takes its turn, and the instruction that it is.
struct QueueCall {
  CodeOp op{};
  std::uint32_t instruction = 0;
  std::uint32_t tile = kNoTile;                       // what comes out
  Slot in = kNoSlot, rows = kNoSlot, cols = kNoSlot;  // what goes in; how much of what comes out is valid
};

// How an end was set up by TPipe: for the listing, which says it the way text does.
struct QueueEnds {
  std::uint32_t flag = 0, directions = 0, slot_bytes = 0, slots = 0, local_slots = 0;
  std::optional<std::uint32_t> buffer;  // a2a3: where the slots are
  std::uint64_t offset = 0, c2v_base = 0, v2c_base = 0;
};

// Of the arguments of TPipe; nothing: they are others.
struct SlotsInGlobalMemory {
  std::uint64_t pointer = 0, bytes = 0;
};
std::optional<SlotsInGlobalMemory> slots_of_pipe(std::span<const ts_border::Operand> given);

class LiveQueues {
 public:
  explicit LiveQueues(LiveRun& run) : run_(run) {}

  static bool is_queue_call(std::string_view op);
  // TPipe(...): from now on this core's end is there. What is wrong with it; no rule: nothing.
  CallProblem begin(WalkState& state, CoreKind kind, std::span<const ts_border::Operand> given);
  // The call of this site; `tile`: that it is given, where it is given one, and what the source calls it.
  struct Tile {
    TileRef ref;
    std::uint32_t number = kNoTile;  // of one that goes in
    std::string name;
  };
  // Null: `problem` says why.
  const QueueCall* call(std::uint32_t site, CoreKind kind, std::span<const ts_border::Operand> given,
                        const std::optional<Tile>& tile, CallProblem& problem);
  // What one core knows of a call's operands.
  static void give(WalkState& state, const QueueCall& call, const std::optional<Tile>& tile);

  const std::map<CoreKind, std::vector<QueueEnds>>& ends() const { return ends_; }

 private:
  std::uint32_t queue_of(std::uint32_t flag, bool to_vector) const;  // as many as there are: none
  bool begin_queue(QueueDecl wanted, std::uint32_t launch);
  Slot new_slot(Value value = {});
  std::uint32_t slots_for(const std::vector<Slot>& slots);
  QueueCall make(std::uint32_t site, CoreKind kind, QueueUse use, const std::optional<Tile>& tile);
  void add_push(QueueUse& use, QueueCall& call, Instruction& step, const Tile& tile);
  void add_pop(CoreKind kind, QueueUse& use, QueueCall& call, Instruction& step, const Tile& tile);

  LiveRun& run_;
  // By site, queue, and what it is given.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t, std::string>, QueueCall> calls_;
  // The queues that a flag stood for, each way, and the one of the launch that it was used in last.
  struct Flag {
    std::vector<std::uint32_t> queues;
    std::uint32_t current = 0, launch = 0;
  };
  std::map<std::pair<std::uint32_t, bool>, Flag> flags_;
  std::map<CoreKind, std::vector<QueueEnds>> ends_;
};

}  // namespace ts::cpp
