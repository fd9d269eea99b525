// Scripts that try to take more than they are given, to reach the host, or to crash it. Each has to end inside its limits
// with a clear message.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "scripting/sandbox/sandbox.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

using scripting::Outcome;
using scripting::Sandbox;
using Kind = Outcome::Kind;

constexpr const char* kSteps = "--script-steps";
constexpr const char* kMemory = "--script-mem";

struct Hostile {
  const char* name;
  Kind kind;
  const char* message;  // a part of it
  const char* text;
};

// clang-format off
const Hostile scripts[] = {
    // --- loops ---
    {"endless loop", Kind::Limit, kSteps, "while true do end"},
    {"loop of gotos", Kind::Limit, kSteps, "::again:: goto again"},
    {"loop of continues", Kind::Limit, kSteps, "for i = 1, math.huge do goto continue ::continue:: end"},
    {"loop in pcall", Kind::Limit, kSteps, "while true do pcall(function() while true do end end) end"},
    {"loop in nested pcalls", Kind::Limit, kSteps,
     "local function f(n) while true do pcall(n > 0 and f or function() while true do end end, n - 1) end end f(20)"},
    {"loop in the handler of xpcall", Kind::Limit, kSteps, "while true do xpcall(error, function() while true do end end) end"},
    {"pcall of pcall of pcall", Kind::Limit, kSteps, "while true do pcall(pcall, pcall, pcall, function() while true do end end) end"},
    {"work after the limit", Kind::Limit, kSteps,
     "pcall(function() while true do end end) print('alive') string.rep('x', 10) for i = 1, 10 do print('alive') end"},
    {"loop in tostring of the error", Kind::Limit, kSteps,
     "error(setmetatable({}, {__tostring = function() while true do end end}))"},
    {"error in tostring of the error", Kind::Error, "inner", "error(setmetatable({}, {__tostring = function() error('inner') end}))"},
    {"tostring that is no text", Kind::Error, "must return a string", "error(setmetatable({}, {__tostring = function() return {} end}))"},
    {"error in the error handler", Kind::Ok, "", "local good, text = xpcall(error, function(m) error(m) end, 'x') assert(not good)"},
    {"handler that calls itself", Kind::Limit, kMemory, "local function h() return h(h) .. 'x' end assert(not xpcall(error, h, 'x'))"},
    {"loop in a close", Kind::Limit, kSteps, "do local x <close> = setmetatable({}, {__close = function() while true do end end}) end"},
    {"closes that raise and loop", Kind::Limit, kSteps, R"(
        local mt = {__close = function() while true do end end}
        while true do pcall(function() local a <close>, b = setmetatable({}, mt) local c <close> = setmetatable({}, mt) error('x') end) end)"},
    {"close that makes closes", Kind::Limit, kSteps, R"(
        local mt = {}
        mt.__close = function() pcall(function() local y <close> = setmetatable({}, mt) end) while true do end end
        local x <close> = setmetatable({}, mt)
        while true do end)"},
    {"loop in every metamethod", Kind::Limit, kSteps, R"(
        local mt = {} for _, n in ipairs{'__index', '__newindex', '__eq', '__lt', '__le', '__len', '__concat', '__unm', '__call', '__add'} do
          mt[n] = function() while true do end end end
        local a, b = setmetatable({}, mt), setmetatable({}, mt)
        while true do
          pcall(function() return a.x end) pcall(function() a.x = 1 end) pcall(function() return a == b end)
          pcall(function() return a < b end) pcall(function() return #a end) pcall(function() return a .. b end) pcall(a)
        end)"},

    // --- coroutines ---
    {"nested coroutines", Kind::Limit, kSteps,
     "local function f() coroutine.wrap(f)() end while true do pcall(f) end"},
    {"coroutine that never ends", Kind::Limit, kSteps, "local c = coroutine.create(function() while true do end end) while true do coroutine.resume(c) end"},
    {"loop in a coroutine in pcall", Kind::Limit, kSteps,
     "while true do pcall(coroutine.wrap(function() pcall(function() while true do end end) coroutine.yield() end)) end"},
    {"thousands of tiny coroutines", Kind::Limit, kSteps, "while true do coroutine.wrap(function() local x = 1 end)() end"},
    {"coroutines that yield at once", Kind::Limit, kSteps,
     "while true do local c = coroutine.create(function() for i = 1, 90 do end coroutine.yield() end) coroutine.resume(c) end"},
    {"yielding for ever", Kind::Limit, kSteps, "local f = coroutine.wrap(function() while true do coroutine.yield() end end) while true do f() end"},
    {"kept coroutines", Kind::Limit, "--script-", "local t = {} while true do t[#t + 1] = coroutine.create(print) end"},
    {"wrapping wraps", Kind::Ok, "", "local f = function() return 1 end for i = 1, 300 do f = coroutine.wrap(f) end assert(not pcall(f))"},
    {"closing loops", Kind::Limit, kSteps, R"(
        while true do
          local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) coroutine.yield() end)
          coroutine.resume(c) coroutine.close(c)
        end)"},
    {"closes that close", Kind::Ok, "", R"(
        local last = nil
        for i = 1, 3000 do
          local before = last
          last = coroutine.create(function()
            local x <close> = setmetatable({}, {__close = function() if before then assert(coroutine.close(before)) end end})
            coroutine.yield()
          end)
          coroutine.resume(last)
        end
        local good, text = coroutine.close(last)
        assert(not good and text:find('close each other too deeply'), text))"},
    {"yield across gsub", Kind::Error, "yield across", "coroutine.wrap(function() ('x'):gsub('.', coroutine.yield) end)()"},
    {"yield across sort", Kind::Error, "yield across", "coroutine.wrap(function() table.sort({3, 2, 1}, coroutine.yield) end)()"},
    {"yield outside", Kind::Error, "outside a coroutine", "coroutine.yield()"},
    {"resuming itself", Kind::Ok, "", "local c c = coroutine.create(function() return coroutine.resume(c) end) local _, good = coroutine.resume(c) assert(good == false)"},
    {"closing what runs", Kind::Ok, "", "assert(not pcall(coroutine.close, coroutine.running()))"},

    // --- memory ---
    {"tables", Kind::Limit, kMemory, "local t = {} while true do t = {t} end"},
    {"a list", Kind::Limit, "--script-", "local t = {} for i = 1, math.huge do t[i] = i end"},
    {"doubling strings", Kind::Limit, kMemory, "local s = 'x' while true do s = s .. s end"},
    {"doubling strings in pcall", Kind::Limit, kMemory, "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end"},
    {"one huge concatenation", Kind::Limit, kMemory, "local s = ('x'):rep(1000000) local t = s..s..s..s..s..s..s..s..s..s..s..s..s"},
    {"huge rep", Kind::Limit, kMemory, "pcall(string.rep, 'x', 1 << 40)"},
    {"rep beyond all numbers", Kind::Error, "too large", "string.rep('xx', math.maxinteger)"},
    {"rep of nothing", Kind::Ok, "", "assert(string.rep('', math.maxinteger) == '') assert(string.rep('x', -1) == '')"},
    {"garbage strings", Kind::Limit, kSteps, "while true do local s = string.rep('x', 2000000) end"},
    {"closures", Kind::Limit, "--script-", "local t = {} while true do local n = #t t[n + 1] = function() return n end end"},
    {"table.concat", Kind::Limit, kMemory, "local s, t = ('x'):rep(1000000), {} for i = 1, 100 do t[i] = s end table.concat(t, s)"},
    {"huge separator", Kind::Limit, kMemory, "local t = {} for i = 1, 1000 do t[i] = '' end table.concat(t, ('x'):rep(1000000))"},
    {"gsub that multiplies", Kind::Limit, kMemory, "local s = ('x'):rep(10000) s:gsub('x', s)"},
    {"gsub with a growing function", Kind::Limit, kMemory, "local s = ('x'):rep(1000000) s:gsub('x', function() return s end)"},
    {"format with long texts", Kind::Limit, kMemory, "local s = ('x'):rep(1000000) string.format(('%s'):rep(100), table.unpack((function() local t = {} for i = 1, 100 do t[i] = s end return t end)()))"},
    {"format with a width", Kind::Error, "invalid", "string.format('%999999999d', 1)"},
    {"pack with padding", Kind::Limit, kMemory, "string.pack('c2000000000', 'x')"},
    {"names in the globals", Kind::Limit, "--script-", "for i = 1, math.huge do _G['n' .. i] = {} end"},
    {"varargs", Kind::Limit, kSteps, "local function f(...) return f(1, ...) end while true do pcall(f) end"},
    {"long varargs passed on", Kind::Limit, kSteps,
     "local t = {} for i = 1, 50000 do t[i] = i end local function f(...) while true do select('#', ...) end end f(table.unpack(t))"},
    {"a warning of many parts", Kind::Limit, "--script-", "local s = ('x'):rep(1000000) warn(s, s, s, s, s, s, s, s, s, s, s)"},
    {"printing for ever", Kind::Limit, kSteps, "local s = ('x'):rep(100000) while true do print(s) end"},

    // --- recursion ---
    {"recursion", Kind::Limit, kMemory, "local function f() return 1 + f() end f()"},
    {"tail calls", Kind::Limit, kSteps, "local function f() return f() end f()"},
    {"recursion through __index", Kind::Error, "too deep", "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k + 1] end return t[1]"},
    {"recursion through __index tables", Kind::Error, "chain too long", "local t = {} setmetatable(t, {__index = t}) return t.x"},
    {"recursion through pcall", Kind::Ok, "", "local function f() return pcall(f) end f()"},
    {"recursion through tostring", Kind::Error, "too deep", "local t t = setmetatable({}, {__tostring = function() return tostring(t) end}) print(t)"},
    {"recursion through gsub", Kind::Error, "too deep", "local function f() return (('x'):gsub('.', f)) end f()"},
    {"recursion through sort", Kind::Error, "too deep", "local function f() table.sort({2, 1}, f) end f()"},
    {"recursion through load", Kind::Error, "too deep", "local function f() error(select(2, load(f)), 0) end f()"},
    {"recursion through metamethods", Kind::Error, "too deep", "local mt = {} mt.__add = function(a, b) return a + b end local t = setmetatable({}, mt) return t + t"},
    {"recursion through pairs", Kind::Error, "too deep", "local mt = {} mt.__pairs = function(t) return pairs(t) end pairs(setmetatable({}, mt))"},

    // --- patterns ---
    {"find: blow-up", Kind::Limit, kSteps, "string.find(('a'):rep(100000), ('a-'):rep(30) .. 'b')"},
    {"match: blow-up", Kind::Limit, kSteps, "pcall(string.match, ('a'):rep(100000), ('a*'):rep(30) .. 'b')"},
    {"gmatch: blow-up", Kind::Limit, kSteps, "for w in string.gmatch(('a'):rep(100000), ('.-'):rep(30) .. 'b') do end"},
    {"gsub: blow-up", Kind::Limit, kSteps, "string.gsub(('a'):rep(100000), ('a?'):rep(100) .. '.-.-.-b', '')"},
    {"a set of a million", Kind::Limit, kSteps, "string.find(('a'):rep(100000), '[' .. ('b'):rep(1000000) .. ']')"},
    {"balance from everywhere", Kind::Limit, kSteps, "string.find(('('):rep(100000), '%b()')"},
    {"captures of captures", Kind::Limit, kSteps, "string.find(('a'):rep(100000), '(a*)(a*)%1%2b')"},
    {"deep pattern", Kind::Error, "pattern too complex", "string.find(('a'):rep(1000), ('a?'):rep(1000))"},
    {"too many captures", Kind::Error, "too many captures", "string.find('a', ('()'):rep(40))"},
    {"plain search in self-similar text", Kind::Limit, kSteps,
     "local s, p = ('a'):rep(1000000), ('a'):rep(500000) .. 'b' while true do s:find(p, 1, true) end"},
    {"gsub for ever", Kind::Limit, kSteps, "while true do ('x'):gsub('', '', math.maxinteger) end"},

    // --- lengths and elements that lie ---
    {"insert: __len", Kind::Limit, kSteps, "table.insert(setmetatable({}, {__len = function() return 1 << 40 end}), 1, 'x')"},
    {"remove: __len", Kind::Limit, kSteps, "table.remove(setmetatable({}, {__len = function() return 1 << 40 end}), 1)"},
    {"concat: __len and __index", Kind::Limit, "--script-", "table.concat(setmetatable({}, {__len = function() return 1 << 40 end, __index = function() return '' end}))"},
    {"concat: plain values", Kind::Limit, kSteps, "table.concat(setmetatable({}, {__len = function() return 1 << 40 end, __index = setmetatable({}, {__index = string.upper})}), '', 1, 0) while true do end"},
    {"unpack: __len", Kind::Error, "too many results", "table.unpack(setmetatable({}, {__len = function() return 1 << 40 end}))"},
    {"unpack: wide", Kind::Error, "too many results", "table.unpack({}, math.mininteger, math.maxinteger)"},
    {"sort: __len", Kind::Limit, "--script-", "table.sort(setmetatable({}, {__len = function() return 1 << 30 end, __index = function() return 1 end}))"},
    {"sort: too long", Kind::Error, "array too big", "table.sort(setmetatable({}, {__len = function() return 1 << 40 end}))"},
    {"sort: a comparison that says yes", Kind::Ok, "", "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() return true end)"},
    {"sort: a comparison that changes the table", Kind::Ok, "", "local t = {} for i = 1, 100 do t[i] = -i end table.sort(t, function(a, b) t[#t] = nil return a < b end) assert(t[1] == -100)"},
    {"sort: an endless comparison", Kind::Limit, kSteps, "table.sort({3, 2, 1}, function() while true do end end)"},
    {"sort: values that do not compare", Kind::Error, "attempt to compare", "table.sort({1, 'x', {}})"},
    {"move: a wide range", Kind::Limit, kSteps, "table.move({}, 1, 1 << 50, 2)"},
    {"move: around the end", Kind::Error, "too many elements", "table.move({}, math.mininteger, math.maxinteger, 1)"},
    {"move: into __newindex", Kind::Limit, kSteps, "table.move({}, 1, 1 << 40, 1, setmetatable({}, {__newindex = function() end}))"},
    {"a length that is no number", Kind::Error, "not an integer", "table.insert(setmetatable({}, {__len = function() return 'x' end}), 1)"},
    {"ipairs without an end", Kind::Limit, kSteps, "for i in ipairs(setmetatable({}, {__index = function() return 1 end})) do end"},
    {"pairs without an end", Kind::Limit, kSteps, "for k in pairs(setmetatable({}, {__pairs = function() return function() return 1 end end})) do end"},
    {"pairs of a growing table", Kind::Ok, "", "local t = {1} for k in pairs(t) do t[k + 1] = 1 end"},
    {"next of a key that is not there", Kind::Error, "invalid key", "next({a = 1}, {})"},
    {"next of nan", Kind::Error, "invalid key", "next({a = 1}, 0/0)"},
    {"next again and again", Kind::Limit, kSteps, "local t = {} for i = 1, 1000 do t['k' .. i] = i end while true do next(t) end"},
    {"rawset of nan", Kind::Error, "index is NaN", "rawset({}, 0/0, 1)"},
    {"select from far", Kind::Error, "index out of range", "select(math.mininteger, 1)"},
    {"select", Kind::Ok, "", "assert(select(-1, 1, 2) == 2) assert(not pcall(select, 0)) assert(select('#', select(math.maxinteger)) == 0)"},

    // --- the collector ---
    {"__gc", Kind::Error, "__gc is not available", "setmetatable({}, {__gc = function() while true do end end})"},
    {"__gc later", Kind::Ok, "", "local mt = {} setmetatable({}, mt) mt.__gc = function() error('ran') end collectgarbage()"},
    {"weak keys", Kind::Error, "weak keys", "setmetatable({}, {__mode = 'k'})"},
    {"weak keys later", Kind::Error, "weak keys", "local mt = {} setmetatable({}, mt) mt.__mode = 'k' collectgarbage()"},
    {"a chain of weak keys", Kind::Limit, kMemory, R"(
        local mt = {} local weak = setmetatable({}, mt) mt.__mode = 'k'
        local last = {}
        while true do pcall(function() while true do local key = {} weak[key] = last last = key end end) end)"},
    {"collecting for ever", Kind::Limit, kSteps, "while true do collectgarbage() end"},
    {"stopping the collector", Kind::Error, "collect", "collectgarbage('stop')"},

    // --- source text ---
    {"bytecode", Kind::Error, "bytecode", "\x1bLua"},
    {"bytecode by load", Kind::Ok, "", "local f, text = load('\\27Lua') assert(not f and text:find('bytecode'))"},
    {"bytecode by pieces", Kind::Ok, "", "local n = 0 local f, text = load(function() n = n + 1 return ('\\27Lua'):sub(n, n) end) assert(not f and text:find('binary'))"},
    {"bytecode by mode", Kind::Ok, "", "local f, text = load('return 1', 'x', 'b') assert(not f and text:find('source text'))"},
    {"dumping", Kind::Ok, "", "assert(string.dump == nil)"},
    {"load with an endless reader", Kind::Limit, kSteps, "load(function() return 'x = 1 ' end)"},
    {"load with a reader that loops", Kind::Limit, kSteps, "load(function() while true do end end)"},
    {"load with a reader that returns tables", Kind::Ok, "", "assert(not load(function() return {} end))"},
    {"loading long texts", Kind::Limit, kSteps, "local s = ('x = 1 '):rep(100000) while true do load(s) end"},
    {"deeply nested text", Kind::Ok, "", "local f, text = load(('('):rep(100000)) assert(not f and text:find('overflow')) assert(not load('x = ' .. ('{'):rep(10000)))"},
    {"deeply nested functions", Kind::Ok, "", "assert(not load(('function f() '):rep(10000)))"},
    {"many labels", Kind::Limit, kSteps, "local t = {} for i = 1, 20000 do t[i] = '::l' .. i .. ':: goto l' .. (20001 - i) .. ' ' end while true do load(table.concat(t)) end"},
    {"long comments", Kind::Limit, kSteps, "local s = '--' .. ('x'):rep(1000000) while true do load(s) end"},
    {"many constants", Kind::Limit, "--script-", "local t = {} for i = 1, math.huge do t[i] = 'x = ' .. i .. '.5 ' if i % 10000 == 0 then load(table.concat(t)) end end"},

    // --- strings and numbers ---
    {"comparing long strings", Kind::Limit, kSteps, "local a, b = ('x'):rep(1500000) .. 'a', ('x'):rep(1500000) .. 'b' while true do local x = a == b local y = a < b end"},
    {"arithmetic on long strings", Kind::Limit, kSteps, "local s = ('0'):rep(2000000) while true do local x = s + 1 end"},
    {"tonumber of long strings", Kind::Limit, kSteps, "local s = (' '):rep(2000000) while true do tonumber(s) end"},
    {"loop limits in long strings", Kind::Limit, kSteps, "local s = ('0'):rep(2000000) while true do pcall(function() for i = 1, s do end end) end"},
    {"utf8.len of long strings", Kind::Limit, kSteps, "local s = ('x'):rep(2000000) while true do utf8.len(s) end"},
    {"utf8.offset in long strings", Kind::Limit, kSteps, "local s = ('x'):rep(2000000) while true do utf8.offset(s, 1999999) end"},
    {"utf8.codes of continuations", Kind::Limit, kSteps, "local s = ('\\x80'):rep(2000000) while true do pcall(function() for _ in utf8.codes('x' .. s) do end end) end"},
    {"bytes of long strings", Kind::Limit, kSteps, "local s = ('x'):rep(100000) while true do s:byte(1, -1) end"},
    {"lower, upper, reverse, sub", Kind::Limit, kSteps, "local s = ('x'):rep(1000000) while true do s:lower() s:upper() s:reverse() s:sub(2) end"},
    {"unpacking again and again", Kind::Limit, kSteps, "local s = ('x'):rep(1000) while true do string.unpack(('b'):rep(1000), s) end"},

    // --- the host ---
    {"no way out", Kind::Ok, "", R"(
        for _, name in ipairs{'io', 'os', 'require', 'debug', 'package', 'dofile', 'loadfile', 'loadstring', 'setfenv', 'module'} do
          assert(_G[name] == nil, name) assert(_ENV[name] == nil, name)
        end
        assert(math.random == nil and math.randomseed == nil and string.dump == nil))"},
    {"no addresses", Kind::Ok, "", R"(
        local values = {{}, print, function() end, coroutine.create(print), string.gmatch('', ''), (pairs({})), (ipairs({})), setmetatable({}, {})}
        for _, v in ipairs(values) do
          assert(not tostring(v):find('0x') and not tostring(v):find('%x%x%x%x'), tostring(v))
          assert(string.format('%s', v) == tostring(v) and string.format('%-20s|', v):sub(1, 5) == tostring(v):sub(1, 5))
          assert(not pcall(string.format, '%p', v) and not pcall(string.format, '%20p', v) and not pcall(string.format, '%-020.3p', v))
          assert(not pcall(string.format, '%q', v))
        end
        local _, text = pcall(function() return {} < {} end) assert(not text:find('0x'))
        _, text = pcall(string.rep, {}) assert(not text:find('0x'))
        _, text = load('x = = 1', tostring({})) assert(not text:find('0x')))"},
    {"the strings' metatable", Kind::Error, "attempt to index a boolean", "getmetatable('').__index = nil"},
    {"changing the strings' metatable", Kind::Error, "table expected", "setmetatable('', {})"},
    {"a protected metatable", Kind::Error, "protected", "setmetatable(setmetatable({}, {__metatable = 1}), {})"},
    {"breaking the globals", Kind::Error, "attempt to call a nil value", "local g = _G for k in pairs(g) do g[k] = nil end print('x')"},
    {"breaking the libraries", Kind::Error, "attempt to call", "for _, l in ipairs{string, table, coroutine} do for k in pairs(l) do l[k] = false end end ('x'):rep(3)"},
};
// clang-format on

