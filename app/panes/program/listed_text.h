// A text that is listed line by line beside what its lines did: the program's own, or a file that it came from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/session/line_runs.h"
#include "core/text/highlight.h"
#include "core/text/source.h"

namespace ts::ui {

class ListedText {
 public:
  virtual ~ListedText() = default;

  virtual bool is_program() const { return false; }
  virtual const text::Source& source() const = 0;
  virtual std::vector<text::ColoredWord> words(std::uint32_t line) const = 0;
  // What was said of it before it ran.
  virtual std::span<const Diagnostic> diagnostics() const { return {}; }
  // Lines that a step came from: the line itself, then those that called it. With a recording.
  virtual std::vector<std::uint32_t> lines_of(std::uint32_t step) const = 0;
  virtual bool stops_at(const StopRule& rule, std::uint32_t line) const = 0;
  // The file that it stands in, for an editor; empty: in none.
  virtual std::string path() const = 0;
  // As commands and people call it: 7, or "attn.py:7".
  virtual CommandValue place(std::uint32_t line) const = 0;
  // What ran how often, counted in another thread.
  using Count = std::function<LineRuns(Session&, std::span<const Finding>, const std::function<bool()>& go_on)>;
  virtual Count count() const = 0;
};

// As a text: "7", "attn.py:7".
std::string place_text(const ListedText& text, std::uint32_t line);

// Of what is open. It looks at the view for as long as it lives, so it is made anew for a frame.
std::unique_ptr<ListedText> program_text_of(DebugView& view);
// With a recording. `found` is the file that the map counts so, and has a text.
std::unique_ptr<ListedText> source_text_of(DebugView& view, std::uint32_t file, const SourceText& found);

// Lines of one text that made the same steps as a line of the other one, ascending.
std::vector<std::uint32_t> program_lines_of(DebugView& view, SourceLine line);
std::vector<std::uint32_t> source_lines_of(DebugView& view, std::uint32_t file, std::uint32_t program_line);

}  // namespace ts::ui
