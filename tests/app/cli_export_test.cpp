// What `tilescope run` writes beside its report.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/report/markup.h"
#include "tests/support/report/trace_check.h"

namespace ts::test {

TEST_CASE("cli run: a tile as csv, its valid region or all of it, with bits") {
  const TempFolder folder;
  const ProcessResult run = tilescope({"run", "fill_tails", "--out", "small=" + folder / "small.csv"});
  CHECK(run.status == kOk);
  CHECK(get_text(folder / "small.csv") == "123,123,123,123,123\n123,123,123,123,123\n");
  CHECK(tilescope({"run", "fill_tails", "--whole", "--hex", "--out", "small=" + folder / "all.csv"}).status == kOk);
  const std::string all = get_text(folder / "all.csv");
  CHECK(times(all, "\n") == 2);
  // 16-bit lanes write an even number of bytes: six of each row.
  CHECK(times(all, "123") == 12);
  CHECK(times(all, "0x7b") == 12);
  CHECK(times(all, ",") == 2 * 63);  // 32 values and 32 times bits
}

TEST_CASE("cli run: a trace of all steps") {
  const TempFolder folder;
  CHECK(tilescope({"run", "row_loop", "--trace-json", folder / "t.json"}).status == kOk);
  const nlohmann::json trace = nlohmann::json::parse(get_text(folder / "t.json"), nullptr, false);
  REQUIRE(!trace.is_discarded());
  CHECK(trace_errors(trace).empty());
  CHECK(trace["otherData"]["steps"] == 44);
  const ProcessResult none = tilescope({"run", "row_loop", "--trace-json", folder / "none/t.json"});
  CHECK(none.status == kCannotRun);
  CHECK(has(none.err, "none/t.json: cannot be written"));
}

TEST_CASE("cli run: a page of a step, of a finding, of what a sample finds worth a look") {
  const TempFolder folder;
  const std::string path = folder / "page.html";
  CHECK(
      tilescope({"run", "complex_split", "--seed", "7", "--report", path, "--step", "5", "--cell", "im[2,3]"}).status ==
      kOk);
  CHECK(markup_error(get_text(path)) == "");
  const std::string text = text_of(get_text(path));
  CHECK(has(text, "Where %im[2,3] came from"));
  CHECK(has(text, "tilescope run complex_split --target a5 --seed 7 --step 5 --cell 'im[2,3]'"));
  CHECK(has(text, "iqf32, 96 elements, seeded"));
  CHECK(tilescope({"run", "complex_split", "--report", path}).status == kOk);
  CHECK(has(text_of(get_text(path)), "Where %im[1,7] came from"));
  const ProcessResult found = tilescope({"run", "bug_offset_units", "--report", path, "--finding", "0"});
  CHECK(found.status == kStopped);
  CHECK(has(text_of(get_text(path)), "TGB-R5"));
  // What the checks find counts as in `tilescope check --run`, although the run itself ended well.
  const ProcessResult checked = tilescope({"run", "bug_uninitialised", "--report", path, "--finding", "0"});
  CAPTURE(checked.err);
  CHECK(checked.status == kOk);
  CHECK(has(text_of(get_text(path)), "DEFINED"));
  const ProcessResult none = tilescope({"run", "complex_split", "--report", path, "--finding", "3"});
  CHECK(none.status == kCannotRun);
  CHECK(has(none.err, "there is no finding 3"));
}

TEST_CASE("cli run: the lines that a page gives lead to where it says") {
  const TempFolder folder;
  const std::string path = folder / "page.html";
  REQUIRE(tilescope({"run", "masked_sum", "--seed", "3", "--target", "a5", "--report", path}).status == kOk);
  const std::string text = text_of(get_text(path));
  const std::size_t begin = text.find("local rec = "), end = text.find("Inputs:");
  REQUIRE(begin != std::string::npos);
  put_text(folder / "again.lua", text.substr(begin, end - begin));
  const ProcessResult again = tilescope({"script", folder / "again.lua"});
  CAPTURE(again.err);
  CHECK(again.status == kOk);
  std::string wrong = text.substr(begin, end - begin);
  wrong.replace(wrong.find("seed = 3"), 8, "seed = 4");
  put_text(folder / "wrong.lua", wrong);
  CHECK(tilescope({"script", folder / "wrong.lua"}).status == 1);
}

}  // namespace ts::test
