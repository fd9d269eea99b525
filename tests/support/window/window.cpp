// The hand is xdotool, one for each window, that is told what to do line by line.
#include "tests/support/window/window.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "tests/support/process/cli.h"
#include "tests/support/window/screen.h"

namespace ts::test {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

double seconds_until(Clock::time_point end) {
  return std::max(0.0, std::chrono::duration<double>(end - Clock::now()).count());
}

Clock::time_point in_seconds(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Words of /proc/PID/stat behind the program's name, which may hold spaces.
std::vector<std::string> process_numbers(pid_t pid) {
  const std::string text = get_text(fmt::format("/proc/{}/stat", pid));
  std::istringstream words(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  return {std::istream_iterator<std::string>(words), {}};
}

// As xdotool calls the key of a character on the keyboard of Xvfb, which is that of the United States.
std::string key_name(char letter) {
  static const std::map<char, std::string> kNames = {
      {' ', "space"},       {'\n', "Return"},     {'`', "grave"},        {'-', "minus"},      {'=', "equal"},
      {'[', "bracketleft"}, {',', "comma"},       {']', "bracketright"}, {'\\', "backslash"}, {';', "semicolon"},
      {'.', "period"},      {'\'', "apostrophe"}, {'/', "slash"}};
  const auto named = kNames.find(letter);
  return named == kNames.end() ? std::string(1, letter) : named->second;
}

// With Shift where the character needs it, so that it is known how many keys go down.
std::string keys_of(char letter) {
  constexpr std::string_view kShifted = "~!@#$%^&*()_+{}|:\"<>?", kPlain = "`1234567890-=[]\\;',./";
  if (letter >= 'A' && letter <= 'Z') return std::string("shift+") + static_cast<char>(letter - 'A' + 'a');
  const std::size_t at = kShifted.find(letter);
  return at == std::string_view::npos ? key_name(letter) : "shift+" + key_name(kPlain[at]);
}

}  // namespace

// --- what it says ---

Window::Window(const WindowStart& start, Ready ready)
    : width_(start.width), height_(start.height), pixels_(start.pixels) {
  Screen* screen = Screen::get();
  REQUIRE_MESSAGE(screen != nullptr, Screen::missing());
  const std::string home = start.home.empty() ? folder_ / "home" : start.home;
  std::filesystem::create_directories(home);
  changes_ = Descriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  REQUIRE(::inotify_add_watch(changes_.get(), folder_.path().c_str(), IN_MOVED_TO) >= 0);
  std::vector<std::string> environment = screen->environment(), command = {program_path(), "open"};
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    environment.push_back(fmt::format("{}={}", name, home));
  if (!pixels_) environment.push_back("LP_PERF=no_shade");  // for Mesa's llvmpipe
  command.insert(command.end(), start.arguments.begin(), start.arguments.end());
  command.insert(command.end(), {"--state", folder_ / "state"});
  hand_ = std::make_unique<Child>(
      ChildStart{.command = {"xdotool", "-"}, .environment = screen->environment(), .log = folder_ / "hand"});
  // Out of the way: what is under the mouse looks different.
  hand_->write_line("mousemove 2 2");
  child_ = std::make_unique<Child>(ChildStart{.command = command, .environment = environment, .log = folder_ / "log"});
  wait("the window to be ready",
       [&](const Json& state) { return ready == Ready::FirstFrame || state.value("ready", false); });
  if (width_ != kUsualWidth || height_ != kUsualHeight) resize();
}

// No window manager: the program's window is the only one, in the upper left corner.
void Window::resize() {
  hand_->write_line(fmt::format("search --name TileScope windowsize {} {}", width_, height_));
  wait("panes in the wanted size", [&](const Json& state) {
    int right = 0, bottom = 0;
    for (const auto& place : state.value("panes", Json::object())) {
      right = std::max(right, place[0].get<int>() + place[2].get<int>());
      bottom = std::max(bottom, place[1].get<int>() + place[3].get<int>());
    }
    return right > 0 && right <= width_ && bottom <= height_;
  });
}

Window::~Window() {
  hand_->stop();
  child_->stop();
}

void Window::kill() {
  ::kill(child_->pid(), SIGKILL);
  CHECK(child_->end(kPatienceSeconds) == -SIGKILL);
}

bool Window::read_state() {
  std::ifstream file(folder_ / "state");
  Json read = Json::parse(file, nullptr, false);
  if (!read.is_object()) return false;
  state_ = std::move(read);
  return true;
}

const Json& Window::state() {
  read_state();
  return state_;
}

// Until the state is written again; false: the program has ended, or time is up.
bool Window::wait_change(double seconds) {
  pollfd both[] = {{.fd = changes_.get(), .events = POLLIN, .revents = 0},
                   {.fd = child_->end_descriptor(), .events = POLLIN, .revents = 0}};
  if (::poll(both, 2, static_cast<int>(seconds * 1000) + 1) <= 0) return false;
  char events[4096];
  return both[0].revents != 0 && ::read(changes_.get(), events, sizeof events) > 0;
}

std::string Window::changes_within(double seconds) {
  const auto end = in_seconds(seconds);
  const Json before = state();
  std::string changed;
  while (changed.empty() && (wait_change(seconds_until(end)) || seconds_until(end) > 0))
    for (const auto& [name, value] : state().items())
      if (name != "frame" && before.value(name, Json()) != value) changed += name + ": " + value.dump() + "\n";
  return changed;
}

bool Window::wait(std::string_view what, const Condition& until, double seconds) {
  const auto end = in_seconds(seconds);
  do {
    if (read_state() && until(state_)) return true;
  } while (wait_change(seconds_until(end)) || (running() && seconds_until(end) > 0));
  if (read_state() && until(state_)) return true;
  const auto status = child_->status();
  Json shown = state_;
  shown.erase("targets");
  shown.erase("panes");
  FAIL("waited in vain for " << what << (status ? fmt::format("; the window has ended with {}", *status) : "")
                             << "\nstate: " << shown.dump() << "\nlog: " << log());
  return false;
}

bool Window::wait_for(const std::string& key, const Json& value, double seconds) {
  return wait(
      fmt::format("{} = {}", key, value.dump()),
      [&](const Json& state) { return state.contains(key) && state[key] == value; }, seconds);
}

bool Window::wait_said(const std::string& text) {
  return wait("the console to say " + text, [&](const Json& state) {
    return std::ranges::any_of(state.value("console", std::vector<std::string>()),
                               [&](const std::string& line) { return has(line, text); });
  });
}

bool Window::has_target(const std::string& name) {
  return state().contains("targets") && state_["targets"].contains(name);
}

Point Window::target(const std::string& name) {
  const bool there = wait("the place " + name, [&](const Json& state) {
    return state.contains("targets") && state["targets"].contains(name);
  });
  if (!there) return {};
  const auto place = state_["targets"][name].get<std::vector<double>>();
  return {place.at(0) + place.at(2) / 2, place.at(1) + place.at(3) / 2};
}

// --- the hand ---

namespace {
std::int64_t inputs_of(const Json& state) { return state.value("inputs", std::int64_t{0}); }
}  // namespace

// Does something, and waits until a frame has seen as many events.
void Window::act(const std::string& words, int events) {
  const std::int64_t before = inputs_of(state());
  hand_->write_line(words);
  wait(words, [&](const Json& state) { return inputs_of(state) >= before + events; });
}

// Of keys that go up and down at once GLFW takes some for repetitions, so that they cannot be counted. But all come
// before the mouse gets to a new place.
void Window::settle() {
  settled_ = !settled_;
  move({2, settled_ ? 3.0 : 4.0});
}

namespace {
int keys_in(const std::string& keys) { return static_cast<int>(std::ranges::count(keys, '+')) + 1; }
}  // namespace

void Window::press(const std::string& keys) {
  act("keydown " + keys, keys_in(keys));
  act("keyup " + keys, keys_in(keys));
}

void Window::hold(const std::string& key) { act("keydown " + key, 1); }
void Window::release(const std::string& key) { act("keyup " + key, 1); }

void Window::type(std::string_view text) {
  for (const char letter : text) press(keys_of(letter));
}

void Window::type_at_once(std::string_view text) {
  hand_->write_line(fmt::format("type --delay 0 \"{}\"", text));
  settle();
}

void Window::move(Point to) {
  const auto x = static_cast<int>(to.x), y = static_cast<int>(to.y);
  const Json place = {x, y};
  hand_->write_line(fmt::format("mousemove {} {}", x, y));
  wait("the mouse to be there", [&](const Json& state) { return state.value("mouse", Json()) == place; });
}

void Window::click(Point at, int button) {
  move(at);
  act(fmt::format("mousedown {}", button), 1);
  act(fmt::format("mouseup {}", button), 1);
}

void Window::drag(Point from, Point to) {
  move(from);
  act("mousedown 1", 1);
  // In two moves: what is dragged starts to move with the first.
  move({(from.x + to.x) / 2, (from.y + to.y) / 2});
  move(to);
  act("mouseup 1", 1);
}

void Window::wheel(Point at, int clicks) {
  move(at);
  for (int i = 0; i < std::abs(clicks); ++i) act(fmt::format("click {}", clicks > 0 ? 4 : 5), 1);
}

void Window::press_blindly(const std::string& keys) { hand_->write_line("key --delay 0 " + keys); }

void Window::click_blindly(Point at) { hand_->write_line(fmt::format("mousemove {:.0f} {:.0f} click 1", at.x, at.y)); }

// --- the process ---

std::size_t Window::resident_bytes() const {
  const auto numbers = process_numbers(child_->pid());
  return numbers.size() > 21 ? std::stoul(numbers[21]) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

Picture Window::picture() const {
  REQUIRE_MESSAGE(pixels_, "start the window with pixels");
  return Screen::get()->picture().part(0, 0, width_, height_);
}

std::string Window::log() const { return get_text(folder_ / "log"); }

bool told(const nlohmann::json& state, std::string_view words) {
  return std::ranges::any_of(state.value("notices", std::vector<std::string>()),
                             [&](const std::string& notice) { return notice.find(words) != std::string::npos; });
}

}  // namespace ts::test
