// TileScope built without its window: the command line says so where the window is asked for.
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "tests/support/process/cli.h"

namespace ts::test {
namespace {

TEST_CASE("cli without the window: what needs it says so") {
  for (const std::vector<std::string>& words : std::initializer_list<std::vector<std::string>>{
           {"open", "masked_sum"}, {"shot", "masked_sum"}, {"manual", "--keys"}, {"manual", "--panes"}}) {
    const ProcessResult told = tilescope(words);
    CHECK(told.status == kCannotRun);
    CHECK(told.out.empty());
    CHECK(has(told.err, "built without its window"));
  }
  CHECK(has(tilescope({}).out, "built without the window: this is the report of the first sample"));
}

}  // namespace
}  // namespace ts::test
