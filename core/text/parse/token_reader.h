// Reads tokens: knows the brackets they stand in, what lies ahead, and how to say what is wrong with them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/text/mistakes.h"
#include "core/text/parse/lexer.h"
#include "core/text/parse/parse_limits.h"
#include "core/text/tree.h"

namespace ts::text {

// A name with its dialect: pto.tadd.
bool is_dialect_name(std::string_view word);

class TokenReader {
 protected:
  TokenReader(Tree& tree, Mistakes& mistakes, const ParseLimits& limits)
      : tree_(tree), mistakes_(mistakes), limits_(limits), lexer_(*tree.source, tree.comments) {}
  ~TokenReader() = default;

  // One level of nesting, as long as it lives. Where that is one too many, the error is told and `ok` is false.
  class Deeper {
   public:
    explicit Deeper(TokenReader& reader);
    ~Deeper() { --reader_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    bool ok() const { return ok_; }

   private:
    TokenReader& reader_;
    bool ok_;
  };

  const Token& token() const { return lexer_.token(); }
  bool at(Tok kind) const { return token().kind == kind; }
  bool at_word(std::string_view word) const { return at(Tok::Word) && lexer_.text() == word; }
  std::string_view text() const { return lexer_.text(); }
  void advance();
  bool accept(Tok kind);
  bool accept_word(std::string_view word);
  bool expect(Tok kind, const char* what);
  bool expect_word(std::string_view word);
  bool unexpected(std::string expected);
  bool syntax_error(SourceRange at, Message message);
  char char_after_blanks(std::uint32_t offset) const;
  DiagnosticNote opened(SourceRange at, const char* what) const;

  // What lies ahead.
  bool statement_begins();
  bool continues_line() const;
  bool results_ahead();
  bool semicolon_ends();

  Tree& tree_;
  Mistakes& mistakes_;
  const ParseLimits& limits_;
  Lexer lexer_;
  std::uint32_t depth_ = 0;
  int parens_ = 0, braces_ = 0;
  bool told_depth_ = false;
};

}  // namespace ts::text
