// Progress and Ctrl+C on a terminal: a child of this process is put at one, and what it prints and how it ends is looked at.
#include "app/cli/terminal/terminal.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process/terminal_child.h"

namespace ts::test {
namespace {

constexpr std::string_view kClear = "\x1b[K";

void say(std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }

// What is drawn between carriage returns.
std::vector<std::string> lines_of(const std::string& output) {
  std::vector<std::string> lines;
  for (std::size_t at = output.find('\r'); at != std::string::npos;) {
    const std::size_t next = output.find('\r', at + 1);
    lines.push_back(output.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return lines;
}

}  // namespace

TEST_CASE("progress: a line that overwrites itself, five times a second, and is gone in the end") {
  TerminalChild child(200, [] {
    Progress progress("recording softmax", stderr_is_terminal());
    for (std::uint64_t i = 0; i <= 1000; ++i) progress.update(i * 12345, static_cast<double>(i) / 100);
  });
  const std::string output = child.all_output();
  CHECK(child.end_status() == 0);
  CHECK(output.find('\n') == std::string::npos);
  const std::vector<std::string> lines = lines_of(output);
  REQUIRE(lines.size() >= 45);
  CHECK(lines.size() <= 51);
  CHECK(lines.front() ==
        "recording softmax: 246 900 steps in 0.2 s, 1 234 500 a second; Ctrl+C stops" + std::string(kClear));
  CHECK(lines.back() == kClear);
}

TEST_CASE("progress: the line fits the window, whatever the name is") {
  TerminalChild child(16, [] {
    Progress progress(
        "r\xC3\xA9"
        "c\x1b[2J \xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0 and on and on",
        true);
    progress.update(1, 1);
  });
  const std::string output = child.all_output();
  CHECK(output ==
        "\rr\xC3\xA9"
        "c\\x1b[2J \xE2\x96\xA0\xE2\x96\xA0\xE2\x96\xA0 " +
            std::string(kClear) + "\r" + std::string(kClear));
}

TEST_CASE("progress: a short run, and one without a terminal, print nothing") {
  TerminalChild short_run(80, [] {
    Progress progress("recording", true);
    progress.update(0, 0);
    progress.update(1000, 0.19);
  });
  CHECK(short_run.all_output().empty());
  TerminalChild no_terminal(80, [] {
    Progress progress("recording", false);
    progress.update(1000, 5);
  });
  CHECK(no_terminal.all_output().empty());
  TerminalChild dumb(80, [] {
    ::setenv("TERM", "dumb", 1);
    say(stderr_is_terminal() ? "yes" : "no");
  });
  CHECK(dumb.all_output() == "no");
}

TEST_CASE("interrupt: the first Ctrl+C sets a flag, the second ends the process") {
  TerminalChild child(80, [] {
    install_interrupt();
    say(interrupted() ? "early" : "ready");
    while (!interrupted()) ::usleep(1000);
    say("stopped in order");
    while (true) ::pause();
  });
  REQUIRE(child.prints("ready"));
  child.press(kCtrlC);
  REQUIRE(child.prints("stopped in order"));
  child.press(kCtrlC);
  const int status = child.end_status();
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

TEST_CASE("interrupt: installing it again begins anew") {
  TerminalChild child(80, [] {
    for (const char* word : {"one", "two"}) {
      install_interrupt();
      say(word);
      while (!interrupted()) ::usleep(1000);
    }
    say("three");
  });
  REQUIRE(child.prints("one"));
  child.press(kCtrlC);
  REQUIRE(child.prints("two"));
  child.press(kCtrlC);
  CHECK(child.prints("three"));
  CHECK(child.end_status() == 0);
}

TEST_CASE("interrupt: where Ctrl+C was ignored it stays so") {
  TerminalChild child(80, [] {
    std::signal(SIGINT, SIG_IGN);
    install_interrupt();
    std::raise(SIGINT);
    say(interrupted() ? "flag" : "ignored");
  });
  CHECK(child.prints("ignored"));
}

}  // namespace ts::test
