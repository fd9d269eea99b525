// The micro-steps of one instruction: what "step into" shows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/isa/dtype.h"
#include "core/catalogue/micro_op.h"
#include "core/isa/target.h"

namespace ts {

// A register (256 bytes) or predicate (32 bytes) as it was made; never changed afterwards.
struct TraceValue {
  enum class Kind : std::uint8_t { Register, Predicate };
  Kind kind = Kind::Register;
  std::array<std::uint8_t, VL> bytes{};
};

struct TraceArg {
  enum class Kind : std::uint8_t { Value, Address, Scalar, Count, Text };
  Kind kind = Kind::Count;
  std::uint32_t value_id = 0;             // Value: index into Trace::values
  Space space = Space::Ub;                // Address
  std::uint64_t base = 0;                 // Address: bytes; Scalar: bits; Count: the number
  std::int64_t offset = 0;                // Address: in elements of elem_bytes
  std::uint32_t elem_bytes = 1;
  DType dtype = DType::U8;                // Scalar
  const char* name = "";                  // Count, Text
};

// Bytes read, or written with what they held before; the bytes stand in Trace::bytes.
struct TraceAccess {
  Space space = Space::Ub;
  std::uint32_t address = 0, size = 0;
  std::uint32_t before = 0, after = 0;  // offsets into Trace::bytes; reads have `after` only
};

struct MicroStep {
  const MicroOp* op = nullptr;
  DType type = DType::U8;
  std::vector<TraceArg> args;
  std::vector<std::uint32_t> made;  // values that this step made, in order
  std::vector<TraceAccess> reads, writes;
};

class Trace {
 public:
  std::vector<MicroStep> steps;
  std::vector<TraceValue> values;
  std::vector<std::uint8_t> bytes;

  std::uint32_t keep_bytes(const std::uint8_t* from, std::uint32_t size);
  // "vlds v3 = 0x1000 + 64*4", short and for people.
  std::string describe(const MicroStep& step) const;
};

}  // namespace ts
