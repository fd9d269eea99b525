// What a long run owes a person at a terminal: a line that says how far it is, and Ctrl+C that stops it in order.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace ts {

// Whether stderr is a terminal that can take back a line.
bool stderr_is_terminal();

// One line on stderr that overwrites itself and is gone in the end. Nothing is printed before the first fifth of a second,
// and no more than five times a second, so update() may be called as often as is handy.
class Progress {
 public:
  // `what` is being done: "recording softmax". Without a terminal nothing is ever printed.
  Progress(const char* what, bool on_terminal, const char* of = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // How far it is: steps, or what else it is of, done, and seconds since the start, which must not go back.
  void update(std::uint64_t steps, double seconds) {
    if (on_terminal_ && seconds >= next_seconds_) draw(steps, seconds);
  }

 private:
  void draw(std::uint64_t steps, double seconds);

  std::string what_, of_;
  bool on_terminal_, drawn_ = false;
  double next_seconds_;
};

// From now on the first Ctrl+C only sets a flag, and the second one ends the process as if this had not been called. Called
// again, it begins anew. Where Ctrl+C was ignored (nohup, a shell's background), it stays so.
void install_interrupt();
// Whether Ctrl+C came since.
bool interrupted();

// Both, for a long run that asks whether to go on.
class Watch {
 public:
  explicit Watch(const std::string& what, const char* of = "steps")
      : progress_(what.c_str(), stderr_is_terminal(), of) {}
  // Takes the steps, or what else it is of, so far and says whether to go on. Valid as long as this is.
  std::function<bool(std::uint64_t)> question() const {
    return [this](std::uint64_t steps) {
      progress_.update(steps, std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
      return !interrupted();
    };
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  mutable Progress progress_;
};

}  // namespace ts
