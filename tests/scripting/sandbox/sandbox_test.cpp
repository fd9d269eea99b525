// The sandbox from the host's side, and its libraries against Lua's own.
#include "scripting/sandbox/sandbox.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <string>

#include "tests/scripting/sandbox/plain_lua.h"

namespace ts::test {
namespace {

using scripting::guarded;
using scripting::Outcome;
using scripting::Sandbox;
using scripting::SandboxLimits;
using Kind = Outcome::Kind;

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

void check_good(Sandbox& sandbox, std::string_view text) {
  const Outcome outcome = sandbox.run(text, "test.lua");
  CAPTURE(outcome.message);
  CHECK(int(outcome.kind) == int(Kind::Ok));
}

void add_function(Sandbox& sandbox, const char* name, lua_CFunction function) {
  lua_pushcfunction(sandbox.state(), function);
  lua_setglobal(sandbox.state(), name);
}

int run_out(lua_State*) { throw std::bad_alloc(); }
int quit_with_3(lua_State* L) { Sandbox::quit(L, 3); }

}  // namespace

// --- outcomes ---

TEST_CASE("scripting: an error has a message and a traceback, and the state goes on") {
  Sandbox sandbox;
  const Outcome outcome =
      sandbox.run("local function inner()\n  error('wrong')\nend\nfunction outer() inner() end\nouter()", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Error));
  CHECK(outcome.message == "a.lua:2: wrong");
  CHECK(outcome.traceback ==
        "  [host]: in global 'error'\n"
        "  a.lua:2: in upvalue 'inner'\n"
        "  a.lua:4: in global 'outer'\n"
        "  a.lua:5: in main chunk\n");
  CHECK(lua_gettop(sandbox.state()) == 0);
  check_good(sandbox, "assert(outer)");
  CHECK(sandbox.run("x = = 1", "b.lua").message == "b.lua:1: unexpected symbol near '='");
  CHECK(sandbox.run("x = = 1", "b.lua").traceback.empty());
  CHECK(sandbox.run("error({})", "b.lua").message == "the error is not a text but a table value");
  CHECK(sandbox.run("error(setmetatable({}, {__tostring = function() return 'told' end}))", "b.lua").message == "told");
  CHECK(sandbox.run("error()", "b.lua").message == "the error is not a text but a nil value");
  CHECK(sandbox.run("error(7)", "b.lua").message == "7");
}

TEST_CASE("scripting: what editors and shells put first is no obstacle") {
  Sandbox sandbox;
  check_good(sandbox, "#!/usr/bin/tilescope\nassert(true)");
  check_good(sandbox, "\xEF\xBB\xBF-- text\nassert(true)");
  check_good(sandbox, "#");
  check_good(sandbox, "");
  CHECK(sandbox.run("#!x\nerror('here')", "a.lua").message == "a.lua:2: here");
}

TEST_CASE("scripting: quit ends everything, and nothing stops it") {
  for (const char* text :
       {"quit()", "pcall(quit)", "while true do pcall(quit) end", "coroutine.wrap(quit)()",
        "pcall(coroutine.wrap(function() pcall(quit) while true do end end)) while true do end",
        "xpcall(quit, function() while true do end end)", "table.sort({1, 2}, quit)", "load(quit)",
        "local x <close> = setmetatable({}, {__close = function() while true do end end}) quit()",
        "error(setmetatable({}, {__tostring = quit}))", "for k in pairs(setmetatable({}, {__pairs = quit})) do end"}) {
    CAPTURE(std::string(text));
    Sandbox sandbox;
    add_function(sandbox, "quit", quit_with_3);
    const Outcome outcome = sandbox.run(text, "a.lua");
    CHECK(int(outcome.kind) == int(Kind::Quit));
    CHECK(outcome.quit_code == 3);
    CHECK(lua_gettop(sandbox.state()) == 0);
  }
}

