// Breakpoints, memory callbacks, events and scopes in scripts; callbacks that fail, quit or do not end.
#include <doctest/doctest.h>

#include "core/debug/session/session.h"
#include "scripting/run/engine.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {

TEST_CASE("lua stops: of every kind") {
  passes_with_rec(R"(
pto.addBreakpoint{step=3}
assert(rec:continue().step == 3)
local line = rec:find{op='tstore'}().source.line
local b = pto.addBreakpoint{line=line}
assert(rec:continue().op == 'tstore')
b:remove()
local w = pto.addBreakpoint{writes='y_odd', rows={0, 1}, cols={0, 3}}
local stop = rec:continue()
assert(stop.bp == w and stop.op == 'tload' and stop.pos == stop.step + 1 and stop.row == 0 and stop.col == 0)
rec:seek(rec.count)
stop = rec:reverse()
assert(stop.op == 'tadd' and stop.pos == stop.step)
)");
  passes_with_rec("assert(rec:continue{line='row_loop.pto:' .. rec:find{op='tadd'}().source.line}.op == 'tadd')");
  passes_with_rec("rec:addBreakpoint{reads='x_even', cell={0, 0}} assert(rec:continue().op == 'tadd')");
  passes_with_rec("rec:addBreakpoint{changes='x_even'} assert(rec:continue().op == 'tload')");
  passes_with_rec("rec:addBreakpoint{op='tadd', once=true} assert(rec:continue()) assert(rec:continue() == nil)");
  passes_with_rec("rec:addBreakpoint{op='tadd', ignore=3} assert(rec:continue().at.loops[1].turn == 3)");
}

TEST_CASE("lua stops: what can never stop is refused") {
  CHECK(rec_error("pto.addBreakpoint{op='tsub'}") ==
        "pto.addBreakpoint: it can never stop: there is no tsub in the program (it has: set_flag, tadd, tload, tstore, "
        "wait_flag)");
  CHECK(rec_error("pto.addBreakpoint{step=1000}")
            .starts_with("pto.addBreakpoint: it can never stop: there is no step 1000"));
  CHECK(rec_error("pto.addBreakpoint{nan=true}") == "pto.addBreakpoint: it can never stop: no step writes a NaN");
  CHECK(rec_error("pto.addBreakpoint{writes='l1[0,4)'}") ==
        "pto.addBreakpoint: it can never stop: no step writes l1[0,4) (look at its history)");
  CHECK(rec_error("pto.addBreakpoint{}").starts_with("pto.addBreakpoint: nothing is said to stop at"));
  CHECK(rec_error("pto.addBreakpoint{ops='tadd'}")
            .starts_with("pto.addBreakpoint: options has no 'ops'; did you mean op"));
  CHECK(rec_error("pto.addBreakpoint{op='tadd', log='{tile}'}")
            .starts_with("pto.addBreakpoint: it can never stop: the log text has {tile}"));
  CHECK(rec_error("pto.addBreakpoint{writes='x_even', reads='x_even'}") ==
        "writes and reads cannot stand together (add two breakpoints)");
  CHECK(rec_error("pto.addBreakpoint{nan='any'}").starts_with("this version has no nan=\"any\" yet"));
  CHECK(rec_error("pto.addBreakpoint{rows={0, 1}}").starts_with("rows, cols and cell are of a tile"));
  CHECK(script_error("pto.addBreakpoint{op='tadd'}") == "there is no recording (pto.load(name):record() makes one)");
  CHECK(rec_error("rec:continue{op='tsub'}").starts_with("rec:continue: there is no tsub in the program"));
  CHECK(rec_error("rec:continue{}").starts_with("rec:continue: the table says nothing to stop at"));
  passes_with_rec("assert(rec:continue{nan='produced'} == nil and rec.pos == rec.count)");
}

