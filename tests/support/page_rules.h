// The tables of rules on the pages of the instruction set, as people read them.
#pragma once

#include <string>
#include <vector>

#include "core/isa/row.h"

namespace ts::test {

// One rule on one target. A row of a page that names several ids, or both targets, is several of these.
struct PageRule {
  std::string id;  // "TADD-R4", "G5"
  Target target;
  std::string asks, advice;  // the third and fourth column, without backquotes
  auto operator<=>(const PageRule&) const = default;
};

// Of the page of this instruction. Tests run from the project's root.
std::vector<PageRule> page_rules(const InstructionRow& row);

}  // namespace ts::test
