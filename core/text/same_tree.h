// Comparing two trees.
#pragma once

#include "core/text/tree.h"

namespace ts::text {

// The same program, whatever its spelling: forms, names, items and types are equal, positions in the text are not looked at.
bool same_tree(const Tree& a, const Tree& b);

}  // namespace ts::text
