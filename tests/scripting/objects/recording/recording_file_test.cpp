// Scripts that save recordings and open them.
#include <doctest/doctest.h>

#include "tests/support/scripting/run_script.h"

namespace ts::test {

TEST_CASE("lua save: what was set comes back, and the steps") {
  passes_with_rec(R"(
rec:bookmark("sum", 7)
rec:watch("rec.pos")
rec:addBreakpoint{op="tadd"}
rec:save("a.ptorec")
local opened
pto.addEventListener("recordingOpened", function(r) opened = r end)
local again = pto.open("a.ptorec")
assert(opened == again and pto.current() == again and again ~= rec)
assert(again.count == rec.count and again:digest() == rec:digest())
assert(again:bookmarks()[1].name == "sum" and again:bookmarks()[1].position == 7)
assert(again:watches()[1] == "rec.pos")
assert(again:continue().op == "tadd")
again:seek(again.count)
local other = again:fork{step=again:find{op="tadd"}().step, tile="x_even", row=0, col=0, value=1000}
assert(other:digest() ~= again:digest())
other:save("b.ptorec", {full=true})
assert(pto.open("b.ptorec"):digest() == other:digest())
)");
}

TEST_CASE("lua save: where a script may write") {
  CHECK(rec_error("rec:save('/tmp/x.ptorec')").starts_with("rec:save: /tmp/x.ptorec: the path begins at the root"));
  CHECK(rec_error("rec:save('../x.ptorec')").find("begins with a dot") != std::string::npos);
  CHECK(rec_error("rec:save('x.txt')") == "rec:save: x.txt: wanted a name that ends in .ptorec");
  CHECK(rec_error("rec:save('none/x.ptorec')").starts_with("rec:save: none/x.ptorec: there is no such folder"));
  CHECK(rec_error("rec:save('x.ptorec') rec:save('x.ptorec')")
            .starts_with("rec:save: x.ptorec: there is such a file already"));
  CHECK(rec_error("rec:save()") == "rec:save: path: wanted a text, got nothing");
  CHECK(rec_error("rec:save('x.ptorec', {ful=true})").find("did you mean full") != std::string::npos);
  CHECK(rec_error("rec:close() rec:save('x.ptorec')") == "the recording is closed");
}

TEST_CASE("lua open: the element of what ended the program is known, there too") {
  passes_with_rec(R"(
local ended = pto.load("bug_offset_units"):record()
ended:save("ended.ptorec")
for _, r in ipairs{ended, pto.open("ended.ptorec")} do
  local f = r:findings()()
  assert(f.step == r.count and f.rule == "TGB-R5" and f.tile == "offsets" and f.row == 0 and f.col == 0)
end
)");
}

TEST_CASE("lua open: what cannot be opened") {
  CHECK(script_error("pto.open('none.ptorec')").find("No such file") != std::string::npos);
  CHECK(script_error("pto.open(3)") == "pto.open: path: wanted a text, got the number 3");
}

TEST_CASE("lua recording file: an end that comes while one is opened is the script's, no damaged file") {
  ScriptRun run;
  scripting::ScriptHost host = script_host(run);
  scripting::Script saves(host, {});
  REQUIRE(saves.run("pto.load('row_loop'):record():save('late.ptorec')", "saves.lua") == 0);
  bool over = false;
  host.open_recording = [&, open = host.open_recording](const std::string& path, std::size_t budget,
                                                        const std::function<bool()>& go_on) {
    over = true;
    return open(path, budget, go_on);
  };
  scripting::Script opens(host, {.stopped = [&] { return over; }});
  CHECK(opens.run("pto.open('late.ptorec')", "opens.lua") == 5);
  CAPTURE(run.complained);
  CHECK(run.complained.find("interrupted") != std::string::npos);
}

}  // namespace ts::test
