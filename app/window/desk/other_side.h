// Comparing the open recording with another one, or a tile with an array, beside the window.
#pragma once

#include "app/window/desk/beside.h"
#include "app/window/desk/open_document.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

class OtherSide {
 public:
  // `launch`: how the open program was made to run.
  OtherSide(Walk& walk, ComparisonState& state, const Launch& launch, std::function<void()> wake)
      : walk_(walk), view_(walk.view()), state_(state), launch_(launch), beside_(std::move(wake)) {}

  void compare_targets();
  // With a program or recording.
  void compare_with(const std::string& path);
  // The tile or buffer of this name with an array of a file.
  void compare_array(const std::string& name, const std::string& path);
  // The same as before, with other tolerances.
  void compare_again(const CompareOptions& options);
  // A fork, which is open, with the run that it came from; goes to the first step that differs.
  void compare_fork(const std::string& name, std::shared_ptr<const Document> base);
  void stop();
  void to_difference(Direction direction);
  // By its number in the list.
  void show_difference(std::size_t index);
  void mark_differences(bool mark) { state_.marks = mark; }
  // Something else was opened.
  void begin();
  void leave_difference() { state_.difference.reset(); }
  // What the user asked to end.
  void cancel();
  Beside& beside() { return beside_; }
  const Beside& beside() const { return beside_; }

 private:
  bool has_recording();
  // `opened` is the other side where it is there already; `goes_there`: to the first step that differs.
  void compare(std::string mine, std::string title, Launch other, std::shared_ptr<const Document> opened,
               bool goes_there = false);
  void go_to_first();
  void take(std::shared_ptr<const Against> against, std::shared_ptr<Session> other);

  Walk& walk_;
  DebugView& view_;
  ComparisonState& state_;
  const Launch& launch_;
  CompareRunsOptions options_;
  Beside beside_;
};

}  // namespace ts::ui
