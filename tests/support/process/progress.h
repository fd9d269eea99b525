// How far the tests are, and which of them one waits for: for a person in front of a terminal, and for a log.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <span>

namespace ts::test {

// A test that ran, and how long.
struct FinishedTest {
  char name[128] = {};
  std::int64_t took_ms = 0;
};

// The test that a process runs, in memory that all of them share.
class RunningTest {
 public:
  void begin(const char* name);
  void end() { since_ms_ = 0; }
  FinishedTest finished() const;

  // When it began, by the steady clock; 0: none runs.
  std::int64_t since_ms() const { return since_ms_; }
  const char* name() const { return name_; }

 private:
  // A name that changes while it is read is read wrong, which nobody minds: it always ends.
  char name_[128] = {};
  std::atomic<std::int64_t> since_ms_ = 0;
};

// Those to look at first when a run takes too long.
void print_slowest(std::span<const FinishedTest> finished);

struct Progress {
  const std::atomic<unsigned>& done;
  unsigned all;
  std::span<const RunningTest> running;
};

// While it lives, a process of its own writes to stderr: at a terminal one line that changes, else one now and then.
class ProgressLine {
 public:
  ProgressLine(bool wanted, const Progress& progress);
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void end() const;
  // Before something else is printed.
  static void make_room();

 private:
  mutable pid_t process_ = 0;
};

}  // namespace ts::test
