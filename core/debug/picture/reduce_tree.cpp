// Trees of joins, made of the nodes of the tag machine.
#include "core/debug/picture/reduce_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/engine/block_core.h"

namespace ts {
namespace {

// A join of two, or an element, before chains are joins of many. Those below stand before it.
struct Pair {
  int left = -1, right = -1;
  StepElement element = {};  // the first of those below
  std::uint64_t print = 0;   // the same for the same elements, whatever their order
  std::uint32_t level = 0;
};

std::uint64_t print_of(const StepElement& element) {
  std::uint64_t bits = (std::uint64_t{element.row} << 32 | element.col) + 0x9E3779B97F4A7C15ull;
  for (const std::uint64_t factor : {0xBF58476D1CE4E5B9ull, 0x94D049BB133111EBull}) bits = (bits ^ bits >> 29) * factor;
  return bits ^ bits >> 32;
}

class TreeMaker {
 public:
  explicit TreeMaker(const StepFlow& flow) : flow_(flow), arena_(flow.flow.tags().arena) {}

  ReduceTree make(const StepElement& result) {
    const ByteRange place = place_of(flow_.recording.program(), flow_.bound(), result);
    const Flat begin = flow_.flow.before().map().flat(place);
    std::vector<Tag> open;
    for (Flat at = begin; at < begin + place.size; ++at)
      open.push_back(arena_.half(flow_.flow.tags().tag(at), place.part));
    make_nodes(open);
    int root = -1;
    for (const Tag tag : open) root = joined(root, of(tag));
    return root < 0 ? ReduceTree{} : tree_of(root);
  }

 private:
  // Nodes are made of tags that were there before them, so that their numbers are an order to make the tree in.
  void make_nodes(std::vector<Tag> open) {
    std::vector<Tag> found;
    while (!open.empty()) {
      const Tag tag = open.back();
      open.pop_back();
      if (!is_node_tag(tag) || !made_.try_emplace(tag, -1).second) continue;
      found.push_back(tag);
      for (const TagSpan& span : parts(tag))
        for (Tag part = span.first; part < span.first + span.count; ++part) open.push_back(part);
    }
    std::ranges::sort(found);
    for (const Tag tag : found) {
      int node = -1;
      // Who chooses by a comparison has looked at both, and so at that which was chosen.
      const bool chosen = arena_.kind(tag) == NodeKind::Chosen;
      for (const TagSpan& span : parts(tag))
        if (!chosen || node < 0) node = joined(node, of_span(span));
      made_[tag] = node;
    }
  }
  // Of a choice that which decided comes first.
  std::vector<TagSpan> parts(Tag tag) const {
    switch (arena_.kind(tag)) {
      case NodeKind::Combine:
      case NodeKind::Halves: return {arena_.a(tag), arena_.b(tag)};
      case NodeKind::Chosen: return {arena_.b(tag), arena_.a(tag)};
      case NodeKind::BitOf:
      case NodeKind::HalfOf:
      case NodeKind::Bits: return {arena_.a(tag)};
      case NodeKind::Unspecified: break;
    }
    return {};
  }

  int of_span(TagSpan span) {
    int node = -1;
    for (Tag tag = span.first; tag < span.first + span.count; ++tag) node = joined(node, of(tag));
    return node;
  }
  int of(Tag tag) {
    if (is_node_tag(tag)) return made_[tag];
    if (!is_byte_tag(tag) && !is_half_tag(tag)) return -1;
    const Source source = flow_.flow.source_of(tag, false);
    const auto element = element_of_source(flow_.recording.program(), flow_.bound(), source);
    if (!element || flow_.bound().operands[static_cast<std::size_t>(element->operand)].spec->role != Role::In)
      return -1;
    const auto [known, is_new] = elements_.try_emplace(*element, static_cast<int>(pairs_.size()));
    if (is_new) pairs_.push_back({.element = *element, .print = print_of(*element)});
    return known->second;
  }
  // Halves of one element, which travel apart, are made of the same; so is a carry.
  int joined(int a, int b) {
    if (a < 0 || b < 0 || a == b) return std::max(a, b);
    if (at(a).print == at(b).print) return a;
    // Who searches asks whether the next one is better than the best so far.
    const auto rank = [this](int pair) { return std::pair(~at(pair).level, at(pair).element); };
    if (is_search(flow_.bound()) && rank(b) < rank(a)) std::swap(a, b);
    const Pair &left = at(a), &right = at(b);
    const std::uint32_t higher = std::max(left.level, right.level);
    const bool goes_on = left.level > right.level;
    pairs_.push_back({a, b, left.element, left.print + right.print, goes_on ? higher : higher + 1});
    return static_cast<int>(pairs_.size()) - 1;
  }
  const Pair& at(int pair) const { return pairs_[static_cast<std::size_t>(pair)]; }

