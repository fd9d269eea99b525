// Looking for findings beside the window, and going to them.
#pragma once

#include "app/window/desk/beside.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

class Checks {
 public:
  Checks(Walk& walk, Checking& state, std::function<void()> wake)
      : walk_(walk), view_(walk.view()), state_(state), beside_(std::move(wake)) {}

  // Kept with the user's settings, and used from then on.
  void set(bool automatic, const CheckOptions& options);
  // Something else was opened.
  void begin();
  void check_now();
  // By its number in the list.
  void show_finding(std::size_t index);
  void begin_frame() { state_.done = beside_.done(); }
  // What the user asked to end.
  void cancel();
  Beside& beside() { return beside_; }
  const Beside& beside() const { return beside_; }

 private:
  void take(const std::shared_ptr<const Recording>& recording, CheckReport report);

  Walk& walk_;
  DebugView& view_;
  Checking& state_;
  Beside beside_;
};

}  // namespace ts::ui
