// Rows, the wheel and the bars.
#include "app/draw/row_scroll.h"

#include <algorithm>
#include <cmath>

#include "app/draw/focus.h"
#include "app/draw/look.h"

namespace ts::ui {
namespace {

constexpr float kBarWidth = 10, kRowsAWheel = 3, kColumnsAWheel = 40;

void draw_grab(const Rect& grab) {
  const Theme& theme = *look().theme;
  const Color color = ImGui::IsItemActive()    ? theme.text_quiet
                      : ImGui::IsItemHovered() ? mix(theme.pressed, theme.text_quiet, 0.4)
                                               : theme.pressed;
  ImGui::GetWindowDrawList()->AddRectFilled(grab.min, grab.max, ink(color), look().px(4));
}

}  // namespace

void RowScroll::begin(const char* id, const Rect& all, float row_height, std::uint32_t rows, float width) {
  row_height_ = row_height;
  rows_ = rows;
  width_ = width;
  const float bar = look().px(kBarWidth);
  const bool sideways = width > all.width() - bar;
  area_ = {all.min, {all.max.x - bar, all.max.y - (sideways ? bar : 0)}};
  if (!sideways) left_ = 0;
  ImGui::PushID(id);
  ImGui::SetCursorScreenPos(area_.min);
  ImGui::InvisibleButton("rows", {std::max(1.0f, area_.width()), std::max(1.0f, area_.height())},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  entered_ = last_item_entered();
  moved_ = rows_by_keys(std::max(1, static_cast<int>(area_.height() / row_height_) - 1));
  // Under the mouse, not where the focus is.
  hovered_ = ImGui::IsItemHovered() && area_.holds(ImGui::GetIO().MousePos);
  clicked_ = hovered_ && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  double_clicked_ = hovered_ && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  take_wheel();
  clamp();
  draw_bar({{area_.max.x, all.min.y}, {all.max.x, area_.max.y}});
  if (sideways) draw_side_bar({{all.min.x, area_.max.y}, {area_.max.x, all.max.y}});
  clamp();
  ImGui::PopID();
}

void RowScroll::take_wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (!hovered_) return;
  const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
  left_ -= sideways * look().px(kColumnsAWheel);
  if (!io.KeyShift) top_ -= static_cast<double>(io.MouseWheel * kRowsAWheel);
}

void RowScroll::clamp() {
  const double most = std::max(0.0, static_cast<double>(rows_) - static_cast<double>(area_.height() / row_height_));
  top_ = std::clamp(top_, 0.0, most);
  at_end_ = top_ >= most - 0.01;
  left_ = std::clamp(left_, 0.0f, std::max(0.0f, width_ - area_.width()));
}

void RowScroll::draw_bar(const Rect& bar) {
  const double seen = static_cast<double>(area_.height() / row_height_), all = static_cast<double>(rows_);
  if (seen >= all || bar.height() < look().px(20)) return;
  const float length = std::max(look().px(18), static_cast<float>(seen / all) * bar.height());
  const float way = bar.height() - length;
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton("bar", {bar.width(), bar.height()});
  const double most = all - seen;
  if (ImGui::IsItemActivated()) {
    // Beside the grab: there at once.
    const float at = bar.min.y + static_cast<float>(top_ / most) * way, mouse = ImGui::GetIO().MousePos.y;
    if (mouse < at || mouse > at + length)
      top_ = std::clamp(static_cast<double>((mouse - bar.min.y - length / 2) / way), 0.0, 1.0) * most;
    grabbed_top_ = top_;
  }
  if (ImGui::IsItemActive() && way > 0)
    top_ = std::clamp(grabbed_top_ + static_cast<double>(ImGui::GetMouseDragDelta(0, 0).y / way) * most, 0.0, most);
  const float at = bar.min.y + static_cast<float>(top_ / most) * way;
  draw_grab({{bar.min.x + look().px(2), at}, {bar.max.x - look().px(1), at + length}});
}

void RowScroll::draw_side_bar(const Rect& bar) {
  const float length = std::max(look().px(18), area_.width() / width_ * bar.width()), way = bar.width() - length;
  const float most = width_ - area_.width();
  if (way <= 0 || most <= 0) return;
  ImGui::SetCursorScreenPos(bar.min);
  ImGui::InvisibleButton("sidebar", {bar.width(), bar.height()});
  if (ImGui::IsItemActivated()) grabbed_left_ = left_;
  if (ImGui::IsItemActive())
    left_ = std::clamp(grabbed_left_ + ImGui::GetMouseDragDelta(0, 0).x / way * most, 0.0f, most);
  const float at = bar.min.x + left_ / most * way;
  draw_grab({{at, bar.min.y + look().px(2)}, {at + length, bar.max.y - look().px(1)}});
}

std::uint32_t RowScroll::end_row() const {
  const double end = std::ceil(top_ + static_cast<double>(area_.height() / row_height_));
  return static_cast<std::uint32_t>(std::min(end, static_cast<double>(rows_)));
}

float RowScroll::row_y(std::uint32_t row) const {
  return std::floor(area_.min.y + static_cast<float>(static_cast<double>(row) - top_) * row_height_);
}

Rect RowScroll::row_rect(std::uint32_t row) const {
  const float y = row_y(row);
  return {{area_.min.x, y}, {area_.max.x, y + row_height_}};
}

std::uint32_t RowScroll::row_at(float y) const {
  const double row = top_ + static_cast<double>((y - area_.min.y) / row_height_);
  return row < 0 ? 0 : static_cast<std::uint32_t>(std::min(row, static_cast<double>(rows_)));
}

bool RowScroll::shows(std::uint32_t row) const {
  const auto at = static_cast<double>(row);
  return at >= top_ && at + 1 <= top_ + static_cast<double>(area_.height() / row_height_);
}

void RowScroll::show(std::uint32_t row, std::uint32_t rows) {
  if (!shows(row)) center(row, rows);
}

void RowScroll::center(std::uint32_t row, std::uint32_t rows) {
  rows_ = rows;
  top_ = static_cast<double>(row) - std::floor(static_cast<double>(area_.height() / row_height_) / 3);
  clamp();
}

}  // namespace ts::ui
