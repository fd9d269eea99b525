// What stands in a statement: operands, clauses, attributes, types.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/parse/item_reader.h"

namespace ts::text {
namespace {

constexpr std::uint32_t kMostAttributeBytes = 128 * 1024;
constexpr std::uint32_t kMostInPack = 65'534;

bool begins_operand(Tok kind) {
  return kind == Tok::Ssa || kind == Tok::Int || kind == Tok::Float || kind == Tok::String || kind == Tok::Symbol;
}

// Digits as a number; more than kMostInPack where it is larger, or none.
std::uint32_t small_number(std::string_view digits) {
  std::uint32_t number = 0;
  for (const char c : digits) {
    if (!is_digit(c) || number > kMostInPack) return kMostInPack + 1;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

// Words that stand among the types of a copy or a FIXPIPE operation and name the clause whose types follow.
bool is_decoration(std::string_view word) {
  constexpr std::string_view kWords[] = {"loop",     "pad",       "shape",     "dst_group", "ctrl",    "src_layout",
                                         "nd2nz",    "dn2nz",     "nz2nd",     "nz2dn",     "nz2nz",   "loop3",
                                         "dst_mode", "unit_flag", "pre_quant", "pre_relu",  "atomic",  "sat",
                                         "nosat",    "nburst",    "split",     "split_m",   "split_n", "tf32_mode"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

// Words that stand behind operands without a comma. Any other word at the beginning of a line begins a statement.
bool continues_operation(std::string_view word) {
  constexpr std::string_view kWords[] = {"to",    "outs",       "sizes", "case",         "default", "else",
                                         "valid", "attributes", "sat",   "nosat",        "nd2nz",   "dn2nz",
                                         "nz2nd", "nz2dn",      "n_dir", "disable_gemv", "split_m", "split_n"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> ItemReader::move_to_tree(std::size_t from) {
  const auto first = static_cast<std::uint32_t>(tree_.items.size());
  const auto count = static_cast<std::uint32_t>(scratch_.size() - from);
  tree_.items.insert(tree_.items.end(), scratch_.begin() + static_cast<std::ptrdiff_t>(from), scratch_.end());
  scratch_.resize(from);
  return {first, count};
}

// The items since `open` become the children of a new one.
Item& ItemReader::close(const Open& open, ItemKind kind) {
  const auto [first, count] = move_to_tree(open.children);
  Item item{.kind = kind, .range = {open.begin, lexer_.previous_end()}};
  item.first = first;
  item.count = count;
  return scratch_.emplace_back(item);
}

void ItemReader::leaf(ItemKind kind) {
  scratch_.push_back({.kind = kind, .range = token().range});
  advance();
}

// Whether the operation at hand ends before the current token.
bool ItemReader::ended(const Shape& shape) {
  const Token& next = token();
  switch (next.kind) {
    case Tok::End:
    case Tok::RBrace: return true;
    case Tok::Semicolon: return semicolon_ends();
    case Tok::Colon:
    case Tok::Arrow:
    case Tok::Comma: return false;
    default: break;
  }
  if (shape.bare && next.on_new_line) return true;
  if (next.kind == Tok::Word && next.on_new_line && !shape.words_first) {
    const char after = char_after_blanks(next.range.end);
    const bool clause =
        after == '=' || (!shape.complete && (after == '(' || after == '<' || continues_operation(text())));
    if (!clause) return true;
  }
  if (next.kind == Tok::Hash && next.on_new_line && shape.complete) return true;
  if (at_word("loc") && char_after_blanks(next.range.end) == '(') return true;
  return statement_begins();
}

bool ItemReader::op_items(Shape& shape) {
  const std::size_t first = scratch_.size();
  while (!ended(shape)) {
    const bool none_before = scratch_.size() == first;
    const bool comma = at(Tok::Comma);
    if (comma && (none_before || shape.complete)) return unexpected("an operand");
    if (comma) advance();
    if (comma && (at(Tok::Colon) || at(Tok::Arrow) || at(Tok::End) || at(Tok::RBrace) || at(Tok::Comma)))
      return unexpected("an operand after ','");
    const ItemKind before = none_before ? ItemKind::Group : scratch_.back().kind;
    if (!comma && is_operand(before)) {
      if (at(Tok::LParen) && before != ItemKind::Symbol)
        return syntax_error(token().range,
                            {.text = "expected ':' before the type list", .expected = ": (types) -> type"});
      if (begins_operand(token().kind)) return unexpected("','");
    }
    if (at(Tok::Semicolon))
      return syntax_error(token().range, {.text = "unexpected ';' inside an operand list", .expected = "','"});
    const std::size_t place = scratch_.size();
    if (!op_item(shape)) return false;
    scratch_[place].comma_before = comma;
  }
  return true;
}

bool ItemReader::op_item(Shape& shape) {
  if (at(Tok::Colon)) {
    shape.complete = true;
    return types(false);
  }
  if (at(Tok::Arrow)) {
    shape.complete = true;
    return arrow();
  }
  if (at(Tok::LBrace)) {
    const bool after_region = !scratch_.empty() && scratch_.back().kind == ItemKind::Region;
    if (shape.has_regions && !after_region) return brace_begins_dict(Guess::Region) ? dict() : region();
    return shape.known || brace_begins_dict(Guess::Dict) ? dict() : region();
  }
  if (shape.takes_else && at_word("else") && !scratch_.empty() && scratch_.back().kind == ItemKind::Region) {
    advance();
    return at(Tok::LBrace) ? region() : unexpected("'{' after else");
  }
  const bool is_outs = at_word("outs");
  if (!operand(Where::Op)) return false;
  Item& item = scratch_.back();
  if (item.kind == ItemKind::Named && shape.after_outs && at(Tok::Colon)) {
    // The value's type: pad_value = %v : f32
    const Item named = item;
    scratch_.pop_back();
    const Open opened{scratch_.size(), named.range.begin};
    const auto value = tree_.children(named);
    scratch_.insert(scratch_.end(), value.begin(), value.end());
    advance();
    if (!type()) return false;
    Item& typed = close(opened, ItemKind::Named);
    typed.name_end = named.name_end;
    typed.style = named.style;
  }
  if (is_outs) shape.after_outs = shape.complete = true;
  return true;
}

// Whether a dictionary follows, as against a region. `{name =` is one, `{}`, `{name}` and `{name,` may be either.
bool ItemReader::brace_begins_dict(Guess otherwise) {
  const Lexer::Place place = lexer_.place();
  lexer_.advance();
  bool either = at(Tok::RBrace), dict = false;
  if (at(Tok::Word) || at(Tok::String)) {
    lexer_.advance();
    dict = at(Tok::Equal);
    either = at(Tok::Comma) || at(Tok::RBrace);
  }
  lexer_.back_to(place);
  return dict || (either && otherwise == Guess::Dict);
}

bool ItemReader::operand(Where where) {
  switch (token().kind) {
    case Tok::Ssa: return use(where);
    case Tok::Int: return leaf(ItemKind::Int), true;
    case Tok::Float: return leaf(ItemKind::Float), true;
    case Tok::String: return leaf(ItemKind::String), true;
    case Tok::Caret: return leaf(ItemKind::Word), true;
    case Tok::Word: return word(where);
    case Tok::Symbol: return symbol();
    case Tok::Hash: return attribute(where);
    case Tok::Less: return in_angles();
    case Tok::LBracket: return list();
    case Tok::LBrace: return where == Where::Group && (generic_ || !brace_begins_dict(Guess::Dict)) ? region() : dict();
    case Tok::LParen: return where == Where::Op ? group({token().range.begin, token().range.begin}) : type();
    case Tok::Bang: return type();
    default: return unexpected(where == Where::Op || where == Where::Group ? "an operand" : "a value");
  }
}

// %x, %x#1, %x[%i, 3], and in a group %x = %y
bool ItemReader::use(Where where) {
  const Open opened = open();
  leaf(ItemKind::Use);
  if (at(Tok::Hash) && token().range.begin == scratch_.back().range.end && is_digit(text()[1])) {
    const std::uint32_t number = small_number(text().substr(1));
    if (number >= kMostInPack)
      return syntax_error(token().range, {.text = "expected the number of a value in the pack"});
    scratch_.back().set_pack_number(number);
    advance();
  }
  if (where == Where::Group && at(Tok::Equal) && !scratch_.back().has_pack()) {
    advance();
    scratch_.back().kind = ItemKind::Def;
    if (!at(Tok::Ssa)) return unexpected("a value");
    if (!use(Where::Value)) return false;
    close(opened, ItemKind::Named).name_end = opened.begin;
    return true;
  }
  if (!at(Tok::LBracket)) return true;
  const Deeper deeper(*this);
  if (!deeper.ok()) return false;
  const SourceRange bracket = token().range;
  advance();
  while (!at(Tok::RBracket)) {
    const bool comma = scratch_.size() > opened.children + 1;
    if (comma && !expect(Tok::Comma, "',' or ']'")) return false;
    const std::size_t place = scratch_.size();
    if (!operand(Where::Value)) return false;
    scratch_[place].comma_before = comma;
  }
  advance();
  if (scratch_.size() == opened.children + 1) return syntax_error(bracket, {.text = "no index in brackets"});
  close(opened, ItemKind::Element);
  return true;
}

bool ItemReader::word(Where where) {
  const std::string_view name = text();
  const SourceRange at_name = token().range;
  if (name[0] == '.') return unexpected("an operand");  // a directive
  if (name == "true" || name == "false") return leaf(ItemKind::Bool), true;
  const char next = lexer_.at(at_name.end);
  if (next == '<' && name != "memref" && name != "vector") return raw_attribute(at_name.begin, at_name.end);
  if (where == Where::Value || where == Where::List) {
    const bool is_type = TypeReader::is_type_word(name) && name != "none" && name != "T" && name != "dtype";
    return is_type ? type() : (leaf(ItemKind::Word), true);
  }
  const Open opened = open();
  advance();
  if (at(Tok::LParen)) return group(at_name);
  const bool named = at(Tok::Equal);
  const bool colon_named = at(Tok::Colon) && char_after_blanks(token().range.end) == '[';  // offset: [...]
  if (!named && !colon_named) {
    scratch_.push_back({.kind = ItemKind::Word, .range = at_name});
    return true;
  }
  advance();
  if (!(where == Where::Group ? value() : operand(Where::Value))) return false;
  Item& item = close(opened, ItemKind::Named);
  item.name_end = at_name.end;
  if (colon_named) item.style = ItemStyle::Colon;
  return true;
}

bool ItemReader::value() {
  if (!operand(Where::Value)) return false;
  return !accept(Tok::Colon) || type();
}

// @name, or @tile(0x1000)
bool ItemReader::symbol() {
  const Open opened = open();
  const bool address = text() == "@tile" && char_after_blanks(token().range.end) == '(';
  leaf(ItemKind::Symbol);
  if (!address) return true;
  const Lexer::Place place = lexer_.place();
  lexer_.advance();
  const bool is_address = at(Tok::Int) || at(Tok::Word);
  lexer_.back_to(place);
  if (!is_address) return true;
  scratch_.pop_back();
  advance();
  leaf(at(Tok::Int) ? ItemKind::Int : ItemKind::Word);
  if (!expect(Tok::RParen, "')' after the address")) return false;
  close(opened, ItemKind::Address);
  return true;
}

// #pto.pipe<PIPE_V>, #pto<cmp lt>, #cmp=gt behind operands, an alias, or any other
bool ItemReader::attribute(Where where) {
  const SourceRange at_name = token().range;
  const std::string_view name = text().substr(1);
  const char next = lexer_.at(at_name.end);
  if (next == '<') return raw_attribute(at_name.begin, at_name.end);
  if (const auto alias = attribute_aliases_.find(name); alias != attribute_aliases_.end()) {
    scratch_.push_back(alias->second);
    advance();
    return true;
  }
  if (next == '=' && where == Where::Op) {
    const Open dict{scratch_.size(), at_name.begin}, named{scratch_.size(), at_name.begin + 1};
    advance();
    advance();
    if (!operand(Where::Value)) return false;
    close(named, ItemKind::Named).name_end = at_name.end;
    close(dict, ItemKind::Dict);
    return true;
  }
  if (!name.starts_with("pto.")) return syntax_error(at_name, {.text = fmt::format("unknown attribute '{}'", text())});
  leaf(ItemKind::Attr);
  return true;
}

// A word or attribute name and its <...>. Attributes of pto that hold a word are Enum.
bool ItemReader::raw_attribute(std::uint32_t begin, std::uint32_t open_angle) {
  const std::uint32_t end = end_of_angles(tree_.source->text(), open_angle, kMostAttributeBytes, Angles::Any);
  if (end == 0) return syntax_error({open_angle, open_angle + 1}, {.text = "'<' is not closed"});
  const std::string_view name = lexer_.text({begin, open_angle});
  SourceRange words[2];
  std::uint32_t count = 0, offset = open_angle + 1;
  const auto skip_blanks = [&] {
    while (is_char(lexer_.at(offset), kSpaceChar)) ++offset;
  };
  for (skip_blanks(); count < 2 && is_word_start(lexer_.at(offset)); skip_blanks()) {
    words[count].begin = offset;
    while (is_word(lexer_.at(offset))) ++offset;
    words[count++].end = offset;
  }
  const bool only_words = offset + 1 == end;
  const bool family_outside = name.starts_with("#pto.") && count == 1, family_inside = name == "#pto" && count == 2;
  const Open opened{scratch_.size(), begin};
  if (only_words && (family_outside || family_inside)) {
    scratch_.push_back(
        {.kind = ItemKind::Word, .range = family_outside ? SourceRange{begin + 5, open_angle} : words[0]});
    scratch_.push_back({.kind = ItemKind::Word, .range = words[count - 1]});
  }
  lexer_.advance_from(end);
  const ItemKind kind = scratch_.size() == opened.children ? ItemKind::Attr : ItemKind::Enum;
  close(opened, kind);
  return true;
}

// <PIPE_V>, or the properties <{...}> of a generic operation
bool ItemReader::in_angles() {
  const Open opened = open();
  if (lexer_.at(token().range.begin + 1) == '<') return launch_shape();
  advance();
  if (at(Tok::LBrace)) {
    if (!dict()) return false;
    scratch_.back().style = ItemStyle::Properties;
    return expect(Tok::Greater, "'>' after the properties");
  }
  if (!at(Tok::Word)) return unexpected("a word");
  leaf(ItemKind::Word);
  if (!expect(Tok::Greater, "'>'")) return false;
  close(opened, ItemKind::Enum);
  return true;
}

// <<<%x, %y, %z>>> of pto.section.simt and pto.simt_launch: a list of words as it stands
bool ItemReader::launch_shape() {
  constexpr std::string_view kOpen = "<<<", kClose = ">>>";
  const SourceRange at = token().range;
  const std::string_view rest = tree_.source->text().substr(at.begin);
  const std::string_view line = rest.substr(0, rest.find_first_of("\n{"));
  const std::size_t close = line.find(kClose);
  if (!line.starts_with(kOpen) || close == std::string_view::npos)
    return syntax_error(at, {.text = "'<<<' is not closed", .expected = "<<<%x, %y, %z>>> on one line"});
  const std::uint32_t end = at.begin + static_cast<std::uint32_t>(close + kClose.size());
  scratch_.push_back({.kind = ItemKind::Attr, .range = {at.begin, end}});
  lexer_.advance_from(end);
  return true;
}

bool ItemReader::list() {
  const Deeper deeper(*this);
  if (!deeper.ok()) return false;
  const Open opened = open();
  const SourceRange bracket = token().range;
  advance();
  while (!at(Tok::RBracket)) {
    const bool comma = scratch_.size() > opened.children;
    if (comma && !at(Tok::Comma)) {
      return syntax_error(token().range,
                          {.text = "expected ',' or ']' in a list", .notes = {this->opened(bracket, "'['")}});
    }
    if (comma) advance();
    const std::size_t place = scratch_.size();
    if (!operand(Where::List)) return false;
    scratch_[place].comma_before = comma;
    if (accept(Tok::Colon) && !type()) return false;
  }
  advance();
  close(opened, ItemKind::List);
  return true;
}

bool ItemReader::dict() {
  const Deeper deeper(*this);
  if (!deeper.ok()) return false;
  const Open opened = open();
  const SourceRange brace = token().range;
  if (!expect(Tok::LBrace, "'{'")) return false;
  while (!at(Tok::RBrace)) {
    const bool comma = scratch_.size() > opened.children;
    if (comma && !at(Tok::Comma))
      return syntax_error(token().range,
                          {.text = "expected ',' or '}' in attributes", .notes = {this->opened(brace, "'{'")}});
    if (comma) advance();
    if (!at(Tok::Word) && !at(Tok::String)) return unexpected("an attribute's name");
    const std::uint32_t quote = at(Tok::String) ? 1 : 0;
    if (text() == "\"\"") return syntax_error(token().range, {.text = "an attribute without a name"});
    const Open entry{scratch_.size(), token().range.begin + quote};
    const std::uint32_t name_end = token().range.end - quote;
    advance();
    if (accept(Tok::Equal) && !value()) return false;
    Item& named = close(entry, ItemKind::Named);
    named.name_end = name_end;
    named.comma_before = comma;
  }
  advance();
  close(opened, ItemKind::Dict);
  return true;
}

// (...) behind a name, or alone
bool ItemReader::group(SourceRange name) {
  const Deeper deeper(*this);
  if (!deeper.ok()) return false;
  const Open opened{scratch_.size(), name.begin};
  const SourceRange paren = token().range;
  advance();
  while (!at(Tok::RParen)) {
    const bool none_before = scratch_.size() == opened.children;
    const ItemKind before = none_before ? ItemKind::Group : scratch_.back().kind;
    const bool comma = !none_before && accept(Tok::Comma);
    if (at(Tok::Colon) && !comma) {
      if (!types(true)) return false;
      continue;
    }
    if (at(Tok::Semicolon))
      return syntax_error(token().range, {.text = "unexpected ';' inside an operand list", .expected = "','"});
    const bool needs_comma =
        is_operand(before) || before == ItemKind::Types || before == ItemKind::Region || before == ItemKind::Named;
    if (!comma && needs_comma && !at(Tok::LBrace)) {
      std::string what =
          at(Tok::End) ? "the text ends inside of '('" : fmt::format("unexpected '{}'", text().substr(0, 60));
      return syntax_error(token().range,
                          {.text = std::move(what), .expected = "',' or ')'", .notes = {this->opened(paren, "'('")}});
    }
    const std::size_t place = scratch_.size();
    if (!operand(Where::Group)) return false;
    scratch_[place].comma_before = comma;
  }
  advance();
  close(opened, ItemKind::Group).name_end = name.end;
  return true;
}

// `: T, T`; in a group the list ends where an operand follows
bool ItemReader::types(bool in_group) {
  const Open opened = open();
  advance();
  ItemStyle style = ItemStyle::Usual;
  if (at(Tok::LParen)) {
    if (!types_in_parentheses()) return false;
    style = ItemStyle::Parentheses;
  } else {
    for (bool comma = false;; comma = true) {
      const std::size_t place = scratch_.size();
      if (!type_or_decoration()) return false;
      scratch_[place].comma_before = comma;
      if (!at(Tok::Comma)) break;
      const Lexer::Place before = lexer_.place();
      lexer_.advance();
      const bool is_type = at(Tok::Bang) || at(Tok::Less) || at(Tok::LParen) ||
                           (at(Tok::Word) && !(in_group && char_after_blanks(token().range.end) == '='));
      if (is_type) continue;
      if (!in_group) return unexpected("a type");
      lexer_.back_to(before);
      break;
    }
    if (accept_word("to")) {
      style = ItemStyle::To;
      if (!type()) return false;
    }
  }
  close(opened, ItemKind::Types).style = style;
  return true;
}

bool ItemReader::types_in_parentheses() {
  const SourceRange paren = token().range;
  const std::size_t first = scratch_.size();
  advance();
  while (!at(Tok::RParen)) {
    const bool comma = scratch_.size() > first;
    if (comma && !at(Tok::Comma)) {
      return syntax_error(token().range,
                          {.text = "expected ',' or ')' in a list of types", .notes = {opened(paren, "'('")}});
    }
    if (comma) advance();
    const std::size_t place = scratch_.size();
    if (!type()) return false;
    scratch_[place].comma_before = comma;
    if (at(Tok::LBrace) && !dict()) return false;  // attributes of a result
  }
  advance();
  return true;
}

// T, `loop T`, nd2nz or src_layout(T)
bool ItemReader::type_or_decoration() {
  if (!at(Tok::Word) || types_.knows(text()) || !is_decoration(text())) return type();
  const SourceRange name = token().range;
  advance();
  if (at(Tok::LParen)) {
    const Open opened{scratch_.size(), name.begin};
    if (!types_in_parentheses()) return false;
    close(opened, ItemKind::Group).name_end = name.end;
    return true;
  }
  scratch_.push_back({.kind = ItemKind::Word, .range = name});
  const bool type_follows =
      at(Tok::Bang) || at(Tok::Less) || (at(Tok::Word) && !token().on_new_line && TypeReader::is_type_word(text()));
  return !type_follows || type();
}

bool ItemReader::type() {
  const SourceRange at_type = token().range;
  if (!at(Tok::Bang) && !at(Tok::Word) && !at(Tok::Less) && !at(Tok::LParen)) return unexpected("a type");
  const auto found = types_.read(at_type.begin);
  if (!found) return false;
  Item item{.kind = ItemKind::Type, .range = {at_type.begin, found->end}};
  item.first = found->id;
  item.style = style_of(found->spelling);
  scratch_.push_back(item);
  lexer_.advance_from(found->end);
  return true;
}

// `-> T, T` or `-> (T, T)`
bool ItemReader::arrow() {
  const Open opened = open();
  advance();
  const bool parentheses = at(Tok::LParen);
  if (parentheses) {
    if (!types_in_parentheses()) return false;
  } else {
    for (bool comma = false;; comma = true) {
      if (!type()) return false;
      scratch_.back().comma_before = comma;
      if (!accept(Tok::Comma)) break;
    }
  }
  Item& item = close(opened, ItemKind::Arrow);
  if (parentheses) item.style = ItemStyle::Parentheses;
  return true;
}

// %x, or a pack %x:2
bool ItemReader::definition(bool pack) {
  const std::size_t place = scratch_.size();
  leaf(ItemKind::Def);
  if (!pack || !accept(Tok::Colon)) return true;
  if (!at(Tok::Int)) return unexpected("the number of values in the pack");
  const std::uint32_t count = small_number(text());
  if (count == 0 || count > kMostInPack) return syntax_error(token().range, {.text = "a pack has 1 to 65534 values"});
  scratch_[place].set_pack_size(count);
  advance();
  return true;
}

}  // namespace ts::text
