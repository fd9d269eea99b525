// A desk without a window, and what tests ask of it after every command.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/window/desk/desk.h"

namespace ts::test {

struct OpenDesk {
  explicit OpenDesk(const std::string& state_folder = "") : desk([] {}, state_folder) {}
  void open(const std::string& name) {
    ui::Launch launch;
    launch.name = name;
    desk.open(launch);
    settle();
  }
  void settle() {
    desk.wait();
    desk.begin_frame();
  }
  void give(const std::string& name, std::vector<ui::CommandValue> values = {}) {
    desk.carry_out({name, std::move(values)});
    settle();
  }
  ui::DebugView& view() { return desk.view(); }
  std::uint32_t position() { return view().moment().position; }
  std::string selected() { return view().selected() ? view().name_of(*view().selected()) : ""; }
  std::string last_notice() {
    const auto notices = desk.take_notices();
    return notices.empty() ? "" : notices.back().text;
  }
  ui::Desk desk;
};

// The same with something open: a sample, a lesson or a file.
struct ProgramDesk : OpenDesk {
  explicit ProgramDesk(const std::string& name = "complex_split", const std::string& state_folder = "")
      : OpenDesk(state_folder) {
    open(name);
  }
};

}  // namespace ts::test
