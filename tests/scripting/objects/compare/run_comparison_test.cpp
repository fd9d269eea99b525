// Comparing runs in scripts: pto.compareRuns, pto.lockstep, stops and events.
#include <doctest/doctest.h>

#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

void passes(std::string_view text) {
  const ScriptRun run = run_script(text);
  CAPTURE(text);
  CAPTURE(run.complained);
  CHECK(run.status == 0);
}

constexpr const char* kForked = R"(
local a = pto.load("row_loop"):record()
local step
for s in a:find{op="tadd"} do step = s.step break end
local b = a:fork{step=step, tile="x_even", row=0, col=3, value=1000}
)";

std::string forked(std::string_view text) { return kForked + std::string(text); }

}  // namespace

TEST_CASE("lua compare runs: what differs, where, and what it was made of") {
  passes(forked(R"(
local d = pto.compareRuns(a, b)
assert(not d.ok and d.complete and d.compared == a.count and d.parted == nil)
assert(#d == 2 and d.count == 2)                    -- the sum, and its store
assert(d[1].step == step and d[1].op == "tadd" and d[1].row == 0 and d[1].col == 3 and d[1].count == 1)
assert(d[1].b - d[1].a == 1000 - a:tile("x_even", {step=step}):get(0, 3))
assert(d[1].inherited and d[2].inherited and d.causes == 0)
assert(d[2].op == "tstore" and d[2].tile == "result" and d[2].row == 0 and d[2].col == 3)
assert(d[1].text:find("1000"))
assert(d[3] == nil and d.first.step == step)
assert(pto.compareRuns(a, a).ok)
assert(pto.compareRuns(a, b, {abs=2000}).ok)
assert(pto.compareRuns(a, b, {most=1}).complete == false)
assert(tostring(d):find("2 results differ, 0 of them causes"))
)"));
}

TEST_CASE("lua compare runs: stops and commands go by the comparison, on both sides") {
  passes(forked(R"(
local told = 0
pto.addEventListener("divergence", function(x) told = told + 1 assert(x.step == step and x.col == 3) end)
local stop = a:continue{differs=b}
assert(stop.step == step and a.pos == step + 1 and stop.row == 0 and stop.col == 3)
assert(stop.difference.step == step and told == 1)
stop = a:nextDifference()
assert(stop.op == "tstore" and a:nextDifference() == nil)
assert(a:previousDifference().step == step and a:previousDifference() == nil)
assert(b:nextDifference().step == step)              -- the other one knows it too
b:seek(0)
local bp = b:addBreakpoint{differs=true, op="tstore"}
assert(b:continue().op == "tstore")
a:seek(0)
assert(a:continue{differs=b, abs=5000} == nil or false)
)") + "");
}

TEST_CASE("lua compare runs: what cannot be is refused") {
  CHECK(script_error(forked("a:nextDifference()")) ==
        "rec:nextDifference: the recording was not compared with another (pto.compareRuns(rec, other) does)");
  CHECK(script_error(forked("a:continue{differs=true}"))
            .ends_with("differs: the recording was not compared with another (give the other one: differs=other)"));
  CHECK(script_error(forked("a:continue{differs=7}")).find("a recording, or true") != std::string::npos);
  CHECK(script_error(forked("a:continue{op='tadd', ulp=2}")).find("abs, rel and ulp are of a recording") !=
        std::string::npos);
  CHECK(script_error(forked("pto.compareRuns(a, 3)")).find("b: wanted a recording") != std::string::npos);
  CHECK(script_error(forked("b:close() pto.compareRuns(a, b)")).find("closed") != std::string::npos);
  CHECK(script_error(forked("pto.compareRuns(a, b, {ulps=1})")).find("did you mean ulp") != std::string::npos);
  CHECK(script_error(forked("local d = pto.compareRuns(a, b) b:close() local x = d[1]")).find("closed") !=
        std::string::npos);
}

TEST_CASE("lua lockstep: nil where the targets agree, else the first difference with both runs") {
  passes(R"(
assert(pto.lockstep("masked_sum") == nil)
assert(pto.lockstep("masked_sum", {"a5", "a2a3"}, {seed=3, ulp=1}) == nil)
local told
pto.addEventListener("divergence", function(x) told = x end)
local x = pto.lockstep("bug_transposed_domain", {"a2a3", "a5"})
assert(x.op == "tstore" and x.tile == "result" and x.row == 0 and x.col == 5 and x.count == 24)
assert(x.a == 0 and x.a ~= x.b and told.step == x.step)
assert(x.recA.target == "a2a3" and x.recB.target == "a5" and pto.current() == x.recA)
assert(x.text:find("on a2a3") and x.text:find("made by step %d+ ttrans"))
assert(x.recA:nextDifference().step == x.step)
local y = pto.lockstep("bug_transposed_domain", {"a5", "a2a3"})
assert(y.b == 0 and y.recA.target == "a5" and y.a == x.b)
local prog = pto.load("bug_transposed_domain", {options={["ttrans.a5_domain"]="valid"}})
assert(pto.lockstep(prog) == nil)
assert(pto.lockstep("masked_sum", nil, {inputs={x=pto.array("f32", 2, 8)}}) == nil)
)");
}

TEST_CASE("lua lockstep: what cannot be is refused, with the target's rule") {
  CHECK(script_error("pto.lockstep('complex_split')").find("pto.lockstep: a2a3 does not take the program: ") == 0);
  CHECK(script_error("pto.lockstep('complex_split')").find("TDI-R0") != std::string::npos);
  CHECK(script_error("pto.lockstep('no_such_sample')").starts_with("pto.lockstep: "));
  CHECK(script_error("pto.lockstep('masked_sum', {'a5'})").find("wanted {\"a2a3\", \"a5\"}") != std::string::npos);
  CHECK(script_error("pto.lockstep('masked_sum', {'a5', 'a5'})").find("wanted {\"a2a3\", \"a5\"}") !=
        std::string::npos);
  CHECK(script_error("pto.lockstep(pto.load('masked_sum'), nil, {seed=2})")
            .find("seed is said when a program is loaded") != std::string::npos);
  CHECK(script_error("pto.lockstep(7)").find("a program, or the name of one") != std::string::npos);
  CHECK(script_error("pto.lockstep('masked_sum', nil, {inputs={z=1}})")
            .starts_with("pto.lockstep: the program has no input z"));
}

TEST_CASE("lua compare: differences one by one, and as a picture") {
  passes(R"(
local d = pto.compare(pto.array("f32", 2, 2, {1, 2, 3, 4}), pto.array("f32", 2, 2, {1, 5, 3, 6}))
assert(d:next().col == 1 and d:next().row == 1 and d:next() == nil)
d:image("x.png")
d:image("y.png", {scale=4})
local ok, message = pcall(d.image, d, "z.png", {scale=65})
assert(not ok and message:find("scale"))
)");
}

}  // namespace ts::test
