// Drawing the question.
#include "app/window/bars/trust_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/targets.h"

namespace ts::ui {

float trust_bar_height() { return look().px(34); }

void draw_trust_bar(const Rect& area, const Document& document, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ink(mix(theme.pane, theme.accent, 0.14)), look().px(4));
  const std::string words =
      fmt::format("{} is C++: to debug it, its code is compiled and runs here, with your rights.", document.name);
  const float pad = look().px(10), room = std::max(look().px(60), area.width() * 0.7f);
  const float wide = put_text_cut({area.min.x + pad, area.center().y - look().fonts.text->FontSize / 2}, room, words,
                                  theme.text, look().fonts.text);
  ImGui::SetCursorScreenPos({area.min.x + 2 * pad + wide, area.center().y - ImGui::GetFrameHeight() / 2});
  if (ImGui::Button("Run it, and files of its folder")) out.push("runCode");
  if (targets_wanted()) note_target("trust/run", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

}  // namespace ts::ui
