// Programs and recordings in scripts: loading, going to places, steps, forks.
#include <doctest/doctest.h>

#include "core/debug/session/commands.h"
#include "scripting/binding/binding.h"
#include "scripting/run/open_recording.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {

TEST_CASE("lua load: what is misspelt or missing is told") {
  CHECK(script_error("pto.load('nowhere')").starts_with("pto.load: "));
  CHECK(script_error("pto.load(7)") == "pto.load: name: wanted a text, got the number 7");
  CHECK(script_error("pto.load('row_loop', {target='a3'})") ==
        "pto.load: target: wanted 'a2a3', 'a5', got the text 'a3'");
  CHECK(script_error("pto.load('row_loop', {inputs={xx={1}}})") ==
        "pto.load: the program has no input xx; did you mean x or y? (it has x, y, result)");
  CHECK(script_error("pto.load('row_loop', {entry='main'})") ==
        "no entry point is called main (samples/row_loop.pto has row_loop)");
  CHECK(script_error("pto.load('row_loop', {options={strct='on'}})") ==
        "pto.load: there is no option strct; did you mean strict? (`tilescope options` lists them)");
  CHECK(script_error("pto.load('row_loop', {options={strict='yes'}})") ==
        "pto.load: option strict: wanted off|on, got yes");
  CHECK(script_error("pto.load('row_loop', {inputs={x='nowhere.npy'}})").starts_with("pto.load: inputs.x: "));
  CHECK(script_error("pto.load('row_loop', {inputs={x=3}})") ==
        "pto.load: inputs.x: wanted a path, an array or a list of numbers, got the number 3");
  CHECK(script_error("pto.load('row_loop', {inputs={x={'a'}}})") ==
        "pto.load: inputs.x: wanted a number, got the text 'a'");
  CHECK(script_error("pto.load('row_loop', {blocks=0})") ==
        "pto.load: blocks: wanted an integer from 1 to 65535, got the number 0");
}

TEST_CASE("lua load: errors of the program's text say where they are") {
  const std::string error = script_error("pto.load('row_loop', {inputs={x={1, 2}}})");
  CHECK(error.starts_with("samples/row_loop.pto:"));
  CHECK(error.find("[TLOAD-R5]") != std::string::npos);
}

