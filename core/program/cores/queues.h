// The queues between the cores of a block while they run: who put in, took out and gave back how much. What goes through
// them stands in memory; here is what decides who may go on.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/program/program.h"

namespace ts {

// Of an entry, as it went in.
struct QueueEntry {
  std::uint8_t split = 0;
  std::uint32_t rows = 0, cols = 0;  // valid, of what one core put in
  DType dtype = DType::F32;
  SourcePos pushed = {};
  std::array<SourcePos, kMostCores> popped{};  // by core of the block
};

struct QueueCounts {
  std::uint32_t pushed = 0, popped = 0, freed = 0, allocated = 0;
  // How often a core did that, which is also the entry that the next time is about.
  std::uint32_t& of(QueueAct act) {
    switch (act) {
      case QueueAct::Push: return pushed;
      case QueueAct::Pop: return popped;
      case QueueAct::Free: return freed;
      case QueueAct::Alloc: break;
    }
    return allocated;
  }
  std::uint32_t of(QueueAct act) const { return QueueCounts(*this).of(act); }
};
using BlockCounts = std::array<QueueCounts, kMostCores>;  // by core of the block

struct QueueState {
  BlockCounts of{};
  std::vector<QueueEntry> ring;  // by slot, as far as any was used: of the newest entry in it
};

// What an instruction does to a queue; null: nothing.
const QueueUse* queue_use_of(const Program& program, std::size_t instruction);

class Queues {
 public:
  explicit Queues(const Program& program) : program_(program) {}
  QueueState& of(std::uint32_t block, std::uint32_t queue);
  const QueueState& of(std::uint32_t block, std::uint32_t queue) const;

  // What is known of an entry that stands in its slot, or is put there now.
  QueueEntry& entry(std::uint32_t block, std::uint32_t queue, std::uint32_t number);
  const QueueEntry* entry(std::uint32_t block, std::uint32_t queue, std::uint32_t number) const;  // null: there is none
  std::uint32_t slots(std::uint32_t queue) const;                                                 // at least one

  // Which cores of a block put entries in and take them out.
  bool puts(std::uint32_t queue, std::uint8_t split, std::uint32_t core) const;
  bool takes(std::uint32_t queue, std::uint8_t split, std::uint32_t core) const;
  // What a core gave back, so that its slots may be filled again.
  std::uint32_t released(std::uint32_t queue, const QueueCounts& counts) const;
  // Whether a pop gives its slot back by itself.
  bool copies(std::uint32_t queue) const;
  // Whether a core has to wait for another one of its block before it uses a queue. An allocation waits as a push does.
  bool waits_for(const QueueUse& use, const BlockCounts& counts, std::uint32_t core, std::uint32_t other) const;
  bool may_use(std::uint32_t block, const QueueUse& use, std::uint32_t core) const;

 private:
  const Program& program_;
  std::vector<std::vector<QueueState>> states_;  // by queue and block, as far as any was used
};

}  // namespace ts
