// Runs the tests in several processes side by side.
#pragma once

namespace ts::test {

// Runs what doctest's options choose, with `--jobs=N` in N processes, and prints one summary. With `--progress` a line
// says meanwhile how far it is. The result is for main.
int run_tests(int argc, char** argv);

}  // namespace ts::test
