// The tables of rules on the pages of the instruction set, as people read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/catalogue/row.h"

namespace ts::test {

// One rule on one target. A row of a page that names several ids, or both targets, is several of these.
struct PageRule {
  std::string id;  // "TADD-R4", "G5"
  Target target;
  std::string asks, advice;  // the third and fourth column, without backquotes
  auto operator<=>(const PageRule&) const = default;
};

// Of all pages, wherever they lie below assets/instructions, sorted; and of one instruction: "" where there is none.
// Tests run from the project's root.
std::vector<std::string> page_paths();
std::string page_path(const InstructionRow& row);

// Of the page of this instruction.
std::vector<PageRule> page_rules(const InstructionRow& row);

// The element types that the page lists for a target: "Element types: i16, i32 on A2A3; i8 to u64, f32 on A5.", or,
// where it has no such sentence, those that its type rule names. Nothing where the page lists pairs of types.
std::optional<DTypeSet> page_types(const InstructionRow& row, Target target);

}  // namespace ts::test