  // What a pair joins, together with those before it that it goes on from.
  std::vector<int> items_of(int pair) const {
    std::vector<int> items;
    for (int on = pair;;) {
      items.push_back(at(on).right);
      const int left = at(on).left;
      if (at(left).level < at(pair).level) {
        items.push_back(left);
        break;
      }
      on = left;
    }
    std::ranges::reverse(items);
    return items;
  }

  ReduceTree tree_of(int root) const {
    std::map<int, std::vector<int>> joins;  // what is in the tree, by pair
    std::vector<int> open{root};
    bool ordered = true;
    while (!open.empty()) {
      const int pair = open.back();
      open.pop_back();
      const auto [known, is_new] = joins.try_emplace(pair);
      ordered = ordered && is_new;
      if (!is_new || at(pair).left < 0) continue;
      known->second = items_of(pair);
      open.insert(open.end(), known->second.begin(), known->second.end());
    }
    if (!ordered) return unordered();
    ReduceTree tree;
    std::map<int, std::uint32_t> number;
    for (const auto& [pair, items] : joins) {
      number[pair] = static_cast<std::uint32_t>(tree.nodes.size());
      ReduceNode node{.element = at(pair).element, .elements = items.empty() ? 1u : 0u, .level = at(pair).level};
      for (const int item : items) {
        node.items.push_back(number[item]);
        node.elements += tree.nodes[number[item]].elements;
      }
      tree.nodes.push_back(std::move(node));
    }
    return tree;
  }
  ReduceTree unordered() const {
    ReduceTree tree{.nodes = {}, .ordered = false};
    for (const auto& [element, pair] : elements_) tree.nodes.push_back({.element = element});
    ReduceNode all{.element = {}, .items = {}, .elements = static_cast<std::uint32_t>(tree.nodes.size()), .level = 1};
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) all.items.push_back(i);
    tree.nodes.push_back(std::move(all));
    return tree;
  }

  const StepFlow& flow_;
  const TagArena& arena_;
  std::map<Tag, int> made_;
  std::map<StepElement, int> elements_;
  std::vector<Pair> pairs_;
};

}  // namespace

ReduceTree reduce_tree(const StepFlow& flow, const StepElement& result) { return TreeMaker(flow).make(result); }

namespace {

std::optional<LaneOp> operation_of(const std::string& sign) {
  if (sign == "+") return LaneOp::Add;
  if (sign == "*") return LaneOp::Mul;
  if (sign == "max") return LaneOp::Max;
  if (sign == "min") return LaneOp::Min;
  return {};
}

// Sums of narrow integers are computed in wider ones, and so are products of narrow floats.
bool joins_in_own_type(LaneOp op, DType type) {
  if (size_bytes(type) >= 4 || op == LaneOp::Max || op == LaneOp::Min) return true;
  return op == LaneOp::Add && is_float(type);
}

}  // namespace

std::optional<std::vector<std::uint64_t>> values_of(const ReduceTree& tree, const StepFlow& flow,
                                                    const std::string& sign, std::uint64_t result) {
  const std::optional<LaneOp> op = operation_of(sign);
  if (tree.empty() || !tree.ordered || !op) return {};
  const Bound& bound = flow.bound();
  const Memory& before = flow.flow.before();
  const auto& first = bound.operands[static_cast<std::size_t>(tree.nodes.front().element.operand)];
  const DType type = first.tile.type.dtype;
  if (!joins_in_own_type(*op, type)) return {};
  std::vector<std::uint64_t> values;
  for (const ReduceNode& node : tree.nodes) {
    if (node.items.empty()) {
      const ByteRange place = place_of(flow.recording.program(), bound, node.element);
      values.push_back(before.element(place));
      continue;
    }
    std::uint64_t value = values[node.items.front()];
    for (std::size_t i = 1; i < node.items.size(); ++i) {
      const auto joined = compute_lane(*op, type, value, values[node.items[i]]);
      if (!joined) return {};
      value = *joined;
    }
    values.push_back(value);
  }
  if (values.back() != result) return {};
  return values;
}

