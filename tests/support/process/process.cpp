// A child with its output in pipes.
#include "tests/support/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "tests/support/process/descriptor.h"

namespace ts::test {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& input, int out, int err) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::dup2(::open(input.c_str(), O_RDONLY), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  // doctest has handlers of its own, and the tests may have been started with Ctrl+C ignored.
  std::signal(SIGINT, SIG_DFL);
  ::execv(words.front(), words.data());
  ::_exit(127);
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(left > 0 ? left : 0);
}

// Reads both pipes to their ends; false: time is up.
bool read_all(int out, int err, ProcessResult& result, Clock::time_point end) {
  pollfd pipes[] = {{.fd = out, .events = POLLIN, .revents = 0}, {.fd = err, .events = POLLIN, .revents = 0}};
  std::string* const texts[] = {&result.out, &result.err};
  char buffer[65536];
  while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
    if (::poll(pipes, 2, milliseconds_until(end)) == 0) return false;
    for (int i = 0; i < 2; ++i) {
      if (pipes[i].fd < 0 || pipes[i].revents == 0) continue;
      const ssize_t count = ::read(pipes[i].fd, buffer, sizeof buffer);
      if (count <= 0) pipes[i].fd = -1;
      else texts[i]->append(buffer, static_cast<std::size_t>(count));
    }
  }
  return true;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, unsigned limit_seconds, const std::string& input) {
  ProcessResult result;
  Pipe out, err;
  const auto start = Clock::now();
  const pid_t child = ::fork();
  if (child < 0) std::abort();
  if (child == 0) become(command, input, out.to.get(), err.to.get());
  out.to.reset();
  err.to.reset();
  result.timed_out = !read_all(out.from.get(), err.from.get(), result, start + std::chrono::seconds(limit_seconds));
  if (result.timed_out) ::kill(child, SIGKILL);
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.peak_bytes = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  return result;
}

}  // namespace ts::test
