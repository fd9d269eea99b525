// Runs the tests in several processes side by side.
#pragma once

namespace ts::test {

// Runs what doctest's options choose, with `--jobs=N` in N processes, and prints one summary. With `--progress` a line
// says meanwhile how far it is. With `--again` what failed in one of several processes runs once more, alone; what then
// passes is told to be unsteady. The result is for main.
int run_tests(int argc, char** argv);

}  // namespace ts::test
