// What if, on the command line: run --edit.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {

TEST_CASE("cli edit: a run goes on with another value, and says which step differs first") {
  const ProcessResult result = tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000@5"});
  CHECK(result.status == kOk);
  CHECK_MESSAGE(has(result.out, "changed by hand: a[1,3]=1000@5\nfirst difference: step 5 tadd, line "), result.out);
  CHECK_MESSAGE(has(result.out, "%sum[1,3] is "), result.out);
  const nlohmann::json json = json_of(tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000@5", "--json"}));
  CHECK(json["edited"]["first_difference"] == 5);
  CHECK(json["edited"]["edits"][0] == "a[1,3]=1000@5");
  const ProcessResult same = tilescope({"run", "masked_sum", "--edit", "sum[1,3]=1000@10"});
  CHECK_MESSAGE(has(same.out, "no step's result differs"), same.out);
  CHECK(tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000@5", "--digest"}).out !=
        tilescope({"run", "masked_sum", "--digest"}).out);
}

TEST_CASE("cli edit: what cannot be is said, and nothing runs on") {
  const ProcessResult outside = tilescope({"run", "masked_sum", "--edit", "a[7,3]=1000@5"});
  CHECK(outside.status == kCannotRun);
  CHECK_MESSAGE(has(outside.err, "--edit: a[7,3] is outside: a has 2 rows of 8"), outside.err);
  CHECK(tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000"}).status == kCannotRun);
  CHECK(tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000@99"}).status == kCannotRun);
  CHECK(tilescope({"check", "masked_sum", "--edit", "a[1,3]=1000@5"}).status != kOk);
}

TEST_CASE("cli edit: a saved run can be changed, and what was changed is saved") {
  const TempFolder folder;
  const std::string base = folder / "base.ptorec", fork = folder / "fork.ptorec";
  REQUIRE(tilescope({"run", "masked_sum", "--record", base}).status == kOk);
  REQUIRE(tilescope({"run", base, "--edit", "a[1,3]=1000@5", "--record", fork}).status == kOk);
  CHECK(tilescope({"run", fork, "--digest"}).out ==
        tilescope({"run", "masked_sum", "--edit", "a[1,3]=1000@5", "--digest"}).out);
  // A number of the program cannot stand in a file of its own.
  const ProcessResult number = tilescope({"run", "masked_sum", "--edit", "minus_one=5@6", "--record", fork});
  CHECK(number.status == kCannotRun);
  CHECK_MESSAGE(has(number.err, "a number of its program was changed by hand"), number.err);
  CHECK_MESSAGE(has(number.err, "save the run without the change"), number.err);
  // As the hint says: the run, and then the change to what was saved.
  CHECK(tilescope({"run", base, "--edit", "minus_one=5@6", "--digest"}).out ==
        tilescope({"run", "masked_sum", "--edit", "minus_one=5@6", "--digest"}).out);
}

}  // namespace ts::test
