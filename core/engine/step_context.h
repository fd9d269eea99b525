// What a machine works on while one instruction runs, and what it leaves behind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/catalogue/micro_op.h"
#include "core/engine/write_log.h"
#include "core/isa/options.h"
#include "core/memory/memory.h"

namespace ts {

class Plans;
class Trace;
class TagMemory;

// An access that the hardware would not survive. The first one of an instruction is kept; what the lowering does
// after it is undone, so no machine needs to stop in the middle.
struct Fault {
  const MicroOp* op = nullptr;
  Space space = Space::Ub;
  std::uint64_t address = 0;
  std::uint32_t size = 0, alignment = 1;
  bool misaligned = false;
  explicit operator bool() const { return op != nullptr; }
  std::string rule() const;
  std::string text() const;
};

// Whether there is something odd in a memory, which the instruction's data rules should look at.
using WatchesData = std::function<bool(const Memory&)>;

// The number of an instruction that has no plan.
inline constexpr std::uint32_t kNoPlan = ~0u;

struct StepContext {
  explicit StepContext(Memory& memory_) : memory(&memory_) {}
  Memory* memory;
  CoreId core = 0;  // that the instruction runs on
  WriteLog log;
  Fault fault;
  bool odd_data = false;         // offsets that the instruction's data rules should look at
  Plans* plans = nullptr;        // of its memory; none: lowerings are run as they are
  std::uint32_t plan = kNoPlan;  // whose it is that runs
  Trace* trace = nullptr;        // the trace machine's output
  TagMemory* tags = nullptr;     // the tag machine's state
};

}  // namespace ts
