// Taking a picture of a pane.
#include "app/window/shell/pane_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "app/window/shell/pane_area.h"
#include "app/window/shell/screen.h"
#include "core/data/file.h"
#include "core/data/film/child_program.h"

namespace ts::ui {
namespace {

constexpr int kFramesToDraw = 4;

data::Picture part_of(const data::Picture& all, const Rect& rect) {
  const auto inside = [](float at, std::uint32_t end) {
    return static_cast<std::uint32_t>(std::clamp(std::lround(at), 0l, static_cast<long>(end)));
  };
  const std::uint32_t left = inside(rect.min.x, all.width), right = inside(rect.max.x, all.width),
                      top = inside(rect.min.y, all.height), bottom = inside(rect.max.y, all.height);
  data::Picture part{right - std::min(left, right), bottom - std::min(top, bottom), {}};
  for (std::uint32_t row = top; row < bottom; ++row) {
    const auto line = all.rgb.begin() + static_cast<std::ptrdiff_t>((std::size_t{row} * all.width + left) * 3);
    part.rgb.insert(part.rgb.end(), line, line + static_cast<std::ptrdiff_t>(std::size_t{part.width} * 3));
  }
  return part;
}

// The stage, or else the pane with the focus.
std::optional<Rect> place_of_pane(const PaneArea& panes) {
  std::optional<Rect> found;
  for (const auto& [id, place] : panes.places())
    if (id == "stage" || (!found && id == panes.focused())) found = place;
  return found;
}

}  // namespace

std::optional<Notice> PanePicture::take(Screen& screen, const PaneArea& panes) {
  if (!wish_) return std::nullopt;
  if (++frames_ == 1) screen.draw_apart(1);
  if (frames_ < kFramesToDraw) return std::nullopt;
  const auto place = place_of_pane(panes);
  const data::Picture all = screen.picture(), picture = place ? part_of(all, *place) : all;
  screen.draw_apart(0);
  const std::string path = *std::exchange(wish_, std::nullopt);
  const data::Error error = path.empty() ? copy_picture(picture) : data::write_file(path, {data::format_png(picture)});
  if (!error.text.empty()) return Notice{error.text, error.hint, true};
  return Notice{path.empty() ? "the picture is on the clipboard" : path + " is written", ""};
}

data::Error copy_picture(const data::Picture& picture) {
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const bool is_wayland = wayland != nullptr && *wayland != 0;
  const char* name = is_wayland ? "wl-copy" : "xclip";
  const auto program = data::find_program(name);
  if (!program)
    return {fmt::format("no {} is found, which brings pictures onto the clipboard", name),
            fmt::format("apt-get install {}; or save the picture", is_wayland ? "wl-clipboard" : "xclip")};
  std::vector<std::string> words{*program};
  for (const char* word : is_wayland ? std::vector{"--type", "image/png"}
                                     : std::vector{"-selection", "clipboard", "-t", "image/png", "-i"})
    words.push_back(word);
  data::ChildProgram child(words);
  const bool given = child.started() && child.write(data::format_png(picture));
  return given && child.finish() == 0 ? data::Error{}
                                      : data::Error{fmt::format("{} did not take the picture", name), ""};
}

}  // namespace ts::ui
