// A mark of a run that is being recorded, in files of the user's own folder: what runs, with the text that ran, and how many
// steps there are. It goes with the run; where the program went before, by a crash or by somebody's hand, it stays, and the
// next one finds it and can run so much again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace ts::ui {

struct MarkedRun {
  nlohmann::json program;  // how it was run
  std::string text;
};

class RunMark {
 public:
  // Below `state_folder`; empty: none is made. `what` is asked when the run has taken long enough to be worth a mark.
  RunMark(std::string state_folder, std::function<MarkedRun()> what);
  ~RunMark();
  RunMark(const RunMark&) = delete;
  RunMark& operator=(const RunMark&) = delete;

  // There are so many steps: written down when a quarter of a second has passed.
  void pass(std::uint64_t steps);

 private:
  using Clock = std::chrono::steady_clock;
  bool make();
  int open_steps_file();
  void write(std::uint64_t steps);

  std::string folder_, path_;  // without its endings
  std::function<MarkedRun()> what_;
  Clock::time_point next_;
  int steps_file_ = -1;  // locked while its run lives
};

struct UnfinishedRun {
  MarkedRun run;
  std::uint64_t steps = 0;
  std::string path;  // of its mark
};

// The newest run whose program is gone; older ones are forgotten.
std::optional<UnfinishedRun> unfinished_run(const std::string& state_folder);
void forget_run(const UnfinishedRun& run);

}  // namespace ts::ui
