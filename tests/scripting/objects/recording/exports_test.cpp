// What scripts write into files: what is in them, and where they may not be.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "core/data/file.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/report/markup.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

// A script that may write into the folder.
ScriptRun run_in(const TempFolder& folder, std::string_view text, const scripting::SandboxLimits& limits = {}) {
  ScriptRun run;
  scripting::ScriptHost host = script_host(run);
  host.new_file = [&](const std::string& path, std::initializer_list<std::string_view> endings) {
    return data::new_file_below(folder.path(), path, endings);
  };
  scripting::Script script(std::move(host), limits);
  run.status = script.run(with_rec(text), "test.lua");
  return run;
}

}  // namespace

TEST_CASE("scripts: a tile is saved as it was at its step") {
  const TempFolder folder;
  const ScriptRun run = run_in(folder, R"(
local s = rec:find{op="tadd"}()
s.args.dst:save("after.csv")
s.args.src1:save("before.csv", {region="all"})
s.args.dst:save("after.npy")
rec:buffer("x", {step=0}):save("x.csv", {hex=true})
local want = {}
for c = 0, 99 do want[#want + 1] = ("%g"):format(s.args.dst:get(2, c)) end
print(table.concat(want, ",")))");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  const std::string after = get_text(folder / "after.csv");
  CHECK(times(after, "\n") == 16);
  CHECK(has(after, "\n" + run.printed));
  CHECK(times(get_text(folder / "before.csv"), ",") == 16 * 103);
  CHECK(get_text(folder / "before.csv").find(",,,,\n") != std::string::npos);  // nobody wrote the padding
  CHECK(times(get_text(folder / "x.csv"), "0x") == 5000);
  CHECK(std::filesystem::file_size(folder / "after.npy") == 128 + 16 * 100 * 4);
}

TEST_CASE("scripts: what they write into files is bounded, all together, whatever they write") {
  for (const char* write : {"rec:exportTrace(name .. '.json')", "rec:report(name .. '.html')",
                            "rec:save(name .. '.ptorec')", "rec:buffer('x', {step=0}):save(name .. '.csv')"}) {
    const TempFolder folder;
    const std::string loop = "for i = 1, 100 do local name = 'f' .. i " + std::string(write) + " end";
    const ScriptRun run = run_in(folder, loop, {.disk_bytes = 500'000});
    CAPTURE(write);
    CAPTURE(run.complained);
    CHECK(run.status != 0);
    CHECK(has(run.complained, "bytes that may still be written"));
    CHECK(has(run.complained, "--script-disk BYTES allows more"));
    std::uint64_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) bytes += file.file_size();
    CHECK(bytes > 250'000);
    CHECK(bytes <= 500'000);
  }
}

TEST_CASE("scripts: traces and pages") {
  const TempFolder folder;
  const ScriptRun run = run_in(folder, R"(
assert(rec:exportTrace("t.json") == rec.count)
rec:report("a.html", {step=37, tile="y_odd", row=1, col=99})
rec:seek(5)
rec:report("b.html")
local ok, message = pcall(rec.report, rec, "c.html", {step=rec.count})
assert(not ok and message:find("step", 1, true))
ok, message = pcall(rec.report, rec, "c.html", {step=37, tile="none"})
assert(not ok and message:find("rec:report: step 37 has no tile or buffer none", 1, true), message)
ok, message = pcall(rec.report, rec, "c.html", {finding=3})
assert(not ok and message:find("finding", 1, true)))");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  CHECK(has(text_of(get_text(folder / "a.html")), "Where %y_odd[1,99] came from"));
  CHECK(has(text_of(get_text(folder / "a.html")), "What is not given is made up from seed 1"));
  CHECK(has(text_of(get_text(folder / "b.html")), "row_loop: step 5,"));
  CHECK(folder.entries() == 3);
}

TEST_CASE("scripts: files go below the current folder, and replace nothing") {
  const TempFolder folder;
  put_text(folder / "old.csv", "mine");
  const auto refused = [&](const std::string& call, std::string_view message) {
    const ScriptRun run = run_in(folder, "local t = rec:tile('y_odd')\n" + call);
    CAPTURE(call);
    CAPTURE(run.complained);
    CHECK(run.status == 3);
    CHECK(has(run.complained, message));
  };
  refused("t:save('old.csv')", "tile:save: old.csv: there is such a file already");
  refused("t:save('../new.csv')", "a part of the path begins with a dot");
  refused("t:save('/tmp/new.csv')", "the path begins at the root");
  refused("t:save('new.txt')", "wanted a name that ends in .csv or .npy");
  refused("t:save('new.csv', {regoin='all'})", "did you mean region");
  refused("rec:exportTrace('t.html')", "rec:exportTrace: t.html: wanted a name that ends in .json");
  refused("rec:report('t.json')", "wanted a name that ends in .html");
  refused("rec:close() t:save('new.csv')", "closed");
  CHECK(get_text(folder / "old.csv") == "mine");
  CHECK(folder.entries() == 1);
}

TEST_CASE("scripts: writing counts towards what a script may do") {
  const TempFolder folder;
  const ScriptRun run = run_in(folder, "for i = 1, 1e9 do rec:tile('y_odd'):save(i .. '.csv') end", {.steps = 200'000});
  CHECK(run.status == 5);
  CHECK(folder.entries() < 130);
}

}  // namespace ts::test
