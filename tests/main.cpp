// The test program's entry: doctest's own, after one setting. `--help` lists its options.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <sys/prctl.h>

int main(int argc, char** argv) {
  // Tests make many small recordings; big pages would be cleared for a few kilobytes each.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  doctest::Context context(argc, argv);
  return context.run();
}
