// A program that runs beside the test and ends with it, also when the test crashes.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/process/descriptor.h"

namespace ts::test {

struct ChildStart {
  std::vector<std::string> command;           // the program is looked for as a shell does
  std::vector<std::string> environment = {};  // NAME=VALUE, in addition to the test's own
  std::string log = "/dev/null";              // a file for what it prints
  bool output_to_pipe = false;                // standard output to `output()` instead
};

class Child {
 public:
  explicit Child(const ChildStart& start);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  // Gets readable when it ends.
  int end_descriptor() const { return end_.get(); }
  int output() const { return output_.get(); }
  void write_line(std::string_view line);
  void close_input() { input_.reset(); }
  bool running();
  // Its exit status, a signal's number negative; nothing while it runs.
  std::optional<int> status();
  // Waits for its end.
  std::optional<int> end(double seconds);
  // Asks it to end, then makes it.
  void stop();

 private:
  pid_t pid_ = -1;
  Descriptor end_, input_, output_;
  std::optional<int> status_;
};

}  // namespace ts::test
