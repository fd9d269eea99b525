// One value for every tag of a step, made of the values of what the tag stands for: each node is looked at once.
#pragma once

#include <vector>

#include "core/engine/tag/tag.h"

namespace ts {

// `Rule` has leaf(tag), for all that is no node; joined(a, b), for two values that are parts of the same; and
// node(kind, a, b), where `b` is Value{} for kinds that have one part, and `a` too for those that have none.
template <class Value, class Rule>
class TagFold {
 public:
  TagFold(const TagArena& arena, const Rule& rule) : rule_(rule) {
    values_.reserve(arena.size());
    // Nodes are made of tags that were there before them.
    for (Tag node = kFirstNodeTag; node < kFirstNodeTag + arena.size(); ++node) {
      const NodeKind kind = arena.kind(node);
      const bool two = TagArena::has_two(kind);
      const Value a = kind == NodeKind::Unspecified ? Value{} : of_span(arena.a(node));
      values_.push_back(rule_.node(kind, a, two ? of_span(arena.b(node)) : Value{}));
    }
  }

  Value of(Tag tag) const { return is_node_tag(tag) ? values_[tag - kFirstNodeTag] : rule_.leaf(tag); }

 private:
  Value of_span(TagSpan span) const {
    Value all{};
    for (Tag tag = span.first; tag < span.first + span.count; ++tag) all = rule_.joined(all, of(tag));
    return all;
  }

  const Rule& rule_;
  std::vector<Value> values_;
};

}  // namespace ts
