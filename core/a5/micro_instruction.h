// Micro-operations as steps of a program. The operands of such a step are the registers, masks and streams that the text
// names, which stand in Space::Reg, and what an access reaches through its pointer.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"

namespace ts::a5 {

// A mask is the bytes of its bits. A stream of loads or stores is the bytes that wait, and behind them how many they are.
inline constexpr std::uint32_t kMaskBytes = 32, kHeldBytes = 32, kStreamBytes = 64;
// The registers that count, AR and SQZN, are operands as well.
inline constexpr std::uint32_t kCounterBytes = 8;
inline constexpr std::string_view kAr = "ar", kSqueezed = "squeezed";

// What the text's table says of an operation.
struct MicroText {
  std::string_view name;     // without the dialect, and without the width of a mask's lanes: pset, of pto.pset_b16
  const char* spelled = "";  // pset_b16
  const char* summary = "";
  std::vector<FormRow> forms;
  std::string_view typed_by;  // the operand whose lanes are those of the operation; a mask: see below
  std::string_view word;      // what its word is called: dist, pattern, half
  DType mask_lanes = DType::U8;
};
// The row of the operation, which stays; null: it is none of the vector unit's, or nobody emulates it.
const InstructionRow* make_micro_instruction(MicroText text);

// Whether it stores by the registers that count, or ends such a stream; whether it may set one of them.
bool counts_stored(const InstructionRow& row);
bool may_count(const InstructionRow& row);

// The lanes that the operation may have; of a mask, those that the mask is for.
DTypeSet lane_types(const InstructionRow& row);
// The number of the word that the operation has where the text says none.
std::uint8_t usual_word(const InstructionRow& row, DType type);
// Of a store or load whose pointer moves on without an index: by how many bytes, those of a block for each repeat among
// them. 0: it does not, or its operands say so.
std::uint32_t moved_bytes(const InstructionRow& row, DType type);
// How many bytes it reaches from its pointer on, as far as its word and its lanes tell.
std::uint32_t reached_bytes(const InstructionRow& row, std::span<const std::uint8_t> attributes, DType type);

}  // namespace ts::a5
