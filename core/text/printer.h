// Tree to program text, in the current canonical spelling.
#pragma once

#include <string>

#include "core/text/tree.h"

namespace ts::text {

enum class PrintLocations : bool { No, Yes };
std::string print(const Tree& tree, PrintLocations locations = PrintLocations::Yes);
// One operation on one line, without its regions and its location.
std::string print_line(const Tree& tree, OpId op);

}  // namespace ts::text
