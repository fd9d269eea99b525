// Pictures of a pane as it is seen, for a file or the clipboard.
#pragma once

#include <optional>
#include <string>

#include "app/window/desk/walk.h"
#include "core/data/error.h"
#include "core/data/png.h"

namespace ts::ui {

class PaneArea;
class Screen;

class PanePicture {
 public:
  // An empty path: for the clipboard.
  void wish(const std::string& path) {
    wish_ = path;
    frames_ = 0;
  }
  bool wished() const { return wish_.has_value(); }
  // After a frame. What is to be told, once it is taken.
  std::optional<Notice> take(Screen& screen, const PaneArea& panes);

 private:
  std::optional<std::string> wish_;
  int frames_ = 0;
};

// By a program that is found: the window's own clipboard holds texts alone.
data::Error copy_picture(const data::Picture& picture);

}  // namespace ts::ui