TEST_CASE("lua load: inputs as lists, in rows, as numbers") {
  passes_with_rec(R"(
local flat, rows = {}, {}
for r = 1, 50 do
  rows[r] = {}
  for c = 1, 100 do flat[#flat + 1] = r * c rows[r][c] = r * c end
end
local a = pto.load('row_loop', {inputs={x=flat}}):record()
local b = pto.load('row_loop', {inputs={x=rows}}):record()
assert(a:digest() == b:digest() and a:digest() ~= rec:digest())
local d = pto.load('row_loop', {inputs={x=pto.array('i32', 50, 100, flat)}}):record()
assert(d:digest() == a:digest())
local words = {}
for i = 1, 32 do words[i] = i - 1 end
local c = pto.load('block_lookup', {inputs={words=words}}):record()
assert(c.stopReason == 'end'))");
  CHECK(script_error("local w = {} for i = 1, 32 do w[i] = -1 end pto.load('block_lookup', {inputs={words=w}})") ==
        "pto.load: inputs.words: wanted an u32, got the number -1");
}

TEST_CASE("lua load: inputs made of a kind, by the words of the command line") {
  passes_with_rec(R"(
local list = {}
for i = 1, 5000 do list[i] = i - 1 end
local listed = pto.load('row_loop', {inputs={x=list}}):record()
local prog = pto.load('row_loop', {make={x='ramp'}})
assert(prog.inputs[1].text:find('ramp', 1, true))
assert(prog:record():digest() == listed:digest() and listed:digest() ~= rec:digest())
assert(pto.load('row_loop', {make={x='seeded', y='seeded'}}):record():digest() == rec:digest()))");
  CHECK(script_error("pto.load('row_loop', {make={x='noise'}})") ==
        "pto.load: make.x: nothing is made of noise (seeded, ramp, zeros, ones, normal, edge)");
  CHECK(script_error("pto.load('row_loop', {make={x=1}})") ==
        "pto.load: make: names and kinds are texts (as in make={x=\"ramp\"})");
  CHECK(script_error("pto.load('row_loop', {make={xx='ramp'}})").find("the program has no input xx") !=
        std::string::npos);
}

TEST_CASE("lua record: options") {
  CHECK(script_error("pto.load('row_loop'):record{budget='2GB'}") ==
        "prog:record: budget: wanted bytes, or as in \"512MiB\" or \"2GiB\", got the text '2GB'");
  CHECK(script_error("pto.load('row_loop'):record{stop_on='nan'}") ==
        "prog:record: stop_on: wanted 'error', got the text 'nan'");
  CHECK(script_error("pto.load('row_loop'):record{max_step=3}")
            .starts_with("prog:record: options has no 'max_step'; did you mean max_steps?"));
  CHECK(run_script(
            "local rec = pto.load('row_loop'):record{max_steps=3} assert(rec.count == 3 and rec.stopReason == 'limit')")
            .status == 0);
}

TEST_CASE("lua recording: every command of the session is a method") {
  const auto& type = scripting::RecordingObject::type();
  for (const CommandRow& row : commands()) {
    CAPTURE(row.name);
    const scripting::Binding* binding = type.find(row.name);
    REQUIRE(binding != nullptr);
    CHECK(binding->help.starts_with(row.help));
  }
}

TEST_CASE("lua recording: going to places") {
  passes_with_rec(R"(
assert(rec:seek(rec.count).pos == rec.count)
assert(rec:step() == nil)
assert(rec:reverse() == nil and rec.pos == 0 and rec:back() == nil)
local at = rec:runTo{op='tadd'}.pos
rec:into()
assert(rec.pos == at and rec.micro == 1)
rec:back()
assert(rec.pos == at and rec.micro == 0)
rec:last()
assert(rec.pos == rec.count)
rec:visitBack()
assert(rec.pos == at)
)");
  CHECK(rec_error("rec:seek(100000)").starts_with("rec:seek: position: wanted an integer from 0 to "));
  CHECK(rec_error("rec:step(-1)").starts_with("rec:step: n: wanted an integer from 0 to "));
  CHECK(rec_error("rec:runTo{}") == "rec:runTo: nothing is said to run to (give a step, a line or an op)");
  CHECK(rec_error("rec:runTo{op='tsub'}").starts_with("rec:runTo: there is no tsub in the program"));
  CHECK(rec_error("rec:over(1)") == "rec:over: takes 0 arguments, got 1 (rec:over() -> stop | nil)");
  CHECK(rec_error("rec:sekk(1)") == "recording has no 'sekk'; did you mean seek?");
  CHECK(rec_error("rec.pos = 3") == "a recording can only be read; the text 'pos' cannot be set");
  CHECK(rec_error("rec:at(rec.count)").starts_with("rec:at: step: wanted an integer from 0 to "));
}

TEST_CASE("lua recording: what is closed says so") {
  const std::string closed = "the recording is closed";
  CHECK(rec_error("rec:close() rec:seek(0)") == closed);
  CHECK(rec_error("local s = rec:at(0) rec:close() print(s.op)") == closed);
  CHECK(rec_error("local i = rec:steps() rec:close() i()") == closed);
  CHECK(rec_error("local i = rec:find{op='tadd'} rec:close() i()") == closed);
  CHECK(rec_error("local s = rec:step() rec:close() print(s.op)") == closed);
  passes_with_rec("rec:close() rec:close() assert(tostring(rec) == 'closed recording') assert(pto.current() == nil)");
}

TEST_CASE("lua recording: steps and what is found among them") {
  passes_with_rec(R"(
local all, found = 0, 0
for s in rec:steps() do
  assert(s.step == all)
  all = all + 1
  if s.op == 'tadd' then found = found + 1 end
end
for s in rec:find{op='pto.TADD'} do found = found - 1 end
assert(all == rec.count and found == 0)
for s in rec:steps(3, 5) do all = all - 1 end
assert(all == rec.count - 3)
local line = rec:find{op='tadd'}().source.line
for s in rec:find{line=line} do assert(s.op == 'tadd') end
assert(rec:find{op='tsub'}() == nil)
local s = rec:find{reads='x', op='tload'}()
assert(s ~= nil and s.reads[1].region == 'gm')
assert(rec:at(3) == rec:at(3) and rec:at(3) ~= rec:at(4))
)");
  CHECK(rec_error("rec:find{op='taddd'}").starts_with("rec:find: there is no operation taddd; did you mean tadd"));
  CHECK(rec_error("rec:find{pipe='X'}") == "rec:find: pipe: wanted S, V, M, MTE1, MTE2, MTE3 or FIX, got the text 'X'");
  CHECK(rec_error("rec:find{writes='ub[4,4)'}") == "'ub[4,4)' has no bytes (the end is not part of a range)");
  CHECK(rec_error("rec:find{writes='ub[0,4]'}").starts_with("'ub[0,4]' is no range of bytes (as in "));
  CHECK(rec_error("rec:find{writes='uc[0,4)'}").starts_with("there is no memory 'uc' (memories are ub, "));
  CHECK(rec_error("rec:find{writes='y_evn'}")
            .starts_with("the program has no tile or buffer 'y_evn'; did you mean y_even"));
  CHECK(rec_error("rec:find{line='other.pto:3'}") == "line: the program is samples/row_loop.pto, not other.pto");
}

TEST_CASE("lua recording: forks") {
  passes_with_rec(R"(
local s = rec:find{op='tadd'}()
local a = rec:fork{step=s.step, tile='x_even', row=1, col=2, value=0.5}
local b = rec:fork{step=s.step, tile='x_even', row=1, col=2, bits=0x3f000000}
local c = rec:fork{step=s.step, mem='ub', offset=s.writes[1].first, bytes='00'}
assert(a:digest() == b:digest())
assert(pto.current() == c)
assert(c.count == rec.count)
)");
  CHECK(rec_error("rec:fork{}") ==
        "rec:fork: say what changes (edit=\"t2[1,5]=3\"; or tile, row, col and value; or mem, offset and bytes)");
  CHECK(rec_error("rec:fork{tile='x_even', row=1, col=2}") == "rec:fork: give the element's value, or its bits");
  CHECK(rec_error("rec:fork{tile='x_even', row=16, col=2, value=1}") ==
        "rec:fork: row: wanted an integer from 0 to 15, got the number 16");
  CHECK(rec_error("rec:fork{mem='ub', offset=300000, bytes={1}}").starts_with("rec:fork: ub has "));
  CHECK(rec_error("rec:fork{mem='ub', offset=0, bytes='0g'}") ==
        "rec:fork: bytes: wanted pairs of hexadecimal digits, got the text '0g'");
  CHECK(rec_error("rec:fork{edit='nothing[0,0]=1@2'}") ==
        "rec:fork: there is no tile or buffer nothing (tiles and buffers go by their names in the program)");
  CHECK(rec_error("rec:fork{edit={'x_even[0,0]=1@2', 7}}").starts_with("rec:fork: edit: wanted a text, or a list"));
  CHECK(rec_error("rec:fork{edit='x_even[0,0]=1@2', mem='ub'}").starts_with("rec:fork: say what changes"));
  CHECK(rec_error("rec:fork{tile='x', row=0, col=0, value=1}") == "tile: x is no tile");
}

TEST_CASE("lua recording: many of them do not pile up") {
  scripting::SandboxLimits limits;
  limits.call_seconds = 600;
  CHECK(run_script("for i = 1, 60 do pto.load('row_loop'):record{budget='64MiB'} end", limits).status == 0);
}

TEST_CASE("lua recording: a recording that takes too long is a limit") {
  scripting::SandboxLimits limits;
  limits.call_seconds = 1e-6;
  CHECK(run_script("for i = 1, 100 do local rec = pto.load('row_loop'):record() rec:digest() end", limits).status == 5);
}

}  // namespace ts::test
