// The two kinds of text.
#include "app/panes/program/listed_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/panes/program/source_words.h"

namespace ts::ui {
namespace {

class ProgramsText final : public ListedText {
 public:
  explicit ProgramsText(DebugView& view) : document_(*view.document()) {}

  bool is_program() const override { return true; }
  const text::Source& source() const override { return *document_.tree->source; }
  std::vector<text::ColoredWord> words(std::uint32_t line) const override {
    return text::colored_words(*document_.tree, line);
  }
  std::span<const Diagnostic> diagnostics() const override { return document_.diagnostics; }
  std::vector<std::uint32_t> lines_of(std::uint32_t step) const override {
    return {document_.recording->bound(step).pos.line};
  }
  bool stops_at(const StopRule& rule, std::uint32_t line) const override { return rule.line == line; }
  // A recording and a lesson have their text inside, a script has it from elsewhere, and that of a kernel in C++ is the list
  // of its calls.
  std::string path() const override {
    const bool listed = document_.recording != nullptr && document_.recording->program().listed;
    return document_.file || listed || document_.path.ends_with(".lua") ? "" : document_.path;
  }
  CommandValue place(std::uint32_t line) const override { return std::int64_t{line}; }
  Count count() const override {
    return [](Session& session, std::span<const Finding> findings, const std::function<bool()>& go_on) {
      return LineRuns(session.recording(), findings, go_on);
    };
  }

 private:
  const Document& document_;
};

class OriginalText final : public ListedText {
 public:
  OriginalText(DebugView& view, std::uint32_t file, const SourceText& found)
      : map_(view.sources()), recording_(*view.recording()), file_(file), text_(*found.text), path_(found.path) {}

  const text::Source& source() const override { return text_; }
  std::vector<text::ColoredWord> words(std::uint32_t line) const override { return source_words(text_, line); }
  std::vector<std::uint32_t> lines_of(std::uint32_t step) const override {
    std::vector<std::uint32_t> lines;
    for (const SourceLine line : map_.lines(map_.origin_of(recording_.step(step).instruction)))
      if (line.file == file_) lines.push_back(line.line);
    return lines;
  }
  bool stops_at(const StopRule& rule, std::uint32_t line) const override {
    return rule.source && rule.source->number == file_ && rule.source->line == line;
  }
  std::string path() const override { return path_; }
  CommandValue place(std::uint32_t line) const override { return map_.told({file_, line}); }
  Count count() const override {
    return [file = file_](Session& session, std::span<const Finding> findings, const std::function<bool()>& go_on) {
      return LineRuns(session, file, findings, go_on);
    };
  }

 private:
  const SourceMap& map_;
  const Recording& recording_;
  std::uint32_t file_;
  const text::Source& text_;
  const std::string& path_;
};

// f(line of the text, its lines of sources) for each instruction.
template <class F>
void for_instructions(DebugView& view, F f) {
  const SourceMap& map = view.sources();
  const std::vector<Instruction>& all = view.recording()->program().instructions;
  for (std::uint32_t i = 0; i < all.size(); ++i) f(all[i].pos.line, map.lines(map.origin_of(i)));
}

std::vector<std::uint32_t> each_once(std::vector<std::uint32_t> lines) {
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace

std::string place_text(const ListedText& text, std::uint32_t line) {
  const CommandValue place = text.place(line);
  const auto* words = std::get_if<std::string>(&place);
  return words != nullptr ? *words : fmt::format("{}", line);
}

std::unique_ptr<ListedText> program_text_of(DebugView& view) { return std::make_unique<ProgramsText>(view); }

std::unique_ptr<ListedText> source_text_of(DebugView& view, std::uint32_t file, const SourceText& found) {
  return std::make_unique<OriginalText>(view, file, found);
}

std::vector<std::uint32_t> program_lines_of(DebugView& view, SourceLine line) {
  std::vector<std::uint32_t> lines;
  for_instructions(view, [&](std::uint32_t own, const std::vector<SourceLine>& from) {
    if (std::ranges::find(from, line) != from.end()) lines.push_back(own);
  });
  return each_once(std::move(lines));
}

std::vector<std::uint32_t> source_lines_of(DebugView& view, std::uint32_t file, std::uint32_t program_line) {
  std::vector<std::uint32_t> lines;
  for_instructions(view, [&](std::uint32_t own, const std::vector<SourceLine>& from) {
    if (own != program_line) return;
    for (const SourceLine line : from)
      if (line.file == file) lines.push_back(line.line);
  });
  return each_once(std::move(lines));
}

}  // namespace ts::ui
