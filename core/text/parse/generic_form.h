// From the generic form of an operation to its meaning: the items that its own form would hold. What reads a tree thus needs
// to know one form only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/text/mistakes.h"
#include "core/text/ops/generic_row.h"
#include "core/text/ops/signature.h"
#include "core/text/tree.h"

namespace ts::text {

inline constexpr std::string_view kGenericSegments = "operandSegmentSizes";
inline const char* plural_s(std::size_t count) { return count == 1 ? "" : "s"; }

class GenericForm {
 public:
  // `written`: the operation's items, which are not in the tree yet.
  GenericForm(Tree& tree, Mistakes& mistakes, const Op& op, std::span<const Item> written);

  // False: told what is wrong. Children of the meaning go into the tree; where nobody knows which operand is which, `op`
  // says so.
  bool read(Op& op, std::vector<Item>& meaning);

 private:
  struct Segments {
    std::vector<std::size_t> sizes;  // one for each part that is an operand
    bool fit = true;
  };
  struct Operands {
    std::vector<Item> uses, types;
  };

  struct Row {
    std::vector<Item> values, types;  // the types of those that stand alone
    Operands outs;
  };

  // Operations with regions (generic_regions.cpp).
  bool module(std::vector<Item>& out);
  bool function(std::vector<Item>& out);
  bool for_loop(std::vector<Item>& out);
  bool branch(std::vector<Item>& out);
  bool while_loop(std::vector<Item>& out);
  bool same_parameters(const Type& function, std::span<const Item> params);
  bool has_regions(std::size_t least, std::size_t most);
  bool has_arguments(const Item& region, std::size_t count, const char* what);
  bool has_results(std::size_t count, const char* what);
  std::vector<Item> arguments_of(const Item& region) const;
  bool symbol(std::vector<Item>& out);
  std::vector<Item> carried(std::span<const Item> params, std::size_t first_operand);

  // What holds for all.
  void take(std::span<const Item> written);
  bool counts_fit();
  bool check_segments();
  bool constant(std::vector<Item>& out);
  bool same_number_types();
  // Others (generic_operands.cpp).
  bool by_shape(const GenericShape& shape, Op& op, std::vector<Item>& out);
  bool by_parts(const GenericShape& shape, const Segments& segments, std::vector<Item>& out);
  void by_tiles(std::vector<Item>& out);
  void as_written(std::vector<Item>& out);
  std::optional<Segments> split(const GenericShape& shape);
  std::optional<Segments> wrong_count(const GenericShape& shape, std::size_t least, std::size_t most);
  std::optional<Segments> share(const GenericShape& shape, std::size_t rest, std::size_t open, std::size_t optional);
  std::optional<Segments> given_segments(const GenericShape& shape, std::vector<std::size_t> given);
  bool add_operands(const GenericShape& shape, const GenericPart& part, const Operands& some, Row& row);
  bool add_index(const GenericShape& shape, const GenericPart& part, const Operands& some, Row& row);
  bool add_attribute(const GenericPart& part, std::vector<Item>& out);
  Item operand_group(const char* word, const Operands& operands);
  void in_clauses(const Row& row, std::vector<Item>& out);
  void in_parentheses(const Row& row, std::vector<Item>& out);
  // Of tiles (generic_tiles.cpp).
  bool is_view(const Item& type) const;
  bool numbers(const GenericPart& part, std::vector<Item>& out);
  bool attribute_value(const GenericPart& part, std::vector<Item>& out);
  void move_value(const GenericShape& shape);
  void warn_of_unknown(const GenericShape& shape);
  bool are_alike(std::size_t first) const;
  void destinations_of(const Signature& signature, std::vector<bool>& is_out) const;
  void end(std::vector<Item>& out, GenericTypes types);

  const Item* attribute(std::string_view name) const;
  const Item* only_attribute() const;
  const Item* attribute_of(const GenericPart& part) const;
  std::optional<std::vector<Item>> numbers_of(const Item& value) const;
  std::string_view name() const { return tree_.name_of(op_); }
  SourceRange operands_end() const;
  bool wrong(const char* rule, SourceRange where, std::string text, std::string expected = {}, std::string hint = {});
  bool wrong_attribute(const Item* given, std::string_view attribute, std::string_view wanted);

  // New items, with their children in the tree.
  Item parent(ItemKind kind, std::span<const Item> children, SourceRange range);
  Item implied(ItemKind kind, std::string_view word, std::span<const Item> children, SourceRange range);
  Item group(std::span<const Item> children);  // without a name
  Item row_of_types(ItemKind kind, std::span<const Item> types);

  Tree& tree_;
  Mistakes& mistakes_;
  const Op& op_;
  Operands operands_;
  std::vector<Item> results_, regions_, dicts_, attributes_;
  std::vector<Item> successors_;
  enum class ValueFrom : std::uint8_t { Front, Second, Last } value_from_ = ValueFrom::Front;
  bool has_types_ = false, has_arrow_ = false;
};

}  // namespace ts::text
