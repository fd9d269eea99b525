// Running a compiler and its like: arguments as they are, no shell.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace ts::cpp {

struct Ran {
  bool started = false, stopped = false;
  int status = -1;     // of exit; -1: it was killed
  std::string output;  // both streams, the beginning
};
// `go_on` is asked now and then; where it says no, the program and what it started are killed.
Ran run_process(const std::vector<std::string>& arguments, const std::function<bool()>& go_on = {});

// The whole path of a program that is called by its name; "": there is none.
std::string find_program(const std::string& name);

}  // namespace ts::cpp
