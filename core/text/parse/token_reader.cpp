// Tokens with the brackets they stand in, what lies ahead, and what is wrong with them.
#include "core/text/parse/token_reader.h"

#include <fmt/format.h>

#include <utility>

#include "core/text/ops/op_table.h"

namespace ts::text {

bool is_dialect_name(std::string_view word) { return word.find('.') != std::string_view::npos; }

TokenReader::Deeper::Deeper(TokenReader& reader) : reader_(reader), ok_(++reader.depth_ <= reader.limits_.most_depth) {
  if (ok_) return;
  const std::uint32_t most = reader_.limits_.most_depth;
  reader_.mistakes_.error("E-DEPTH", reader_.token().range,
                          {.text = fmt::format("brackets nest deeper than {}", most)});
  reader_.told_depth_ = true;
}

// Whether the token before asks for more, so that a line break ends nothing.
bool TokenReader::continues_line() const {
  const Tok before = lexer_.previous();
  return before == Tok::Comma || before == Tok::Colon || before == Tok::Arrow || before == Tok::Equal;
}

// Whether a statement can only begin here: names with a dot, return, call, results with their =, ...
bool TokenReader::statement_begins() {
  switch (token().kind) {
    case Tok::Word: {
      const std::string_view name = text();
      if (lexer_.previous() == Tok::Equal) return false;
      if (is_dialect_name(name)) return true;
      if (name == "return" || name == "call" || name == "module") return true;
      return token().on_new_line && find_bare_op(name) != kUnknownOp;
    }
    case Tok::Ssa: return lexer_.previous() != Tok::Comma && results_ahead();
    case Tok::String: return token().on_new_line && lexer_.at(token().range.end) == '(';
    case Tok::Caret: return token().on_new_line;
    case Tok::Bang: return token().on_new_line && char_after_blanks(token().range.end) == '=';
    default: return false;
  }
}

bool TokenReader::results_ahead() {
  const Lexer::Place place = lexer_.place();
  bool found = false;
  while (at(Tok::Ssa)) {
    lexer_.advance();
    if (at(Tok::Colon)) {
      lexer_.advance();
      if (!at(Tok::Int)) break;
      lexer_.advance();
    }
    found = at(Tok::Equal);
    if (!at(Tok::Comma)) break;
    lexer_.advance();
  }
  lexer_.back_to(place);
  return found;
}

bool TokenReader::semicolon_ends() {
  const Lexer::Place place = lexer_.place();
  lexer_.advance();
  const bool ends = token().on_new_line || at(Tok::End) || at(Tok::Semicolon) || at(Tok::RBrace) || at(Tok::Word) ||
                    (at(Tok::Ssa) && results_ahead());
  lexer_.back_to(place);
  return ends;
}

void TokenReader::advance() {
  switch (token().kind) {
    case Tok::LParen:
    case Tok::LBracket: ++parens_; break;
    case Tok::RParen:
    case Tok::RBracket: --parens_; break;
    case Tok::LBrace: ++braces_; break;
    case Tok::RBrace: --braces_; break;
    default: break;
  }
  lexer_.advance();
}

bool TokenReader::accept(Tok kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool TokenReader::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

bool TokenReader::expect(Tok kind, const char* what) {
  if (accept(kind)) return true;
  return unexpected(what);
}

bool TokenReader::expect_word(std::string_view word) {
  if (accept_word(word)) return true;
  return unexpected(fmt::format("'{}'", word));
}

bool TokenReader::unexpected(std::string expected) {
  const SourceRange at = token().range;
  switch (token().kind) {
    case Tok::End:
      return syntax_error(at, {.text = "the text ends inside of an operation", .expected = std::move(expected)});
    case Tok::OpenString: return syntax_error(at, {.text = "string not closed before end of line", .expected = "'\"'"});
    case Tok::Bad:
      return syntax_error(at, {.text = "a character that has no meaning here", .expected = std::move(expected)});
    default:
      return syntax_error(
          at, {.text = fmt::format("unexpected '{}'", text().substr(0, 60)), .expected = std::move(expected)});
  }
}

bool TokenReader::syntax_error(SourceRange at, Message message) {
  // Where reading gave up for depth, what ends early is no other mistake.
  if (told_depth_ && token().kind == Tok::End) mistakes_.set_statement_failed(true);
  return mistakes_.error("E-SYNTAX", at, std::move(message));
}

char TokenReader::char_after_blanks(std::uint32_t offset) const {
  while (lexer_.at(offset) == ' ' || lexer_.at(offset) == '\t') ++offset;
  return lexer_.at(offset);
}

DiagnosticNote TokenReader::opened(SourceRange at, const char* what) const {
  return {tree_.source->position(at.begin), fmt::format("{} is opened here", what)};
}

}  // namespace ts::text
