// What was done, as lines of Lua: to be read, copied as a script, saved, run again.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/row_scroll.h"
#include "app/draw/signs.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

class JournalPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;

 private:
  void draw_line(const JournalLine& line, const Rect& rect, bool chosen);
  void take_keys(const DebugView& view, CommandQueue& out);

  RowScroll scroll_;
  std::size_t lines_ = 0;
  std::uint32_t chosen_ = ~0u;  // a row; beyond the last: none
};

using Kind = JournalLine::Kind;

Color color_of(Kind kind) {
  const Theme& theme = *look().theme;
  switch (kind) {
    case Kind::Opened: return theme.text_quiet;
    case Kind::Move: return theme.text;
    case Kind::Set: return mix(theme.text, theme.good, 0.5);
    case Kind::Window: return mix(theme.text, theme.src0, 0.55);
    case Kind::Typed: return theme.accent;
    case Kind::Comment: break;
  }
  return theme.text_quiet;
}

// In one row: the line breaks of what was typed are blanks.
std::string in_one_row(const JournalLine& line) {
  std::string text = line.lua;
  std::ranges::replace(text, '\n', ' ');
  return line.times > 1 ? fmt::format("{}  x{}", text, line.times) : text;
}

std::string place_of(const JournalLine& line) {
  const auto [position, micro] = line.moment;
  return micro == 0 ? fmt::format("@{}", position) : fmt::format("@{}.{}", position, micro);
}

}  // namespace

bool JournalPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  // Here the key for copying takes the line, or all of it.
  if (command.name != "copyValue" && command.name != "copyAs") return false;
  if (command.name == "copyAs" || chosen_ >= view.journal().size()) out.push("copyJournal");
  else out.copy(view.journal()[chosen_].lua);
  return true;
}

void JournalPane::take_keys(const DebugView& view, CommandQueue& out) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput) return;
  const auto rows = static_cast<std::uint32_t>(view.journal().size());
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  std::uint32_t to = chosen_;
  if (pressed(ImGuiKey_UpArrow)) to = chosen_ >= rows ? rows - 1 : chosen_ - std::min(1u, chosen_);
  if (pressed(ImGuiKey_DownArrow)) to = chosen_ >= rows ? rows - 1 : std::min(chosen_ + 1, rows - 1);
  if (to != chosen_ && to < rows) scroll_.show(chosen_ = to, rows);
  if (pressed(ImGuiKey_Enter) && chosen_ < rows) {
    const Moment moment = view.journal()[chosen_].moment;
    out.push("seek", {std::int64_t{moment.position}, std::int64_t{moment.micro}});
  }
}

void JournalPane::draw_line(const JournalLine& line, const Rect& rect, bool chosen) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.accent, 0.22)));
  ImFont *mono = look().fonts.mono, *small = look().fonts.mono_small;
  const std::string place = place_of(line), text = in_one_row(line);
  const auto y = [&](const ImFont* font) { return std::floor(rect.min.y + (rect.height() - font->FontSize) / 2); };
  const float gutter = look().px(62);
  const float wide = static_cast<float>(place.size()) * small->GetCharAdvance('0');
  list.AddText(small, small->FontSize, {std::floor(rect.min.x + gutter - look().px(10) - wide), y(small)},
               ink(theme.text_quiet), place.c_str());
  const ImVec4 clip{rect.min.x, rect.min.y, rect.max.x - look().px(6), rect.max.y};
  list.AddText(mono, mono->FontSize, {std::floor(rect.min.x + gutter), y(mono)}, ink(color_of(line.kind)), text.c_str(),
               nullptr, 0, &clip);
  const float end = rect.min.x + gutter + mono->CalcTextSizeA(mono->FontSize, FLT_MAX, 0, text.c_str()).x;
  if (end > clip.z && scroll_.is_hovered() && rect.holds(ImGui::GetIO().MousePos))
    ImGui::SetTooltip("%s", line.lua.substr(0, 1000).c_str());
}

void JournalPane::draw(DebugView& view, CommandQueue& out) {
  const std::vector<JournalLine>& lines = view.journal();
  // The line that says what was opened is there without anybody doing anything.
  if (lines.size() <= 1) {
    say_empty(
        "Nothing was done yet.",
        "Step, select, set a breakpoint: each is written here as a line of Lua. Copied as a script, the lines do it "
        "all again and check that it comes to the same: a finding becomes a test.");
    lines_ = lines.size();
    return;
  }
  ChipRow chips("journal chips");
  const auto chip = [&](const char* label, const char* command, const char* tip) {
    if (chips.put(label, false, tip)) out.push(command);
    if (targets_wanted()) note_target(std::string("journal/") + command, chips.last());
  };
  chip("Copy as script", "copyJournal", "Puts it on the clipboard as a script that ends in assertions.");
  chip("Save...", "saveJournal", "Writes that script into a file.");
  chip("Run again", "runJournal", "Does all of it once more, from the program's beginning.");
  chip("Clear", "clearJournal", "Forgets the lines; a script then begins here.");
  chips.end();
  const Rect area = rest_of_window();
  const float row_height = list_row_height();
  if (lines_ != lines.size()) scroll_.to_end();
  lines_ = lines.size();
  take_keys(view, out);
  scroll_.begin("journal lines", area, row_height, static_cast<std::uint32_t>(lines.size()));
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (scroll_.is_clicked()) chosen_ = scroll_.row_at(mouse.y);
  if (scroll_.is_double_clicked() && chosen_ < lines.size())
    out.push("seek", {std::int64_t{lines[chosen_].moment.position}, std::int64_t{lines[chosen_].moment.micro}});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  for (std::uint32_t row = scroll_.first_row(); row < scroll_.end_row(); ++row)
    draw_line(lines[row], scroll_.row_rect(row), row == chosen_);
  list.PopClipRect();
}

namespace {

const RegisteredPane kJournalPane({
    .id = "journal",
    .title = "Journal",
    .help = "What you did, as lines of Lua; copied as a script it is a test.",
    .order = 60,
    .places = {{"debug", "lists", 5}, {"compare", "lists", 5}},
    .manual = R"(What you did, as lines of Lua that do the same. Copied as a script, it is the beginning of a test.)",
    .make = make_pane<JournalPane>,
});

}  // namespace
}  // namespace ts::ui
