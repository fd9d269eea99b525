// The window from its opening to its end, and pictures of it that nobody sees on a screen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/window/desk/open_document.h"

namespace ts::ui {

struct WindowRequest {
  std::optional<Launch> launch = {};       // nothing: the start page
  std::string layout = "", theme = "";     // empty: what the user had
  std::optional<std::string> listen = {};  // where others may drive it from; empty: where sockets usually are
  std::string state_path = "";             // where tests read how it stands; empty: nowhere
  // Asked at least twice a second; true: the window is closed.
  std::function<bool()> stopped = [] { return false; };
};
// The exit status.
int run_window(const WindowRequest& request);

struct ShotRequest {
  Launch launch;
  bool start_page = false;
  std::string out = "tilescope.png";
  std::optional<std::uint32_t> position = {}, micro = {};
  std::string layout = "";  // empty: debug, of a lesson learn
  std::string theme = "dark";
  std::string select = "";   // "im[1,7]"
  std::string pane = "";     // this one only
  std::string command = "";  // to carry out: "legend", "compareWith other.pto; nextDifference"
  int width = 1600, height = 1000;
  float scale = 1;
  std::string progress = "";  // of the shown step, 0 to 1; empty: it is shown as a whole
  int bench_frames = 0;       // draws so many more and says what they took
  // Asked now and then; true: there will be no picture.
  std::function<bool()> stopped = [] { return false; };
};
int take_shot(const ShotRequest& request);

// Of the stage alone, as large as the picture; `out` is the film.
struct FilmRequest : ShotRequest {
  std::string steps = "";  // "3..9"; empty: all
  std::uint32_t frames = 12, fps = 12;
  bool captions = true;
  // Told after each picture how many there are.
  std::function<void(std::uint64_t)> taken = [](std::uint64_t) {};
};
int take_film(const FilmRequest& request);

}  // namespace ts::ui
