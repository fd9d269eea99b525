// The console: laying lines out, choosing some of them to copy.
#include "app/panes/scripts/console_pane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"

namespace ts::ui {
namespace {

float row_height() { return std::floor(look().fonts.mono->FontSize * 1.35f); }

float sign_width() { return look().px(22); }

// The byte behind so many code points from `begin` on, or `end`.
std::size_t behind_columns(const std::string& text, std::size_t begin, std::size_t end, std::size_t columns) {
  std::size_t at = begin;
  for (; at < end; ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && columns-- == 0) break;
  return at;
}

// Where a line that is too long is broken: behind the last blank that fits, or else in the middle of a word.
std::size_t broken_at(const std::string& text, std::size_t begin, std::size_t end, std::size_t columns) {
  const std::size_t most = behind_columns(text, begin, end, columns);
  if (most == end) return end;
  const std::size_t blank = text.rfind(' ', most), word = text.find_first_not_of(' ', begin);
  return blank == std::string::npos || blank < word ? most : blank + 1;
}

// What a line of its kind begins with.
void draw_sign(ImDrawList& list, ConsoleLine::Kind kind, const Rect& rect) {
  const Theme& theme = *look().theme;
  const ImVec2 at = rect.center();
  const float side = look().px(3.5f);
  switch (kind) {
    case ConsoleLine::Kind::Error: draw_severity(list, rect, Severity::Error); break;
    case ConsoleLine::Kind::Note: draw_severity(list, rect, Severity::Note); break;
    case ConsoleLine::Kind::Typed:
      list.AddLine({at.x - side, at.y - side}, {at.x + side * 0.4f, at.y}, ink(theme.accent), look().px(1.6f));
      list.AddLine({at.x + side * 0.4f, at.y}, {at.x - side, at.y + side}, ink(theme.accent), look().px(1.6f));
      break;
    case ConsoleLine::Kind::Printed: break;
  }
}

Color color_of(ConsoleLine::Kind kind) {
  const Theme& theme = *look().theme;
  switch (kind) {
    case ConsoleLine::Kind::Typed: return theme.accent;
    case ConsoleLine::Kind::Error: return theme.finding;
    case ConsoleLine::Kind::Note: return theme.text_quiet;
    case ConsoleLine::Kind::Printed: break;
  }
  return theme.text;
}

}  // namespace

void ConsolePane::draw(DebugView& view, CommandQueue& out) {
  if (find_.is_open()) draw_find(view.console());
  Room room(rest_of_window());
  const Rect input = room.bottom(look().fonts.mono->FontSize + look().px(16)), lines = room.rest();
  if (view.console().empty()) draw_hints(out, lines);
  else if (lines.height() > row_height()) {
    const float glyph = look().fonts.mono->GetCharAdvance('0');
    const float width = lines.width() - sign_width() - look().px(18);
    const auto columns = static_cast<std::size_t>(std::max(10.0f, width / glyph));
    if (laid_out_ != view.console_said() || columns_ != columns) lay_out(view.console(), columns);
    laid_out_ = view.console_said();
    draw_lines(view.console(), out, lines);
  }
  draw_input(view, out, input);
}

// --- lines ---------------------------------------------------------------------------------------------------------

void ConsolePane::lay_out(const std::vector<ConsoleLine>& lines, std::size_t columns) {
  if (scroll_.at_end() || pieces_.empty()) scroll_.to_end();
  pieces_.clear();
  columns_ = columns;
  selected_from_.reset();
  for (std::size_t number = 0; number < lines.size(); ++number) {
    const std::string& text = lines[number].text;
    for (std::size_t begin = 0, first = 1; begin <= text.size(); first = 0) {
      const std::size_t line_end = std::min(text.find('\n', begin), text.size());
      const std::size_t end = broken_at(text, begin, line_end, columns);
      pieces_.push_back({number, begin, end, first == 1});
      begin = end == line_end ? end + 1 : end;
    }
  }
}

void ConsolePane::draw_lines(const std::vector<ConsoleLine>& lines, CommandQueue& out, const Rect& area) {
  scroll_.begin("console", area, row_height(), static_cast<std::uint32_t>(pieces_.size()));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  for (std::uint32_t row = scroll_.first_row(); row < scroll_.end_row(); ++row) {
    const Rect rect = scroll_.row_rect(row);
    const bool chosen = selected_from_ && row >= std::min(*selected_from_, *selected_to_) &&
                        row <= std::max(*selected_from_, *selected_to_);
    if (chosen) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(look().theme->accent, 0.25)));
    draw_piece(lines, pieces_[row], rect);
  }
  list.PopClipRect();
  take_selection(lines, out);
}

void ConsolePane::draw_piece(const std::vector<ConsoleLine>& lines, const Piece& piece, const Rect& rect) const {
  const ConsoleLine& line = lines[piece.line];
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (piece.first) draw_sign(list, line.kind, {rect.min, {rect.min.x + sign_width(), rect.max.y}});
  ImFont* font = look().fonts.mono;
  const ImVec2 at{std::floor(rect.min.x + sign_width()), std::floor(rect.min.y + (rect.height() - font->FontSize) / 2)};
  if (piece.begin < piece.end)
    list.AddText(font, font->FontSize, at, ink(color_of(line.kind)), line.text.data() + piece.begin,
                 line.text.data() + piece.end);
}

