// The order in which a reduction joined elements to one, read off the data flow of the step: so it is the order of the
// target's micro-operations, down to the lanes inside of one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/picture/stage_rows.h"

namespace ts {

// An element, or a join of others. Joins that take one more each time, ((a + b) + c) + d, are one join of many.
struct ReduceNode {
  StepElement element = {};               // of what joins nothing
  std::vector<std::uint32_t> items = {};  // what a join joins, in its order: nodes that stand before it
  std::uint32_t elements = 1;             // below it
  std::uint32_t level = 0;                // 0: an element; a join stands above everything that it joins
};

struct ReduceTree {
  std::vector<ReduceNode> nodes;  // the last one is the root; none: nothing was reduced
  // False: an element took part more than once, so that this is no order of joins. All elements are items of one join.
  bool ordered = true;
  const ReduceNode& root() const { return nodes.back(); }
  std::uint32_t root_number() const { return static_cast<std::uint32_t>(nodes.size() - 1); }
  bool empty() const { return nodes.empty(); }
};
// What an element of a result was made of. Of an index that was searched for: how the elements were compared.
ReduceTree reduce_tree(const StepFlow& flow, const StepElement& result);
// What every join gives, in the elements' type, by node. Nothing where that is not known for certain: where joins are
// wider than the elements, where their order is not known, or where it would not come out as `result` at the root.
// `sign` is that of the operation, as `sign_of` has it.
std::optional<std::vector<std::uint64_t>> values_of(const ReduceTree& tree, const StepFlow& flow,
                                                    const std::string& sign, std::uint64_t result);
// The node that an element is; nothing where it is not in the tree.
std::optional<std::uint32_t> find_element(const ReduceTree& tree, const StepElement& element);
// The elements below a node, in the order in which they are joined.
std::vector<StepElement> elements_below(const ReduceTree& tree, std::uint32_t node);

// Whether the last result says where an element was found, instead of being one.
bool is_search(const Bound& bound);

// The tree as far as there is room for it.
struct ReducePart {
  // What stands in the first line, from left to right: nodes, and between them what was left out.
  struct Tip {
    std::uint32_t node = 0;
    std::uint32_t left_out = 0;  // nodes of the same join that are not shown; then `node` is that join
  };
  std::vector<Tip> tips;
  std::uint32_t level = 0;  // of the highest tip: joins above it are shown
};
// Of what is below `node`; at most `room` tips, of at least 3.
ReducePart part_of_tree(const ReduceTree& tree, std::uint32_t node, std::uint32_t room);

// "a[1,0..63]", "every 64th of a[1,0..4032]", "a[0..5,3]": the elements below a node. `name` is that of their tile.
std::string elements_text(const ReduceTree& tree, std::uint32_t node, const std::string& name);

}  // namespace ts
