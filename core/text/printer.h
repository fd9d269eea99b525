// Tree to program text, in the current canonical spelling.
#pragma once

#include <string>

#include "core/text/tree.h"

namespace ts::text {

std::string print(const Tree& tree);
// One operation on one line, without its regions.
std::string print_line(const Tree& tree, OpId op);

}  // namespace ts::text
