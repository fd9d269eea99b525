// A row of a short list of things that can be switched and taken away: a sign, a text, a note at the right, a cross.
#pragma once

#include <functional>
#include <string>

#include "app/draw/rect.h"
#include "app/theme/color.h"
#include "core/isa/refusal.h"

namespace ts::ui {

float list_row_height();
// Of a long list, whose rows are close.
float table_row_height();

// Takes its place when it is made; what is put into it goes from the left and, the note and the cross, from the right.
class ListRow {
 public:
  explicit ListRow(int id);
  ~ListRow();
  ListRow(const ListRow&) = delete;
  ListRow& operator=(const ListRow&) = delete;

  // True when it was clicked.
  bool sign(const std::function<void(ImDrawList&, const Rect&)>& draw, const char* tooltip);
  bool remove(const char* tooltip);
  void note(const std::string& text);
  void text(const std::string& text, Color color, bool mono = true);
  void tab(float share);               // what comes next begins at least so far to the right
  void more(const std::string& text);  // behind it, quiet
  bool clicked();                      // the row itself, beside its buttons
  bool double_clicked();
  const Rect& rect() const { return rect_; }
  float left() const { return left_; }
  float right() const { return right_; }

 private:
  bool button(const char* name, const Rect& rect, const char* tooltip);

  Rect rect_;
  float left_, right_;
  bool entered_ = false, hovered_ = false, taken_ = false;  // entered: by Enter
};

// A refusal with its sign, as lines of the pane.
void say_refused(const Refusal& refusal);

}  // namespace ts::ui
