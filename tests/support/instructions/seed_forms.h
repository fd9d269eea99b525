// The written forms of the five instructions whose documents the project began with, for every element type.
#pragma once

#include <string>
#include <vector>

#include "core/isa/dtype.h"
#include "core/isa/target.h"

namespace ts::test {

// F1, F2, F3 and F5 texts are documents: names that nobody defines are their inputs, and results have types only.
//   F1   %d = ttrans %s : T -> T           F2   %d = pto.ttrans %s : T -> T
//   F3   pto.ttrans ins(%s : T) outs(%d : T)
//   F5   pto.tassign %d, @tile(0x1000) for every tile, then F2
//   IR1, IR2   F2 and F3 as the older pages head them; tsels has other operand names there
// F3 stands also in whole modules, whose tiles get their valid region when the program runs.
struct SeedForm {
  std::string name;         // for messages: "tsels F3, tail"
  std::string instruction;  // "tsels"
  std::string form;         // "F1", "F2", "F3", "F5", "IR1", "IR2"
  bool module = false;      // a whole module
  std::string text;
};

// Those of this element type (tgatherb, ttrans: of dst) that the target has. Every text is legal as it stands; some get
// warnings or notes. tgatherb runs when its offsets are given: multiples of the element's size, or of 32 for blocks.
std::vector<SeedForm> seed_forms(Target target, DType dtype);

}  // namespace ts::test
