// Drawing the bar and the veil.
#include "app/window/bars/broken_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr float kPad = 6;

// "softmax.pto does not run: line 47: [E-NAME] ... (and 2 more errors)"
std::string title_of(const Broken& broken) {
  std::string text = fmt::format("{} does not run as it is: ", broken.file);
  if (broken.line != 0) text += fmt::format("line {}: ", broken.line);
  text += broken.text;
  if (broken.errors > 1) text += fmt::format("   and {} more", broken.errors - 1);
  return text;
}

}  // namespace

float broken_bar_height() { return line_step(look().fonts.bold) + line_step(look().fonts.mono) + 2 * look().px(kPad); }

void draw_broken_bar(const Rect& area, const Broken& broken, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(area.min, area.max, ink(mix(theme.pane, theme.finding, 0.18)), look().px(4));
  canvas.AddRect(area.min, area.max, ink(theme.finding), look().px(4), 0, look().px(1.5f));
  const float pad = look().px(kPad), side = look().fonts.bold->FontSize;
  const std::string again = with_key("Run again", "reload"), edit = "Open the line";
  const float edit_wide = text_width(edit, look().fonts.text) + look().px(20);
  const float wide = text_width(again, look().fonts.text) + look().px(20);
  const float left = area.min.x + 2 * pad + side, room = area.max.x - wide - edit_wide - 4 * pad - left;
  const ImVec2 at{area.min.x + pad, area.min.y + pad};
  draw_icon(canvas, Icon::Finding, {at, {at.x + side, at.y + side}}, ink(theme.finding));
  const std::string title = title_of(broken);
  put_text_cut({left, at.y}, room, title, theme.text, look().fonts.bold);
  const float second = at.y + line_step(look().fonts.bold);
  const std::size_t first = broken.source.find_first_not_of(" \t");
  const std::string source = first == std::string::npos ? "" : broken.source.substr(first);
  float x = left;
  if (!source.empty())
    x += put_text_cut({x, second}, room * 0.6f, source, theme.text, look().fonts.mono) + look().px(16);
  const std::string note = broken.hint.empty() ? "Below is its last run, and what you do there is kept."
                                               : broken.hint + ". Below is its last run.";
  put_text_cut({x, second}, std::max(0.0f, left + room - x), note, theme.text_quiet, look().fonts.text);
  ImGui::SetCursorScreenPos({left, area.min.y});
  ImGui::InvisibleButton("broken", {std::max(1.0f, room), area.height()});
  if (ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(look().px(600));
    ImGui::TextUnformatted((title + "\n" + source + "\n" + note).c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::SetCursorScreenPos({area.max.x - wide - edit_wide - 2 * pad, area.center().y - ImGui::GetFrameHeight() / 2});
  if (ImGui::Button(edit.c_str(), {edit_wide, 0}))
    out.push("openInEditor", {std::int64_t{std::max(1u, broken.line)}, broken.path});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("In the editor that File > Editor... names");
  if (targets_wanted()) note_target("broken/edit", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  ImGui::SetCursorScreenPos({area.max.x - wide - pad, area.center().y - ImGui::GetFrameHeight() / 2});
  if (ImGui::Button(again.c_str(), {wide, 0})) out.push("reload");
  if (!targets_wanted()) return;
  note_target("broken/bar", area);
  note_target("broken/again", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

void draw_veil(const Rect& area) {
  ImGui::SetNextWindowPos(area.min);
  ImGui::SetNextWindowSize({area.width(), area.height()});
  ImGui::Begin("veil", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.PushClipRectFullScreen();
  canvas.AddRectFilled(area.min, area.max, ink(with_alpha(look().theme->window, 0.5)));
  canvas.PopClipRect();
  ImGui::End();
}

}  // namespace ts::ui
