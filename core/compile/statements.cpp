// Statements, and what is wrong with them.
#include "core/compile/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ts {

using text::Item;
using text::ItemKind;
using text::Op;
using text::TypeId;
using text::TypeKind;

namespace {

constexpr std::string_view kComparisons = "eq ne lt le gt ge";
// The manual prints long words, too.
constexpr std::string_view kLongComparisons = "equal not_equal less_than less_equal greater_than greater_equal";

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool is_comparison(std::string_view word) {
  return fmt::format(" {} {} ", kComparisons, kLongComparisons).find(fmt::format(" {} ", lower_case(word))) !=
         std::string::npos;
}

std::string near_comparison(std::string_view word) {
  if (word.starts_with('l')) return "lt or le";
  if (word.starts_with('g')) return "gt or ge";
  return word.starts_with('n') ? "ne" : "eq";
}

bool check_words(Compilation& c, const Item& item) {
  if (item.kind == ItemKind::Enum && item.count == 2) {
    const auto words = c.tree.children(item);
    const std::string_view word = c.tree.text(words[1]);
    if (c.tree.text(words[0]) != "cmp" || is_comparison(word)) return true;
    c.messages.error(words[1].range, "E-ATTRIBUTE", fmt::format("unknown compare '{}'", word),
                     std::string(kComparisons), near_comparison(word));
    return false;
  }
  const bool nests = item.kind == ItemKind::Group || item.kind == ItemKind::Dict || item.kind == ItemKind::Named;
  return !nests || std::ranges::all_of(c.tree.children(item), [&](const Item& child) { return check_words(c, child); });
}

}  // namespace

bool check_words(Compilation& c, const Op& op) {
  return std::ranges::all_of(c.tree.items(op), [&](const Item& item) { return check_words(c, item); });
}

// A type that the text states for a value is that of its definition.
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

bool refused_in_vecscope(Compilation& c, const Op& op) {
  if (c.vecscopes == 0) return false;
  c.messages.error(op.name, "E-SCOPE", "tile op inside vecscope", "", "move it out; use `pto.tile_buf_addr` and vlds");
  return true;
}

}  // namespace ts
