// The console: what was typed and said, and a line to type into.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/draw/row_scroll.h"
#include "app/panes/pane.h"
#include "app/panes/parts/find_bar.h"

namespace ts::ui {

class ConsolePane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  // Lines as they are drawn: pieces of what was said, cut at its line breaks and where the pane ends.
  struct Piece {
    std::size_t line = 0, begin = 0, end = 0;
    bool first = false;
  };
  void lay_out(const std::vector<ConsoleLine>& lines, std::size_t columns);
  void draw_lines(const std::vector<ConsoleLine>& lines, CommandQueue& out, const Rect& area);
  void draw_piece(const std::vector<ConsoleLine>& lines, const Piece& piece, const Rect& rect) const;
  void take_selection(const std::vector<ConsoleLine>& lines, CommandQueue& out);
  std::string selected_text(const std::vector<ConsoleLine>& lines) const;
  void draw_input(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_guesses(const Rect& input);
  void take_guesses(DebugView& view);
  void draw_hints(CommandQueue& out, const Rect& area);
  void draw_find(const std::vector<ConsoleLine>& lines);
  int on_input(ImGuiInputTextCallbackData* data);
  void complete(ImGuiInputTextCallbackData* data);
  void walk_history(ImGuiInputTextCallbackData* data, int by);
  bool guessing() const { return !guesses_.names.empty(); }

  // --- lines ---
  RowScroll scroll_;
  std::vector<Piece> pieces_;
  std::uint64_t laid_out_ = 0;  // how many lines had been said
  std::size_t columns_ = 0;
  std::optional<std::uint32_t> selected_from_, selected_to_;  // pieces
  bool selecting_ = false;
  FindBar find_;
  // --- the input ---
  std::string text_;
  std::vector<std::string> history_;
  std::size_t in_history_ = 0;  // history_.size(): in none of them
  std::string unfinished_;
  bool again_ = false;
  std::string wanted_;  // the line whose guesses were asked for
  bool asks_ = false;
  Guesses guesses_;
  std::size_t chosen_ = 0;
  std::optional<std::string> insert_;  // a guess that was clicked
};

}  // namespace ts::ui
