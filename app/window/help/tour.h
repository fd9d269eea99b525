// The guided tour: short stops at real places of the window, from opening a program to where a value came from.
// Nobody is shown it who does not ask, and Escape ends it anywhere.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/settings/keys.h"
#include "app/view/command.h"

namespace ts::ui {

class DebugView;

struct TourStop {
  const char* title;
  const char* text;                  // "{key:follow}" stands for the key of a command
  std::vector<Command> before = {};  // what is carried out on the way there
  const char* target = "";           // a named place (app/view/targets.h)
  const char* pane = "";             // that is pointed at where the place is not seen
  const char* press = "";            // a command that the user is asked for; it leads on
};
const std::vector<TourStop>& tour_stops();
// The program that it is about.
inline constexpr const char* kTourSample = "complex_split";

class Tour {
 public:
  void begin(CommandQueue& out);
  void end();
  bool is_open() const { return open_; }
  // Of tour_stops().
  std::size_t stop() const { return stop_; }
  std::string title() const;
  // Enter and the arrows lead on and back, Escape ends it. False: the key is for somebody else.
  bool press(const Chord& chord, CommandQueue& out);
  // A command was carried out: it may be the one that the user was asked for.
  void carried_out(const std::string& command, CommandQueue& out);
  // `panes`: where they were drawn in this frame.
  void draw(const DebugView& view, const std::vector<std::pair<std::string, Rect>>& panes, CommandQueue& out);

 private:
  void go(std::size_t stop, CommandQueue& out);
  // What the user was asked for is done for who only reads.
  void lead_on(CommandQueue& out);
  bool open_ = false, wanted_targets_ = false;
  bool opening_ = false;  // the sample is not there yet
  std::size_t stop_ = 0;
  float high_ = 0;
};

}  // namespace ts::ui
