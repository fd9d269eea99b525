// What the compiler asks a tree, beside what a tree tells by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/statement.h"
#include "core/text/tree.h"

namespace ts {

constexpr const char* core_name(bool vector) { return vector ? "vector" : "cube"; }

class TreeReader {
 public:
  explicit TreeReader(const text::Tree& tree) : tree_(tree) {}

  const text::Tree& tree() const { return tree_; }
  const text::Op& op(text::OpId id) const { return tree_.ops[id]; }
  std::span<const text::Item> items(const text::Op& op) const { return tree_.meaning(op); }
  std::span<const text::Item> results(const text::Op& op) const { return tree_.results(op); }
  std::span<const text::Item> children(const text::Item& item) const { return tree_.children(item); }
  const text::Item* find(const text::Op& op, text::ItemKind kind) const { return tree_.find(op, kind); }
  const text::Item* find(const text::Op& op, std::string_view name) const { return tree_.find(op, name); }
  std::string_view text(const text::Item& item) const { return tree_.text(item); }
  std::string_view text(text::SourceRange range) const { return tree_.text(range); }

  // Of a use or a definition, without the % and the number in a pack.
  std::string_view value_name(const text::Item& item) const;
  // The name behind the @, without quotes; empty: there is none.
  std::string_view symbol_name(const text::Op& op) const;
  const text::Type& type(text::TypeId id) const { return tree_.types[id]; }
  std::string type_text(text::TypeId id) const;
  std::vector<text::TypeId> types_of(const text::Item* list) const;  // of a Types or Arrow item
  text::TypeId only_type(const text::Item* list) const;              // kNoType: none, or several
  const text::Item* first_operand(const text::Op& op) const;         // a use or an integer; null: it has none
  text::OpId first_op(const text::Item* region) const;               // of its first block
  // An attribute of a module or function; null: it has none.
  const text::Item* attribute(const text::Op& op, std::string_view name) const;
  // The first word behind a name: "3" of `split = 3`, or of an item in angle brackets; empty: there is none.
  std::string_view first_word(const text::Item* named) const;
  std::string_view word(const text::Op& op, std::string_view name) const { return first_word(find(op, name)); }
  // "cube", "vector"; empty: the function does not say.
  std::string_view kernel_kind(const text::Op& function) const {
    return first_word(attribute(function, "pto.kernel_kind"));
  }
  // Whether a function may run on vector cores, or on the cube core, as far as it says which.
  bool may_run_on(const text::Op& function, bool vector) const {
    const std::string_view kind = kernel_kind(function);
    return kind.empty() || kind == core_name(vector);
  }
  // The part of a range where `words` stand; the whole range where it does not hold them.
  text::SourceRange part_of(text::SourceRange where, std::string_view words) const;

 private:
  const text::Tree& tree_;
};

std::string_view unquoted(std::string_view text);

// From `first` to the end of its block: f(id, operation).
template <class F>
void for_ops(const TreeReader& tree, text::OpId first, F f) {
  for (text::OpId id = first; id != text::kNoId; id = tree.op(id).next) f(id, tree.op(id));
}

}  // namespace ts
