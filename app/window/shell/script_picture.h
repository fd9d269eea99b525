// Pictures of the window that scripts wish for: drawn apart for some frames, until everything has settled.
#pragma once

#include "app/window/desk/script_window.h"
#include "app/window/shell/screen.h"

namespace ts::ui {

class ScriptPicture {
 public:
  // After a frame.
  void take(ScriptWindow& scripts, Screen& screen);

 private:
  int frames_ = 0;  // drawn since somebody wished for one
};

}  // namespace ts::ui