scripting::SandboxLimits small_limits() { return {.steps = 3'000'000, .memory_bytes = std::size_t{8} << 20}; }

std::int64_t processor_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// What all steps cost where none does more than itself. Times are told in these, because machines differ and share
// their caches with other work.
std::int64_t plain_ns() {
  Sandbox sandbox(small_limits());
  const std::int64_t start = processor_ns();
  sandbox.run("while true do end", "plain.lua");
  return processor_ns() - start;
}

constexpr std::int64_t kUsualPlainNs = 30'000'000;
double slowness = 1;
// Goes as slowly as the machine.
std::int64_t fair_clock() { return static_cast<std::int64_t>(static_cast<double>(processor_ns()) / slowness); }

}  // namespace

TEST_CASE("scripting: hostile scripts end inside their limits, with a message") {
  const std::int64_t plain = plain_ns();
  slowness = std::max(1.0, static_cast<double>(plain) / kUsualPlainNs);
  scripting::SandboxLimits limits = small_limits();
  limits.clock_ns = fair_clock;
  for (const Hostile& script : scripts) {
    const std::string name = script.name;
    CAPTURE(name);
    Sandbox sandbox(limits);
    std::string printed;
    sandbox.print = [&](std::string_view text) { printed.append(text.substr(0, 100)); };
    const std::int64_t start = processor_ns();
    const Outcome outcome = sandbox.run(script.text, "hostile.lua");
    const std::int64_t took = processor_ns() - start;
    CAPTURE(outcome.message);
    CHECK(int(outcome.kind) == int(script.kind));
    // What is slow is charged by its time, so under the sanitizers steps may run out before memory does.
    const bool either = kSanitized && script.kind == Kind::Limit;
    CHECK(outcome.message.find(either ? "--script-" : script.message) != std::string::npos);
    CHECK(outcome.message.size() < 500);
    CHECK(outcome.message.find("0x") == std::string::npos);
    CHECK(outcome.traceback.find("0x") == std::string::npos);
    CHECK(printed.find("alive") == std::string::npos);
    CHECK(took < 300 * plain);
    // The state is still good for something.
    CHECK(int(sandbox.run("local t = {} for i = 1, 100 do t[i] = i end", "after.lua").kind) == int(Kind::Ok));
  }
}

}  // namespace ts::test
