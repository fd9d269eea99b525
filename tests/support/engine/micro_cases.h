// Random calls of the A5 vector micro-operations, and what the oracle expects of them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/a5/micro_calls.h"
#include "tests/oracle/micro.h"
#include "tests/support/random.h"

namespace ts::test {

// Where things stand in UB: registers and predicates before the call, memory that it may reach, what it made.
inline constexpr std::uint32_t kRegs = 0, kPreds = 0x400, kData = 0x2000, kDataBytes = 0x2000, kMadeRegs = 0x4000,
                               kMadePreds = 0x4200, kEnd = 0x4300;
inline constexpr std::uint64_t kScalarSource = std::uint64_t{1} << 41;
inline constexpr DType kMicroTypes[] = {DType::I8,  DType::U8,  DType::I16, DType::U16,  DType::I32, DType::U32,
                                        DType::I64, DType::U64, DType::F16, DType::BF16, DType::F32};

struct MicroCallCase {
  const a5::MicroRow* row = nullptr;
  std::string word;
  DType type = DType::U8, other = DType::U8;
  Conversion how;
  LaneScalar scalar{};
  std::uint32_t address = 0, count = 0;  // address: in the data
  std::array<std::uint32_t, 2> stride{};
  std::vector<std::uint8_t> memory;  // up to kEnd

  bool is(std::string_view name) const { return row->name == name; }
  std::string label() const { return fmt::format("{} {} {} {}", row->name, name(type), name(other), word); }
};

class MicroExpected {
 public:
  MicroExpected(const MicroCallCase& c, Flat ub) : case_(c), ub_(ub) {
    work.type = c.type;
    work.other = c.other;
    work.word = c.word;
    for (std::uint32_t k = 0; k < 3 * VL; ++k) work.reg[k / VL][k % VL] = byte(kRegs + k);
    for (std::uint32_t k = 0; k < 3 * VL; ++k)
      work.pred[k / VL][k % VL] = {(c.memory[kPreds + k / 8] >> (k % 8) & 1) != 0,
                                   {oracle::bit_source(ub_ + kPreds + k / 8, k % 8)}};
    work.scalar = {c.scalar.bits, {kScalarSource}};
    for (std::uint32_t k = 0; k < kDataBytes; ++k) work.memory.push_back(byte(kData + k));
    work.address = c.address;
    work.count = c.count;
    work.stride = c.stride;
    work.rounding = static_cast<oracle::Rounding>(c.how.rounding);
    work.overflow = c.how.overflow == Overflow::Wrap ? oracle::Overflow::Wrap : oracle::Overflow::Saturate;
    work.part = c.how.part;
    known = oracle::micro(c.row->name, work);
    registers = work.made.size();
    predicates = work.made_pred.size();
    work.made.resize(2);
    work.made_pred.resize(2);
  }
  // Byte `at` of UB afterwards.
  oracle::Byte after(std::uint32_t at) const {
    if (at >= kData && at < kData + kDataBytes) return work.memory[at - kData];
    if (at >= kMadeRegs && at < kMadeRegs + 2 * VL) return work.made[(at - kMadeRegs) / VL][(at - kMadeRegs) % VL];
    if (at < kMadePreds || at >= kMadePreds + 64) return byte(at);
    oracle::Byte out;
    for (std::uint32_t k = 0; k < 8; ++k) {
      const std::uint32_t bit = 8 * (at - kMadePreds) + k;
      const oracle::Bit& made = work.made_pred[bit / VL][bit % VL];
      out.value = static_cast<std::uint8_t>(out.value | made.on << k);
      out.from = oracle::joined(out.from, made.from);
    }
    return out;
  }

  bool known = false;
  std::size_t registers = 0, predicates = 0;
  oracle::MicroWork work;

 private:
  oracle::Byte byte(std::uint32_t at) const { return {case_.memory[at], {ub_ + at}}; }
  const MicroCallCase& case_;
  Flat ub_;
};

// A call with what it may look at: indices of active lanes reach the data.
MicroCallCase random_micro_case(Random& random, const a5::MicroRow& row, DType type, std::string_view word);
// Those of a row, none (an empty one) among them where it may have none.
std::vector<std::string_view> words_of(const a5::MicroRow& row);
// Parts of what only others use.
bool is_part_of_stream(std::string_view name);

// The pairs of the ISA's table.
struct MicroPair {
  DType from;
  DTypeSet to;
};
std::span<const MicroPair> micro_conversions();

}  // namespace ts::test
