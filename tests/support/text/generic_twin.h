// A program in MLIR's generic form, written from its own form the way MLIR prints it: what stands in clauses goes to places
// among the operands and to attributes, what a loop names to arguments of a block. Written without the reader's tables.
#pragma once

#include <set>
#include <string>

#include "core/text/tree.h"

namespace ts::test {

struct GenericTwin {
  std::string text;
  std::set<std::string> written;           // the names of the operations in it
  std::set<std::string> left_as_they_are;  // those of which this writer knows no generic form
};

GenericTwin generic_twin(const text::Tree& tree);

}  // namespace ts::test
