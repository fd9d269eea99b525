// A process that looks at the counters of the others. No thread, because the tests fork.
#include "tests/support/process/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace ts::test {
namespace {

constexpr std::int64_t kTerminalMs = 500, kLogMs = 20'000;
constexpr std::size_t kShownSlowest = 12;
constexpr const char* kClearLine = "\r\x1b[K";

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string duration_text(std::int64_t ms) {
  const std::int64_t seconds = ms / 1000;
  return seconds < 60 ? fmt::format("{} s", seconds) : fmt::format("{}:{:02} min", seconds / 60, seconds % 60);
}

// "312 of 1147 tests after 1:20 min; now: a test (12 s), another one (0 s)", the one that runs longest first.
std::string text_of(const Progress& progress, std::int64_t begin_ms) {
  const std::int64_t now = now_ms();
  std::vector<const RunningTest*> running;
  for (const RunningTest& test : progress.running)
    if (test.since_ms() > 0) running.push_back(&test);
  std::ranges::sort(running, {}, &RunningTest::since_ms);
  std::string text =
      fmt::format("{} of {} tests after {}", progress.done.load(), progress.all, duration_text(now - begin_ms));
  for (const RunningTest* test : running)
    text += fmt::format("{} {} ({})", test == running.front() ? "; now:" : ",", test->name(),
                        duration_text(now - test->since_ms()));
  return text;
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// At once, and nothing of it stays in this process.
void put(const std::string& text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(0);
}

[[noreturn]] void watch(const Progress& progress) {
  const bool at_terminal = ::isatty(STDERR_FILENO) == 1;
  const std::int64_t begin = now_ms();
  for (;;) {
    ::usleep(static_cast<useconds_t>((at_terminal ? kTerminalMs : kLogMs) * 1000));
    const std::string text = text_of(progress, begin);
    put(at_terminal ? kClearLine + text.substr(0, terminal_width() - 1) : text + "\n");
  }
}

}  // namespace

void RunningTest::begin(const char* name) {
  std::strncpy(name_, name, sizeof name_ - 1);
  since_ms_ = now_ms();
}

FinishedTest RunningTest::finished() const {
  FinishedTest test;
  std::memcpy(test.name, name_, sizeof test.name);
  test.took_ms = now_ms() - since_ms_;
  return test;
}

void print_slowest(std::span<const FinishedTest> finished) {
  std::vector<FinishedTest> slowest(std::min<std::size_t>(finished.size(), kShownSlowest));
  std::ranges::partial_sort_copy(finished, slowest, std::greater{}, &FinishedTest::took_ms, &FinishedTest::took_ms);
  for (const FinishedTest& test : slowest)
    if (test.took_ms >= 1000) fmt::print("{:>9}  {}\n", duration_text(test.took_ms), test.name);
}

ProgressLine::ProgressLine(bool wanted, const Progress& progress) {
  if (!wanted) return;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ != 0) return;
  // It ends with the tests, also when they crash.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  watch(progress);
}

void ProgressLine::end() const {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = 0;
  make_room();
}

void ProgressLine::make_room() {
  if (::isatty(STDERR_FILENO) == 1) put(kClearLine);
}

}  // namespace ts::test
