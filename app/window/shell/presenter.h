// What a speaker needs while layout Present is on: a pointer that leaves a trail, a pen, and the keys of a clicker.
#pragma once

#include <imgui.h>
#include <deque>
#include <vector>

#include "app/settings/keys.h"
#include "app/view/command.h"

namespace ts::ui {

class Presenter {
 public:
  // True: the key was for it. Page Down and Page Up make a step and take it back; Escape wipes off what was drawn, and puts
  // the pen away.
  bool press(const Chord& chord, CommandQueue& queue);
  void take_pen(bool takes) { draws_ = takes; }
  bool has_pen() const { return draws_; }
  std::size_t lines() const { return lines_.size(); }

  // Over everything else, in every frame of the layout.
  void draw();
  // Another layout is shown.
  void leave();
  // The trail fades.
  bool moves() const { return !trail_.empty(); }

 private:
  void draw_trail();
  void draw_lines();
  void take_mouse();

  struct Passed {
    ImVec2 at;
    double when;
  };
  std::deque<Passed> trail_;
  std::vector<std::vector<ImVec2>> lines_;
  bool draws_ = false;
};

}  // namespace ts::ui
