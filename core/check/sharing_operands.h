// Which bytes a step means to read through its operands, and through which of them it wrote a byte.
#pragma once

#include <string>
#include <vector>

#include "core/debug/origins/step_reads.h"
#include "core/record/recording.h"

namespace ts {

bool is_read(const Operand& operand);  // its role says so
// Adding to memory is done at once by the memory: two of them do not disturb each other.
bool is_adding(const Bound& bound);

// Adds the bytes that a step means to read through an operand: of a tile its valid elements, of a mask the bytes with
// the bits of the result's elements, of a view what a tile takes of it. What lanes beside those fetch is not meant.
// Which elements offsets choose is not asked.
void add_meant_reads(const MemoryMap& map, const Bound& bound, const Operand& operand, std::vector<FlatRange>& out);

// The result, or else the scratch, that a written byte belongs to; -1: it stands beside all of them.
int written_operand(const MemoryMap& map, const Bound& bound, Flat at);

// The element of the operand that a byte is part of; of no operand (-1) the byte itself.
FoundElement found_at(const MemoryMap& map, const Bound& bound, int operand, Flat at);
// "%a[8,0]"; of bytes of no operand "ub 0x1200". Elements of views are those of their buffer.
std::string element_name(const Program& program, const Bound& bound, const FoundElement& element);

}  // namespace ts
