// A tree of joins as a picture: elements, or groups of them, in the first line, joins below, the result at the foot.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/stage/drawing.h"
#include "core/debug/picture/reduce_tree.h"

namespace ts::ui {

struct TreeLook {
  const ReduceTree& tree;
  const std::vector<std::uint64_t>* values;   // of its nodes; null: not known
  std::string sign;                           // of the operation
  std::string name;                           // of the tile that its elements are in
  std::optional<std::uint32_t> strong = {};   // the element whose way to the root is drawn strong
  std::optional<std::uint32_t> flagged = {};  // the element that was searched for
};
// What is below `root`. Where there are more elements than places, groups of them; where there is height for it, one of
// the groups is opened above the others.
void draw_tree(StageStep& step, const TreeLook& tree, std::uint32_t root, const Rect& area);

}  // namespace ts::ui
