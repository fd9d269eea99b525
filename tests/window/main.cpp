// The entry of the window's tests: doctest's own. Where no screen can be had they are skipped, with a line that says
// so. With --renew-pictures it draws the pictures of tests/goldens again, and tests nothing.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string_view>

#include "tests/support/process/parallel_run.h"
#include "tests/support/window/screen.h"
#include "tests/window/goldens.h"

int main(int argc, char** argv) {
  using namespace ts::test;
  const bool renew = argc == 2 && std::string_view(argv[1]) == "--renew-pictures";
  if (Screen::get() == nullptr) {
    fmt::print(stderr, "{}: {}\n", renew ? "no pictures" : "window tests skipped", Screen::missing());
    return renew ? 1 : 0;
  }
  if (renew) return renew_goldens() ? 0 : 1;
  return run_tests(argc, argv);
}
