// Running a program from a test: what it printed, how it ended, and what it took.
#pragma once

#include <string>
#include <vector>

namespace ts::test {

inline constexpr unsigned kHangSeconds = 600;

struct ProcessResult {
  std::string out, err;
  int status = -1;  // its exit status; a signal's number is negative
  bool timed_out = false;
  double seconds = 0;
  std::size_t peak_bytes = 0;  // of resident memory
};

// With a file on stdin. After `limit_seconds` it is killed, because it hangs: a busy machine is ten times slower than an idle
// one.
ProcessResult run_process(const std::vector<std::string>& command, unsigned limit_seconds = kHangSeconds,
                          const std::string& input = "/dev/null");

}  // namespace ts::test
