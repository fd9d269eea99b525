// Starting a child, and seeing it end.
#include "tests/support/process/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace ts::test {
namespace {

constexpr double kPatienceSeconds = 60;

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

// Later settings of a name win in most programs, earlier ones in some: so each name is set once.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  const auto sets = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('=') + 1);
    for (const std::string& other : added)
      if (other.starts_with(name)) return true;
    return false;
  };
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!sets(*entry)) all.emplace_back(*entry);
  return all;
}

}  // namespace

Child::Child(const ChildStart& start) {
  Pipe in, out;
  const Descriptor log(::open(start.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  std::vector<std::string> environment = environment_with(start.environment);
  const std::vector<char*> words = pointers(start.command), settings = pointers(environment);
  const int output = start.output_to_pipe ? out.to.get() : log.get();
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) std::abort();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    ::dup2(in.from.get(), STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(log.get(), STDERR_FILENO);
    // doctest has handlers of its own, and the tests may have been started with Ctrl+C ignored.
    std::signal(SIGINT, SIG_DFL);
    ::execvpe(words.front(), words.data(), settings.data());
    ::_exit(127);
  }
  // A write to a child that has ended is seen by its end, not by a signal.
  std::signal(SIGPIPE, SIG_IGN);
  end_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  input_ = std::move(in.to);
  if (start.output_to_pipe) output_ = std::move(out.from);
}

Child::~Child() { stop(); }

void Child::write_line(std::string_view line) {
  const std::string whole = std::string(line) + "\n";
  for (std::size_t at = 0; at < whole.size();) {
    const ssize_t count = ::write(input_.get(), whole.data() + at, whole.size() - at);
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

bool Child::running() { return !status(); }

std::optional<int> Child::status() {
  int raw = 0;
  if (!status_ && ::waitpid(pid_, &raw, WNOHANG) == pid_) status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : -WTERMSIG(raw);
  return status_;
}

std::optional<int> Child::end(double seconds) {
  pollfd ends{.fd = end_.get(), .events = POLLIN, .revents = 0};
  if (running()) ::poll(&ends, 1, static_cast<int>(seconds * 1000));
  return status();
}

void Child::stop() {
  if (!running()) return;
  ::kill(pid_, SIGTERM);
  if (end(kPatienceSeconds)) return;
  ::kill(pid_, SIGKILL);
  end(kPatienceSeconds);
}

}  // namespace ts::test
