// Which element of which operand a byte is.
#pragma once

#include <cstdint>
#include <span>

#include "core/catalogue/row.h"
#include "core/memory/memory.h"

namespace ts {

// All bytes that an operand's elements stand in: of a view its whole buffer. Scalars have none.
ByteRange bytes_of(const Operand& operand);
DType element_type(const Operand& operand);

// The first result (or else the first other operand) that `place` begins in, or -1.
int operand_holding(const Bound& bound, const ByteRange& place, bool result);

struct OperandElement {
  std::uint32_t row, col;  // of a view: row is 0, col is the index in the buffer
  ByteRange place;
};
// The bytes of an element; of a view: row is 0, col is the index in the buffer.
ByteRange place_of(const Operand& operand, std::uint32_t row, std::uint32_t col);
// The element that the byte at `address` is part of, or of two in a byte the one in that half, the lower one where none is
// named; it lies in the operand's bytes.
OperandElement element_of(const Operand& operand, std::uint32_t address, BytePart part = BytePart::Whole);
// The parts of a byte that are elements of their own, in this operand.
std::span<const BytePart> parts_of_byte(const Operand& operand);

}  // namespace ts
