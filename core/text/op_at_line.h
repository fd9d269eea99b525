// Which operation a line of a program's text belongs to.
#pragma once

#include <cstdint>
#include <optional>

#include "core/text/tree.h"

namespace ts::text {

// The end of an operation without what stands between its braces.
std::uint32_t head_end(const Tree& tree, const Op& op);
// The line that the operation's name stands on, of the innermost operation whose own words go over this line.
std::optional<std::uint32_t> op_line(const Tree& tree, std::uint32_t line);

}  // namespace ts::text
