// Frame by frame.
#include "app/window/film/film_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/window/desk/desk.h"
#include "app/window/shell/screen.h"

namespace ts::ui {
namespace {

// What is asked for at a new step is there after so many frames.
constexpr int kFramesToSettle = 3;
// In hundredths of a second: before a step begins to move, at its end, and where nothing moves.
constexpr std::uint32_t kBegins = 40, kEnds = 80, kStands = 90;

}  // namespace

std::uint32_t FilmMaker::frames_of(Desk& desk, std::uint32_t step) const {
  const Bound& bound = desk.view().recording()->bound(step);
  return bound.row->effect == Effect::None && machines_for(bound).tag != nullptr ? plan_.frames : 0;
}

std::uint32_t FilmMaker::stays() const {
  if (frames_ == 0) return kStands;
  if (frame_ == 0) return kBegins;
  return frame_ == frames_ ? kEnds : std::max(1u, 100 / std::max(1u, plan_.fps));
}

void FilmMaker::lead(Desk& desk, const std::function<void(const Command&)>& carry_out) {
  const std::uint32_t step = plan_.first + step_;
  if (frame_ == 0 && !begun_) {
    begun_ = true;
    frames_ = frames_of(desk, step);
    unsettled_ = kFramesToSettle;
    const std::uint32_t position = desk.view().position_showing(step);
    carry_out({"seek", {std::int64_t{position}, std::int64_t{0}}});
  }
  if (unsettled_ > 0) desk.wait([] { return false; });
  if (frames_ > 0) {
    const double progress = static_cast<double>(frame_) / frames_;
    carry_out({"progress", {fmt::format("{:.6f}", progress)}});
  }
}

void FilmMaker::take(const Screen& screen) {
  // A film may begin in the middle of a frame, which shows something else.
  if (done_ || !begun_) return;
  if (unsettled_ > 0 && --unsettled_ > 0) return;
  if (!writer_.add(screen.picture(), stays())) {
    done_ = true;
    return;
  }
  ++taken_;
  if (++frame_ <= frames_) return;
  frame_ = 0;
  begun_ = false;
  done_ = plan_.first + ++step_ > plan_.last;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> film_steps(const std::string& text, std::uint32_t count) {
  if (count == 0) return std::nullopt;
  unsigned first = 0, last = count - 1;
  char rest = 0;
  const std::size_t dots = text.find("..");
  const std::string left = text.substr(0, dots), right = dots == std::string::npos ? left : text.substr(dots + 2);
  const auto read = [&](const std::string& part, unsigned& out) {
    return part.empty() ||
           (part.find('-') == std::string::npos && std::sscanf(part.c_str(), "%9u%c", &out, &rest) == 1);
  };
  if (!read(left, first) || !read(right, last) || first > last || last >= count) return std::nullopt;
  return std::pair{first, last};
}

}  // namespace ts::ui
