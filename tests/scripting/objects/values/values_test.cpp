// Tiles, buffers, masks, memories and registers as scripts see them, over programs with every type and layout.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>

#include "core/debug/session/session.h"
#include "core/isa/element.h"
#include "core/program/builder.h"
#include "core/record/recording.h"
#include "tests/support/random.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {
namespace {

std::shared_ptr<Session> session_of(ProgramBuilder& builder) {
  Diagnostics diagnostics;
  Program program = builder.build(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics) CAPTURE(diagnostic.format());
  REQUIRE(!has_error(diagnostics));
  std::shared_ptr<const Recording> recording = Recording::run(std::move(program));
  REQUIRE(recording->stop_reason() == StopReason::End);
  return std::make_shared<Session>(recording);
}

// Runs a script whose pto.current() is this; `rec` stands at the end.
ScriptRun run_on(const std::shared_ptr<Session>& session, const std::string& text) {
  ScriptRun run;
  scripting::ScriptHost host = script_host(run);
  host.current = session;
  scripting::Script script(std::move(host));
  run.status = script.run("local rec = pto.current()\nrec:seek(rec.count)\n" + text, "test.lua");
  return run;
}
void check_on(const std::shared_ptr<Session>& session, const std::string& text) {
  const ScriptRun run = run_on(session, text);
  CAPTURE(text);
  CAPTURE(run.complained);
  CHECK(run.status == 0);
}

// Random elements in a buffer, loaded into a tile with a valid region that is smaller.
std::shared_ptr<Session> loaded(DType type, TileType tile, std::uint32_t rows, std::uint32_t cols, GlobalLayout layout,
                                std::vector<std::uint64_t>& elements) {
  Random random(static_cast<std::uint64_t>(type) + 3);
  std::vector<std::byte> bytes(bytes_for(type, std::uint64_t{rows} * cols));
  for (std::uint32_t i = 0; i < rows * cols; ++i) {
    const std::uint64_t bits = random.next() & element_format(type).mask();
    elements.push_back(bits);
    store_element(bytes.data(), type, i, bits);
  }
  ProgramBuilder builder(Target::A5, "values");
  const BufferId x = builder.buffer("x", type, rows * cols, bytes);
  const TileId t = builder.tile("t", tile, {.valid_rows = rows, .valid_cols = cols});
  builder.add("tload", {View{.buffer = x, .rows = rows, .cols = cols, .layout = layout}}, {t});
  return session_of(builder);
}

std::string lua_integer(std::uint64_t value) { return fmt::format("{}", static_cast<std::int64_t>(value)); }

// Every element against what was put into the buffer.
std::string expectations(const ElementFormat& format, const std::vector<std::uint64_t>& elements, std::uint32_t rows,
                         std::uint32_t cols, bool by_cols) {
  std::string text = "local t = rec:tile('t')\n";
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < cols; ++c) {
      const std::uint64_t bits = elements[by_cols ? c * rows + r : r * cols + c];
      text += fmt::format("assert(t:bits({0}, {1}) == {2}, 'bits at {0},{1}')\n", r, c, lua_integer(bits));
      if (!format.is_float())
        text += fmt::format("assert(t:get({}, {}) == {})\n", r, c,
                            integer(format, bits) == INT64_MIN
                                ? "math.mininteger"
                                : lua_integer(static_cast<std::uint64_t>(integer(format, bits))));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("lua values: every type, row by row") {
  for (int i = 0; i < kDTypes; ++i) {
    const auto type = static_cast<DType>(i);
    if (kInts4.contains(type)) continue;  // nothing loads them
    CAPTURE(name(type));
    std::vector<std::uint64_t> elements;
    const auto session = loaded(type, vec_tile(type, 4, 64, kDynamic, kDynamic), 3, 6, GlobalLayout::ND, elements);
    check_on(
        session,
        expectations(element_format(type), elements, 3, 6, false) +
            fmt::format(
                "assert(t.dtype == '{}' and t.validRows == 3 and t.validCols == 6 and t.rows == 4 and t.cols == 64)\n",
                name(type)) +
            "assert(t.layout == 'row_major' and t.region == 'ub' and t.space == 'vec')\n"
            "assert(t:isValid(2, 4) and not t:isValid(3, 0) and not t:isValid(0, 6))\n"
            "assert(t:isDefined(2, 4) and not t:isDefined(3, 0) and t:get(3, 0) == nil)\n"
            "assert(t:stats().count == 18 and t:stats{region='all'}.undefined > 0)\n"
            "local b = rec:buffer('x')\n"
            "for i = 0, b.count - 1 do assert(b:bits(i) == t:bits(i // 6, i % 6)) end\n"
            "pto.assert.tile(t, b)\n"
            "assert(#t:find{undefined=true, region='all'} > 0)");
  }
}

TEST_CASE("lua values: floats keep their bits") {
  for (const DType type : {DType::F16, DType::BF16, DType::F32}) {
    std::vector<std::uint64_t> elements;
    const auto session = loaded(type, vec_tile(type, 8, 32), 8, 32, GlobalLayout::ND, elements);
    const ElementFormat& format = element_format(type);
    std::string text = "local t = rec:tile('t')\n";
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
      if (classify(format, elements[i]) == ElementClass::Nan)
        text += fmt::format("assert(t:get({0}, {1}) ~= t:get({0}, {1}))\n", i / 32, i % 32);
      else text += fmt::format("assert(t:get({}, {}) == {:a})\n", i / 32, i % 32, number(format, elements[i]));
    }
    check_on(session, text);
  }
}

TEST_CASE("lua values: columns and boxes") {
  const auto boxed = [](BoxOrder outer, InnerOrder inner) {
    return TileType{
        .loc = TileLoc::Mat, .dtype = DType::F16, .rows = 32, .cols = 32, .blayout = outer, .slayout = inner};
  };
  std::vector<std::uint64_t> elements;
  const auto nz =
      loaded(DType::F16, boxed(BoxOrder::ColMajor, InnerOrder::RowMajor), 20, 7, GlobalLayout::ND, elements);
  check_on(nz, expectations(element_format(DType::F16), elements, 20, 7, false) +
                   "assert(t.layout == 'nz' and t.region == 'l1' and t.space == 'mat')");
  elements.clear();
  TileType cols{.dtype = DType::I16, .rows = 16, .cols = 6, .blayout = BoxOrder::ColMajor};
  const auto dn = loaded(DType::I16, cols, 16, 6, GlobalLayout::DN, elements);
  check_on(dn, expectations(element_format(DType::I16), elements, 16, 6, true) + "assert(t.layout == 'col_major')");
}

TEST_CASE("lua values: wrong arguments are told with their name") {
  const std::string start = "local rec = pto.load('complex_split', {target='a5'}):record() local t = rec:tile('im') ";
  CHECK(script_error(start + "t:get(4, 0)") == "tile:get: row: wanted an integer from 0 to 3, got the number 4");
  CHECK(script_error(start + "t:get(0)") == "tile:get: col: wanted an integer from 0 to 15, got nothing");
  CHECK(script_error(start + "t:get(0, 0, 0)").find("takes 2 arguments, got 3") != std::string::npos);
  CHECK(script_error(start + "t.get(0, 0)").find("with a colon") != std::string::npos);
  CHECK(script_error(start + "t:stats{regoin='all'}").find("did you mean region?") != std::string::npos);
  CHECK(script_error(start + "t:stats{region='most'}").find("region: wanted 'valid', 'all'") != std::string::npos);
  CHECK(script_error(start + "t:find{}").find("nothing to look for") != std::string::npos);
  CHECK(script_error(start + "t:histogram{low=3}").find("high") != std::string::npos);
  CHECK(script_error(start + "t:slice(0, 0, {deep=3})").find("slice") != std::string::npos);
  CHECK(script_error(start + "print(t.row)").empty());
  CHECK(script_error(start + "print(t.rwos)").find("did you mean") != std::string::npos);
  CHECK(script_error(start + "t.rows = 3").find("can only be read") != std::string::npos);
  CHECK(script_error(start + "rec:tile('secnd')").find("there is no tile 'secnd'; did you mean second?") !=
        std::string::npos);
  CHECK(script_error(start + "rec:tile('im', {step=1000})").find("step: wanted an integer from 0 to") !=
        std::string::npos);
  CHECK(script_error(start + "rec:buffer('im')").find("there is no buffer 'im'") != std::string::npos);
  CHECK(script_error(start + "rec:mem('l9')").find("a5 has no memory 'l9'") != std::string::npos);
  CHECK(script_error(start + "rec:mem('ub'):u32(-1)").find("mem:u32: offset: wanted an integer from 0") !=
        std::string::npos);
  CHECK(script_error(start + "rec:reg('XYZ')").find("has no register XYZ") != std::string::npos);
  CHECK(script_error(start + "rec:aliases('ub', 5, 4)").find("last: wanted an integer from 5") != std::string::npos);
  CHECK(script_error(start + "pto.array('f33', 1, 1)").find("dtype: wanted one of") != std::string::npos);
  CHECK(script_error("pto.array('i8', 1, 1, {200})").find("values: wanted an i8, got the number 200") !=
        std::string::npos);
  CHECK(script_error("pto.array('i8', 2, 2, {1})").find("1 values for 2x2 = 4 elements") != std::string::npos);
  CHECK(script_error("pto.array('i8', 2, 2):get(0, 0, 0)").find("its shape is 2x2") != std::string::npos);
  CHECK(script_error("pto.npy('nowhere.npy')").find("nowhere.npy") != std::string::npos);
}

TEST_CASE("lua values: memory outside of Lua counts") {
  // No time passes, so that memory alone can be used up.
  const scripting::SandboxLimits limits{.clock_ns = [] { return std::int64_t{0}; }};
  const ScriptRun kept =
      run_script("local keep = {} for i = 1, 1000 do keep[i] = pto.array('f32', 1000, 1000) end", limits);
  CHECK(kept.status == 5);
  CHECK(kept.complained.find("MiB") != std::string::npos);
  const ScriptRun dropped = run_script("for i = 1, 200 do pto.array('f32', 1000, 1000) end", limits);
  CAPTURE(dropped.complained);
  CHECK(dropped.status == 0);
}

TEST_CASE("lua values: handles outlive moves, and say when the recording is closed") {
  CHECK(run_script(R"(local rec = pto.load("complex_split", {target="a5"}):record()
local before = rec:tile("im")
rec:seek(rec.count)
local after = rec:tile("im")
assert(before:get(0, 0) == nil and after:get(0, 0) ~= nil)
rec:seek(0)
assert(after:get(0, 0) ~= nil)
local cell, history, slice = after:cell(0, 0), after:history(0, 0), after:slice(0, 0)
rec:close()
assert(cell.value)
for _, ask in ipairs{function() return after:get(0, 0) end, function() return after:stats() end, function() return #history end,
                     function() return slice:leaves() end, function() return tostring(slice) end} do
  local ok, message = pcall(ask)
  assert(not ok and message:find("closed"), message)
end
collectgarbage())")
            .status == 0);
}

TEST_CASE("lua values: history, sources, readers and slices agree") {
  const ScriptRun run = run_script(R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:tile("sum", {step=rec.count})
local sources = t:sources(1, 2)
assert(#sources == 2 and sources[1].tile == "re" and sources[2].tile == "im" and sources[1].kind == "element")
assert(sources[1].value + sources[2].value == t:get(1, 2))
assert(sources[1].row == 1 and sources[1].col == 2 and sources[1].op == "tadd")
local history = t:history(1, 2)
assert(#history == 1 and history[1].op == "tadd" and history[1].after == t:get(1, 2) and history[1].before == nil and history[1].changed)
assert(history[2] == nil and history[0] == nil)
local readers = rec:tile("re", {step=history[1].step}):readers(1, 2)
assert(readers[1].tile == "sum" and readers[1].row == 1 and readers[1].col == 2 and readers[1].value == t:get(1, 2))
local leaves = t:slice(1, 2):leaves()
assert(#leaves == 2 and leaves[1].tile == "iq" and leaves[1].madeBy == "input")
assert(rec:buffer("iq"):get(leaves[1].row, leaves[1].col) == leaves[1].value)
assert(not t:slice(1, 2, {depth=1}).complete)
print(t:slice(1, 2)))");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  CHECK(run.printed.starts_with("sum[1,2] = "));
  CHECK(run.printed.find("\n    ") != std::string::npos);
}

TEST_CASE("lua values: a select that reads bits nobody wrote") {
  ProgramBuilder builder(Target::A5, "bits");
  const BufferId x = builder.buffer("x", DType::F32, std::vector<double>(64, 1.0));
  const BufferId bits = builder.buffer("bits", DType::U8, std::vector<double>{255, 255, 255, 255});
  const TileId a = builder.tile("a", vec_tile(DType::F32, 2, 32)),
               out = builder.tile("out", vec_tile(DType::F32, 2, 32));
  const TileId m = builder.tile("m", vec_tile(DType::U8, 2, 32, 1, 4));
  builder.add("tload", {View{x, 2, 32}}, {a});
  builder.add("tload", {View{bits, 1, 4}}, {m});
  builder.add("tsels", {m, a, scalar_of(DType::F32, -1)}, {out});
  check_on(session_of(builder), R"(
local s = rec:at(2)
local m = s.args.mask
local bad = m:undefinedBitsRead()
assert(#bad == 32 and bad[1].row == 1 and bad[1].col == 0)
assert(m.rows == 2 and m.cols == 32 and m:bit(0, 31) == 1 and m:word(0) == 0xFFFFFFFF and m:isDefined(0, 0) and not m:isDefined(1, 0))
assert(m:rule():find("byte 32*r + c/8", 1, true))
assert(rec:mask("m").step == 2 and rec:mask("m", {step=0}):isDefined(0, 0) == false))");
  CHECK(script_error("local rec = pto.load('row_loop'):record() rec:mask('x_even'):rule()")
            .find("no step of this recording reads x_even as a mask") != std::string::npos);
}

TEST_CASE("lua values: registers and masks that a program names") {
  const ScriptRun run = run_script(R"(local rec = pto.load("add_tail"):record()
rec:seek(rec.count)
local last = {}
for step = 0, rec.count - 1 do
  if rec:at(step).op == "vsts" then last[#last + 1] = step end
end
assert(#last == 4)
local sum = rec:reg("%sum", {step=last[4]})
assert(sum.name == "sum" and sum.dtype == "f32" and sum.lanes == 64 and sum.size == 256)
assert(rec:at(sum.writer).op == "vadd" and sum.writer == last[4] - 1)
local x, y = rec:buffer("x"), rec:buffer("y")
for lane = 0, 10 do
  assert(sum:get(lane) == sum:f32(lane) and sum:isDefined(lane))
  assert(sum:get(lane) == rec:reg("a", {step=last[4]}):get(lane) + rec:reg("b", {step=last[4]}):get(lane))
end
assert(rec:reg("a", {step=last[4]}):get(3) == x:get(195) and sum:get(11) == 0)
local tail = rec:pred("tail", {step=last[4]})
assert(tail.dtype == "u32" and tail.lanes == 64 and tail.size == 32)
for lane = 0, 63 do
  assert(tail:get(lane) == (lane < 11 and 1 or 0) and tail:bit(4 * lane) == tail:get(lane))
end
assert(rec:pred("%tail", {step=last[1]}):get(63) == 1)
local ok, message = pcall(rec.pred, rec, "%sum", {step=last[4]})
assert(not ok and message:find("sum is no mask"), message)
ok, message = pcall(rec.reg, rec, "%some", {step=last[4]})
assert(not ok and message:find("has no register %%some"), message)
ok, message = pcall(rec.reg, rec, "%sum", {step=0})
assert(not ok and message:find("has no register"), message)
ok, message = pcall(sum.get, sum, 64)
assert(not ok and message:find("lane"), message)
ok, message = pcall(function() return rec:reg("VMS4_SR"):get(0) end)
assert(not ok and message:find("has no lanes"), message))");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
}

TEST_CASE("lua values: registers and memories in the middle of a step") {
  const ScriptRun run = run_script(R"(local rec = pto.load("complex_split", {target="a5"}):record()
rec:runTo{op="tadd"}
local out = rec:tile("sum")
local first, at
for i, micro in ipairs(rec:microSteps()) do
  for _, made in ipairs(micro.made) do
    if not first and made.name:sub(1, 1) == "v" then first, at = made.name, i end
  end
end
local ok, message = pcall(rec.reg, rec, first)
assert(not ok and message:find("between steps"), message)
rec:seek(rec.pos, at)
assert(rec:reg(first):f32(0) == rec:tile("re"):get(0, 0))
assert(rec:reg(first).size == 256)
ok, message = pcall(rec.reg, rec, "v999")
assert(not ok and message:find("makes no register v999"), message)
rec:seek(rec.pos, 1)
ok, message = pcall(rec.reg, rec, first)
assert(at == 1 or (not ok and message:find("comes later")), message)
local middle = rec:tile("sum")
middle:get(0, 0)
rec:seek(0)
ok, message = pcall(middle.get, middle, 0, 0)
assert(not ok and message:find("in the middle of step"), message)
assert(out:get(0, 0) == nil))");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
}

TEST_CASE("lua values: watch expressions") {
  const ScriptRun run = run_script(R"lua(local rec = pto.load("masked_sum", {target="a5"}):record()
rec:seek(rec.count)
golden = rec:tile("sum"):array()
local t = rec:tile("sum")
local function is(text, wanted) pto.assert.equal(pto.watch(text), wanted, text) end
is("sum[1,5]", tostring(t:cell(1, 5)))
is("sum[1,5],x", t:hex(1, 5))
is("sum[1,5],b", t:cell(1, 5).binary)
is("sum[1,5],f", t:exact(1, 5))
is("hex(sum[1,5])", t:hex(1, 5))
is("255,x", "0xff")
is("1 + 2", "3")
is("0.1,f", "0.1000000000000000055511151231257827021181583404541015625")
is("sum[1,5] + 1 > sum[1,5]", "true")
is("max(sum) == max(abs(sum)) or min(sum) == -max(abs(sum))", "true")
is("mean(sum) >= min(sum)", "true")
is("ulp(sum, golden)", "0")
is("ulp(sum[0,0], sum[0,0])", "0")
is("pos", tostring(rec.count))
is("rec:at(0).step", "0")
is("%sum[0,0],x", t:hex(0, 0))
is("#bits(mask)", "8")
is("bits(mask, 1)", rec:mask("mask"):bit(1, 0) .. pto.watch("bits(mask, 1)"):sub(2))
is("'a,x'", "a,x")
is("x[0,0]", tostring(rec:buffer("x"):cell(0, 0)))
assert(pto.watch("sum"):find("^2x8 f32: "))
assert(pto.watch("sum,h"):find(" to "))
for _, wrong in ipairs{"", "sum[", "sum[9,9]", "nothing", "error('no')", "sum..1", "local x", "max('a')", "sum:nothing()", "ulp(sum, 3)"} do
  local text = pto.watch(wrong)
  assert(type(text) == "string" and #text > 0 and not text:find("watch:1:"), text)
end
assert(pto.watch("sum[9,9]"):find("row: wanted an integer from 0 to 1")))lua");
  CAPTURE(run.complained);
  CHECK(run.status == 0);
  scripting::SandboxLimits limits;
  limits.steps = 1'000'000;
  CHECK(run_script("local rec = pto.load('masked_sum'):record() pto.watch('(function() while true do end end)()')",
                   limits)
            .status == 5);
}

TEST_CASE("lua tests: results are told, counted and kept") {
  ScriptRun run;
  scripting::Script script(script_host(run));
  const int status = script.run(R"(
local rec = pto.load("masked_sum", {target="a5"}):record()
local t = rec:tile("out", {step=rec.count})
pto.test("fits", function() pto.assert.tile(t, t:array()) end)
pto.test("does not fit", function() pto.assert.tile(t, pto.array("f32", 2, 8), {ulp=1}) end)
pto.test("coroutines", function()
  local co = coroutine.wrap(function() coroutine.yield(1) pto.assert.equal({1, {2}}, {1, {3}}, "deep") end)
  co()
  co()
end)
pto.test("breaks", function() local x = nil + 1 end)
pto.test("truth", function() pto.assert.isTrue(1 == 1) pto.assert.noFindings(rec) end)
)",
                                "test.lua");
  CAPTURE(run.complained);
  CAPTURE(run.printed);
  CHECK(status == 1);
  CHECK(script.tests().results().size() == 5);
  CHECK(script.tests().failed() == 3);
  const auto& failed = script.tests().results()[1];
  CHECK(failed.kind == scripting::TestResult::Kind::Failed);
  CHECK(failed.message.find("out is not array: ") != std::string::npos);
  CHECK(failed.message.find("of 16 elements differ") != std::string::npos);
  CHECK(failed.message.find("tsels") != std::string::npos);
  CHECK(failed.message.find("0x") != std::string::npos);
  CHECK(script.tests().results()[2].message.find("deep: {1, {2}} is not {1, {3}}") != std::string::npos);
  CHECK(script.tests().results()[3].kind == scripting::TestResult::Kind::Error);
  CHECK(run.printed.starts_with("ok 1 - fits\nnot ok 2 - does not fit\n# test.lua:"));
  CHECK(run.printed.ends_with("ok 5 - truth\n1..5\n"));
}

TEST_CASE("lua tests: what ends the script ends it in a test as well") {
  CHECK(run_script("pto.test('quits', function() pto.quit(7) end) error('not reached')").status == 7);
  scripting::SandboxLimits limits;
  limits.steps = 100'000;
  CHECK(run_script("pto.test('runs', function() while true do end end)", limits).status == 5);
  CHECK(run_script("pto.test('fails', function() pto.assert.isTrue(false) end) pto.quit(0)").status == 1);
  CHECK(run_script("local a, b = {}, {} a[1] = a b[1] = b pto.assert.equal(a, b)").status == 3);
  CHECK(script_error("pto.test('x')").find("body: wanted a function") != std::string::npos);
  CHECK(script_error("pto.assert.tile(3, 4)").find("tile: wanted a tile, a buffer or an array, got the number 3") !=
        std::string::npos);
  CHECK(script_error("pto.assert.tile(pto.array('f32', 1, 2), pto.array('f32', 2, 2))").find("cannot be compared") !=
        std::string::npos);
  CHECK(script_error("pto.assert.tile(pto.array('f32', 1, 1), pto.array('f32', 1, 1), {ulps=1})")
            .find("did you mean ulp") != std::string::npos);
  CHECK(script_error("pto.assert.tile(pto.array('f32', 1, 1), pto.array('f32', 1, 1), {rel=-1})")
            .find("rel: wanted a number from 0 on") != std::string::npos);
}

}  // namespace ts::test