TEST_CASE("lua stops: where the first NaN is made, and of what") {
  passes_with_rec(R"(
local x, y = {}, {}
for i = 1, 5000 do x[i] = i y[i] = -i end
x[3107], y[3107] = math.huge, -math.huge  -- row 31, column 6: turn 1, row 15
local bad = pto.load('row_loop', {inputs={x=x, y=y}}):record()
local stop = bad:continue{nan='produced'}
assert(stop.op == 'tadd' and stop.at.loops[1].turn == 1 and stop.row == 15 and stop.col == 6)
assert(stop.tile:get(15, 6) ~= stop.tile:get(15, 6))
local from = stop.tile:sources(stop.row, stop.col)
assert(#from == 2 and from[1].value == math.huge and from[2].value == -math.huge)
bad:seek(bad.count)
assert(bad:reverse{nan=true}.step == stop.step)
)");
}

TEST_CASE("lua stops: a tile is watched by itself, and a condition looks at it") {
  passes_with_rec(R"(
local t = rec:tile('y_even')
local w = pto.addBreakpoint{writes=t, rows={0, 3}, when=function(s) return s.op == 'tadd' and s.tile:stats().nan == 0 end}
local stop = rec:continue()
assert(stop.bp == w and stop.op == 'tadd' and stop.tile.name == 'y_even')
)");
}

TEST_CASE("lua stops: handles") {
  CHECK(rec_error("local b = pto.addBreakpoint{op='tadd'} b:remove() b:enable()")
            .starts_with("the breakpoint was removed"));
  passes_with_rec("local b = pto.addBreakpoint{op='tadd'} b:remove() assert(not b:isEnabled())");
  passes_with_rec(
      "pto.addBreakpoint{op='tadd'} collectgarbage() assert(rec:continue())");  // a handle that is lost takes
                                                                                // nothing with it
}

TEST_CASE("lua stops: log points print") {
  const ScriptRun run = run_rec("pto.addBreakpoint{op='tadd', log='{op} {hits}'} assert(rec:continue() == nil)");
  CHECK(run.status == 0);
  CHECK(run.printed == "tadd 1\ntadd 2\ntadd 3\ntadd 4\n");
}

TEST_CASE("lua stops: a condition that fails pauses the run and marks the script") {
  const ScriptRun run = run_rec(R"(
pto.addBreakpoint{op='tadd', when=function(s) error('broken condition') end}
local stop = rec:continue()
assert(stop.reason == 'failed' and stop.op == 'tadd' and rec.pos == stop.step)
print('goes on'))");
  CHECK(run.status == 3);
  CHECK(run.printed == "goes on\n");
  CHECK(run.complained.find("broken condition") != std::string::npos);
  CHECK(run.complained.find("test.lua:3") != std::string::npos);
}

TEST_CASE("lua stops: conditions that quit, or do not end") {
  CHECK(run_rec("pto.addBreakpoint{op='tadd', when=function() pto.quit(7) end} rec:continue() error('not reached')")
            .status == 7);
  scripting::SandboxLimits limits;
  limits.steps = 1'000'000;
  CHECK(run_rec(
            "pto.addBreakpoint{op='tadd', when=function() while true do end end} pcall(rec.continue, rec) error('no')",
            limits)
            .status == 5);
  limits.memory_bytes = std::size_t{8} << 20;
  CHECK(run_rec("local t = {} pto.addBreakpoint{when=function(s) for i = 1, 1e7 do t[#t + 1] = {} end end} "
                "pcall(rec.continue, rec) error('no')",
                limits)
            .status == 5);
}

TEST_CASE("lua stops: a condition cannot move the recording") {
  const ScriptRun run = run_rec("pto.addBreakpoint{op='tadd', when=function(s) rec:seek(0) end} rec:continue()");
  CHECK(run.status == 3);
  CHECK(run.complained.find("cannot move the recording") != std::string::npos);
  CHECK(run_rec("pto.addBreakpoint{op='tadd', when=function(s) rec:close() end} rec:continue()")
            .complained.find("being asked") != std::string::npos);
}

TEST_CASE("lua stops: a condition may add and remove stops, and ask of other recordings") {
  passes_with_rec(R"(
local other = pto.load('transpose'):record()
local b
b = rec:addBreakpoint{op='tadd', when=function(s)
  b:remove()
  rec:addBreakpoint{op='tstore'}
  other:seek(1)
  return other:continue() ~= nil
end}
assert(rec:continue().op == 'tstore')
)");
}

TEST_CASE("lua stops: memory callbacks") {
  passes_with_rec(R"(
local writes, reads = 0, 0
pto.addMemoryCallback(function(s) writes = writes + 1 end, pto.on.write, 'ub', 0, 3)
pto.addMemoryCallback(function(s) reads = reads + 1 return false end, pto.on.read, 'ub', 0, 3)
assert(rec:continue() == nil)
assert(writes > 1 and reads == 1)
)");
  CHECK(rec_error("pto.addMemoryCallback(print, 'wriet', 'ub', 0, 3)") ==
        "pto.addMemoryCallback: kind: wanted 'write', 'change', 'read', got the text 'wriet'");
  CHECK(rec_error("pto.addMemoryCallback(print, pto.on.write, 'ub', 4, 3)")
            .starts_with("pto.addMemoryCallback: last: wanted an integer from 4 to "));
  CHECK(rec_error("pto.addMemoryCallback(print, pto.on.write, 'ub', 0x3fff0, 0x40000)").find("reaches beyond ub") !=
        std::string::npos);
}

TEST_CASE("lua events: each is told, in order") {
  const ScriptRun run = run_script(R"(
local log = {}
for _, event in ipairs{'step', 'stop', 'recordingOpened', 'finding'} do
  pto.addEventListener(event, function(what) log[#log + 1] = event .. ' ' .. tostring(what) end)
end
pto.addEventListener('quitting', function(status) print(table.concat(log, '\n')) print('quitting ' .. status) end)
local rec = pto.load('row_loop'):record()
rec:step()
rec:continue{op='tadd'}
rec:continue()
)");
  CHECK(run.status == 0);
  CHECK(run.printed.starts_with("recordingOpened recording of row_loop on a5, "));
  CHECK(run.printed.find("\nstep stop at step 1: step\nstop stop at step ") != std::string::npos);
  CHECK(run.printed.find(": breakpoint\nstop stop at step ") != std::string::npos);
  CHECK(run.printed.ends_with(": end\nquitting 0\n"));
}

TEST_CASE("lua events: misspelt ones are errors") {
  CHECK(script_error("pto.addEventListener('stpo', print)") ==
        "pto.addEventListener: there is no event 'stpo'; did you mean stop or step? (events are step, stop, finding, "
        "divergence, recordingOpened, quitting)");
}

TEST_CASE("lua events: a listener that fails marks the script, and the others are told") {
  const ScriptRun run = run_rec(R"(
pto.addEventListener('step', function() error('listener') end)
pto.addEventListener('step', function() print('told') end)
rec:step())");
  CHECK(run.status == 3);
  CHECK(run.printed == "told\n");
  CHECK(run_script("pto.addEventListener('quitting', function() error('late') end)").status == 3);
  CHECK(run_rec("pto.addEventListener('step', function() pto.quit(9) end) rec:step() error('not reached')").status ==
        9);
}

TEST_CASE("lua events: a listener that moves what it listens to does not go on for ever") {
  CHECK(run_rec("pto.addEventListener('step', function() rec:seek(0) end) rec:step()").status == 3);
}

TEST_CASE("lua scope: takes back what was added in it") {
  passes_with_rec(R"(
local listener
local ok = pcall(pto.scope, function()
  pto.addBreakpoint{op='tadd'}
  listener = pto.addEventListener('step', print)
  pto.scope(function() pto.addBreakpoint{op='tload'} end)
  error('out')
end)
assert(not ok and rec:continue() == nil and not listener:isEnabled())
local a, b = pto.scope(function() return 1, 2 end)
assert(a == 1 and b == 2)
)");
}

TEST_CASE("lua: the window's session is the current recording, and gets its own listeners back") {
  ScriptRun run;
  std::shared_ptr<Session> session;
  {
    scripting::ScriptHost host = script_host(run);
    host.opened = [&](const std::shared_ptr<Session>& opened, const RunOrigin&) { session = opened; };
    scripting::Script script(host);
    REQUIRE(script.run(with_rec(""), "make.lua") == 0);
  }
  REQUIRE(session != nullptr);
  int told = 0;
  session->on_stop = [&](const Stopped&) { ++told; };
  {
    scripting::ScriptHost host = script_host(run);
    host.current = session;
    scripting::Script script(host);
    CHECK(
        script.run("local rec = pto.current() rec:step() rec:addBreakpoint{op='tadd', when=function() return true end}",
                   "use.lua") == 0);
    CHECK(session->stops().size() == 1);
  }
  CHECK(told == 1);
  CHECK(session->stops().empty());  // its condition ended with the script
  session->over(Direction::Forward);
  CHECK(told == 2);
}

}  // namespace ts::test
