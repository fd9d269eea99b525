// Chips with signs and tooltips.
#include "app/panes/parts/chip_row.h"

#include <imgui.h>

#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {

ChipRow::ChipRow(const char* id) : id_(id) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  left_ = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMin().x;
  x_ = at.x;
  y_ = at.y;
  right_ = at.x + ImGui::GetContentRegionAvail().x;
}

bool ChipRow::put(const std::string& label, bool on, const char* tooltip,
                  const std::function<void(ImDrawList&, const Rect&)>& sign) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.small;
  const float pad = look().px(8), side = sign ? look().px(12) : 0, gap = sign ? look().px(4) : 0;
  const float wide = text_width(label, font) + 2 * pad + side + gap;
  if (x_ > left_ && x_ + wide > right_) {
    x_ = left_;
    y_ += chip_height() + look().px(4);
  }
  last_ = {{x_, y_}, {x_ + wide, y_ + chip_height()}};
  ImGui::PushID(id_);
  ImGui::PushID(count_++);
  ImGui::SetCursorScreenPos(last_.min);
  const bool clicked = ImGui::InvisibleButton("chip", {last_.width(), last_.height()});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetTooltip("%s", tooltip);
  ImGui::PopID();
  ImGui::PopID();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.AddRectFilled(last_.min, last_.max,
                    ink(on        ? theme.accent
                        : hovered ? theme.hovered
                                  : theme.raised),
                    look().px(3));
  out.AddRect(last_.min, last_.max, ink(on ? theme.accent : theme.line), look().px(3));
  if (sign) {
    const float y = last_.center().y - side / 2, x = x_ + pad - look().px(2);
    // On its usual ground, so that its colour is the one of the list.
    if (on) out.AddRectFilled({x - 1, y - 1}, {x + side + 1, y + side + 1}, ink(theme.raised), look().px(2));
    sign(out, {{x, y}, {x + side, y + side}});
  }
  put_text({x_ + pad + side + gap, last_.center().y - font->FontSize / 2}, label, on ? theme.accent_text : theme.text,
           font);
  x_ += wide + look().px(4);
  return clicked;
}

void ChipRow::end() { ImGui::SetCursorScreenPos({left_, y_ + chip_height() + look().px(5)}); }

}  // namespace ts::ui
