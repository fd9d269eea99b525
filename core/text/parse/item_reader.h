// Reads what stands in a statement: operands, clauses, attributes, types.
#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/parse/token_reader.h"
#include "core/text/parse/type_reader.h"

namespace ts::text {

class ItemReader : protected TokenReader {
 protected:
  ItemReader(Tree& tree, Mistakes& mistakes, const ParseLimits& limits)
      : TokenReader(tree, mistakes, limits), types_(*tree.source, tree.types, mistakes, limits.most_depth) {}
  ~ItemReader() = default;

  // Of the statement at hand.
  struct Shape {
    bool bare = false;         // a line is a statement
    bool known = false;        // without regions, `{` begins a dictionary
    bool has_regions = false;  // `{` begins a region
    bool takes_else = false;
    bool after_outs = false;   // name = value may have a type
    bool complete = false;     // types or results were read: no operand can follow
    bool words_first = false;  // its first operand is a word
  };
  enum class Where : std::uint8_t { Op, Group, List, Value };
  enum class Guess : std::uint8_t { Region, Dict };

  // Regions hold statements.
  virtual bool region() = 0;

  // Items. Each leaves one item on the scratch stack.
  bool op_items(Shape& shape);
  bool op_item(Shape& shape);
  bool operand(Where where);
  bool use(Where where);
  bool word(Where where);
  bool value();  // and its `: type`
  bool symbol();
  bool attribute(Where where);
  bool raw_attribute(std::uint32_t begin, std::uint32_t open);
  bool in_angles();
  bool launch_shape();
  bool list();
  bool dict();
  bool group(SourceRange name);
  bool types(bool in_group);
  bool types_in_parentheses();
  bool type_or_decoration();
  bool type();
  bool arrow();
  bool definition(bool pack);
  void leaf(ItemKind kind);
  bool ended(const Shape& shape);
  bool brace_begins_dict(Guess otherwise);

  // The scratch stack: children first, then their parent takes them.
  struct Open {
    std::size_t children;
    std::uint32_t begin;
  };
  Open open() const { return {scratch_.size(), token().range.begin}; }
  Item& close(const Open& open, ItemKind kind);
  std::pair<std::uint32_t, std::uint32_t> move_to_tree(std::size_t from);

  TypeReader types_;
  std::vector<Item> scratch_;
  std::unordered_map<std::string_view, Item> attribute_aliases_;
  bool generic_ = false;  // of the statement at hand
};

}  // namespace ts::text
