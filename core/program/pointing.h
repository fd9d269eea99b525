// Where in the text an operand of an instruction stands.
#pragma once

#include "core/program/program.h"
#include "core/program/statement.h"

namespace ts {

// The statement an instruction was made from; the program must come from text.
Statement read_instruction(const text::Tree& tree, const Instruction& instruction, TypeMismatch& mismatch);

// Moves a rule's message from the instruction to the operand it names, where the program came from text.
void point_at_operand(const Program& program, std::size_t instruction, Diagnostic& diagnostic);

}  // namespace ts
