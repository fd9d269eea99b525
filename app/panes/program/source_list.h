// A text: where the session stands in it, how often its lines ran, where it stops, what was found.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/program/heat.h"
#include "app/panes/program/listed_text.h"
#include "app/theme/color.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"
#include "core/debug/session/line_runs.h"
#include "core/text/highlight.h"

namespace ts::ui {

class SourceList {
 public:
  // With a document. `generation` is another number for every document.
  void draw(const ListedText& text, DebugView& view, CommandQueue& out, const Rect& area, std::uint64_t generation);
  // The line that was clicked last.
  std::optional<std::uint32_t> cursor() const { return cursor_; }
  // The line under the mouse; it was clicked in the frame before.
  std::optional<std::uint32_t> pointed() const { return pointed_; }
  bool was_clicked() const { return was_clicked_; }
  // Lines that belong to what is pointed at beside it, ascending; `show`: the first of them is to be seen.
  void set_linked(std::vector<std::uint32_t> lines, bool show);
  // With a column of the time that lines took; null while `profile` is being found out. For the next draw().
  void set_hot(bool hot, const Profile* profile) {
    hot_ = hot;
    profile_ = profile;
  }
  // Something else is open.
  void forget() {
    heat_ = {};
    profile_ = nullptr;
    runs_ = {};
    counted_.reset();
    linked_.clear();
  }

 private:
  // A line ready to be drawn.
  struct Line {
    std::string text;  // tabs as blanks, as they are counted
    std::vector<text::ColoredWord> words;
    std::vector<const Diagnostic*> told;  // of the document
    // Columns count code points.
    float column(std::size_t byte) const;
    // The columns that a message is about; the whole word where it only says where that begins.
    std::pair<float, float> columns_of(const Diagnostic& diagnostic) const;
  };
  // What is the same for all lines of a frame.
  struct Frame {
    const ListedText& text;
    DebugView& view;
    CommandQueue& out;
    const LineRuns* runs;                                        // null: not counted yet, or nothing ran
    const std::vector<Finding>* findings;                        // that the runs were counted with
    const Heat* heat = nullptr;                                  // null: not wanted, or not found out yet
    std::uint32_t next_line = 0, made_line = 0, shown_line = 0;  // 0: none
    std::vector<std::uint32_t> callers = {};                     // of the shown line
    float glyph = 0, text_x = 0;
  };
  void start(const ListedText& text);
  void find_here(Frame& frame) const;
  void follow(const Frame& frame);
  void take_keys(const Frame& frame);
  // The first errors of a program that does not run, as lines at the bottom of the area; what is left of it.
  Rect draw_errors(const Document& document, const Rect& area);
  const Line& line(const ListedText& text, std::uint32_t number);
  float gutter_width(std::uint32_t lines) const;
  void draw_line(const Frame& frame, std::uint32_t number, const Rect& rect);
  bool is_noted(const Frame& frame, std::uint32_t number);
  void draw_gutter(const Frame& frame, std::uint32_t number, const Rect& rect, bool hovered);
  void draw_counts(const Frame& frame, std::uint32_t number, const Rect& rect);
  void draw_heat(const Frame& frame, std::uint32_t number, const Rect& rect);
  void draw_words(const Frame& frame, const Line& line, const Rect& rect);
  void draw_told(const Frame& frame, const Line& line, const Rect& rect);
  void take_mouse(const Frame& frame);
  void take_gutter(const Frame& frame, std::uint32_t number, float x);
  void take_text(const Frame& frame, std::uint32_t number, float x);
  void draw_menu(const Frame& frame);
  std::optional<Severity> worst_of(const Frame& frame, std::uint32_t number);
  void tell_findings(const Frame& frame, std::uint32_t number, std::optional<float> column);

  RowScroll scroll_;
  struct Counted {
    std::shared_ptr<const Recording> recording;
    std::shared_ptr<const std::vector<Finding>> findings;
    LineRuns runs;
  };
  const LineRuns* runs_of(const ListedText& text, DebugView& view);
  Later<std::shared_ptr<const Counted>> runs_;
  std::shared_ptr<const Counted> counted_;
  HeatColumn heat_;
  bool hot_ = false;
  const Profile* profile_ = nullptr;
  std::uint64_t generation_ = ~std::uint64_t{0};
  std::optional<std::uint32_t> cursor_, menu_line_, pointed_;
  bool was_clicked_ = false;
  std::vector<std::uint32_t> linked_;
  std::optional<std::uint32_t> wanted_;  // to be seen in the next frame
  std::uint32_t followed_line_ = 0;
  Moment followed_;
  std::unordered_map<std::uint32_t, Line> lines_;
  std::unordered_map<std::uint32_t, std::vector<const Diagnostic*>> told_;
  float widest_ = 0;
  std::set<std::uint32_t> noted_lines_;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> noted_of_;  // opening and number of the notes
};

// The colour of a word in program text.
Color color_of(text::WordKind kind);

}  // namespace ts::ui
