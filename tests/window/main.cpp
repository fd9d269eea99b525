// The entry of the window's tests: doctest's own. Where no screen can be had they are skipped, with a line that says
// so. With --renew-pictures it draws the pictures of tests/goldens again, and tests nothing.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "tests/support/process/parallel_run.h"
#include "tests/support/window/screen.h"
#include "tests/window/goldens.h"

namespace {

using namespace ts::test;

// Asked in a process that ends with the answer: each of those that run tests starts a screen of its own.
bool can_have_screen(const char* otherwise) {
  const pid_t asked = ::fork();
  if (asked == 0) {
    if (Screen::get() != nullptr) std::exit(0);
    fmt::print(stderr, "{}: {}\n", otherwise, Screen::missing());
    std::exit(1);
  }
  int status = -1;
  return asked > 0 && ::waitpid(asked, &status, 0) == asked && status == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool renew = argc == 2 && std::string_view(argv[1]) == "--renew-pictures";
  if (!can_have_screen(renew ? "no pictures" : "window tests skipped")) return renew ? 1 : 0;
  if (renew) return renew_goldens() ? 0 : 1;
  return run_tests(argc, argv);
}
