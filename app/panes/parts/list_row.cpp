// Drawing rows of short lists.
#include "app/panes/parts/list_row.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"

namespace ts::ui {

float list_row_height() { return std::floor(look().fonts.mono->FontSize * 1.7f); }
float table_row_height() { return std::floor(look().fonts.mono->FontSize + look().px(7)); }

ListRow::ListRow(int id) {
  ImGui::PushID(id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  rect_ = {at, {at.x + ImGui::GetContentRegionAvail().x, at.y + list_row_height()}};
  left_ = rect_.min.x + look().px(6);
  right_ = rect_.max.x - look().px(6);
  entered_ = focus_stop("row", rect_);
  hovered_ = last_item_has_focus() || (ImGui::IsWindowHovered() && rect_.holds(ImGui::GetIO().MousePos));
  if (hovered_)
    ImGui::GetWindowDrawList()->AddRectFilled(rect_.min, rect_.max, ink(with_alpha(look().theme->text, 0.05)));
}

ListRow::~ListRow() {
  ImGui::SetCursorScreenPos({rect_.min.x, rect_.max.y});
  ImGui::PopID();
}

bool ListRow::button(const char* name, const Rect& rect, const char* tooltip) {
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed = ImGui::InvisibleButton(name, {rect.width(), rect.height()});
  if (!ImGui::IsItemHovered()) return pressed;
  taken_ = true;
  ImGui::SetTooltip("%s", tooltip);
  return pressed;
}

bool ListRow::sign(const std::function<void(ImDrawList&, const Rect&)>& draw, const char* tooltip) {
  const Rect box{{left_, rect_.min.y}, {left_ + rect_.height() * 0.8f, rect_.max.y}};
  // A row may have several, each in its place.
  ImGui::PushID(static_cast<int>(left_ - rect_.min.x));
  const bool pressed = button("sign", box, tooltip);
  ImGui::PopID();
  draw(*ImGui::GetWindowDrawList(), box);
  left_ = box.max.x + look().px(4);
  return pressed;
}

bool ListRow::remove(const char* tooltip) {
  const Rect box{{right_ - rect_.height() * 0.8f, rect_.min.y}, {right_, rect_.max.y}};
  const bool pressed = button("remove", box, tooltip);
  if (hovered_)
    draw_cross(*ImGui::GetWindowDrawList(), box,
               ink(ImGui::IsItemHovered() ? look().theme->text : look().theme->text_quiet));
  right_ = box.min.x - look().px(4);
  return pressed;
}

void ListRow::note(const std::string& text) {
  WithFont font(look().fonts.small);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  right_ -= size.x;
  ImGui::GetWindowDrawList()->AddText({std::floor(right_), std::floor(rect_.min.y + (rect_.height() - size.y) / 2)},
                                      ink(look().theme->text_quiet), text.c_str());
  right_ -= look().px(8);
}

void ListRow::text(const std::string& text, Color color, bool mono) {
  WithFont font(mono ? look().fonts.mono : look().fonts.text);
  const std::string seen = cut_text(text, right_ - left_, ImGui::GetFont());
  const ImVec2 size = ImGui::CalcTextSize(seen.c_str());
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                                      {std::floor(left_), std::floor(rect_.min.y + (rect_.height() - size.y) / 2)},
                                      ink(color), seen.c_str());
  if (seen != text && hovered_ && !taken_) ImGui::SetTooltip("%s", text.c_str());
  left_ += size.x + look().px(8);
}

void ListRow::tab(float share) { left_ = std::max(left_, std::floor(rect_.min.x + rect_.width() * share)); }

void ListRow::more(const std::string& text) { this->text(text, look().theme->text_quiet, false); }

bool ListRow::clicked() {
  return entered_ ||
         (hovered_ && !taken_ && rect_.holds(ImGui::GetIO().MousePos) && ImGui::IsMouseClicked(ImGuiMouseButton_Left));
}

bool ListRow::double_clicked() {
  return hovered_ && !taken_ && rect_.holds(ImGui::GetIO().MousePos) &&
         ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

void say_refused(const Refusal& refusal) {
  const Theme& theme = *look().theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float x = at.x + look().px(8), side = ImGui::GetFontSize();
  draw_severity(*ImGui::GetWindowDrawList(), {{x, at.y}, {x + side, at.y + side}}, Severity::Error);
  ImGui::SetCursorScreenPos({x + side + look().px(5), at.y});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - look().px(8));
  ImGui::PushStyleColor(ImGuiCol_Text, tint(theme.finding));
  ImGui::TextUnformatted(refusal.text.c_str());
  ImGui::PopStyleColor();
  ImGui::PushStyleColor(ImGuiCol_Text, tint(theme.text_quiet));
  if (!refusal.hint.empty()) ImGui::TextUnformatted(refusal.hint.c_str());
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
}

}  // namespace ts::ui
