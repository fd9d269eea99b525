// Small buttons in a row above a list, some of them on; they go on in the next line where there is no room.
#pragma once

#include <functional>
#include <string>

#include "app/draw/rect.h"

struct ImDrawList;

namespace ts::ui {

class ChipRow {
 public:
  // From the cursor on; further lines begin at the window's left.
  explicit ChipRow(const char* id);
  // True: it was clicked. A sign stands before the words.
  bool put(const std::string& label, bool on, const char* tooltip,
           const std::function<void(ImDrawList&, const Rect&)>& sign = {});
  const Rect& last() const { return last_; }
  // The cursor goes below.
  void end();

 private:
  const char* id_;
  float left_, x_, y_, right_;
  int count_ = 0;
  Rect last_{};
};

}  // namespace ts::ui
