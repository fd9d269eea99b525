// A screen of the tests' own, with nothing on it but what they start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/process/child.h"
#include "tests/support/window/picture.h"

namespace ts::test {

// An X server without hardware, started when it is asked for first. It ends with the tests, also when they crash.
class Screen {
 public:
  static constexpr int kWidth = 1920, kHeight = 1200;

  // Null where there can be none; `missing` says why.
  static Screen* get();
  static const std::string& missing();

  // What programs on it get: NAME=VALUE.
  std::vector<std::string> environment() const;
  // What is on it now.
  Picture picture() const;

 private:
  Screen();
  std::string start();  // empty, or what is missing
  struct Memory;
  std::shared_ptr<Memory> memory_;
  std::unique_ptr<Child> server_;
  std::string display_;
};

}  // namespace ts::test
