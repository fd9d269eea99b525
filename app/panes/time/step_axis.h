// The axis of steps that the timeline and the buffer map share: where positions stand on the screen, zooming and moving
// it, going to a place by dragging, and the line that says where one stands.
#pragma once

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>

#include "app/draw/axis.h"
#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

// Seeks while something is dragged: one at a time, and always to the newest place.
class Scrub {
 public:
  void want(std::uint32_t position) { wanted_ = position; }
  // Once a frame.
  void go_on(const DebugView& view, CommandQueue& out);
  // Where it goes; nothing when it stands there.
  std::optional<std::uint32_t> target() const { return wanted_ ? wanted_ : asked_; }

 private:
  std::optional<std::uint32_t> wanted_, asked_;
  double asked_at_ = 0;
};

// Step s stands between s and s + 1; position p is the line at p.
class StepAxis {
 public:
  // Once a frame, before anything else. The view has a recording.
  void begin(const DebugView& view, float first_px, float last_px);
  // Once a frame, at last.
  void end(const DebugView& view, CommandQueue& out) { scrub_.go_on(view, out); }

  Axis& axis() { return axis_; }
  const Axis& axis() const { return axis_; }
  float px(double step) const { return axis_.px(step); }
  std::uint32_t count() const { return count_; }
  // The steps that are seen at least partly: [first, end).
  std::uint32_t first() const;
  std::uint32_t end_step() const;
  // The step under a pixel; of the last step also what is right of it. Only where there are steps.
  std::uint32_t step_at(float px) const;
  // The position that a click there means: behind the step that is pointed at where it can be told from others, else
  // the nearest.
  std::uint32_t position_at(float px) const;
  // Where one stands, or is going to. In the middle of a step: in its middle.
  double now() const { return now_; }
  // Whether a step has been made there.
  bool made(std::uint32_t step) const { return step < now_; }

  // For the item submitted last: the wheel zooms about the mouse, with Shift it moves; so does dragging with the middle
  // button.
  void take_wheel();
  void scrub(float px) { scrub_.want(position_at(px)); }
  // Keys of a pane with the focus: , . one step; < > one screenful.
  void take_keys(const DebugView& view, CommandQueue& out);

  void draw_ruler(ImDrawList& out, const Rect& area) const;
  // The line of where one stands; at its top, on the ruler, a handle with the position.
  void draw_now(ImDrawList& out, const Rect& ruler, float bottom) const;
  // For the item submitted last: what the axis means.
  static void explain_ruler();

 private:
  Axis axis_;
  Scrub scrub_;
  std::uint32_t count_ = 0;
  double now_ = 0;
  std::uint64_t opening_ = 0;
  Moment seen_;           // where the session stood in the frame before
  bool dragged_ = false;  // it moved because it was dragged here
};

// What the axis means.
inline constexpr const char* kAxisSentence =
    "Left to right: steps in the order they ran. Not time: the emulator measures none.";

// Says why a pane that draws steps has nothing to draw; false: there is a recording with steps. `what` is what the pane
// would show: "the steps of a program".
bool say_nothing_to_show(const DebugView& view, const char* what);

}  // namespace ts::ui
