// The A5 vector micro-operations by name, for lanes of any type: what programs that are written in micro-operations call.
// Tile instructions call the same methods of the same machine.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/engine/any_core.h"
#include "core/isa/options.h"

namespace ts::a5 {

// What one call is given, in the order of the ISA's text, and what it makes.
struct MicroCall {
  DType type = DType::U8;   // lanes of the first register; of what the pointer points to, for loads; of a mask
  DType other = DType::U8;  // lanes of the result of vcvt, of the indices of gathers and scatters
  std::string_view word;    // a distribution, a pattern, a half, a comparison, an order, a rounding, a part
  std::array<AnyReg, 3> reg;
  std::array<AnyPred, 3> pred;
  LaneScalar scalar{};
  std::uint32_t address = 0;              // in UB: of base[offset]
  std::uint32_t count = 0;                // of lanes that plt counts or vstus stores; becomes what is left
  std::array<std::uint32_t, 2> stride{};  // of blocks and of repeats
  Conversion how;                         // of vcvt
  AnyReg held;                            // what a stream of stores holds, and how many bytes of it
  std::uint32_t held_bytes = 0;
  std::uint32_t staging = 0;  // in reg: of a call that makes a stream, where that is going to stand
  // The registers that count: AR, bytes of a stream that are stored; SQZN, bytes that the last vsqz kept.
  std::uint32_t ar = 0, squeezed = 0;

  std::array<AnyReg, 2> made;
  std::array<AnyPred, 2> made_pred;
};

// What a row does with the registers that count.
enum class Counting : std::uint8_t { None, Squeezes, Stores, Flushes };
struct MicroRow {
  std::string_view name;  // without the dialect
  DTypeSet types;
  std::span<const std::string_view> words;  // that the call may have; none: it has no word
  void (*run)(AnyCore&, const Options&, MicroCall&);
  Counting counting = Counting::None;
};
std::span<const MicroRow> micro_rows();
// How many bytes a load or a store reaches from its address on, with this word; 0: its operands say so.
std::uint32_t reach_of(const MicroRow& row, std::string_view word);
// Null: no such micro-operation, or one that belongs to no vector family.
const MicroRow* find_micro_row(std::string_view name);

}  // namespace ts::a5
