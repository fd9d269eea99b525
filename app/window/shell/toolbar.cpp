// Drawing the bar.
#include "app/window/shell/toolbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/shell/menu_bar.h"

namespace ts::ui {
namespace {

// A button for a command: the tooltip has its title and key from the table.
void command_button(const char* name, Icon icon, bool enabled, CommandQueue& out) {
  const CommandRow& row = *find_any_command(name);
  const std::string key = key_hint(name), tip = key.empty() ? row.title : fmt::format("{}   {}", row.title, key);
  if (icon_button(name, icon, tip.c_str(), enabled)) out.push(name);
  note_command(name);
  ImGui::SameLine(0, look().px(2));
}

void vertical_rule() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine({at.x + look().px(4), at.y + look().px(5)},
                                      {at.x + look().px(4), at.y + look().px(22)}, ink(look().theme->line));
  ImGui::Dummy({look().px(8), look().px(26)});
  ImGui::SameLine(0, look().px(2));
}

// A quiet word and a number behind it, in the middle of the bar's height; true when it was clicked.
bool bar_text(const char* id, const char* label, const std::string& number) {
  const Fonts& fonts = look().fonts;
  const float high = look().px(26), gap = look().px(7);
  const float word = fonts.text->CalcTextSizeA(fonts.text->FontSize, FLT_MAX, 0, label).x;
  const float wide = word + gap + fonts.mono->CalcTextSizeA(fonts.mono->FontSize, FLT_MAX, 0, number.c_str()).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {wide, high});
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.AddText(fonts.text, fonts.text->FontSize, {at.x, at.y + (high - fonts.text->FontSize) / 2},
              ink(look().theme->text_quiet), label);
  out.AddText(fonts.mono, fonts.mono->FontSize, {at.x + word + gap, at.y + (high - fonts.mono->FontSize) / 2},
              ink(look().theme->text), number.c_str());
  return clicked;
}

// A count with its sign, at the right end of the bar.
struct BarCount {
  std::string text, tip;
  const char* pane;  // that lists what is counted
  std::function<void(ImDrawList&, const Rect&)> sign;
};

// `words`: else the signs alone say what is counted.
std::vector<BarCount> counts_of(const DebugView& view, bool words) {
  std::vector<BarCount> counts;
  const auto counted = [words](std::size_t count, const char* what) {
    return words ? fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s") : grouped(count);
  };
  if (const auto worst = view.worst_finding())
    counts.push_back({counted(view.findings().size(), "finding"),
                      with_key("Shows the list of findings. To the next one", "nextFinding"), "findings",
                      [worst](ImDrawList& out, const Rect& rect) { draw_severity(out, rect, *worst); }});
  if (const Against* against = view.against(); against != nullptr && against->count() > 0)
    counts.push_back({counted(against->count(), "difference"),
                      with_key("Shows the list of what differs. To the next difference", "nextDifference"), "compare",
                      [](ImDrawList& out, const Rect& rect) { draw_different(out, rect); }});
  return counts;
}

// What is put into the bar's right end takes a line of this height.
constexpr float kSign = 13, kSignGap = 6, kBetween = 18, kHigh = 26;

float width_of(const BarCount& count) {
  return look().px(kSign + kSignGap) + ImGui::CalcTextSize(count.text.c_str()).x;
}

float width_of(const std::vector<BarCount>& counts) {
  float all = look().px(14);
  for (const BarCount& count : counts) all += width_of(count) + look().px(kBetween);
  return all;
}

void put_bar_text(ImVec2 at, const std::string& text) {
  ImGui::GetWindowDrawList()->AddText({at.x, at.y + (look().px(kHigh) - ImGui::GetFontSize()) / 2},
                                      ink(look().theme->text), text.c_str());
}

void draw_count(const BarCount& count, CommandQueue& out) {
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const float side = look().px(kSign), gap = look().px(kSignGap), high = look().px(kHigh), wide = width_of(count);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton(count.pane, {wide, high})) out.push("focusPane", {count.pane});
  if (targets_wanted())
    note_target(std::string("bar/") + count.pane, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered()) {
    canvas.AddRectFilled({at.x - gap, at.y}, {at.x + wide + gap, at.y + high}, ink(look().theme->hovered),
                         look().px(3));
    ImGui::SetTooltip("%s", count.tip.c_str());
  }
  count.sign(canvas, {{at.x, at.y + (high - side) / 2}, {at.x + side, at.y + (high + side) / 2}});
  put_bar_text({at.x + side + gap, at.y}, count.text);
  ImGui::SameLine(0, look().px(kBetween));
}

