// The bar, its thumb, and dragging it.
#include "app/draw/scroll_bar.h"

#include <algorithm>

#include "app/draw/look.h"

namespace ts::ui {

double within_scroll(double at, double seen, double all) { return std::clamp(at, 0.0, std::max(0.0, all - seen)); }

void scroll_bar(const char* id, const Rect& bar, bool vertical, double& at, double seen, double all) {
  if (seen >= all || bar.width() <= 1 || bar.height() <= 1) return;
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton(id, {bar.width(), bar.height()});
  const float length = vertical ? bar.height() : bar.width();
  const float thumb = std::min(length, std::max(look().px(24), length * static_cast<float>(seen / all)));
  const float way = std::max(1.0f, length - thumb);
  if (ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float along = vertical ? mouse.y - bar.min.y : mouse.x - bar.min.x;
    at = within_scroll((along - thumb / 2) / way * (all - seen), seen, all);
  }
  const float begin = static_cast<float>(at / (all - seen)) * way;
  const bool pointed = ImGui::IsItemActive() || ImGui::IsItemHovered();
  Rect shown = bar;
  (vertical ? shown.min.y : shown.min.x) += begin;
  (vertical ? shown.max.y : shown.max.x) = (vertical ? shown.min.y : shown.min.x) + thumb;
  shown = shown.shrunk(look().px(2));
  ImGui::GetWindowDrawList()->AddRectFilled(
      shown.min, shown.max, ink(pointed ? look().theme->text_quiet : look().theme->pressed), look().px(3));
}

}  // namespace ts::ui
