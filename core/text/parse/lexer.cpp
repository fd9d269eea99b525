// The lexer: one pass, a table of character classes, no copies.
#include "core/text/parse/lexer.h"

#include <algorithm>
#include <array>

namespace ts::text {
namespace {

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

constexpr auto kPunctuation = [] {
  std::array<Tok, 128> table{};
  table.fill(Tok::Bad);
  table['('] = Tok::LParen;
  table[')'] = Tok::RParen;
  table['{'] = Tok::LBrace;
  table['}'] = Tok::RBrace;
  table['['] = Tok::LBracket;
  table[']'] = Tok::RBracket;
  table['<'] = Tok::Less;
  table['>'] = Tok::Greater;
  table[','] = Tok::Comma;
  table[':'] = Tok::Colon;
  table[';'] = Tok::Semicolon;
  table['='] = Tok::Equal;
  table['?'] = Tok::Question;
  return table;
}();

}  // namespace

Lexer::Lexer(const Source& source, std::vector<Comment>& comments) : text_(source.text()), comments_(comments) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  advance_from(text_.starts_with(kByteOrderMark) ? 3 : 0);
  token_.on_new_line = true;
  previous_ = Tok::End;
}

void Lexer::advance_from(std::uint32_t offset) {
  previous_ = token_.kind;
  previous_end_ = at_ = offset;
  bool new_line = token_.kind == Tok::End;  // the text begins a line
  skip_space(new_line);
  token_.on_new_line = new_line;
  token_.range.begin = at_;
  token_.kind = read();
  token_.range.end = at_;
}

void Lexer::back_to(const Place& place) {
  token_ = place.token;
  previous_end_ = place.previous_end;
  previous_ = place.previous;
  at_ = token_.range.end;
}

std::uint32_t Lexer::end_of_class(std::uint32_t from, std::uint8_t classes) const {
  const char* const data = text_.data();
  while (is_char(data[from], classes)) ++from;
  return from;
}

void Lexer::skip_space(bool& new_line) {
  for (;;) {
    const char c = byte(at_);
    if (is_char(c, kSpaceChar)) {
      new_line |= c == '\n';
      ++at_;
    } else if ((c == '/' && at(at_ + 1) == '/') || (c == '#' && !attribute_begins(new_line))) {
      const std::uint32_t begin = at_;
      at_ = static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
      add_comment(begin, new_line);
    } else {
      return;
    }
  }
}

void Lexer::add_comment(std::uint32_t begin, bool own_line) {
  // A look ahead has been here already.
  if (!comments_.empty() && comments_.back().range.begin >= begin) return;
  std::uint32_t end = at_;
  while (is_char(text_[end - 1], kSpaceChar)) --end;
  comments_.push_back({{begin, end}, own_line});
}

// Whether the # at hand begins a token: #0 of a pack, #pto.x, #x<...>, #cmp=gt, the name of an alias, or where one is made.
bool Lexer::attribute_begins(bool new_line) const {
  std::uint32_t end = at_ + 1;
  if (previous_ == Tok::Ssa && previous_end_ == at_ && is_digit(at(end))) return true;  // %pack#0
  if (!is_word_start(at(end))) return false;
  while (is_word(at(end))) ++end;
  const std::string_view name = text({at_ + 1, end});
  if (at(end) == '<') return true;
  if (name.starts_with("pto.")) return !new_line;  // on a line of its own it is an operation without its space
  if (previous_ == Tok::Equal) return true;
  if (at(end) == '=' && is_word(at(end + 1))) return true;
  if (std::ranges::find(aliases_, name) != aliases_.end()) return true;
  if (!new_line) return false;
  while (at(end) == ' ') ++end;
  if (at(end) != '=') return false;
  do ++end;
  while (at(end) == ' ');
  return at(end) == '#';
}

void Lexer::skip_line_as_comment() {
  const std::uint32_t begin = token_.range.begin;
  at_ = static_cast<std::uint32_t>(std::min(text_.find('\n', begin), text_.size()));
  add_comment(begin, token_.on_new_line);
  advance_from(at_);
}

