// Placing things without adding up pixels: a room whose sides are given away, a column that is filled downwards, a line
// that is filled to the right. Widths, heights and gaps are in pixels of the screen (`look().px`).
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "app/draw/boxes.h"
#include "app/draw/rect.h"
#include "app/theme/color.h"

namespace ts::ui {

// What is left of the current window, from its cursor on; at least a pixel.
Rect rest_of_window();

// "A bar above, buttons at its right end, a note below, the rest for the list." Nobody gets more than there is.
class Room {
 public:
  explicit Room(const Rect& all) : rest_(all) {}
  // A piece at that side, and `gap` beside it that stays empty.
  Rect top(float height, float gap = 0);
  Rect bottom(float height, float gap = 0);
  Rect left(float width, float gap = 0);
  Rect right(float width, float gap = 0);
  const Rect& rest() const { return rest_; }

 private:
  Rect rest_;
};

// Two parts: beside each other in `share` of the width, or, where that is less than `least` pixels, the second one below,
// as high as it wants to be.
std::pair<Rect, Rect> beside_or_below(const Rect& all, float least, float share, float height_below);
// Piece `number` of `count` that share a rectangle from left to right.
Rect share_of(const Rect& all, int number, int count, float gap);

// Pieces one below the other, all of one width: a page that is drawn, and may be higher than the window.
class Column {
 public:
  Column(ImVec2 at, float width) : top_(at), y_(at.y), width_(width) {}
  float x() const { return top_.x; }
  float y() const { return y_; }
  float width() const { return width_; }
  float end_x() const { return top_.x + width_; }
  ImVec2 at() const { return {top_.x, y_}; }
  void skip(float height) { y_ += height; }
  Rect take(float height, float gap = 0);
  // In as many lines as it needs.
  void text(const std::string& text, Color color, ImFont* font, float gap = 0);
  // The window, which began at `start`, scrolls over all of it, and `below` more.
  void fill_window(ImVec2 start, float below) const;

 private:
  ImVec2 top_;
  float y_, width_;
};

// Boxes of one height in a column, side by side; one that has no room begins the next line.
class WrappedRow {
 public:
  WrappedRow(Column& column, float height, float gap) : column_(column), height_(height), gap_(gap), x_(column.x()) {}
  // Where a box of that width goes; what comes next begins at `x`.
  ImVec2 at(float width);
  void go_on(float x) { x_ = x; }
  // Behind the last line.
  void end(float gap = 0) { column_.skip(height_ + gap); }

 private:
  Column& column_;
  float height_, gap_, x_;
};

// Words of several looks in one line, each cut where the line ends.
class TextLine {
 public:
  TextLine(ImVec2 at, float end_x) : at_(at), end_x_(end_x) {}
  float x() const { return at_.x; }
  float room() const { return std::max(0.0f, end_x_ - at_.x); }
  void put(const std::string& text, Color color, ImFont* font, float gap = 0);
  void skip(float width) { at_.x += width; }
  void down(float by) { at_.y += by; }  // smaller letters on the same line

 private:
  ImVec2 at_;
  float end_x_;
};

}  // namespace ts::ui
