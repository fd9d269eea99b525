// Scrolling through rows of one height by their numbers: exact for any number of them, where pixels as floats are not.
#pragma once

#include <cstdint>

#include "app/draw/rect.h"

namespace ts::ui {

class RowScroll {
 public:
  // Takes the area of the current window for `rows` rows, the mouse's wheel and a bar at the right; below a bar to the
  // side where `width` is more than there is. The area without the bars is `area()` then.
  void begin(const char* id, const Rect& all, float row_height, std::uint32_t rows, float width = 0);

  const Rect& area() const { return area_; }
  // The area was clicked in this frame, or is under the mouse.
  bool is_hovered() const { return hovered_; }
  bool is_clicked() const { return clicked_; }
  bool is_double_clicked() const { return double_clicked_; }
  // It has the focus, and keys went so many rows down or up, or Enter was pressed.
  int moved() const { return moved_; }
  bool is_entered() const { return entered_; }

  // Rows that are seen, some only in part: [first_row, end_row).
  std::uint32_t first_row() const { return static_cast<std::uint32_t>(top_); }
  std::uint32_t end_row() const;
  float row_y(std::uint32_t row) const;
  Rect row_rect(std::uint32_t row) const;
  float left() const { return left_; }  // scrolled away to the side
  // The row under the mouse; at or behind the last: there is none.
  std::uint32_t row_at(float y) const;
  // Whether a row is seen as a whole.
  bool shows(std::uint32_t row) const;

  // Brings a row into view: where it is not, to a third of the height. There may be other rows than there were.
  void show(std::uint32_t row, std::uint32_t rows);
  void center(std::uint32_t row, std::uint32_t rows);
  // Keeps things where they are on the screen while rows come and go above them.
  void shift(std::int64_t rows) { top_ += static_cast<double>(rows); }
  void to_end() { top_ = 1e18; }
  bool at_end() const { return at_end_; }
  void to_start() { top_ = left_ = 0; }

 private:
  void clamp();
  void take_wheel();
  void draw_bar(const Rect& bar);
  void draw_side_bar(const Rect& bar);

  Rect area_{};
  float row_height_ = 1, width_ = 0, left_ = 0;
  std::uint32_t rows_ = 0;
  double top_ = 0;  // the row at the upper edge, with its part above it
  double grabbed_top_ = 0;
  float grabbed_left_ = 0;
  bool hovered_ = false, clicked_ = false, double_clicked_ = false, at_end_ = true, entered_ = false;
  int moved_ = 0;
};

}  // namespace ts::ui
