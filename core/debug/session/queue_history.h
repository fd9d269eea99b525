// The queues between cores of a recording: what stands in their slots at any position, and which push a pop belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/session/signal_history.h"
#include "core/program/cores/queues.h"
#include "core/record/recording.h"

namespace ts {

enum class SlotState : std::uint8_t { Free, Filling, Full, Taken };
const char* name(SlotState state);  // "free", "being filled", "full", "popped"

// A slot of a queue at a position: the newest entry that stands in it.
struct QueueSlot {
  SlotState state = SlotState::Free;
  std::optional<std::uint32_t> entry;  // none was ever in it
  // The steps that pushed, popped and freed it, by core of the block; none: it did not happen before the position.
  std::array<std::optional<std::uint32_t>, kMostCores> pushed{}, popped{}, freed{};
};

// A text may ask for any number of them; nobody looks at more.
inline constexpr std::uint32_t kMostSlots = 4096;

// Of a block.
struct QueueAtPosition {
  std::uint32_t queue = 0, block = 0;
  BlockCounts counts{};
  std::vector<QueueSlot> slots;
};

class QueueHistory {
 public:
  // The recording has to live as long.
  explicit QueueHistory(const Recording& recording);

  bool empty() const { return recording_.program().queues.empty(); }
  BlockCounts counts_at(std::uint32_t queue, std::uint32_t block, std::uint32_t position) const;
  QueueAtPosition at(std::uint32_t queue, std::uint32_t block, std::uint32_t position) const;
  // Of a step that pushes, pops or frees: which entry.
  std::optional<std::uint32_t> entry_of(std::uint32_t step) const;
  // The steps of the other side that have to do with the same entry: pops of a push, pushes of a pop or a free.
  std::vector<std::uint32_t> partners_of(std::uint32_t step) const;
  // "whole", "upper half", "right half": which part of an entry a step of a core moves.
  std::string part_of(std::uint32_t step) const;
  // The operand that stands where the entry does: a view in global memory, or a tile. Null: a free has none.
  const Operand* entry_operand(std::uint32_t step) const;
  const QueueUse* use_of(std::uint32_t step) const;

 private:
  // Of one queue, block and core: its steps, by number of the entry.
  struct Steps {
    std::array<std::vector<std::uint32_t>, 4> by_act;
    std::vector<std::uint32_t>& of(QueueAct act) { return by_act[static_cast<std::size_t>(act)]; }
    const std::vector<std::uint32_t>& of(QueueAct act) const { return by_act[static_cast<std::size_t>(act)]; }
  };
  std::size_t cores() const { return recording_.program().cores.size(); }
  const Steps& steps_of(std::uint32_t queue, std::uint32_t block, std::size_t core) const {
    return steps_[(block * recording_.program().queues.size() + queue) * cores() + core];
  }

  const Recording& recording_;
  Queues rules_;
  std::vector<Steps> steps_;
};

// The number of the core that ran a step; where blocks run one after the other, each is a core of its own.
std::uint32_t core_of(const Recording& recording, std::uint32_t step);
std::string core_name(const Recording& recording, std::uint32_t core);  // "AIV0", "core 2"

// What a core is about at a position.
enum class CoreState : std::uint8_t { NotBegun, Goes, Waits, Ended };
const char* name(CoreState state);  // "not begun", "goes on", "waits", "ended"
struct CoreAtPosition {
  CoreState state = CoreState::NotBegun;
  std::optional<std::uint32_t> last, next;  // its steps around the position
  std::string waits_for;                    // "entry 8 of pipe 0"; empty: for nobody
  std::vector<CoreId> on = {};              // who has to do something for that
};
class CoreHistory {
 public:
  // Both have to live as long.
  CoreHistory(const Recording& recording, const QueueHistory& queues);
  std::uint32_t cores() const { return static_cast<std::uint32_t>(steps_.size()); }
  CoreAtPosition at(CoreId core, std::uint32_t position) const;
  // Between two steps of a core: the position from which on it could go on; `from` where it never had to wait.
  std::uint32_t waits_until(CoreId core, std::uint32_t from, std::uint32_t to) const;
  const std::vector<std::uint32_t>& steps_of(CoreId core) const { return steps_[core]; }

 private:
  void add_wait(CoreId core, std::uint32_t step, std::uint32_t position, CoreAtPosition& out) const;

  const Recording& recording_;
  const QueueHistory& queues_;
  SignalHistory signals_;
  Queues rules_;
  std::vector<std::vector<std::uint32_t>> steps_;  // by core
};

}  // namespace ts
