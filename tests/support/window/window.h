// The real window, with true keys, a true mouse, and what it says of itself.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process/child.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/picture.h"

namespace ts::test {

struct Point {
  double x = 0, y = 0;
};

struct WindowStart {
  std::vector<std::string> arguments = {};
  int width = 1600, height = 1000;  // with a program that opens, else as it comes
  std::string home = {};            // with the user's settings; else a fresh one
  // Whether its pixels are worth their time, which is most of that of a test where no graphics card draws. Without, all is
  // drawn but shaded, and there is no picture to look at.
  bool pixels = false;
};

// The sample that most tests use: 11 steps; step 5, of line 47, is a de-interleave with some micro-steps.
inline WindowStart complex_split() { return {.arguments = {"complex_split"}}; }

// `tilescope` in its window. Every wait is for a condition of its state, and fails the test when patience runs out.
//
// The state is what the program writes with --state: one JSON object, new after every frame in which something of it
// changed (see app/window/state_file.h).
class Window {
 public:
  static constexpr int kUsualWidth = 1600, kUsualHeight = 1000;
  // Only what hangs takes so long: a laptop with other work may be ten times slower than an idle one.
  static constexpr double kPatienceSeconds = 150;
  using Condition = std::function<bool(const nlohmann::json& state)>;

  enum class Ready { Whole, FirstFrame };

  // Comes back when the program is open, or when there is a first frame.
  explicit Window(const WindowStart& start, Ready ready = Ready::Whole);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // --- what it says ---
  // The newest; an empty object before the first.
  const nlohmann::json& state();
  // `what` goes into the message when patience runs out.
  bool wait(std::string_view what, const Condition& until, double seconds = kPatienceSeconds);
  // Until a value of the state is this one: wait_for("position", 5).
  bool wait_for(const std::string& key, const nlohmann::json& value, double seconds = kPatienceSeconds);
  // Until a line of the console has this in it.
  bool wait_said(const std::string& text);
  // What of it, but for the frame's number, changes in this time: names with their new values.
  std::string changes_within(double seconds);
  // The middle of a named place, which is waited for.
  Point target(const std::string& name);
  bool has_target(const std::string& name);

  // --- what the user does ---
  // "F10", "shift+F10", "ctrl+shift+p": down, until a frame has seen it, up.
  void press(const std::string& keys);
  void hold(const std::string& key);
  void release(const std::string& key);
  // Letters, digits, spaces and signs, one key after the other.
  void type(std::string_view text);
  void move(Point to);
  void click(Point at, int button = 1);
  void click_on(const std::string& name) { click(target(name)); }
  void drag(Point from, Point to);
  void wheel(Point at, int clicks);  // up: positive
  // Into a text field that has the focus, all of it before the next frame; characters are not lost as keys would be.
  void type_at_once(std::string_view text);
  // Without waiting for frames, for many of them at once; keys that go up before a frame has seen them may be lost.
  void press_blindly(const std::string& keys);
  void click_blindly(Point at);
  // Until frames have taken in everything that was done.
  void settle();

  // --- the process ---
  bool running() { return child_->running(); }
  std::size_t resident_bytes() const;
  std::optional<int> end(double seconds = kPatienceSeconds) { return child_->end(seconds); }
  // At once, as the system does it that has no memory left.
  void kill();
  Picture picture() const;  // of one with pixels
  std::string log() const;
  // What the user would see first: no picture is of one colour.
  bool draws() const { return picture().colors(20) == 20; }

 private:
  void resize();
  bool read_state();
  bool wait_change(double seconds);
  void act(const std::string& words, int events);

  TempFolder folder_;
  int width_, height_;
  bool pixels_;
  Descriptor changes_;
  std::unique_ptr<Child> child_, hand_;
  bool settled_ = false;  // an odd number of times
  nlohmann::json state_ = nlohmann::json::object();
};

// Whether a state says that the user was told this.
bool told(const nlohmann::json& state, std::string_view words);

}  // namespace ts::test
