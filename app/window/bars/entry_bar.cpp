// Drawing the question.
#include "app/window/bars/entry_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostButtons = 12;  // a file may have any number; the command takes every name

}  // namespace

float entry_bar_height() { return look().px(34); }

void draw_entry_bar(const Rect& area, const Document& document, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(area.min, area.max, ink(mix(theme.pane, theme.accent, 0.14)), look().px(4));
  const std::string words = fmt::format("{} has {} entry points. This is the first, {}. Which one do you mean?",
                                        document.name, document.entries.size(), document.entry);
  const float pad = look().px(10);
  const float room = std::max(look().px(60), area.width() * 0.6f);
  const float wide = put_text_cut({area.min.x + pad, area.center().y - look().fonts.text->FontSize / 2}, room, words,
                                  theme.text, look().fonts.text);
  ImGui::SetCursorScreenPos({area.min.x + 2 * pad + wide, area.center().y - ImGui::GetFrameHeight() / 2});
  for (std::size_t i = 0; i < std::min(document.entries.size(), kMostButtons); ++i) {
    const std::string& entry = document.entries[i];
    if (ImGui::Button(fmt::format("{}##entry {}", entry, i).c_str())) out.push("entry", {entry});
    if (targets_wanted()) note_target("entry/" + entry, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    ImGui::SameLine();
    if (ImGui::GetCursorScreenPos().x > area.max.x - look().px(60)) break;
  }
  ImGui::NewLine();
}

}  // namespace ts::ui
