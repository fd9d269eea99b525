// Program text to tokens, one at a time, and its comments.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/text/source.h"
#include "core/text/tree.h"

namespace ts::text {

// What a character may be; the lexer spends its time here.
enum CharClass : std::uint8_t {
  kSpaceChar = 1,
  kDigitChar = 2,
  kStartChar = 4,   // letters and _
  kWordChar = 8,    // those, digits, $ and .
  kNameChar = 16,   // those and -, in %names
  kAngleChar = 32,  // what matters inside <...>
};
inline constexpr auto kCharClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (const char c : {' ', '\t', '\r', '\n'}) table[static_cast<unsigned char>(c)] = kSpaceChar;
  for (int c = '0'; c <= '9'; ++c) table[c] = kDigitChar | kWordChar | kNameChar;
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kStartChar | kWordChar | kNameChar;
  table['_'] = kStartChar | kWordChar | kNameChar;
  table['$'] = table['.'] = kWordChar | kNameChar;
  table['-'] = kNameChar;
  for (const char c : {'<', '>', '"', '/', '\n', '%', '@', ';', '{', '}'})
    table[static_cast<unsigned char>(c)] |= kAngleChar;
  return table;
}();
constexpr bool is_char(char c, std::uint8_t classes) {
  return (kCharClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
constexpr bool is_digit(char c) { return is_char(c, kDigitChar); }
constexpr bool is_word_start(char c) { return is_char(c, kStartChar); }
constexpr bool is_word(char c) { return is_char(c, kWordChar); }

// clang-format off
enum class Tok : std::uint8_t {
  End,
  Word,        // to, pto.tadd, .arg
  Ssa,         // %x
  Symbol,      // @name
  Caret,       // ^bb0
  Bang,        // !pto.tile_buf: without its <...>
  Hash,        // #pto.layout: without its <...>
  Int, Float, String,
  LParen, RParen, LBrace, RBrace, LBracket, RBracket, Less, Greater,
  Comma, Colon, Semicolon, Equal, Arrow, Question,
  OpenString,  // its line ends before its closing quote
  Bad,         // a character that begins nothing
};
// clang-format on

struct Token {
  Tok kind = Tok::End;
  bool on_new_line = false;  // the first of its line
  SourceRange range;
};

class Lexer {
 public:
  Lexer(const Source& source, std::vector<Comment>& comments);

  const Token& token() const { return token_; }
  std::string_view text() const { return text_.substr(token_.range.begin, token_.range.end - token_.range.begin); }
  std::string_view text(SourceRange range) const { return text_.substr(range.begin, range.end - range.begin); }
  std::uint32_t previous_end() const { return previous_end_; }
  Tok previous() const { return previous_; }
  char at(std::uint32_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }

  void advance() { advance_from(token_.range.end); }
  // The next token from an offset on; what lies before it counts as one token.
  void advance_from(std::uint32_t offset);
  // Gives up the current token, which begins a comment although it looks like an attribute.
  void skip_line_as_comment();
  // Attribute aliases are known by their name alone: elsewhere `#name` begins a comment.
  void add_alias(std::string_view name) { aliases_.push_back(name); }

  // A look ahead: where it stands, and back.
  struct Place {
    Token token;
    std::uint32_t previous_end;
    Tok previous;
  };
  Place place() const { return {token_, previous_end_, previous_}; }
  void back_to(const Place& place);

 private:
  // A string ends in a zero byte, which no loop over a class of characters runs past.
  char byte(std::uint32_t offset) const { return text_.data()[offset]; }
  std::uint32_t end_of_class(std::uint32_t from, std::uint8_t classes) const;
  void skip_space(bool& new_line);
  void add_comment(std::uint32_t begin, bool own_line);
  bool attribute_begins(bool new_line) const;
  Tok read();
  Tok read_number();
  Tok read_string();
  Tok read_prefixed(Tok kind);

  std::string_view text_;
  std::vector<Comment>& comments_;
  std::vector<std::string_view> aliases_;
  Token token_;
  std::uint32_t at_ = 0, previous_end_ = 0;
  Tok previous_ = Tok::End;
};

enum class Angles : std::uint8_t {
  OneLine,  // a type on one line: nothing that no type holds comes before its end
  Type,     // the same on several lines
  Any,
};
// The end of the <...> that opens at `open`, just behind its '>'. Strings are skipped, and `->` closes nothing. 0 where it
// does not close within the limit, or where a comment or what cannot be in it comes first.
std::uint32_t end_of_angles(std::string_view text, std::uint32_t open, std::uint32_t most_bytes, Angles kind);

}  // namespace ts::text