std::optional<std::uint32_t> find_element(const ReduceTree& tree, const StepElement& element) {
  for (std::uint32_t number = 0; number < tree.nodes.size(); ++number)
    if (tree.nodes[number].items.empty() && tree.nodes[number].element == element) return number;
  return {};
}

std::vector<StepElement> elements_below(const ReduceTree& tree, std::uint32_t node) {
  std::vector<StepElement> elements;
  std::vector<std::uint32_t> open{node};
  while (!open.empty()) {
    const ReduceNode& one = tree.nodes[open.back()];
    open.pop_back();
    if (one.items.empty()) elements.push_back(one.element);
    open.insert(open.end(), one.items.rbegin(), one.items.rend());
  }
  return elements;
}

// Searches have two forms, called by what they give.
bool is_search(const Bound& bound) {
  const std::string_view form = bound.row->forms[bound.form].name;
  return form == "index" || form == "with_value";
}

ReducePart part_of_tree(const ReduceTree& tree, std::uint32_t node, std::uint32_t room) {
  ReducePart part;
  if (tree.empty()) return part;
  room = std::max(room, 3u);
  // The nodes that are not above a level, and stand below one that is.
  const auto tips_at = [&](std::uint32_t level) {
    std::vector<std::uint32_t> tips, open{node};
    while (!open.empty()) {
      const std::uint32_t number = open.back();
      open.pop_back();
      const ReduceNode& one = tree.nodes[number];
      if (one.level <= level) tips.push_back(number);
      else open.insert(open.end(), one.items.rbegin(), one.items.rend());
    }
    return tips;
  };
  std::vector<std::uint32_t> tips = tips_at(0);
  for (; tips.size() > room && part.level + 1 < tree.nodes[node].level; ++part.level) tips = tips_at(part.level + 1);
  const std::size_t end = tips.size(), shown = std::min<std::size_t>(end, room),
                    before = shown == end ? end : (shown - 1) / 2 + (shown - 1) % 2;
  for (std::size_t i = 0; i < before; ++i) part.tips.push_back({.node = tips[i]});
  if (shown == end) return part;
  const std::size_t behind = shown - 1 - before;
  part.tips.push_back({node, static_cast<std::uint32_t>(end - before - behind)});
  for (std::size_t i = end - behind; i < end; ++i) part.tips.push_back({.node = tips[i]});
  return part;
}

std::string elements_text(const ReduceTree& tree, std::uint32_t node, const std::string& name) {
  const std::vector<StepElement> elements = elements_below(tree, node);
  const StepElement &first = elements.front(), &last = elements.back();
  if (elements.size() == 1) return fmt::format("{}[{},{}]", name, first.row, first.col);
  const bool along = first.row == last.row;
  const auto place = [&](const StepElement& element) { return std::int64_t{along ? element.col : element.row}; };
  const std::int64_t apart = place(elements[1]) - place(first);
  for (std::size_t i = 1; i < elements.size(); ++i)
    if ((along ? elements[i].row != first.row : elements[i].col != first.col) ||
        place(elements[i]) - place(elements[i - 1]) != apart)
      return fmt::format("{} elements of {}", elements.size(), name);
  if (elements.size() == 2) {
    const std::string both = fmt::format("{} and {}", place(first), place(last));
    return along ? fmt::format("{}[{}, {}]", name, first.row, both) : fmt::format("{}[{}, {}]", name, both, first.col);
  }
  const std::string span = fmt::format("{}..{}", place(first), place(last));
  const std::string all =
      along ? fmt::format("{}[{},{}]", name, first.row, span) : fmt::format("{}[{},{}]", name, span, first.col);
  return apart == 1 ? all : fmt::format("every {}{} of {}", apart, apart == 2 ? "nd" : apart == 3 ? "rd" : "th", all);
}

}  // namespace ts
