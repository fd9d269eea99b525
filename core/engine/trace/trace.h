// The micro-steps of one instruction: what "step into" shows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/catalogue/micro_op.h"
#include "core/isa/dtype.h"
#include "core/isa/target.h"
#include "core/memory/memory.h"

namespace ts {

inline constexpr std::uint32_t kNoValue = ~0u;  // as the number of a value

// A register (256 bytes) or predicate (32 bytes) as it was made; never changed afterwards.
struct TraceValue {
  enum class Kind : std::uint8_t { Register, Predicate };
  Kind kind = Kind::Register;
  DType type = DType::U8;  // of the lanes that were made; unsigned where the operation knows bits only
  std::array<std::uint8_t, VL> bytes{};
};

struct TraceArg {
  enum class Kind : std::uint8_t { Value, Address, Scalar, Count, Text };
  Kind kind = Kind::Count;
  std::uint32_t value_id = 0;  // Value: index into Trace::values
  Space space = Space::Ub;     // Address
  std::uint64_t base = 0;      // Address: bytes; Scalar: bits; Count: the number
  std::int64_t offset = 0;     // Address: in elements of elem_bytes
  std::uint32_t elem_bytes = 1;
  DType dtype = DType::U8;  // Scalar
  const char* name = "";    // Count, Text
};

// Bytes read, or written with what they held before; the bytes stand in Trace::bytes.
struct TraceAccess {
  Space space = Space::Ub;
  std::uint32_t address = 0, size = 0;
  std::uint32_t before = 0, after = 0;  // offsets into Trace::bytes; reads have `after` only
  DType type = DType::U8;               // of the elements; unsigned where the operation knows bits only
  CoreId core = 0;                      // whose bytes they are
  ByteRange place() const { return {space, address, size, BytePart::Whole, core}; }
};

// A bit of a value, or of the bytes of an access.
struct TracePlace {
  bool memory = false;
  std::uint32_t of = 0;   // index into Trace::values; or into the micro-step's reads, and where bits go into its writes
  std::uint32_t bit = 0;  // of the value, or from the access's first byte on
};
// Bits that a micro-step moved as they were: `count` pieces of so many bits, each so many behind the one before it.
struct TraceMove {
  TracePlace from, to;
  std::uint32_t bits = 0, count = 1;
  std::int32_t from_step = 0, to_step = 0;
};
// f(from, to), piece by piece.
template <class F>
void for_pieces(TraceMove move, F f) {
  for (std::uint32_t k = 0; k < move.count; ++k) {
    f(move.from, move.to);
    move.from.bit += static_cast<std::uint32_t>(move.from_step);
    move.to.bit += static_cast<std::uint32_t>(move.to_step);
  }
}

// A register whose lanes said where to find or to put others.
struct TraceIndex {
  std::uint32_t value = 0;              // index into Trace::values
  std::uint32_t found = kNoValue;       // what was fetched
  DType type = DType::U8;               // of its lanes
  std::array<std::uint64_t, 4> used{};  // a bit for the first byte of each lane that was looked at
};
// One of the parts that a micro-operation repeats itself in: what it was the first to make, read and write.
struct TraceRepeat {
  std::uint32_t made = 0, reads = 0, writes = 0;  // indices into those of the micro-step
  std::uint32_t lanes = kNoValue;                 // the predicate that says which lanes take part
};

struct MicroStep {
  const MicroOp* op = nullptr;
  DType type = DType::U8;
  std::vector<TraceArg> args;
  std::vector<std::uint32_t> made;  // values that this step made, in order
  std::vector<TraceAccess> reads, writes;
  std::vector<TraceMove> moves;  // in the order they were made
  std::vector<TraceIndex> indices;
  std::vector<TraceRepeat> repeats;
  std::uint32_t lane_bytes = 0;  // how far apart the bits of predicates are that it looked at; 0: at none
};

class Trace {
 public:
  std::vector<MicroStep> steps;
  std::vector<TraceValue> values;
  std::vector<std::uint8_t> bytes;

  std::uint32_t keep_bytes(const std::uint8_t* from, std::uint32_t size);
  // "vlds v3 = 0x1000 + 64*4", short and for people.
  std::string describe(const MicroStep& step) const;
  std::size_t held_bytes() const;
};

}  // namespace ts
