// Starting programs and reading what they print.
#include "core/cpp/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string_view>

extern char** environ;

namespace ts::cpp {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20;

class Pipe {
 public:
  Pipe() { open_ = pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    if (open_) close(ends_[0]);
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool open() const { return open_; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write() {
    if (open_ && !write_closed_) close(ends_[1]);
    write_closed_ = true;
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = false, write_closed_ = false;
};

}  // namespace

Ran run_process(const std::vector<std::string>& arguments, const std::function<bool()>& go_on) {
  Ran out;
  Pipe pipe;
  if (!pipe.open()) return out;
  std::vector<char*> words;
  for (const std::string& one : arguments) words.push_back(const_cast<char*>(one.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.write_end(), 1);
  posix_spawn_file_actions_adddup2(&actions, pipe.write_end(), 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  out.started = posix_spawnp(&process, words[0], &actions, &attributes, words.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  pipe.close_write();
  if (!out.started) return out;
  for (char part[4096];;) {
    pollfd waits{pipe.read_end(), POLLIN, 0};
    constexpr int kAskEvery = 50;  // ms
    const int ready = poll(&waits, 1, kAskEvery);
    if (go_on && !out.stopped && !go_on()) {
      out.stopped = true;
      kill(-process, SIGKILL);
    }
    if (ready <= 0) continue;
    const ssize_t got = read(pipe.read_end(), part, sizeof part);
    if (got <= 0) break;
    if (out.output.size() < kMostOutput) out.output.append(part, static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(process, &status, 0);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  for (std::string_view left = path == nullptr ? "" : path; !left.empty();) {
    const std::size_t colon = left.find(':');
    const std::string file = std::string(left.substr(0, colon)) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
    left.remove_prefix(colon == std::string_view::npos ? left.size() : colon + 1);
  }
  return {};
}

}  // namespace ts::cpp
