// Statements, and what is wrong with them.
#include "core/compile/statements.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::TypeId;
using text::TypeKind;

namespace {

// Of a list of words, those that begin like a wrong one: "lt or le".
std::string words_like(std::string_view words, std::string_view word) {
  std::string out;
  while (!words.empty() && !word.empty()) {
    const std::string_view first = words.substr(0, words.find(' '));
    if (first.front() == word.front()) out += fmt::format("{}{}", out.empty() ? "" : " or ", first);
    words.remove_prefix(std::min(words.size(), first.size() + 1));
  }
  return out;
}

// The family of the words that an operation's attribute takes; null: the operation does not say.
const text::WordList* list_of(const text::OpRow& row, std::string_view attribute) {
  std::string_view rest = row.words;
  while (!rest.empty()) {
    const std::string_view first = rest.substr(0, rest.find(' '));
    const std::size_t colon = first.find(':');
    if (first.substr(0, colon) == attribute) return text::find_word_list(first.substr(colon + 1));
    rest.remove_prefix(std::min(rest.size(), first.size() + 1));
  }
  return nullptr;
}

bool check_words(Compilation& c, const Item& item, const text::OpRow& row) {
  if (item.kind == ItemKind::Named) {
    if (const text::WordList* list = list_of(row, c.tree.tree().name_of(item)))
      return known_word(c, *list, item.count == 0 ? item : c.tree.children(item).front());
  }
  if (item.kind == ItemKind::Enum && item.count == 2) {
    const text::WordList* list = text::find_word_list(c.tree.text(c.tree.children(item)[0]));
    return list == nullptr || known_word(c, *list, item);
  }
  const bool nests = item.kind == ItemKind::Group || item.kind == ItemKind::Dict || item.kind == ItemKind::Named;
  return !nests ||
         std::ranges::all_of(c.tree.children(item), [&](const Item& child) { return check_words(c, child, row); });
}

}  // namespace

bool known_word(Compilation& c, const text::WordList& list, const Item& item) {
  const std::string_view word = item.kind == ItemKind::Named ? "" : word_of(c.tree.tree(), item);
  if (text::knows_word(list, word)) return true;
  const bool in_family = item.kind == ItemKind::Enum && item.count == 2;
  const text::SourceRange where = in_family ? c.tree.children(item)[1].range : item.range;
  if (list.kind == text::Words::Open) {
    c.messages.tell(Severity::Warning, where, "E-ATTRIBUTE",
                    fmt::format("unverified: the manual names no {} '{}'", list.what, word), std::string(list.words),
                    words_like(list.words, word));
    return true;
  }
  c.messages.error(where, "E-ATTRIBUTE", fmt::format("unknown {} '{}'", list.what, word), std::string(list.words),
                   words_like(list.words, word));
  return false;
}

bool check_words(Compilation& c, const Op& op) {
  const text::OpRow& row = text::op_row(op.code);
  return std::ranges::all_of(c.tree.items(op), [&](const Item& item) { return check_words(c, item, row); });
}

bool has_stated_type(Compilation& c, const Item& used, TypeId type, text::SourceRange where, Slot slot) {
  const TypeId defined = c.code.type_of(slot);
  if (defined == kNoType || type == kNoType || defined == type || c.tree.type(type).kind == TypeKind::Elided)
    return true;
  if (c.code.has_open_shape(slot) && c.tiles.kind_of(type) == OperandKind::Global &&
      c.tree.type(type).scalar == c.tree.type(defined).scalar)
    return true;
  // A part of a tile has no spelling of its own layout in memory.
  const Value& value = c.code.value(slot);
  if (c.tree.type(defined).kind == TypeKind::Tile && c.tree.type(type).kind == TypeKind::Tile && value.known() &&
      c.tiles[value.bits].alias)
    return true;
  const std::string_view name = c.tree.text(used);
  Diagnostic& wrong = c.messages.error(where, "E-TYPE", fmt::format("{} is {} here", name, c.tree.type_text(type)),
                                       c.tree.type_text(defined), "an operand's type is that of its definition");
  if (const Names::Binding* known = c.names.find(used))
    wrong.notes.push_back({c.messages.position(known->defined),
                           fmt::format("{} is defined here as {}", name, c.tree.type_text(defined))});
  return false;
}

bool read_statement(Compilation& c, const Op& op, const FormShape& shape, Statement& out) {
  TypeMismatch mismatch;
  out = read_statement(c.tree.tree(), op, shape, mismatch);
  if (!mismatch) return true;
  const auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
  const std::string operands = count(mismatch.operands, "operand"), types = count(mismatch.types, "type");
  if (op.result_count == mismatch.operands && !out.destinations && mismatch.types != 0)
    c.messages.error(mismatch.where, "E-TYPES",
                     fmt::format("op has {}, {} given", count(mismatch.operands, "result"), types));
  else
    c.messages.error(mismatch.where, "E-TYPES", fmt::format("{} for {}", types, operands),
                     fmt::format("{} separated by ','", count(mismatch.operands, "type")), "repeat the tile type");
  return false;
}

void refuse_elided(Compilation& c, const StatementOperand& operand) {
  c.messages.error(c.tree.part_of(operand.type_range, "..."), "E-TYPE", "type parameters are elided",
                   "!pto.tile<RxCxdtype>",
                   fmt::format("write the type once; it can be inferred from the definition of {} if that has one",
                               c.tree.text(*operand.item)));
}

bool in_vecscope(Compilation& c, const Op& op) {
  if (c.registers.in_scope()) return true;
  c.messages.error(op.name, "E-SCOPE", fmt::format("{} stands outside of every vecscope", c.tree.tree().name_of(op)),
                   "", "write it inside pto.vecscope { ... }: there are registers and masks nowhere else");
  return false;
}

bool refused_in_vecscope(Compilation& c, const Op& op) {
  if (!c.registers.in_scope()) return false;
  c.messages.error(op.name, "E-SCOPE", "tile op inside vecscope", "", "move it out; use `pto.tile_buf_addr` and vlds");
  return true;
}

}  // namespace ts
