// A process at a terminal of its own: what it prints, keys for it, and how it ends.
#pragma once

#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

namespace ts::test {

inline constexpr unsigned kPatienceSeconds = 600;  // only what hangs takes so long
inline constexpr char kCtrlC = '\x03';

// A child whose terminal has `columns`. It runs `body` and ends with status 0, and never outlives the test.
class TerminalChild {
 public:
  TerminalChild(unsigned short columns, const std::function<void()>& body) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    // The test program may itself have been started with Ctrl+C ignored or elsewhere than at a terminal, and doctest has
    // handlers of its own.
    std::signal(SIGINT, SIG_DFL);
    ::setenv("TERM", "xterm", 1);
    ::alarm(kPatienceSeconds);
    body();
    ::_exit(0);
  }
  ~TerminalChild() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(terminal_);
  }
  TerminalChild(const TerminalChild&) = delete;
  TerminalChild& operator=(const TerminalChild&) = delete;

  // Whether the child prints the text in time, so many times in all.
  bool prints(std::string_view text, int times = 1) {
    while (count_of(text) < times)
      if (!read_some()) return false;
    return true;
  }
  const std::string& all_output() {
    while (read_some()) {
    }
    return output_;
  }
  void press(char key) { CHECK(::write(terminal_, &key, 1) == 1); }
  // As waitpid tells it.
  int end_status() {
    int status = -1;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  int count_of(std::string_view text) const {
    int count = 0;
    for (std::size_t at = 0; (at = output_.find(text, at)) != std::string::npos; at += text.size()) ++count;
    return count;
  }
  // False when the child has closed its terminal, which its end does, or when patience has run out.
  bool read_some() {
    pollfd ready{.fd = terminal_, .events = POLLIN, .revents = 0};
    char buffer[4096];
    if (::poll(&ready, 1, kPatienceSeconds * 1000) <= 0) return false;
    const ssize_t count = ::read(terminal_, buffer, sizeof buffer);
    if (count <= 0) return false;
    output_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string output_;
};

}  // namespace ts::test
