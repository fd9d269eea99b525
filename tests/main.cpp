// The test program's entry. `--help` lists doctest's options; `--jobs=N`, `--part=1/3`, `--progress` and `--again` are ours.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/process/parallel_run.h"

int main(int argc, char** argv) {
  // Tests make many small recordings; big pages would be cleared for a few kilobytes each.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  // Kernels are built in one place, by tests and by the programs that they start, and not in that of whoever tests.
  const auto kernels = std::filesystem::temp_directory_path() / "tilescope-test-kernels";
  setenv("XDG_CACHE_HOME", kernels.c_str(), 1);
  return ts::test::run_tests(argc, argv);
}
