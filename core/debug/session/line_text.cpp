// Looking for the instruction of a line.
#include "core/debug/session/line_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

std::string line_text(const SourceMap& sources, const Program& program, SourcePos pos) {
  if (!sources.empty()) {
    const auto stands = [&](const Instruction& one) { return one.pos.line == pos.line; };
    const auto found = std::ranges::find_if(program.instructions, stands);
    const auto number = static_cast<std::uint32_t>(found - program.instructions.begin());
    const std::string told = found == program.instructions.end() ? "" : sources.told_of(number);
    if (!told.empty()) return told;
  }
  return fmt::format("line {}", pos.line);
}

}  // namespace ts
