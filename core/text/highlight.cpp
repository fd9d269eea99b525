// Lexing single lines.
#include "core/text/highlight.h"

#include <algorithm>
#include <cctype>

#include "core/text/ops/op_table.h"
#include "core/text/parse/lexer.h"

namespace ts::text {
namespace {

constexpr std::uint32_t kLongestLine = 4096;  // what comes behind that in a line stays plain

// Where the line's comment begins in it; its end when it has none.
std::uint32_t comment_begin(const Tree& tree, std::string_view line) {
  const auto begin = static_cast<std::uint32_t>(line.data() - tree.source->text().data());
  const auto comment =
      std::ranges::lower_bound(tree.comments, begin, {}, [](const Comment& one) { return one.range.begin; });
  const auto size = static_cast<std::uint32_t>(line.size());
  return comment == tree.comments.end() ? size : std::min(size, comment->range.begin - begin);
}

bool is_scalar_type(std::string_view word) {
  if (word == "index" || word == "bf16") return true;
  std::size_t at = word.starts_with("ui") || word.starts_with("si") ? 2
                   : word.starts_with('i') || word.starts_with('f') ? 1
                                                                    : 0;
  return at != 0 && word.size() > at && word.size() <= at + 2 &&
         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(at), word.end(), is_digit);
}

WordKind kind_of_word(std::string_view word) {
  if (is_scalar_type(word)) return WordKind::Type;
  const bool op = find_op(word) != kUnknownOp || find_bare_op(word) != kUnknownOp || word.starts_with("pto.") ||
                  word.starts_with("scf.") || word.starts_with("arith.");
  return op || word.starts_with('.') ? WordKind::Op : WordKind::Plain;
}

WordKind kind_of_token(Tok token, std::string_view text) {
  switch (token) {
    case Tok::Ssa: return WordKind::Name;
    case Tok::Symbol:
    case Tok::Caret: return WordKind::Symbol;
    case Tok::Bang: return WordKind::Type;
    case Tok::Hash: return WordKind::Attribute;
    case Tok::Int:
    case Tok::Float: return WordKind::Number;
    case Tok::String:
    case Tok::OpenString: return WordKind::String;
    case Tok::Word: return kind_of_word(text);
    default: return WordKind::Plain;
  }
}

}  // namespace

std::vector<ColoredWord> colored_words(const Tree& tree, std::uint32_t number) {
  const std::string_view line = tree.source->line(number);
  const std::uint32_t comment = comment_begin(tree, line), code = std::min(comment, kLongestLine);
  std::vector<ColoredWord> words;
  std::vector<Comment> ignored;
  const Source source("", std::string(line.substr(0, code)));
  for (Lexer lexer(source, ignored); lexer.token().kind != Tok::End;) {
    SourceRange range = lexer.token().range;
    const WordKind kind = kind_of_token(lexer.token().kind, lexer.text());
    if ((kind == WordKind::Type || kind == WordKind::Attribute) && lexer.at(range.end) == '<') {
      const std::uint32_t end = end_of_angles(source.text(), range.end, kLongestLine, Angles::Any);
      range.end = end != 0 ? end : code;
    }
    if (kind != WordKind::Plain) words.push_back({range.begin, range.end, kind});
    lexer.advance_from(range.end);
  }
  if (comment < line.size()) words.push_back({comment, static_cast<std::uint32_t>(line.size()), WordKind::Comment});
  return words;
}

std::uint32_t line_of_loop(const Tree* tree, SourcePos pos) {
  if (tree == nullptr || pos.line == 0 || pos.line > tree->source->lines()) return pos.line;
  const std::string_view line = tree->source->line(pos.line);
  if (!line.starts_with(kListedLoop)) return pos.line;
  std::uint32_t number = 0;
  for (const char c : line.substr(line.rfind(':') + 1))
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return number;
}

std::string loop_title(const Tree& tree, SourcePos pos) {
  if (pos.line == 0 || pos.line > tree.source->lines()) return "loop";
  const std::string_view line = tree.source->line(pos.line);
  if (line.starts_with(kListedLoop)) return "loop " + std::string(line.substr(kListedLoop.size()));
  std::string title;
  for (const ColoredWord& word : colored_words(tree, pos.line)) {
    const std::string_view text = line.substr(word.begin, word.end - word.begin);
    if (text == "scf.while") return "while";
    if (text == "pto.vecscope" || text == "pto.strict_vecscope") return "vecscope";
    if (text == "scf.for") title = "for";
    else if (!title.empty() && word.kind == WordKind::Name) return title + " " + std::string(text);
  }
  return title.empty() ? "loop" : title;
}

}  // namespace ts::text
