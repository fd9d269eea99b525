// The program's text on a page, with the step's operands marked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/program/program.h"

namespace ts {

// A line and its neighbours; the operands' names of the instruction are underlined, and what was found is marked. The
// program comes from text, which has that line.
std::string source_around(const Program& program, std::uint32_t line, std::optional<std::size_t> instruction,
                          const Diagnostic* found);
// All of it, folded, or of a long one the part around the line. 0: no line.
std::string whole_source(const Program& program, std::uint32_t line);

}  // namespace ts
