// Where the time of the emulation goes, by line of a text.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "app/panes/program/listed_text.h"
#include "app/view/later.h"
#include "core/record/profile.h"

namespace ts::ui {

struct LineHeat {
  double seconds = 0;
  std::uint32_t steps = 0;
};

struct Heat {
  std::unordered_map<std::uint32_t, LineHeat> lines;
  double seconds = 0, most = 0;  // of all lines, and of the slowest
  std::uint32_t steps = 0;       // that were run for it
  bool all = true;               // they are all steps of the recording

  const LineHeat* of(std::uint32_t line) const;
  double share(const LineHeat& line) const { return seconds > 0 ? line.seconds / seconds : 0; }
};

// What the lines of all texts of what is open are told from: the steps are run for it once, beside the window.
class StepTimes {
 public:
  // Null while it is being found out.
  const Profile* profile(DebugView& view, std::uint64_t generation);

 private:
  Later<Profile> profile_;
};

// Of one text of what is open.
class HeatColumn {
 public:
  // `generation` is another number for every document; `count`: all steps of the recording.
  const Heat* heat(const ListedText& text, const Profile& profile, std::uint32_t count, std::uint64_t generation);

 private:
  std::optional<std::pair<std::uint64_t, Heat>> kept_;
};

// "38 %, 12.3 ms: 1,024 steps of 12.0 us each"
std::string heat_text(const Heat& heat, const LineHeat& line);

}  // namespace ts::ui
