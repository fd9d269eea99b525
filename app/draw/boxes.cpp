// Parting rooms, filling columns and lines.
#include "app/draw/boxes.h"

#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {

Rect rest_of_window() {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  return {at, {at.x + std::max(room.x, 1.0f), at.y + std::max(room.y, 1.0f)}};
}

Rect Room::top(float height, float gap) {
  const Rect piece{rest_.min, {rest_.max.x, std::min(rest_.min.y + height, rest_.max.y)}};
  rest_.min.y = std::min(piece.max.y + gap, rest_.max.y);
  return piece;
}

Rect Room::bottom(float height, float gap) {
  const Rect piece{{rest_.min.x, std::max(rest_.max.y - height, rest_.min.y)}, rest_.max};
  rest_.max.y = std::max(piece.min.y - gap, rest_.min.y);
  return piece;
}

Rect Room::left(float width, float gap) {
  const Rect piece{rest_.min, {std::min(rest_.min.x + width, rest_.max.x), rest_.max.y}};
  rest_.min.x = std::min(piece.max.x + gap, rest_.max.x);
  return piece;
}

Rect Room::right(float width, float gap) {
  const Rect piece{{std::max(rest_.max.x - width, rest_.min.x), rest_.min.y}, rest_.max};
  rest_.max.x = std::max(piece.min.x - gap, rest_.min.x);
  return piece;
}

std::pair<Rect, Rect> beside_or_below(const Rect& all, float least, float share, float height_below) {
  Room room(all);
  if (all.width() > least) {
    const Rect first = room.left(all.width() * share, look().px(6));
    return {first, room.rest()};
  }
  const Rect second = room.bottom(height_below - look().px(4), look().px(4));
  return {room.rest(), second};
}

Rect share_of(const Rect& all, int number, int count, float gap) {
  const float each = (all.width() - static_cast<float>(count - 1) * gap) / static_cast<float>(count);
  const float x = all.min.x + static_cast<float>(number) * (each + gap);
  return {{x, all.min.y}, {x + each, all.max.y}};
}

Rect Column::take(float height, float gap) {
  const Rect piece{at(), {end_x(), y_ + height}};
  y_ += height + gap;
  return piece;
}

void Column::text(const std::string& text, Color color, ImFont* font, float gap) {
  y_ += put_text_wrapped(at(), width_, text, color, font) + gap;
}

void Column::fill_window(ImVec2 start, float below) const {
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width_, y_ - start.y + below});
}

ImVec2 WrappedRow::at(float width) {
  if (x_ > column_.x() && x_ + width > column_.end_x()) {
    x_ = column_.x();
    column_.skip(height_ + gap_);
  }
  return {x_, column_.y()};
}

void TextLine::put(const std::string& text, Color color, ImFont* font, float gap) {
  if (room() > 0) at_.x += put_text_cut(at_, room(), text, color, font) + gap;
}

}  // namespace ts::ui