// The open program and what was found in it, at the right end of the bar; where that begins.
float draw_program_name(const DebugView& view, CommandQueue& out) {
  const Recording& recording = *view.recording();
  const std::string program = fmt::format("{}   {}", recording.program().name, name(recording.program().target));
  const float before = ImGui::GetCursorPosX(), room = ImGui::GetWindowWidth() - before;
  std::vector<BarCount> counts = counts_of(view, true);
  if (width_of(counts) > room) counts = counts_of(view, false);
  float wide = width_of(counts);
  // Counts are worth more than a name that the user knows.
  const float program_wide = ImGui::CalcTextSize(program.c_str()).x;
  const bool named = wide + program_wide <= room;
  if (named) wide += program_wide;
  const float begin = std::max(before, ImGui::GetWindowWidth() - wide);
  ImGui::SetCursorPosX(begin);
  for (const BarCount& count : counts) draw_count(count, out);
  if (named) put_bar_text(ImGui::GetCursorScreenPos(), program);
  ImGui::Dummy({1, look().px(kHigh)});
  ImGui::SameLine(before);
  return begin - look().px(kBetween);
}

// In the middle of the bar, where there is room for it.
void draw_palette_field(float end, CommandQueue& out) {
  const float wide = ImGui::GetWindowWidth(), field = std::min(look().px(340), wide * 0.28f);
  const float begin = std::max(ImGui::GetCursorPosX() + look().px(8), (wide - field) / 2 + look().px(60));
  if (begin + field + look().px(8) > end) {
    ImGui::NewLine();
    return;
  }
  ImGui::SetCursorPosX(begin);
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  const std::string key = key_hint("palette");
  if (ImGui::Button((key.empty() ? "any command" : key + "   any command").c_str(), {field, look().px(26)}))
    out.push("palette");
  note_command("palette");
  ImGui::PopStyleColor();
}

void draw_position(DebugView& view, CommandQueue& queue) {
  const bool open = view.recording() != nullptr;
  const std::uint32_t position = view.moment().position, count = open ? view.recording()->count() : 0;
  if (open) {
    const std::string place = view.in_step()
                                  ? fmt::format("{}.{} / {}", grouped(position), view.moment().micro, grouped(count))
                                  : fmt::format("{} / {}", grouped(position), grouped(count));
    if (bar_text("position", "position", place)) queue.push("seek");
    note_command("seek");
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", with_key("Position p is the state after p steps. To another", "seek").c_str());
  } else {
    bar_text("position", view.document() != nullptr ? "not recorded: the program has errors" : "no program", "");
  }
}

}  // namespace

void draw_toolbar(DebugView& view, CommandQueue& queue) {
  const Recording* recording = view.recording();
  const bool open = recording != nullptr;
  const std::uint32_t position = view.moment().position, count = open ? recording->count() : 0;
  ImGui::SetCursorPos({look().px(8), ImGui::GetCursorPosY() + look().px(4)});
  const bool back = open && (position > 0 || view.in_step()), on = open && position < count;
  command_button("first", Icon::ToStart, back, queue);
  command_button("reverse", Icon::RunBack, back, queue);
  command_button("overBack", Icon::StepBack, back, queue);
  command_button("over", Icon::StepOn, on, queue);
  command_button("continue", Icon::RunOn, on, queue);
  command_button("last", Icon::ToEnd, on, queue);
  vertical_rule();
  command_button("into", Icon::StepInto, on, queue);
  command_button("out", Icon::StepOut, open, queue);
  vertical_rule();
  draw_position(view, queue);
  ImGui::SameLine();
  const float right = open ? draw_program_name(view, queue) : ImGui::GetWindowWidth();
  draw_palette_field(right, queue);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look().px(4));
}

}  // namespace ts::ui
