// The test program's entry. `--help` lists doctest's options; `--jobs=N` is ours.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <sys/prctl.h>

#include "tests/support/process/parallel_run.h"

int main(int argc, char** argv) {
  // Tests make many small recordings; big pages would be cleared for a few kilobytes each.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  return ts::test::run_tests(argc, argv);
}
