// Making a film of the stage: leads the window from step to step and through each, and takes a picture of every frame.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/view/command.h"
#include "core/data/film/film.h"

namespace ts::ui {

class Desk;
class Screen;

struct FilmPlan {
  std::string path;
  std::uint32_t first = 0, last = 0;  // steps
  std::uint32_t frames = 12;          // of a step that moves
  std::uint32_t fps = 12;
};

class FilmMaker {
 public:
  FilmMaker(FilmPlan plan, std::unique_ptr<data::FilmForm> form) : plan_(std::move(plan)), writer_(std::move(form)) {}

  // Before a frame is drawn: leads to what it shows, by commands.
  void lead(Desk& desk, const std::function<void(const Command&)>& carry_out);
  // After it was drawn; nothing before the first was led to.
  void take(const Screen& screen);
  bool done() const { return done_; }
  const FilmPlan& plan() const { return plan_; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t total() const { return std::uint64_t{plan_.last - plan_.first + 1} * (plan_.frames + 1); }
  // Without it nothing is left of the film.
  data::Error finish() { return writer_.finish(); }

 private:
  std::uint32_t frames_of(Desk& desk, std::uint32_t step) const;
  std::uint32_t stays() const;

  FilmPlan plan_;
  data::FilmWriter writer_;
  std::uint32_t step_ = 0, frame_ = 0, frames_ = 0;  // where the next picture is taken: the step from the first one on
  int unsettled_ = 0;                                // frames to be drawn before it is worth a picture
  bool begun_ = false, done_ = false;
  std::uint64_t taken_ = 0;
};

// "3..9", "3..", "..9", "4" or "": all. Of so many steps; nothing: it is none of these, or there is no such step.
std::optional<std::pair<std::uint32_t, std::uint32_t>> film_steps(const std::string& text, std::uint32_t count);

}  // namespace ts::ui
