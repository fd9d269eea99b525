// Which bits a micro-step moved where, and which micro-step moved the bytes of a result.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/debug/origins/micro_view.h"

namespace ts {

struct MicroPlace {
  bool memory = false;
  std::uint32_t value = 0;  // a register or predicate
  Space space = Space::Ub;
  std::uint64_t bit = 0;  // within the value; of a memory 8 times the address
  bool operator==(const MicroPlace&) const = default;
};
// Bits that one micro-step moved, unchanged. Moves of neighbours are one.
struct MicroMove {
  MicroPlace from, to;
  std::uint32_t bits = 0;
};
// As the trace recorded them.
std::vector<MicroMove> moves_of(const Trace& trace, std::uint32_t micro);
// Whether it is blocks that a micro-step turns over, repeat by repeat, from memory to memory.
bool turns_blocks(const MicroStep& step);
// Where the bits of a place came from, or went to.
std::optional<MicroPlace> origin_of(const std::vector<MicroMove>& moves, const MicroPlace& place);

// The last micro-step before `end` that wrote a byte, and which of its accesses did; nothing where none did.
struct MicroWriter {
  std::uint32_t micro, access;
};
std::optional<MicroWriter> writer_of(const Trace& trace, std::size_t end, Space space, std::uint64_t address);

// The micro-step that moved bytes of a result to their place in a row: the gather behind a store, the transposition
// behind a copy. Or else the one that wrote them last; nothing where none did.
struct MicroMover {
  std::uint32_t micro = 0;
  std::uint32_t repeat = 0;                // of those of the micro-step
  std::optional<std::uint32_t> byte = {};  // of the register that it made
  bool operator==(const MicroMover&) const = default;
};
std::optional<MicroMover> mover_of(const Trace& trace, const MicroIndex& index, ByteRange place);

}  // namespace ts
