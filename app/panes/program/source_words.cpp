// One pass over the letters of a line.
#include "app/panes/program/source_words.h"

#include <algorithm>
#include <string_view>

namespace ts::ui {
namespace {

using text::WordKind;

constexpr std::string_view kPython[] = {
    "False",  "None",     "True", "and",    "as",   "assert", "async",   "await",  "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "from",   "finally", "global", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return",  "try",    "while", "with",   "yield"};
constexpr std::string_view kCpp[] = {"auto",      "bool",     "break",    "case",   "char",   "class",  "const",
                                     "constexpr", "continue", "default",  "do",     "double", "else",   "enum",
                                     "false",     "float",    "for",      "if",     "inline", "int",    "namespace",
                                     "nullptr",   "return",   "sizeof",   "static", "struct", "switch", "template",
                                     "true",      "typename", "unsigned", "using",  "void",   "while"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind the text in quotes that begins at `at`; the line's end where it goes on.
std::size_t end_of_quoted(std::string_view line, std::size_t at) {
  const char quote = line[at];
  const std::string_view three = line.substr(at, 3);
  if (three.size() == 3 && three[1] == quote && three[2] == quote) {
    const std::size_t end = line.find(three, at + 3);
    return end == std::string_view::npos ? line.size() : end + 3;
  }
  for (std::size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\') ++i;
    else if (line[i] == quote) return i + 1;
  }
  return line.size();
}

template <class F>
std::size_t end_while(std::string_view line, std::size_t at, F is_part) {
  while (at < line.size() && is_part(line[at])) ++at;
  return at;
}

}  // namespace

std::vector<text::ColoredWord> source_words(const text::Source& source, std::uint32_t number) {
  const bool python = source.name().ends_with(".py");
  const std::string_view comment = python ? "#" : "//", line = source.line(number);
  const auto is_keyword = [&](std::string_view word) {
    return python ? std::ranges::find(kPython, word) != std::end(kPython)
                  : std::ranges::find(kCpp, word) != std::end(kCpp);
  };
  std::vector<text::ColoredWord> words;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    std::size_t end = at + 1;
    WordKind kind = WordKind::Plain;
    if (line.substr(at).starts_with(comment)) {
      kind = WordKind::Comment;
      end = line.size();
    } else if (c == '"' || c == '\'') {
      kind = WordKind::String;
      end = end_of_quoted(line, at);
    } else if (is_letter(c)) {
      end = end_while(line, at, [](char one) { return is_letter(one) || is_digit(one); });
      kind = is_keyword(line.substr(at, end - at)) ? WordKind::Symbol : WordKind::Op;
    } else if (is_digit(c)) {
      kind = WordKind::Number;
      end = end_while(line, at, [](char one) { return is_letter(one) || is_digit(one) || one == '.'; });
    }
    if (kind != WordKind::Plain)
      words.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end), kind});
    at = end;
  }
  return words;
}

}  // namespace ts::ui
