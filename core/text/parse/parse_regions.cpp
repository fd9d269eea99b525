// Operations with regions and a grammar of their own: module, func.func, scf.for, scf.while. Regions and their blocks.
#include <fmt/format.h>

#include "core/text/parse/parser_state.h"
#include "core/text/parse/unclosed.h"

namespace ts::text {

// module @x attributes {...} {...}
bool Parser::module() {
  if (at(Tok::Symbol)) leaf(ItemKind::Symbol);
  if (accept_word("attributes") && !dict()) return false;
  return region();
}

// func.func private @f(...) -> T attributes {...} {...}
bool Parser::function() {
  if (at_word("private") || at_word("public")) leaf(ItemKind::Word);
  if (!at(Tok::Symbol)) return unexpected("the function's name, such as @kernel");
  leaf(ItemKind::Symbol);
  if (!at(Tok::LParen)) return unexpected("'(' and the parameters");
  if (!parameters()) return false;
  if (at(Tok::Arrow) && !arrow()) return false;
  if (accept_word("attributes") && !dict()) return false;
  return !at(Tok::LBrace) || region();
}

// (%a: T {attrs}, ...) as a group without a name
bool Parser::parameters() {
  const Open opened = open();
  const SourceRange paren = token().range;
  advance();
  while (!at(Tok::RParen)) {
    const bool comma = scratch_.size() > opened.children;
    if (comma && !at(Tok::Comma))
      return syntax_error(token().range,
                          {.text = "expected ',' or ')' in the parameters", .notes = {this->opened(paren, "'('")}});
    if (comma) advance();
    if (!parameter()) return false;
    scratch_.back().comma_before = comma;
  }
  advance();
  close(opened, ItemKind::Group).name_end = opened.begin;
  return true;
}

bool Parser::parameter() {
  const Open opened = open();
  if (at(Tok::Ssa)) {
    leaf(ItemKind::Def);
    if (!expect(Tok::Colon, "':' and a type")) return false;
  }
  if (!type()) return false;
  if (at(Tok::LBrace) && !dict()) return false;
  std::uint32_t written = kNoId;
  if (!location(written)) return false;
  close(opened, ItemKind::Param).set_location(written);
  return true;
}

// scf.for unsigned %i = %a to %b step %c iter_args(%x = %y) -> (T) : i32 {...}
bool Parser::for_loop() {
  if (at_word("unsigned")) leaf(ItemKind::Word);
  if (!at(Tok::Ssa)) return unexpected("the loop's variable");
  leaf(ItemKind::Def);
  const auto bound = [&] { return at(Tok::Ssa) ? use(Where::Value) : unexpected("a value"); };
  if (!expect(Tok::Equal, "'=' and the lower bound") || !bound()) return false;
  if (!expect_word("to") || !bound()) return false;
  if (!expect_word("step") || !bound()) return false;
  if (at_word("iter_args")) {
    const SourceRange name = token().range;
    advance();
    if (!at(Tok::LParen)) return unexpected("'(' after iter_args");
    if (!initial_values()) return false;
    scratch_.back().range.begin = name.begin;
    scratch_.back().name_end = name.end;
  }
  if (at(Tok::Arrow) && !arrow()) return false;
  if (at(Tok::Colon) && !types(false)) return false;
  return region();
}

// scf.while (%a = %x) : (T) -> (U) {...} do {...}
bool Parser::while_loop() {
  if (at(Tok::LParen) && !initial_values()) return false;
  if (!at(Tok::Colon)) return unexpected("':' and the types");
  if (!types(false)) return false;
  if (!at(Tok::Arrow)) return unexpected("'->' and the types");
  return arrow() && region() && expect_word("do") && region();
}

// (%a = %x, ...)
bool Parser::initial_values() {
  const std::uint32_t begin = token().range.begin;
  if (!group({begin, begin})) return false;
  for (const Item& item : tree_.children(scratch_.back())) {
    const bool pair = item.kind == ItemKind::Named && item.count == 2 && item.name_end == item.range.begin;
    if (!pair)
      return syntax_error(item.range, {.text = "expected a value for each name", .expected = "(%a = %x, ...)"});
  }
  return true;
}

// {...}
bool Parser::region() {
  const Deeper deeper(*this);
  if (!deeper.ok()) return false;
  const SourceRange brace = token().range;
  if (!expect(Tok::LBrace, "'{' and a region")) return false;
  const int outer_parens = parens_;
  parens_ = 0;
  const BlockId first = blocks();
  parens_ = outer_parens;
  if (!accept(Tok::RBrace)) tell_unclosed(brace);
  Item item{.kind = ItemKind::Region, .range = {brace.begin, lexer_.previous_end()}};
  item.first = first;
  scratch_.push_back(item);
  return true;
}

BlockId Parser::blocks() {
  BlockId first = kNoId, last = kNoId;
  while (!at(Tok::RBrace) && !at(Tok::End) && !mistakes_.gives_up()) {
    const auto id = static_cast<BlockId>(tree_.blocks.size());
    tree_.blocks.emplace_back();
    Block block;
    const bool labelled = at(Tok::Caret);
    if (labelled && !block_label(block)) block = {};
    block.first_op = statements();
    tree_.blocks[id] = block;
    if (!labelled && block.first_op == kNoId) continue;  // comments or mistakes only
    (last == kNoId ? first : tree_.blocks[last].next) = id;
    last = id;
  }
  return first;
}

// ^bb0(%x: T):
bool Parser::block_label(Block& block) {
  const bool outer_failed = mistakes_.statement_failed();
  mistakes_.set_statement_failed(false);
  const Mark mark{0, tree_.items.size(), 0, scratch_.size(), token().range.begin, parens_, braces_, depth_};
  block.label = token().range;
  advance();
  const bool read = [&] {
    if (at(Tok::LParen)) {
      if (!parameters()) return false;
      const Item group = scratch_.back();
      block.first_arg = group.first;
      block.arg_count = group.count;
    }
    return expect(Tok::Colon, "':' after a block's label");
  }();
  scratch_.resize(mark.scratch);
  if (!read) {
    tree_.items.resize(mark.items);
    skip_to_next_statement(mark);
  }
  mistakes_.set_statement_failed(outer_failed);
  return read;
}

void Parser::tell_unclosed(SourceRange brace) {
  if (told_unclosed_ || told_depth_ || mistakes_.gives_up()) return;
  told_unclosed_ = true;
  const Source& source = *tree_.source;
  const SourcePos opened = source.position(brace.begin);
  Message message{.text = fmt::format("region opened at {}:{} is not closed", opened.line, opened.column),
                  .expected = "'}'"};
  if (auto note = probable_end(source)) message.notes.push_back(std::move(*note));
  const bool outer_failed = mistakes_.statement_failed();
  mistakes_.set_statement_failed(false);
  syntax_error(token().range, std::move(message));
  mistakes_.set_statement_failed(outer_failed);
}

}  // namespace ts::text
