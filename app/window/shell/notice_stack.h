// What the user is being told, for some seconds, in the window's lower right corner.
#pragma once

#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

class NoticeStack {
 public:
  // Those that are new, beside those that still stand there.
  void draw(const Rect& area, std::vector<Notice> told);
  bool empty() const { return shown_.empty(); }
  std::vector<std::string> texts() const;

 private:
  struct Shown {
    Notice notice;
    double until;
  };
  std::vector<Shown> shown_;
};

}  // namespace ts::ui
