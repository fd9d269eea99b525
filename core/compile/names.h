// The names of a text, and the scopes in which they mean something.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/compile/code_writer.h"
#include "core/compile/messages.h"
#include "core/compile/tree_reader.h"

namespace ts {

class Names {
 public:
  Names(const TreeReader& tree, Messages& messages, CodeWriter& code) : tree_(tree), messages_(messages), code_(code) {}

  // A name and the slots it stands for; %x:2 has two, one behind the other.
  struct Binding {
    Slot slot = kNoSlot;  // kNoSlot: its statement failed, which was told
    std::uint32_t count = 1;
    text::SourceRange defined;
  };

  void bind(const text::Item& def, Slot slot, std::uint32_t count = 1);
  // A new slot for a result, under its name.
  Slot bind_result(const text::Op& op, std::size_t index, text::TypeId type, Value value = {});
  const Binding* find(std::string_view name) const;
  const Binding* find(const text::Item& item) const { return find(tree_.value_name(item)); }

  // The slot of a use; kNoSlot: told why.
  Slot use(const text::Item& item);
  // An index: a use or a literal.
  Slot use_or_integer(const text::Item& item);
  // All uses and integers among an operation's items.
  std::vector<Slot> use_operands(const text::Op& op);

  std::size_t enter_scope() const { return bound_.size(); }
  void leave_scope(std::size_t mark);
  // A function sees no names of its caller.
  std::unordered_map<std::string_view, Binding> hide();
  void restore(std::unordered_map<std::string_view, Binding> names) { names_ = std::move(names); }

 private:
  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  std::unordered_map<std::string_view, Binding> names_;
  std::vector<std::string_view> bound_;  // in the order of their definitions
};

}  // namespace ts
