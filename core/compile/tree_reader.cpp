// Questions to a tree.
#include "core/compile/tree_reader.h"

namespace ts {

using text::Item;
using text::ItemKind;

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::string_view TreeReader::value_name(const Item& item) const {
  std::string_view name = tree_.text(item);
  if (name.starts_with('%')) name.remove_prefix(1);
  return name.substr(0, name.find_first_of("#: "));
}

std::string_view TreeReader::symbol_name(const text::Op& op) const {
  const Item* symbol = find(op, ItemKind::Symbol);
  if (symbol == nullptr) return {};
  return symbol->style == text::ItemStyle::Implied ? text(*symbol) : unquoted(text(*symbol).substr(1));
}

std::string TreeReader::type_text(text::TypeId id) const { return id == kNoType ? "nothing" : tree_.types.print(id); }

std::vector<text::TypeId> TreeReader::types_of(const Item* list) const {
  std::vector<text::TypeId> types;
  if (list == nullptr) return types;
  for (const Item& item : children(*list))
    if (item.kind == ItemKind::Type) types.push_back(item.first);
  return types;
}

text::TypeId TreeReader::only_type(const Item* list) const {
  const auto types = types_of(list);
  return types.size() == 1 ? types.front() : kNoType;
}

const Item* TreeReader::first_operand(const text::Op& op) const {
  for (const Item& item : items(op))
    if (item.kind == ItemKind::Use || item.kind == ItemKind::Int) return &item;
  return nullptr;
}

text::OpId TreeReader::first_op(const Item* region) const {
  return region == nullptr || region->first == text::kNoId ? text::kNoId : tree_.blocks[region->first].first_op;
}

const Item* TreeReader::attribute(const text::Op& op, std::string_view name) const {
  for (const Item& item : items(op)) {
    if (item.kind != ItemKind::Dict) continue;
    for (const Item& entry : children(item))
      if (unquoted(tree_.name_of(entry)) == name) return &entry;
  }
  return nullptr;
}

std::string_view TreeReader::first_word(const text::Item* named) const {
  return named == nullptr || named->count == 0 ? "" : word_of(tree_, children(*named).front());
}

text::SourceRange TreeReader::part_of(text::SourceRange where, std::string_view words) const {
  const std::size_t at = text(where).find(words);
  if (at == std::string_view::npos) return where;
  const std::uint32_t begin = where.begin + static_cast<std::uint32_t>(at);
  return {begin, begin + static_cast<std::uint32_t>(words.size())};
}

}  // namespace ts
