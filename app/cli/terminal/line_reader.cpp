// Line editing by libedit.
#include "app/cli/terminal/line_reader.h"

#include <editline/readline.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "app/cli/terminal/output.h"

namespace ts {
namespace {

volatile std::sig_atomic_t cancelled = 0;

// Ends the reading. A signal that comes right before libedit waits for a key would go unseen, so it comes again until the
// line is left.
void cancel_line(int) {
  constexpr unsigned kAgainMicroseconds = 20'000;
  cancelled = 1;
  ::ualarm(kAgainMicroseconds, 0);
}

// While a line is read Ctrl+C ends the reading; otherwise it does what it did.
class CancelByInterrupt {
 public:
  CancelByInterrupt() {
    cancelled = 0;
    struct sigaction action {};
    action.sa_handler = cancel_line;
    ::sigaction(SIGINT, &action, &interrupt_before_);
    ::sigaction(SIGALRM, &action, &alarm_before_);
  }
  ~CancelByInterrupt() {
    if (cancelled != 0) ::ualarm(0, 0);
    ::sigaction(SIGALRM, &alarm_before_, nullptr);
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
  }
  CancelByInterrupt(const CancelByInterrupt&) = delete;
  CancelByInterrupt& operator=(const CancelByInterrupt&) = delete;

 private:
  using Handling = struct sigaction;
  Handling interrupt_before_{}, alarm_before_{};
};

// libedit calls back without a context.
Completer* current_completer = nullptr;
std::vector<std::string> offered;

char* next_offered(const char*, int state) {
  const auto number = static_cast<std::size_t>(state);
  return number < offered.size() ? strdup(offered[number].c_str()) : nullptr;
}

char** complete(const char*, int start, int end) {
  rl_attempted_completion_over = 1;  // names of files are no part of what is typed here
  rl_completion_append_character = '\0';
  const Completions found = (*current_completer)(std::string(rl_line_buffer, static_cast<std::size_t>(end)));
  offered.clear();
  // What libedit takes for the word may begin before or behind what is completed.
  const std::string line(rl_line_buffer, static_cast<std::size_t>(end));
  for (const std::string& text : found.texts) {
    const std::string whole = line.substr(0, found.begin) + text;
    if (whole.size() >= static_cast<std::size_t>(start))
      offered.push_back(whole.substr(static_cast<std::size_t>(start)));
  }
  return offered.empty() ? nullptr : rl_completion_matches(line.c_str() + start, next_offered);
}

}  // namespace

LineReader::LineReader(std::string history_file, Completer completer)
    : at_terminal_(isatty(STDIN_FILENO) != 0), history_file_(std::move(history_file)) {
  if (!at_terminal_) return;
  static Completer kept;
  kept = std::move(completer);
  current_completer = &kept;
  rl_instream = stdin;
  rl_outstream = plain_output();
  rl_readline_name = const_cast<char*>("tilescope");
  rl_attempted_completion_function = complete;
  rl_catch_signals = 0;  // Ctrl+C is ours: libedit would leave the terminal as it was before
  using_history();
  stifle_history(1000);
  if (!history_file_.empty()) read_history(history_file_.c_str());
}

LineReader::~LineReader() {
  if (!at_terminal_ || history_file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(history_file_).parent_path(), ignored);
  write_history(history_file_.c_str());
}

LineReader::Line LineReader::read(const std::string& prompt) {
  std::string line;
  if (!at_terminal_) {
    if (!std::getline(std::cin, line)) return {Line::Kind::End};
    return {Line::Kind::Text, line};
  }
  std::fflush(stdout);
  const CancelByInterrupt cancel;
  char* typed = readline(prompt.c_str());
  if (typed == nullptr) return {cancelled != 0 ? Line::Kind::Cancelled : Line::Kind::End};
  line = typed;
  std::free(typed);
  if (!line.empty()) add_history(line.c_str());
  return {Line::Kind::Text, line};
}

}  // namespace ts
