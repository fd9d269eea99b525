// What the window says of itself, for tests that drive it from outside (`--state PATH`): one JSON object, written whole
// after every frame in which something of it changed.
//
//   frame, ready          frames drawn; whether nothing is being opened, run or answered
//   document              "complex_split.pto", or null
//   problems              the first messages about it
//   position, micro, count
//   selected, hovered     "im[1,7]", or null
//   layout, theme         their names
//   focus                 the pane with the focus, or ""
//   popup                 what is open above the panes: "palette", or ""
//   pen_lines             drawn over layout Present
//   typing                whether letters go into a text field
//   says                  what a dialog, a card or the tour says
//   zoom, motion          the size of everything; "off", "step", "1x"
//   panes                 {id: [x, y, width, height]} of those that are seen, in pixels of the window
//   targets               the same for named places (app/view/targets.h)
//   findings              {count, errors, warnings, state, chosen}; state: "waiting", "running", "done", "ended"
//   compare               {title, running, differences, causes, chosen, parted}, or null
//   lesson                {name, step, steps, kind, fills, field, done, told, hint, held, judged, right, unread, said,
//                         answered, hidden}, or null; step counts from 1, hidden is the step that is asked for
//   stops                 [{id, text, enabled, hits}]
//   watches               [{expression, value}]
//   journal, notes        the last lines of the journal; the first notes, "step 5, im[1,7]: text"
//   panels                [{title, items, error}] of scripts; of each item its words
//   console, notices      the last lines; what the user was told last
//   inputs, mouse         keys and buttons that went down or up, and turns of the wheel, so far; where the mouse is
//   slow_frames           [{frame, ms}] of those that took more than 100 ms
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/view/debug_view.h"

namespace ts::ui {

// What the shell knows and the view does not.
struct ShellFacts {
  bool ready = false;
  std::string layout, theme, focus, popup;
  std::size_t pen_lines = 0;
  std::string says = "", motion = "";
  float zoom = 1;
  std::map<std::string, Rect> panes = {};
  std::vector<std::string> notices = {};
  nlohmann::json settings = {};  // of the run
  bool typing = false;
  std::int64_t inputs = 0;
  ImVec2 mouse = {};
};

nlohmann::json state_of(const DebugView& view, const ShellFacts& facts);

// What the work of a frame took; painting, which is the graphics card's, is not part of it.
struct FrameTime {
  double cpu_ms = 0, wall_ms = 0;
};
// Longer than anybody should wait. By the clock more is allowed: a busy machine is no fault of a frame, waiting for
// something is. The first frames make fonts, textures and the driver's programs.
constexpr bool is_slow(std::uint64_t frame, const FrameTime& took) {
  return frame > 5 && (took.cpu_ms > 100 || took.wall_ms > 1500);
}

class StateFile {
 public:
  explicit StateFile(std::string path) : path_(std::move(path)) {}

  void end_frame(nlohmann::json state, const FrameTime& took);

 private:
  std::string path_;
  std::uint64_t frame_ = 0;
  nlohmann::json slow_frames_ = nlohmann::json::array();
  nlohmann::json written_;
};

}  // namespace ts::ui