TEST_CASE("scripting: each run has all of its steps, and the limit's message says how to move it") {
  Sandbox sandbox({.steps = 100'000});
  for (int i = 0; i < 5; ++i) check_good(sandbox, "for i = 1, 30000 do end");
  const Outcome outcome = sandbox.run("local function f() while true do end end\nf()", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Limit));
  CHECK(outcome.message == "the script used up its limit of 100000 steps; --script-steps N allows more");
  CHECK(outcome.traceback == "  a.lua:1: in local 'f'\n  a.lua:2: in main chunk\n");
  check_good(sandbox, "for i = 1, 30000 do end");
}

TEST_CASE("scripting: a limit met in a coroutine is traced through whoever resumed it") {
  Sandbox sandbox({.steps = 100'000});
  const Outcome outcome = sandbox.run(
      "local f = coroutine.wrap(function() while true do end end)\nlocal function g()\n  f()\nend\ng()", "a.lua");
  CHECK(
      outcome.traceback ==
      "  a.lua:1: in function <a.lua:1>\n  [host]: in upvalue 'f'\n  a.lua:3: in local 'g'\n  a.lua:5: in main chunk\n");
}

TEST_CASE("scripting: memory is what the script uses, and garbage does not count") {
  Sandbox sandbox({.memory_bytes = std::size_t{4} << 20});
  check_good(sandbox, "for i = 1, 200 do local t = string.rep('x', 100000) .. i end");
  check_good(sandbox, "local keep = {} for i = 1, 30000 do keep[i] = {} end");
  const Outcome outcome = sandbox.run("keep = {} for i = 1, 1e6 do keep[i] = {} end", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Limit));
  CHECK(outcome.message == "the script needs more memory than its limit of 4 MiB; --script-mem SIZE allows more");
  check_good(sandbox, "keep = nil");
  check_good(sandbox, "for i = 1, 20 do local t = {} for j = 1, 10000 do t[j] = {} end end");
}

TEST_CASE("scripting: deep recursion is told as what it is, with the default limits") {
  Sandbox sandbox;
  const Outcome outcome = sandbox.run("local function f(n) return 1 + f(n + 1) end f(1)", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Error));
  CHECK(has(outcome.message, "a.lua:1: stack overflow (calls or nesting go too deep"));
  CHECK(has(outcome.traceback, " more ...\n"));
  CHECK(outcome.traceback.size() < 2000);
}

// --- callbacks and bindings ---

TEST_CASE("scripting: the host calls functions") {
  Sandbox sandbox;
  lua_State* L = sandbox.state();
  check_good(sandbox, "function add(a, b) return a + b, 'more' end function fail() error('no') end");
  lua_getglobal(L, "add");
  lua_pushinteger(L, 2);
  lua_pushinteger(L, 3);
  CHECK(int(sandbox.call(2, LUA_MULTRET).kind) == int(Kind::Ok));
  REQUIRE(lua_gettop(L) == 2);
  CHECK(lua_tointeger(L, 1) == 5);
  lua_getglobal(L, "fail");
  const Outcome outcome = sandbox.call(0, 1);
  CHECK(int(outcome.kind) == int(Kind::Error));
  CHECK(outcome.message == "test.lua:1: no");
  CHECK(lua_gettop(L) == 2);
}

TEST_CASE("scripting: a binding calls back, and passes on what ends the script") {
  Sandbox sandbox({.steps = 100'000});
  // each(f): calls f until it fails, and returns the message.
  add_function(sandbox, "each", [](lua_State* L) {
    for (;;) {
      lua_pushvalue(L, 1);
      const Outcome outcome = Sandbox::of(L).call(L, 0, 0);
      Sandbox::raise_if_over(L);
      if (outcome.kind == Kind::Ok) continue;
      lua_pushlstring(L, outcome.message.data(), outcome.message.size());
      return 1;
    }
  });
  check_good(
      sandbox,
      "local n = 0 local text = each(function() n = n + 1 if n == 5 then error('five', 0) end end) assert(n == 5 and text == 'five')");
  check_good(sandbox, "coroutine.wrap(function() assert(each(function() error('x', 0) end) == 'x') end)()");
  CHECK(int(sandbox.run("pcall(each, function() end)", "a.lua").kind) == int(Kind::Limit));
  add_function(sandbox, "quit", quit_with_3);
  CHECK(int(sandbox.run("pcall(each, quit) while true do end", "a.lua").kind) == int(Kind::Quit));
}

TEST_CASE("scripting: a long call into the host ends the script") {
  Sandbox sandbox({.call_seconds = 0.02});
  add_function(sandbox, "work", [](lua_State* L) -> int {
    Sandbox::CallWatch watch(L);
    while (watch.go_on()) {
    }
    watch.raise("working hard");
  });
  const Outcome outcome = sandbox.run("pcall(work) print('alive')", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Limit));
  CHECK(outcome.message ==
        "working hard took longer than 0.02 s, the limit for one call; --script-seconds N allows more");
}

TEST_CASE("scripting: the time for everything also ends what takes long inside of one function") {
  const char* const texts[] = {
      "string.find(('a'):rep(100000), ('a-'):rep(30) .. 'b')",
      "pcall(string.match, ('x'):rep(1 << 20), ('(x+)'):rep(30) .. 'y')",
      "table.move({}, 1, 1 << 40, 2)",
  };
  for (const std::string text : texts) {
    CAPTURE(text);
    Sandbox sandbox({.steps = 2'000'000'000, .total_seconds = 0.1});
    CHECK(has(sandbox.run(text, "a.lua").message, "the script took longer than 0.1 s in all"));
  }
}

TEST_CASE("scripting: the time for everything counts many short runs as well") {
  Sandbox sandbox({.total_seconds = 0.05});
  Outcome outcome;
  constexpr int kMany = 10'000'000;
  for (int i = 0; i < kMany && outcome.kind == Kind::Ok; ++i) outcome = sandbox.run("local x = 1", "a.lua");
  CHECK(int(outcome.kind) == int(Kind::Limit));
  CHECK(has(outcome.message, "--script-total-seconds"));
}

TEST_CASE("scripting: bindings charge, and can ask for memory") {
  Sandbox sandbox({.steps = 1'000'000, .memory_bytes = std::size_t{1} << 20});
  add_function(sandbox, "charge", [](lua_State* L) {
    Sandbox::charge(L, static_cast<std::uint64_t>(luaL_checkinteger(L, 1)));
    return 0;
  });
  add_function(sandbox, "need", [](lua_State* L) {
    Sandbox::need_memory(L, static_cast<std::size_t>(luaL_checkinteger(L, 1)));
    return 0;
  });
  check_good(sandbox, "charge(500000) need(500000)");
  CHECK(has(sandbox.run("pcall(charge, 2000000)", "a.lua").message, "--script-steps"));
  CHECK(has(sandbox.run("pcall(charge, -1)", "a.lua").message, "--script-steps"));
  CHECK(has(sandbox.run("pcall(need, 2000000)", "a.lua").message, "--script-mem"));
  CHECK(has(sandbox.run("pcall(need, -1)", "a.lua").message, "--script-mem"));
}

TEST_CASE("scripting: exceptions of the host become errors") {
  Sandbox sandbox;
  add_function(sandbox, "full", guarded<run_out>);
  check_good(sandbox, "local good, text = pcall(full) assert(not good and text == 'std::bad_alloc')");
}

TEST_CASE("scripting: objects of the host do not show their metatable") {
  Sandbox sandbox;
  lua_State* L = sandbox.state();
  lua_newuserdatauv(L, 8, 0);
  luaL_newmetatable(L, "tile");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "object");
  check_good(
      sandbox,
      "assert(getmetatable(object) == false) assert(tostring(object) == 'tile') assert(not pcall(setmetatable, object, {}))");
}

TEST_CASE("scripting: print and warn go where the host wants") {
  Sandbox sandbox;
  std::string said;
  sandbox.print = [&](std::string_view text) { said += text; };
  check_good(sandbox, "print('a', 1, nil, true, 2.0, {}) print() warn('careful', ' now')");
  CHECK(said == "a\t1\tnil\ttrue\t2.0\ttable\n\nwarning: careful now\n");
}

TEST_CASE("scripting: files only for those who are allowed") {
  Sandbox closed;
  check_good(closed, "assert(io == nil and os == nil)");
  Sandbox open({.allow_io = true});
  check_good(open, R"(
    assert(io.open and os.time and os.exit == nil and os.setlocale == nil and debug == nil and package == nil)
    assert(tostring(io.stdout) == 'file'))");
}

// --- order ---

TEST_CASE("scripting: pairs and next have an order") {
  const char* text = R"(
local t = {30, 10, 20, b = 1, a = 1, [''] = 1, ['a\0'] = 1, ['\xff'] = 1, [-1] = 1, [0] = 1, [2.5] = 1, [1e300] = 1, [-1e300] = 1, [5] = 1,
           [true] = 1, [false] = 1, [math.maxinteger] = 1, [math.mininteger] = 1, [2^63] = 1, [-2^63 - 1025] = 1, [math.huge] = 1, [print] = 1}
local keys = {}
for k in pairs(t) do keys[#keys + 1] = type(k) == 'string' and string.format('%q', k) or tostring(k) end
print(table.concat(keys, ' '))
local again = {}
for k in next, t do again[#again + 1] = type(k) == 'string' and string.format('%q', k) or tostring(k) end
print(table.concat(again, ' ') == table.concat(keys, ' '))
)";
  CHECK(
      sandbox_output(text) ==
      "-1e+300 -9.2233720368548e+18 -9223372036854775808 -1 0 1 2 2.5 3 5 9223372036854775807 9.2233720368548e+18 1e+300 inf "
      "\"\" \"a\" \"a\\0\" \"b\" \"\xff\" false true function\ntrue\n");
}

TEST_CASE("scripting: a walk may change and remove what is there") {
  Sandbox sandbox;
  check_good(sandbox, R"(
    local function make() local t = {} for i = 1, 100 do t[i] = i t['k' .. i] = i end return t end
    local t, n = make(), 0
    for k, v in pairs(t) do n = n + 1 t[k] = nil end
    assert(n == 200 and next(t) == nil)
    t, n = make(), 0
    for k, v in next, t do n = n + 1 t[k] = nil end
    assert(n == 200 and next(t) == nil)
    t, n = make(), 0
    for k, v in pairs(t) do n = n + v t[k] = 2 * v end
    assert(n == 10100 and t[7] == 14)
    -- What was removed before its turn does not come.
    t, n = {a = 1, b = 2, c = 3}, ''
    for k in pairs(t) do n = n .. k t.b = nil end
    assert(n == 'ac')
    -- A loop inside a loop over the same table, by next, which has one memory only.
    t, n = {10, 20, 30, x = 1}, 0
    for k in next, t do for l in next, t do n = n + 1 end end
    assert(n == 16)
    -- next from the middle, also from keys that are not there.
    assert(next(t, 2) == 3 and next(t, 3) == 'x' and next(t, 'x') == nil and next(t, 1.5) == 2 and next(t, 2.0) == 3)
    assert(next({1, 2, 3}, 0) == 1 and next({1, 2, 3}, 1.5) == 2 and next({1, 2, 3}, -7) == 1 and next({1, 2, 3}, 3) == nil)
    assert(next({}) == nil and next({a = 1}, 'A') == 'a')
    local key = {}
    assert(next({[key] = 1, x = 2}, 'x') == key and next({[key] = 1}, key) == nil)
    local f, s, c = pairs(setmetatable({}, {__pairs = function(x) return 1, 2, 3 end}))
    assert(f == 1 and s == 2 and c == 3)
    n = 0
    for k in pairs(setmetatable({1, 2}, {__index = function() error() end})) do n = n + 1 end
    assert(n == 2)
    assert(select(2, pcall(pairs)):find('bad argument #1'))
  )");
}

TEST_CASE("scripting: loops over large tables stay affordable") {
  // By steps alone: what a sanitizer or a busy machine adds to a step is no fault of the loops. Loops whose turns cost more
  // in a larger table would take hours here.
  Sandbox sandbox({.steps = 30'000'000, .clock_ns = [] { return std::int64_t{0}; }});
  check_good(sandbox, R"(
    local list, map = {}, {}
    for i = 1, 200000 do list[i] = i map['k' .. i] = i end
    local n = 0
    for k, v in pairs(list) do n = n + 1 end
    for k, v in next, list do n = n + 1 end
    for k, v in pairs(map) do n = n + 1 end
    for k, v in next, map do n = n + 1 end
    assert(n == 800000))");
}

TEST_CASE("scripting: weak values are collected") {
  Sandbox sandbox;
  check_good(sandbox, R"(
    for _, mode in ipairs{'v', 'kv', 'vk'} do
      local t = setmetatable({}, {__mode = mode})
      t[1] = {} t[2] = 'x' local kept = {} t[3] = kept
      collectgarbage()
      assert(t[1] == nil and t[2] == 'x' and t[3] == kept)
    end
    -- Many metatables are not kept alive by being known.
    for i = 1, 300000 do setmetatable({}, {__index = {}}) end
    collectgarbage()
    assert(collectgarbage('count') < 2000))");
}

// --- against Lua's own ---

TEST_CASE("scripting: the other functions agree with Lua's") {
  // Not compared: addresses, and the order of pairs.
  const std::string prelude = "local function try(f, ...) print(pcall(f, ...)) end\n";
  for (const char*
           text : {
               // table
               "local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 6, 5) print(table.concat(t, ','))",
               "local t = {1, 2, 3} try(table.insert, t, 0, 1) try(table.insert, t, 5, 1) try(table.insert, t) try(table.insert, t, 1, 2, 3) try(table.insert, 1, 2)",
               "local t = {1, 2, 3} print(table.remove(t), table.remove(t, 1), #t, table.remove(t, 2), table.remove({}), table.remove({}, 0), #t)",
               "print(pcall(table.remove, {1, 2}, 4) == false, pcall(table.remove, {1, 2}, -1) == false, pcall(table.remove, {}, 2) == false) try(table.remove, {}, 1) try(table.remove, {1, 2}, 3)",
               "local t = {n = 1, [0] = 'zero'} print(table.remove(t, #t), t[0])",
               "for _, a in ipairs{{1, 3, 2}, {2, 3, 1}, {1, 3, 5}, {3, 1, 1}, {1, 1, 1}, {-2, 5, 9}} do print(table.concat(table.move({1, 2, 3, 4, 5, [0] = 0, [-1] = 0, [-2] = 0, 6, 7, 8, 9}, a[1], a[2], a[3]), ',')) end",
               "print(table.concat(table.move({1, 2, 3}, 1, 3, 2, {9}), ',')) try(table.move, {}, 1, math.maxinteger, 2) try(table.move, {}, -1, math.maxinteger, 2) try(table.move, 1, 1, 1, 1)",
               "print(table.concat({1, 2.5, 'x'}, ', '), table.concat({}, 'x'), table.concat({1, 2, 3}, '-', 2, 3), table.concat({1, 2}, '-', 3))",
               "try(table.concat, {1, {}, 3}) try(table.concat, {1, nil, 3}, ',', 1, 3) try(table.concat, 1) try(table.concat, {}, ',', 1, 2)",
               "print(table.concat({}, 'x', math.maxinteger, math.maxinteger - 1)) try(table.concat, {}, 'x', math.maxinteger, math.maxinteger)",
               "print(table.unpack({1, 2, 3})) print(table.unpack({1, 2, 3}, 2)) print(table.unpack({1, 2}, 0, 3)) print(table.unpack({}, 1, 0)) try(table.unpack, {}, 1, 1e8) try(table.unpack)",
               "print(table.unpack({}, math.maxinteger, math.maxinteger)) print(select('#', table.pack(1, nil, 3))) print(table.pack(1, nil).n)",
               "local t = {5, 3, 9, 1, 7, 2, 8} table.sort(t) print(table.concat(t, ',')) table.sort(t, function(a, b) return a > b end) print(table.concat(t, ','))",
               "local t = {'b', 'a', 'c', 'B'} table.sort(t) print(table.concat(t)) table.sort({}) table.sort({1}) try(table.sort, {1, 2}, 1) try(table.sort, {1, 'x'}) try(table.sort, {{}, {}})",
               "local t = {} for i = 1, 1000 do t[i] = (i * 7919) % 1009 end table.sort(t) local ok = true for i = 2, #t do ok = ok and t[i - 1] <= t[i] end print(ok, #t)",
               "local log = {} local p = setmetatable({}, {__len = function() return 3 end, __index = function(_, k) log[#log + 1] = 'r' .. k return 4 - k end, __newindex = function(_, k, v) log[#log + 1] = 'w' .. k .. '=' .. v end}) table.insert(p, 1, 7) table.remove(p, 1) print(table.concat(p, ','), table.concat(log, ' '))",
               // string
               "for _, f in ipairs{'%d', '%5d|', '%-5d|', '%+d', '%x', '%#x', '%5.1f', '%g', '%e', '%a', '%i', '%o', '%c', '%u'} do try(string.format, f, 65) end",
               "try(string.format, '%s %s', 1, true) try(string.format, '%s') try(string.format, '%10.3s|', 'abcdef') try(string.format, '%q', 'a\\n\\0\"') try(string.format, '%d', 'x') try(string.format, '%d', 1.5) try(string.format, '%') try(string.format, '%y', 1) try(string.format, '%%%d%%', 1) try(string.format, '%5%', 1)",
               "print(string.format('%s', setmetatable({}, {__tostring = function() return 'me' end}))) try(string.format, '%s', setmetatable({}, {__tostring = function() return 1 end})) print(string.format('%-5s|%5s|', 'a', 'b')) try(string.format, '%s%s', 'x')",
               "print(('x'):rep(3), ('x'):rep(0), ('x'):rep(-1), ('ab'):rep(3, ','), ('ab'):rep(1, ','), (''):rep(3, '-'), (''):rep(5)) try(string.rep) try(string.rep, 'x', 'y')",
               "print(('hello'):byte(1, -1)) print(('hello'):byte(10)) print(('hello'):sub(2, -2), ('hello'):sub(-100, 2), ('x'):upper(), ('ABC'):lower(), ('abc'):reverse(), #'abc', string.char(65, 66))",
               "print('10' + 5, '3' * '4', 10 .. 20, -'2', '7' // 2, '2' ^ 3, '0x10' + 0) try(function() return 'x' + 1 end) try(function() return {} + '1' end) try(function() return 'a' | 1 end)",
               "print(string.pack('<i4', 100):byte(1, -1)) print(string.unpack('<i4', string.pack('<i4', -2))) print(string.packsize('i4i8')) try(string.pack, 'i17', 1) try(string.unpack, 'i4', 'x') print(string.unpack('z', 'abc\\0def'))",
               "print(#string.pack('s1', ('x'):rep(200))) try(string.pack, 's1', ('x'):rep(300)) print(#string.pack('!8 i1 !8 i8', 1, 2))",
               // utf8
               "print(utf8.len('h\xc3\xa9llo'), utf8.char(233, 8364), utf8.codepoint('\xc3\xa9', 1), utf8.offset('a\xc3\xa9z', 3), utf8.len('\xff')) for p, c in utf8.codes('a\xc3\xa9') do print(p, c) end",
               "try(utf8.codepoint, '\xff') try(utf8.len, 'abc', 5) print(utf8.len('abc', 4), utf8.len('abc', -1), utf8.offset('abc', -1), utf8.charpattern)",
               // base
               "print(tostring(nil), tostring(1), tostring(1.5), tostring(-0.0), tostring(1e100), tostring('x'), tostring(true), 2^53, 1/0, math.mininteger)",
               "print(tonumber('0x10'), tonumber('  12  '), tonumber('1e1'), tonumber('z', 36), tonumber('8', 8), tonumber(''), tonumber('1 2')) try(tonumber) try(tonumber, {}, 10) try(tonumber, '1', 99)",
               "print(select(2, 'a', 'b', 'c')) print(select(-1, 'a', 'b')) print(select('#')) try(select, 0)",
               "print(rawequal('a', 'a'), rawlen({1, 2}), rawget({5}, 1), type(rawset({}, 1, 2))) print(type(print), type(nil)) try(type)",
               "try(error) try(error, 'x', 0) try(error, 'x', 1) try(error, 'x', 2) try(error, nil) try(assert, false) try(assert, nil, 'm') try(assert, 1, 2, 3) try(assert) print(pcall(pcall)) print(pcall(pcall, error))",
               "print(xpcall(error, function(m) return 'handled ' .. tostring(m) end, 'x')) print(xpcall(function(...) return ... end, print, 1, 2)) try(xpcall) try(xpcall, print) print(xpcall(error, error))",
               "print(xpcall(error, function(m) error('again') end, 'x'))",
               "local t = setmetatable({}, {__metatable = 'locked'}) print(getmetatable(t)) try(setmetatable, t, {}) try(setmetatable, {}, 1) try(setmetatable, 1, {}) print(getmetatable({}), getmetatable(setmetatable({}, {})) ~= nil) try(getmetatable)",
               "print(load('return 1 + 1')()) print(load('x =')) print(load('syntax error here', '=name')) print(load('return ...', 'n', 't')(5)) local e = {y = 3} print(load('return y', 'n', 't', e)()) print(pcall(load, 1))",
               "local parts, i = {'return ', '1', ' + 2', ''}, 0 print(load(function() i = i + 1 return parts[i] end)()) print(load(function() error('reader') end)) print(type(load(function() return nil end)))",
               "try(load('error(\"x\")', '@file.lua')) try(load('error(\"x\")', 'some text')) print(load('\\n\\nx = = 2', '=c'))",
               "for i, v in ipairs({1, 2, nil, 4}) do print(i, v) end print(next({})) try(next) try(ipairs) print(next({7})) print(_VERSION, _G == _ENV)",
               "print(math.type(1), math.type(1.0), math.type('1'), math.tointeger(3.0), math.ult(1, -1), math.fmod(7, 3), math.max(1, 5, 2), math.pi, math.floor(-1.5)) try(math.floor, {}) try(math.max)",
               // coroutines
               "local c = coroutine.create(function(a, b) print(a, b) local x = coroutine.yield(1, 2) print(x) return 'end' end) print(coroutine.resume(c, 'a', 'b')) print(coroutine.status(c)) print(coroutine.resume(c, 'x')) print(coroutine.status(c)) print(coroutine.resume(c))",
               "local f = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) print(f(), f(), f(), f()) try(f)",
               "local f = coroutine.wrap(function() error('inner') end) try(f) f = coroutine.wrap(function() error({}) end) print(select('#', pcall(f))) f = coroutine.wrap(function() error() end) try(f)",
               "local f = coroutine.wrap(function() error('inner') end) local function g() f() end try(g) f = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function(_, e) print('closing', e) error('other') end}) error('first') end) try(f)",
               "local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() print('closed') end}) coroutine.yield() end) coroutine.resume(c) print(coroutine.close(c), coroutine.status(c)) print(coroutine.close(c))",
               "local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() error('in close') end}) coroutine.yield() end) coroutine.resume(c) print(coroutine.close(c)) print(coroutine.status(c))",
               "local c = coroutine.create(function() error('dead') end) print(coroutine.resume(c)) print(coroutine.close(c)) print(coroutine.close(c))",
               "print(coroutine.isyieldable(), select(2, coroutine.running())) print(coroutine.wrap(function() return coroutine.isyieldable(), select(2, coroutine.running()) end)()) try(coroutine.resume, 1) try(coroutine.create, 1) try(coroutine.wrap) try(coroutine.status)",
               "local c c = coroutine.create(function() print(coroutine.status(c), coroutine.resume(c)) coroutine.wrap(function() print(coroutine.status(c)) end)() try(coroutine.close, c) end) coroutine.resume(c)",
               "print(coroutine.wrap(function() return pcall(function() coroutine.yield('y') error('after') end) end)())",
               "local f = coroutine.wrap(function() return pcall(function() print(coroutine.yield('y')) error('after', 0) end) end) print(f()) print(f('back'))",
               "local f = coroutine.wrap(function() return xpcall(function() coroutine.yield('y') error('after', 0) end, function(m) return 'h ' .. m end) end) print(f()) print(f())",
               "local f = coroutine.wrap(function() for k in pairs(setmetatable({}, {__pairs = function(t) coroutine.yield('in pairs') return next, t, nil end})) do end return 'done' end) print(f()) print(f())",
               "local t = setmetatable({}, {__index = function(_, k) return coroutine.yield(k) end}) local f = coroutine.wrap(function() return t.a .. t.b end) print(f()) print(f('1')) print(f('2'))",
               "local f = coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() coroutine.yield('closing') end}) return 'value' end) print(f()) print(f())",
               "try(function() local a <close> = 1 end) try(function() local a <const> = 1 return a end)",
               "print(#table.pack(coroutine.wrap(function(...) return ... end)(table.unpack({}, 1, 200))))",
           }) {
    CAPTURE(std::string(text));
    CHECK(sandbox_output(prelude + text) == plain_output(prelude + text));
  }
}

}  // namespace ts::test
