// Drawing a question.
#include "app/window/bars/question.h"

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {

float question_height() { return look().px(34); }

void put_question(const Rect& area, const std::string& words, float share) {
  const Theme& theme = *look().theme;
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ink(mix(theme.pane, theme.accent, 0.14)), look().px(4));
  const float pad = look().px(10), room = std::max(look().px(60), area.width() * share);
  const float wide = put_text_cut({area.min.x + pad, area.center().y - look().fonts.text->FontSize / 2}, room, words,
                                  theme.text, look().fonts.text);
  ImGui::SetCursorScreenPos({area.min.x + 2 * pad + wide, area.center().y - ImGui::GetFrameHeight() / 2});
}

}  // namespace ts::ui
