// Scripts that hold more outside of Lua than their memory: each ends with the limit's message.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "core/data/file.h"
#include "scripting/sandbox/budget.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/scale.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

struct Holder {
  const char* name;
  const char* text;
};

constexpr std::size_t kLimit = std::size_t{48} << 20;

// clang-format off
const Holder kHolders[] = {
    {"recordings", "while true do keep(pto.load('row_loop'):record()) end"},
    {"recordings of one program", "local p = pto.load('row_loop') while true do keep(p:record()) end"},
    {"a tile of each recording", "while true do keep(pto.load('row_loop'):record():tile('x_even')) end"},
    {"a step of each recording", "while true do keep(pto.load('row_loop'):record():at(0)) end"},
    {"recordings in coroutines", "while true do local c = coroutine.wrap(function() local r = pto.load('row_loop'):record() coroutine.yield() keep(r) end) c() keep(c) end"},
    {"recordings in closures", "while true do local r = pto.load('row_loop'):record() keep(function() return r end) end"},
    {"forks", "local r = pto.load('row_loop'):record() local s = r:find{op='tadd'}() while true do keep(r:fork{step=s.step, tile='x_even', row=0, col=0, value=1}) end"},
    {"forks of forks", "local r = pto.load('row_loop'):record() while true do r = r:fork{step=3, mem='ub', offset=0, bytes='00'} keep(r) end"},
    {"opened files", "pto.load('row_loop'):record():save('x.ptorec') while true do keep(pto.open('x.ptorec')) end"},
    {"programs", "while pcall(function() keep(pto.load('softmax_online')) end) do end while true do keep({}) end"},
    {"inputs", "local t = {} for i = 1, 4096 do t[i] = i end while true do keep(pto.load('row_loop', {size={result=1 << 20}})) keep(pto.load('row_loop', {size={x=1 << 20}})) end"},
    {"one large input", "pto.load('row_loop', {size={x=1 << 24}}):record()"},
    {"arrays", "while true do keep(pto.array('u8', 256, 256)) end"},
    {"one large array", "pto.array('u8', 4096, 4096)"},
    {"comparisons of tiles", "local r = pto.load('row_loop'):record() local t = r:tile('x_even') while true do keep(pto.compare(t, t)) end"},
    {"histories", "local r = pto.load('row_loop'):record() while true do local h = r:tile('x_even'):history(0, 0) keep(#h) keep(h) end"},
    {"origins in many recordings", "while true do local r = pto.load('row_loop'):record() keep(r) r:tile('y_even', {step=r.count}):slice(0, 0) r:microSteps(1) end"},
    {"bookmarks", "local r = pto.load('row_loop'):record() local i = 0 while true do i = i + 1 r:bookmark(('x'):rep(1 << 20) .. i, 1) end"},
    {"watches", "local r = pto.load('row_loop'):record() while true do r:watch(('x'):rep(1 << 20)) end"},
    {"logs of breakpoints", "local r = pto.load('row_loop'):record() while true do r:addBreakpoint{op='tadd', log=('x'):rep(1 << 20)} end"},
    {"listeners", "while true do pto.addEventListener('recordingOpened', print) end"},
    {"what is put off", "while true do pto.nextTick(print) end"},
    {"what is put off again", "local function again() pto.nextTick(again) pto.nextTick(again) end again()"},
    {"results of tests", "local i = 0 while true do i = i + 1 pto.test(('x'):rep(1 << 16) .. i, function() end) end"},
    {"recordings in pcall", "while true do pcall(function() keep(pto.load('row_loop'):record()) end) end"},
    {"a budget of its own", "while true do keep(pto.load('row_loop'):record{budget='1GiB'}) end"},
};
// clang-format on

scripting::SandboxLimits limits() { return {.steps = 2'000'000'000, .memory_bytes = kLimit, .call_seconds = 60}; }

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * 4096;
}

}  // namespace

TEST_CASE("lua memory: what a script holds outside of Lua counts, and too much of it is a limit") {
  int turn = 0;
  for (const Holder& holder : kHolders) {
    if (kSanitized && ++turn % 6 != 0) continue;
    const std::string name = holder.name;
    CAPTURE(name);
    const std::size_t before = resident_bytes();
    std::size_t most = 0;
    ScriptRun run;
    scripting::ScriptHost host = script_host(run);
    host.budget_bytes = 0;
    {
      scripting::Script script(host, limits());
      run.status = script.run("local all = {} function keep(x) all[#all + 1] = x end " + std::string(holder.text), "t");
      most = resident_bytes();
    }
    CAPTURE(run.complained);
    CHECK(run.status == 5);
    CHECK(run.complained.find("the script needs more memory than its limit of 48 MiB") != std::string::npos);
    const std::size_t grown = most - std::min(most, before);
    CAPTURE(grown >> 20);
    if (!kSanitized) CHECK(grown < kLimit + (std::size_t{64} << 20));
  }
}

TEST_CASE("lua memory: what is let go of is given back") {
  const char* const texts[] = {
      "for i = 1, 100 do pto.load('row_loop'):record() end",
      "for i = 1, 100 do local r = pto.load('row_loop'):record() r:close() keep(r) end",
      "for i = 1, 100 do pto.array('u8', 512, 512) end",
      "local r = pto.load('row_loop'):record() r:save('x.ptorec') for i = 1, 40 do pto.open('x.ptorec') end",
      "for i = 1, 40 do pto.lockstep('row_loop', {'a2a3', 'a5'}) end",
      "local r = pto.load('row_loop'):record() for i = 1, 40 do pto.compareRuns(r, pto.load('row_loop'):record()) end",
  };
  for (const std::string text : texts) {
    CAPTURE(text);
    const ScriptRun run = run_script("local all = {} function keep(x) all[#all + 1] = x end " + text, limits());
    CAPTURE(run.complained);
    CHECK(run.status == 0);
  }
}

TEST_CASE("lua memory: a long run keeps to the script's memory, with fewer snapshots") {
  // Thousands of steps that each leave 2 KiB: more than half of the limit.
  const TempFolder folder;
  const std::string path = folder / "long.pto";
  const int steps = rounds(50'000, 200'000, 200'000);
  const std::string text = fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
  func.func @f() {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = arith.constant {} : index
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    %one = arith.constant 1.0 : f32
    pto.texpands ins(%one : f32) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
    scf.for %i = %c0 to %n step %c1 {{
      pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
    }}
    return
  }}
}}
)",
                                       steps);
  CHECK(data::write_file(path, {std::as_bytes(std::span(text))}).text.empty());
  const std::string load = "local p = pto.load('" + path + "') ";
  const ScriptRun whole = run_script(
      load + "local r = p:record() assert(r.stopReason == 'end' and r.count == " + std::to_string(steps + 1) + ")",
      limits());
  CAPTURE(whole.complained);
  CHECK(whole.status == 0);
  // Steps are never given up: where they alone are too many, it is the limit.
  scripting::SandboxLimits small = limits();
  small.memory_bytes = std::size_t{52} * steps;
  const ScriptRun none = run_script(load + "p:record()", small);
  CHECK(none.status == 5);
  CHECK(none.complained.find("--script-mem") != std::string::npos);
  // What the script asked for itself ends the recording, not the script.
  const ScriptRun asked = run_script(load + "assert(p:record{budget=4096}.stopReason == 'budget')", limits());
  CHECK(asked.status == 0);
}

}  // namespace ts::test
