// What the moves that a trace recorded come to, put against what the tag machine says of the whole step.
#pragma once

#include <string>

#include "core/engine/tag/tag.h"
#include "core/engine/trace/trace.h"

namespace ts::test {

// "" when every recorded move has the same bits at both ends, else the first that has not.
std::string first_false_move(const Trace& trace);

// "" when every bit that the step wrote was moved from where the tag machine says, and no other bit was moved; else the
// first that was not. `bits_are_computed`: bits of predicates may have been, where the tag machine names but one source.
std::string first_wrong_link(const Trace& trace, const MemoryMap& map, const TagMemory& tags,
                             bool bits_are_computed = false);

}  // namespace ts::test
