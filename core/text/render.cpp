// Diagnostics with the line they mean.
#include "core/text/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts::text {
namespace {

constexpr std::size_t kWidestLine = 160;  // code points; of a longer one the part around the place is shown

std::size_t bytes_of(std::string_view text, std::size_t code_points) {
  std::size_t at = 0;
  for (; at < text.size() && code_points > 0; --code_points) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

// The line, and below it ^~~~ under `span` code points from `column` on.
std::string line_and_caret(std::string_view line, std::size_t column, std::size_t span) {
  std::size_t before = column - 1;
  std::string cut;
  if (before > kWidestLine / 2) {
    const std::size_t skip = before - kWidestLine / 2;
    line.remove_prefix(bytes_of(line, skip));
    before -= skip;
    cut = "...";
  }
  const std::size_t end = bytes_of(line, kWidestLine);
  const std::string_view shown = line.substr(0, end);
  std::string text =
      fmt::format("  {}{}{}\n  {}", cut, shown, end < line.size() ? "..." : "", std::string(cut.size(), ' '));
  // Tabs stay tabs, so that the caret stands right whatever their width.
  const std::string_view left = shown.substr(0, bytes_of(shown, before));
  for (const char c : left)
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) text += c == '\t' ? '\t' : ' ';
  const std::size_t room = kWidestLine > before ? kWidestLine - before : 1;
  return text + '^' + std::string(std::min(std::max<std::size_t>(span, 1), room) - 1, '~') + '\n';
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const Source& source) {
  const auto place = [&](SourcePos pos) {
    return pos.line == 0 ? source.name() : fmt::format("{}:{}:{}", source.name(), pos.line, pos.column);
  };
  const std::string rule = diagnostic.rule.empty() ? "" : fmt::format("[{}] ", diagnostic.rule);
  std::string text =
      fmt::format("{}: {}: {}{}\n", place(diagnostic.pos), name(diagnostic.severity), rule, diagnostic.text);
  if (diagnostic.pos.line != 0 && diagnostic.pos.line <= source.lines())
    text += line_and_caret(source.line(diagnostic.pos.line), diagnostic.pos.column, diagnostic.span);
  if (!diagnostic.expected.empty()) text += fmt::format("  expected: {}\n", diagnostic.expected);
  if (!diagnostic.hint.empty()) text += fmt::format("  hint: {}\n", diagnostic.hint);
  for (const DiagnosticNote& note : diagnostic.notes) text += fmt::format("{}: note: {}\n", place(note.pos), note.text);
  return text;
}

}  // namespace ts::text
