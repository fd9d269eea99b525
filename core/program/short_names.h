// Names that front ends make, as people read them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/program/program.h"

namespace ts {

// For each name a shorter one where that is its own: `q_inline12__tile_v2` is q, or q_inline12 where other names come to
// q. `taken`: names that nothing else may have.
std::vector<std::string> short_names(std::span<const std::string> names, std::span<const std::string> taken);

// The program's tiles get them; as they are written they are known too.
void shorten_tile_names(Program& program);

}  // namespace ts
