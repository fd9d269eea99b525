// How places in memory and a micro-operation's operands are named.
#pragma once

#include <array>
#include <cstdint>

#include "core/isa/dtype.h"
#include "core/isa/target.h"

namespace ts {

// A micro-operation's operands as they are shown; the run and tag machines drop them unread.
struct AddressArg {
  Space space;
  std::uint64_t base;
  std::int64_t offset;  // in elements
  std::uint32_t elem_bytes;
};
struct TextArg {
  const char* text;
};
struct CountArg {
  const char* name;
  std::uint64_t value;
};

// A scalar on its way into lanes or memory. `origin` names the operand it came from (1, 2, ...); 0: a constant.
struct LaneScalar {
  std::uint64_t bits;
  DType dtype;
  std::uint32_t origin;
};

// Where lanes with an index find their elements: `span` bytes from `address` on are meant to be reached.
struct Indexed {
  std::uint32_t address, span;
  Space space = Space::Ub;
  bool last_wins = false;  // of lanes that go to one place the highest stays; else the lowest
};
// Evenly spaced elements.
struct SpacedElements {
  Space space;
  std::uint64_t address;
  std::uint32_t step;  // bytes
};
// Addresses in UB, one for each of 16 blocks.
using BlockList = std::array<std::uint32_t, 16>;

}  // namespace ts
