// The progress line and the interrupt flag.
#include "app/cli/terminal/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "app/cli/terminal/output.h"
#include "core/data/utf8.h"
#include "core/text/count.h"

namespace ts {
namespace {

constexpr double kSecondsBetween = 0.2;
constexpr std::size_t kUsualWidth = 80;
constexpr const char* kClearToEnd = "\x1b[K";

// Asked for every line: windows change their size.
std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

// The first `columns` code points.
std::string_view cut(std::string_view text, std::size_t columns) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (data::continues_character(text[i])) continue;
    if (columns == 0) return text.substr(0, i);
    --columns;
  }
  return text;
}

std::atomic<bool> interrupt_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler must not touch it

}  // namespace

bool stderr_is_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (kind == nullptr || std::string_view(kind) != "dumb");
}

Progress::Progress(const char* what, bool on_terminal, const char* of)
    : what_(data::shown(what)), of_(of), on_terminal_(on_terminal), next_seconds_(kSecondsBetween) {}

Progress::~Progress() {
  if (drawn_) steer(fmt::format("\r{}", kClearToEnd));
}

void Progress::draw(std::uint64_t steps, double seconds) {
  next_seconds_ = seconds + kSecondsBetween;
  drawn_ = true;
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(steps) / seconds);
  const std::string line = fmt::format("{}: {} {} in {:.1f} s, {} a second; Ctrl+C stops", what_, text::grouped(steps),
                                       of_, seconds, text::grouped(rate));
  // The last column stays free: some terminals go to the next line when it is written.
  steer(fmt::format("\r{}{}", cut(line, terminal_width() - 1), kClearToEnd));
}

void install_interrupt() {
  struct sigaction action {};
  if (::sigaction(SIGINT, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  interrupt_flag = false;
  action = {};
  action.sa_handler = [](int) { interrupt_flag = true; };
  // Handled once: the second one finds the system's own way.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return interrupt_flag; }

}  // namespace ts