// Whole rows, by dragging; a click elsewhere gives them up.
void ConsolePane::take_selection(const std::vector<ConsoleLine>& lines, CommandQueue& out) {
  const auto last = static_cast<std::uint32_t>(pieces_.size()) - 1;
  const std::uint32_t row = std::min(scroll_.row_at(ImGui::GetIO().MousePos.y), last);
  if (scroll_.is_clicked()) {
    selected_from_.reset();
    selecting_ = true;
  }
  if (selecting_ && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    if (!selected_from_) selected_from_ = row;
    selected_to_ = row;
  }
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Left)) selecting_ = false;
  const bool copies = ImGui::GetIO().KeyCtrl && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_C), false);
  if (selected_from_ && copies && ImGui::IsWindowFocused()) out.copy(selected_text(lines));
  if (scroll_.is_hovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    if (!selected_from_) selected_from_ = selected_to_ = row;
    ImGui::OpenPopup("console menu");
  }
  if (!ImGui::BeginPopup("console menu")) return;
  if (selected_from_ && ImGui::MenuItem("Copy")) out.copy(selected_text(lines));
  if (ImGui::MenuItem("Copy everything")) {
    selected_from_ = 0;
    selected_to_ = last;
    out.copy(selected_text(lines));
    selected_from_.reset();
  }
  ImGui::EndPopup();
}

// --- finding -------------------------------------------------------------------------------------------------------

bool ConsolePane::act(const Command& command, DebugView&, CommandQueue&) {
  if (command.name != "find") return false;
  find_.open();
  return true;
}

// In lines as they are drawn, from the newest on.
void ConsolePane::draw_find(const std::vector<ConsoleLine>& lines) {
  std::vector<std::uint32_t> rows;
  FindBar::Found found;
  for (auto row = static_cast<std::uint32_t>(pieces_.size()); row-- > 0 && !find_.text().empty();) {
    const Piece& piece = pieces_[row];
    if (piece.line >= lines.size()) continue;
    const std::string_view all = lines[piece.line].text;
    if (all.substr(piece.begin, piece.end - piece.begin).find(find_.text()) == std::string_view::npos) continue;
    if (selected_from_ == row) found.current = rows.size();
    rows.push_back(row);
  }
  found.count = rows.size();
  const int go = find_.draw("find in what was said", found);
  if (go == 0) return;
  selected_from_ = selected_to_ = rows[next_found(found, go)];
  scroll_.show(*selected_from_, static_cast<std::uint32_t>(pieces_.size()));
}

std::string ConsolePane::selected_text(const std::vector<ConsoleLine>& lines) const {
  std::string text;
  const std::uint32_t first = std::min(*selected_from_, *selected_to_), last = std::max(*selected_from_, *selected_to_);
  for (std::uint32_t row = first; row <= last && row < pieces_.size(); ++row) {
    const Piece& piece = pieces_[row];
    const std::string& line = lines[piece.line].text;
    text += line.substr(piece.begin, piece.end - piece.begin);
    // Where the pane cut a line is no end of it.
    if (piece.end == line.size() || line[piece.end] == '\n') text += '\n';
  }
  return text;
}

void ConsolePane::draw_hints(CommandQueue& out, const Rect& area) {
  const Theme& theme = *look().theme;
  struct Hint {
    const char *text, *meaning;
  };
  constexpr Hint kHints[] = {{"over", "makes a step; back and seek 12 go elsewhere"},
                             {"? t[1,5]", "the value of an element; a tile's name alone shows the tile"},
                             {"help", "what else there is; any line may be Lua"}};
  if (area.width() < 1 || area.height() < 1) return;
  // Where there is little room they scroll, and never reach the input line.
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("hints", {area.width(), area.height()});
  ImGui::SetCursorPos({look().px(12), look().px(8)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(area.width() - look().px(12));
  ImGui::PushStyleColor(ImGuiCol_Text, tint(theme.text_quiet));
  ImGui::TextUnformatted("Type a command or Lua below. Tab completes, Up and Down bring back what was typed.");
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  for (const Hint& hint : kHints) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    {
      WithFont mono(look().fonts.mono);
      ImGui::TextColored(tint(mix(theme.text, theme.src0, 0.55)), "%s", hint.text);
    }
    const bool can_run = hint.text[0] != '?';
    if (can_run && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (can_run && ImGui::IsItemClicked()) out.push("console", {std::string(hint.text)});
    ImGui::SetCursorScreenPos({at.x + look().px(90), at.y - look().px(1)});
    ImGui::TextColored(tint(theme.text_quiet), "%s", hint.meaning);
  }
  ImGui::EndGroup();
  ImGui::EndChild();
}

namespace {

const RegisteredPane kConsolePane({
    .id = "console",
    .title = "Console",
    .help = "Lua over the session: type commands and expressions.",
    .order = 40,
    .places = {{"debug", "lists", 1}, {"compare", "lists", 3}},
    .manual =
        R"(Lua, line by line, on the open session: `rec` is it. Tab completes a name, Up brings back earlier lines. What a script
prints stands here too.)",
    .make = make_pane<ConsolePane>,
});

}  // namespace
}  // namespace ts::ui
