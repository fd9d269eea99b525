// A tree as a few words a statement, for tests of its shape.
#pragma once

#include <string>

#include "core/isa/diagnostic.h"
#include "core/text/tree.h"

namespace ts::test {

struct Parsed {
  text::Tree tree;
  Diagnostics diagnostics;
};
Parsed parse_text(std::string text);

// One line a statement: `name(item, item)`, indented by region. Items as kind:text, with their children in brackets.
std::string outline(const text::Tree& tree);
// "1:5 E-SYNTAX text" a line.
std::string messages(const Diagnostics& diagnostics);

}  // namespace ts::test
