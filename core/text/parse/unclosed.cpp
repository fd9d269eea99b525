// A '}' that stands at the beginning of its line closes what a line of the same indentation opened. The first one that
// stands further left belongs to an outer region, so that the inner one ended before it.
#include "core/text/parse/unclosed.h"

#include <fmt/format.h>

#include <vector>

#include "core/text/parse/lexer.h"

namespace ts::text {
namespace {

struct OpenBrace {
  std::uint32_t offset, line, indent;
};

std::uint32_t indent_of(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return static_cast<std::uint32_t>(first == std::string_view::npos ? line.size() : first);
}

DiagnosticNote note(const Source& source, const OpenBrace& open, std::uint32_t end) {
  const SourcePos at = source.position(open.offset);
  return {source.position(end),
          fmt::format("the region opened at {}:{} probably ends before this (indentation)", at.line, at.column)};
}

}  // namespace

std::optional<DiagnosticNote> probable_end(const Source& source) {
  std::vector<Comment> comments;
  Lexer lexer(source, comments);
  std::vector<OpenBrace> open;
  std::uint32_t line = 0, indent = 0;
  for (; lexer.token().kind != Tok::End; lexer.advance()) {
    const Token& token = lexer.token();
    if (token.on_new_line) {
      line = source.position(token.range.begin).line;
      indent = indent_of(source.line(line));
    }
    if (token.kind == Tok::LBrace) open.push_back({token.range.begin, line, indent});
    if (token.kind != Tok::RBrace || open.empty()) continue;
    if (token.on_new_line && indent < open.back().indent) return note(source, open.back(), token.range.begin);
    open.pop_back();
  }
  return std::nullopt;
}

}  // namespace ts::text
