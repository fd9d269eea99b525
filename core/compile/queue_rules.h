// Rules of the queues between the cores that need more than one operation: who sets a queue up, what it takes, and
// whether the two sides agree.
#pragma once

#include <string_view>

#include "core/compile/compilation.h"

namespace ts {

// How many slots the operation that sets a queue up gives it.
std::uint64_t queue_slots(const TreeReader& tree, const text::Op& op);

// A word of what a queue does to sums on their way: "quant", "layout", "relu"; empty: it says nothing of that.
std::string_view epilogue_word(const TreeReader& tree, const text::Op& op, std::string_view part);

// Of the queues of one function, once it was compiled.
void check_queues(Compilation& c, const text::Op& function);

}  // namespace ts