Tok Lexer::read() {
  const char c = byte(at_);
  if (is_char(c, kStartChar)) {
    at_ = end_of_class(at_, kWordChar);
    return Tok::Word;
  }
  if (is_digit(c)) return read_number();
  switch (c) {
    case '%': return read_prefixed(Tok::Ssa);
    case '!': return read_prefixed(Tok::Bang);
    case '#': return read_prefixed(Tok::Hash);
    case '^': return read_prefixed(Tok::Caret);
    case '@': return read_prefixed(Tok::Symbol);
    case '"': return read_string();
    case '+':
      if (is_digit(at(at_ + 1))) return read_number();
      break;
    case '-':
      if (is_digit(at(at_ + 1))) return read_number();
      if (at(at_ + 1) == '>') {
        at_ += 2;
        return Tok::Arrow;
      }
      break;
    case '.':
      if (is_word_start(at(at_ + 1))) {
        at_ = end_of_class(at_ + 1, kWordChar);
        return Tok::Word;
      }
      break;
    case '\0':
      if (at_ >= text_.size()) return Tok::End;
      break;
    default: break;
  }
  ++at_;
  if (static_cast<unsigned char>(c) < 0x80) return kPunctuation[static_cast<std::size_t>(c)];
  while ((static_cast<unsigned char>(at(at_)) & 0xC0) == 0x80) ++at_;  // the whole code point
  return Tok::Bad;
}

Tok Lexer::read_number() {
  if (!is_digit(at(at_))) ++at_;  // the sign
  if (at(at_) == '0' && at(at_ + 1) == 'x' && is_hex_digit(at(at_ + 2))) {
    at_ += 2;
    while (is_hex_digit(at(at_))) ++at_;
    return Tok::Int;
  }
  at_ = end_of_class(at_, kDigitChar);
  Tok kind = Tok::Int;
  if (at(at_) == '.' && at(at_ + 1) != '.') {
    kind = Tok::Float;
    ++at_;
    at_ = end_of_class(at_, kDigitChar);
  }
  if (at(at_) == 'e' || at(at_) == 'E') {
    const std::uint32_t sign = at(at_ + 1) == '+' || at(at_ + 1) == '-' ? 1 : 0;
    if (is_digit(at(at_ + 1 + sign))) {
      kind = Tok::Float;
      at_ += 1 + sign;
      at_ = end_of_class(at_, kDigitChar);
    }
  }
  return kind;
}

Tok Lexer::read_string() {
  ++at_;
  for (;; ++at_) {
    const char c = at(at_);
    if (c == '"') {
      ++at_;
      return Tok::String;
    }
    if (c == '\n' || at_ >= text_.size()) return Tok::OpenString;
    if (c == '\\' && at_ + 1 < text_.size() && at(at_ + 1) != '\n') ++at_;
  }
}

// A name behind its mark: % ! # ^ @.
Tok Lexer::read_prefixed(Tok kind) {
  const std::uint32_t begin = at_++;
  if (kind == Tok::Symbol && at(at_) == '"') return read_string() == Tok::String ? Tok::Symbol : Tok::OpenString;
  if (kind == Tok::Ssa && is_digit(at(at_))) {
    at_ = end_of_class(at_, kDigitChar);
    return kind;
  }
  at_ = end_of_class(at_, kind == Tok::Ssa ? kNameChar : kWordChar);
  if (byte(at_) == '>' && byte(at_ - 1) == '-') --at_;  // %a-> is a name and an arrow
  return at_ == begin + 1 ? Tok::Bad : kind;
}

std::uint32_t end_of_angles(std::string_view text, std::uint32_t open, std::uint32_t most_bytes, Angles kind) {
  const auto limit = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), std::size_t{open} + most_bytes));
  std::uint32_t depth = 0;
  for (std::uint32_t at = open; at < limit; ++at) {
    if (!is_char(text[at], kAngleChar)) continue;
    switch (text[at]) {
      case '<': ++depth; break;
      case '>':
        if (text[at - 1] == '-') break;
        if (--depth == 0) return at + 1;
        break;
      case '"':
        for (++at; at < limit && text[at] != '"' && text[at] != '\n'; ++at)
          if (text[at] == '\\') ++at;
        if (at >= limit || text[at] != '"') return 0;
        break;
      case '/':
        if (at + 1 < limit && text[at + 1] == '/') return 0;
        break;
      case '%':
      case '@':
      case ';':
        if (kind != Angles::Any) return 0;
        break;
      default:  // line break, { and }
        if (kind == Angles::OneLine) return 0;
    }
  }
  return 0;
}

}  // namespace ts::text
