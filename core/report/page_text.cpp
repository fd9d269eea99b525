// Lines of the program's text on a page.
#include "core/report/page_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/program/pointing.h"
#include "core/report/escape.h"
#include "core/report/page_style.h"

namespace ts {
namespace {

constexpr std::uint32_t kLinesAround = 4;
constexpr std::uint32_t kMostTextLines = 400;
constexpr std::size_t kMostLineBytes = 400;

struct Mark {
  std::uint32_t begin, end;  // bytes of the text
  std::string tag, style;
};

Mark mark_of(const text::Source& text, const Diagnostic& d) {
  const std::string_view line = text.line(d.pos.line);
  const auto offset = [&](std::uint32_t characters) {
    std::size_t at = 0;
    for (; at < line.size(); ++at)
      if ((static_cast<std::uint8_t>(line[at]) & 0xC0) != 0x80 && characters-- == 0) break;
    return static_cast<std::uint32_t>(line.data() - text.text().data() + static_cast<std::ptrdiff_t>(at));
  };
  return {offset(d.pos.column - 1), offset(d.pos.column - 1 + d.span), "mark", ""};
}

std::string marked_line(const text::Source& text, std::uint32_t number, const std::vector<Mark>& marks) {
  std::string_view line = text.line(number);
  const auto begin = static_cast<std::uint32_t>(line.data() - text.text().data());
  const bool cut = line.size() > kMostLineBytes;
  line = line.substr(0, kMostLineBytes);
  std::string out;
  std::uint32_t at = 0;
  for (const Mark& mark : marks) {
    if (mark.begin < begin + at || mark.end > begin + line.size() || mark.begin >= mark.end) continue;
    out += html_text(line.substr(at, mark.begin - begin - at));
    out +=
        fmt::format("<{0}{1}>{2}</{0}>", mark.tag, mark.style.empty() ? "" : fmt::format(" class=\"{}\"", mark.style),
                    html_text(line.substr(mark.begin - begin, mark.end - mark.begin)));
    at = mark.end - begin;
  }
  return out + html_text(line.substr(at)) + (cut ? " …" : "");
}

const text::Op* statement(const Program& program, std::optional<std::size_t> index) {
  if (!index) return nullptr;
  const Instruction& instruction = program.instructions[*index];
  return instruction.op == text::kNoId ? nullptr : &program.tree->ops[instruction.op];
}

// Statements may go over several lines.
std::uint32_t last_line(const text::Source& text, const text::Op* op, std::uint32_t line) {
  constexpr std::uint32_t kMost = 6;
  return op == nullptr ? line : std::clamp(text.position(op->range.end).line, line, line + kMost);
}

// The operands' names, and what the finding points at.
std::vector<Mark> source_marks(const Program& program, std::optional<std::size_t> index, const Diagnostic* found) {
  std::vector<Mark> marks;
  const text::Source& text = *program.tree->source;
  if (found != nullptr && found->pos.line != 0 && found->pos.line <= text.lines() && found->span != 0)
    marks.push_back(mark_of(text, *found));
  if (statement(program, index) == nullptr || program.instructions[*index].row->forms.front().operands.empty())
    return marks;
  const Instruction& instruction = program.instructions[*index];
  TypeMismatch ignored;
  const Statement read = read_instruction(*program.tree, instruction, ignored);
  std::size_t in = 0, out = 0, values = 0;
  for (const OperandUse& use : instruction.operands) {
    const bool result = use.spec->role == Role::Out;
    const auto& list = result ? read.outs : read.ins;
    const std::size_t at = result ? out++ : in++;
    const std::string style = role_style(use.spec->role, values);
    if (at >= list.size() || list[at].item == nullptr) continue;
    const text::SourceRange range = list[at].item->range;
    const bool taken =
        std::ranges::any_of(marks, [&](const Mark& mark) { return range.begin < mark.end && mark.begin < range.end; });
    if (!taken) marks.push_back({range.begin, range.end, "u", style});
  }
  std::ranges::sort(marks, {}, &Mark::begin);
  return marks;
}

std::string lines_of(const text::Source& text, std::uint32_t first, std::uint32_t last, std::uint32_t here,
                     const std::vector<Mark>& marks) {
  std::string out = "<pre class=\"source\">";
  for (std::uint32_t line = first; line <= last; ++line)
    out += fmt::format("<span class=\"row{}\"><i>{:>5} {}</i> {}</span>", line == here ? " here" : "", line,
                       line == here ? "&gt;" : " ", marked_line(text, line, marks));
  return out + "</pre>\n";
}

}  // namespace

std::string source_around(const Program& program, std::uint32_t line, std::optional<std::size_t> instruction,
                          const Diagnostic* found) {
  const text::Source& text = *program.tree->source;
  const std::uint32_t first = line - std::min(line - 1, kLinesAround);
  const std::uint32_t last =
      std::min(text.lines(), last_line(text, statement(program, instruction), line) + kLinesAround);
  return lines_of(text, first, last, line, source_marks(program, instruction, found));
}

std::string whole_source(const Program& program, std::uint32_t line) {
  const text::Source& text = *program.tree->source;
  const std::uint32_t middle = std::max(line, 1u);
  const std::uint32_t first = text.lines() <= kMostTextLines ? 1 : middle - std::min(middle - 1, kMostTextLines / 2);
  const std::uint32_t last = std::min(text.lines(), first + kMostTextLines - 1);
  const std::string part =
      last - first + 1 < text.lines() ? fmt::format(", lines {} to {} of {}", first, last, text.lines()) : "";
  return fmt::format("<details>\n<summary>{}{}</summary>\n{}</details>\n", html_text(text.name()), part,
                     lines_of(text, first, last, line, {}));
}

}  // namespace ts
