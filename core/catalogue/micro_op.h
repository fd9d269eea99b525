// What a micro-operation is, apart from its values: one row, written by the backend that owns it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ts {

// How data moves through a micro-operation. The trace and tag machines know these kinds, not the operations.
enum class FlowKind : std::uint8_t {
  LaneWise,     // result lane i from lane i of every source, where predicate lane i is on
  Permutation,  // result bytes are source bytes in another order
  Compare,      // predicate lane i from lane i of two sources, where the seed is on
  Reduction,    // few lanes of all active ones
  Product,      // an element of a result from a row and a column
  Select,       // as Permutation, and predicate lanes choose
  Load,         // memory to register
  Store,        // register to memory, where predicate lanes are on
  Predicate,    // makes or permutes a predicate
  Copy,         // memory to memory, byte by byte
  Fill,         // a scalar to memory or to lanes
  Repeat,       // A2A3: loads, a lane-wise or select step, and stores, repeat by repeat
  Control,      // registers that steer others, barriers, flags
  Emulator,     // not in the hardware's sequence: the emulator keeps its books
};
const char* name(FlowKind flow);

struct MicroOp {
  const char* name;  // as the ISA spells it; trace adds the element width
  FlowKind flow;
  const char* form;           // operands, as in the ISA's pages
  const char* summary;        // one line for people
  bool names_blocks = false;  // it does nothing but set addresses that later ones take their blocks from
};

// The row of that name, found by the compiler: a misspelt name does not build.
template <std::size_t N>
consteval const MicroOp& find_micro_op(const MicroOp (&rows)[N], const char* name) {
  for (const MicroOp& row : rows) {
    const char *a = row.name, *b = name;
    while (*a != 0 && *a == *b) ++a, ++b;
    if (*a == *b) return row;
  }
  throw "no such micro-operation";
}

}  // namespace ts
