// Tree to program text: names as they are today, types in the spelling that the text has.
#pragma once

#include <string>

#include "core/text/tree.h"

namespace ts::text {

struct PrintOptions {
  bool locations = true;
  bool compact_types = false;  // all tiles as !pto.tile_buf<vec, 16x64xf32, ...>
};
std::string print(const Tree& tree, const PrintOptions& options = {});
// One operation on one line, without its regions and its location; its types are compact.
std::string print_line(const Tree& tree, OpId op);

}  // namespace ts::text
