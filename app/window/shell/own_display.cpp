// Starting Xvfb.
#include "app/window/shell/own_display.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/data/film/child_program.h"

extern char** environ;

namespace ts::ui {
namespace {

constexpr int kStartMilliseconds = 20'000;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0;
}

// The number that it writes when it is ready; empty: it did not come.
std::string read_number(int descriptor) {
  std::string number;
  pollfd ready{descriptor, POLLIN, 0};
  while (number.find('\n') == std::string::npos && ::poll(&ready, 1, kStartMilliseconds) > 0) {
    char part[32];
    const ssize_t read = ::read(descriptor, part, sizeof part);
    if (read <= 0) break;
    number.append(part, static_cast<std::size_t>(read));
  }
  while (!number.empty() && std::isdigit(static_cast<unsigned char>(number.back())) == 0) number.pop_back();
  return number;
}

}  // namespace

bool has_display() { return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"); }

std::unique_ptr<OwnDisplay> OwnDisplay::start(std::string& problem) {
  const auto program = data::find_program("Xvfb");
  int ends[2];
  if (!program || ::pipe(ends) != 0) {
    problem = "no display, and no Xvfb to draw on instead";
    return nullptr;
  }
  const std::string told = std::to_string(ends[1]);
  // It chooses a number that is free. Nobody reaches it but by the socket of this machine.
  std::vector<const char*> words{program->c_str(), "-displayfd", told.c_str(), "-screen",    "0",
                                 "1920x1200x24",   "-nolisten",  "tcp",        "-terminate", nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // Ctrl+C is for us: it stays until we have cleaned up.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int failed =
      ::posix_spawn(&process, words[0], &actions, &attributes, const_cast<char**>(words.data()), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  const std::string number = failed == 0 ? read_number(ends[0]) : "";
  ::close(ends[0]);
  if (number.empty()) {
    if (failed == 0) OwnDisplay ends_it(process);
    problem = "no display, and Xvfb does not start";
    return nullptr;
  }
  ::setenv("DISPLAY", (":" + number).c_str(), 1);
  return std::unique_ptr<OwnDisplay>(new OwnDisplay(process));
}

OwnDisplay::~OwnDisplay() {
  ::unsetenv("DISPLAY");
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

}  // namespace ts::ui
