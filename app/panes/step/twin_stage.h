// The same step of the recording that the open one is compared with, drawn beside it: on the same clock, with the same
// element in focus.
#pragma once

#include <memory>

#include "app/draw/rect.h"
#include "app/stage/drawing.h"

namespace ts::ui {

class TwinStage {
 public:
  TwinStage();
  ~TwinStage();
  // Whether there is a recording to be shown beside this one.
  static bool is_possible(const DebugView& view);
  // As the stage shows its own step: `memory` says how far that is and how it is drawn.
  void draw(DebugView& view, const StageMemory& memory, const Rect& area);
  // Nothing of the other recording is kept any longer.
  void forget();

 private:
  class Shown;
  std::unique_ptr<Shown> shown_;
};

// "A5: vsts, 17 of 64": above a picture that stands beside another one.
void draw_twin_title(const StageStep& step, const Rect& line);

}  // namespace ts::ui
