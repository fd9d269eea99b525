"""Scripts and lessons that try to read, to write, to take and to last more than they may, and how one sees that they did.

What holds is written in assets/manual/safety.md. Of each script three things are looked at, whatever it says itself: that no
file beside its folder was opened (the system tells, by inotify) or changed, and nothing of one came out; that the process took
no more than its memory limit and 64 MiB beyond what a script that does nothing takes; that it ended.
"""
import ctypes
import os
import struct

# --- files ---

TOKEN = b"canary-7f3a91"

# Names of what is outside, as a script in FOLDER/own may write them.
OUTSIDE = [
    "FOLDER/outside/secret.{}", "../outside/secret.{}", "./../outside/./secret.{}", "sub/../../outside/secret.{}",
    "link.{}", "linked/secret.{}", "sub/linked/secret.{}", "chain.{}", "own/../../outside/secret.{}",
    "/proc/self/cwd/../outside/secret.{}", "/proc/self/root/FOLDER/outside/secret.{}", "~/../outside/secret.{}",
    "..//outside//secret.{}", "link.{}\\0.{}", "secret.{}\\0", "file://FOLDER/outside/secret.{}",
]
# What is no file, for all endings: a script must neither get it nor wait for it.
NO_FILES = ["fifo.{}", "zero.{}", "folder.{}", "/dev/zero", "/dev/stdin", "/dev/fd/0", "/dev/random", "/proc/self/environ",
            "/proc/self/mem", "/proc/self/maps", "/etc/passwd", "/dev/tty", "loop.{}", "", ".", "..", "/"]

READERS = {
    "pto.load": ("pto", "pto.load(p)"),
    "the same, recorded": ("pto", "pto.load(p):record()"),
    "inputs": ("npy", "pto.load('row_loop', {inputs={x=p}})"),
    "inputs of lock step": ("npy", "pto.lockstep('row_loop', {'a2a3', 'a5'}, {inputs={x=p}})"),
    "pto.npy": ("npy", "pto.npy(p)"),
    "pto.open": ("ptorec", "pto.open(p)"),
    "pto.lesson by name": ("lua", "pto.lesson(p)"),
    "file of a lesson": ("pto", "pto.lesson{title='t', teaches='t', family='t', file=p, steps={{say='x'}}}"),
    "recording of a lesson": ("ptorec", "pto.lesson{title='t', teaches='t', family='t', file=p, steps={{say='x'}}}"),
    "inputs of a lesson": ("npy", "pto.lesson{title='t', teaches='t', family='t', file='row_loop', inputs={x=p}, "
                                  "steps={{say='x'}}}"),
    "lockstep": ("pto", "pto.lockstep(p, {'a2a3', 'a5'})"),
    "what Lua has elsewhere": ("lua", "(dofile or loadfile or require or io.open)(p)"),
    "packages": ("lua", "package.loadlib(p, '*')"),
}
WRITERS = {
    "rec:save": ("ptorec", "rec:save(p)"),
    "the same, full": ("ptorec", "rec:save(p, {full=true})"),
    "rec:report": ("html", "rec:report(p)"),
    "rec:exportTrace": ("json", "rec:exportTrace(p)"),
    "tile:save": ("csv", "rec:tile('x_even'):save(p)"),
    "tile:save of numbers": ("npy", "rec:tile('x_even'):save(p)"),
    "comparison:image": ("png", "pto.compare(rec:tile('x_even'), rec:tile('x_even')):image(p)"),
}
# Where nothing may be written: outside, over what is there, and where it is hidden or runs.
FORBIDDEN = ["FOLDER/outside/new.{}", "../outside/new.{}", "../new.{}", "linked/new.{}", "dangling.{}", "link.{}", "there.{}",
             "fifo.{}", "folder.{}", "zero.{}", "/dev/full", "/tmp/tilescope-attack-new.{}", ".hidden.{}", "sub/.hidden.{}",
             ".config/x.{}", "new.lua", "new.pto", "new.{}\\0.lua", "new", "", "..", "HOME/.config/tilescope/x.{}",
             "/proc/self/cwd/../new.{}", "a" + "b" * 300 + ".{}", "missing/new.{}"]

TRY = """
local got = 0
for _, p in ipairs{%s} do
  local ok, what = pcall(function() return %s end)
  if ok then print('GOT ' .. p) end
end
"""


def lua_text(path):
    return f'"{path}"'


def trying(paths, ending, call, before=""):
    return before + TRY % (", ".join(lua_text(path.replace("{}", ending)) for path in paths), call)


RECORD = "local rec = pto.load('row_loop'):record()\n"

# --- memory: all of these go on until they are stopped ---

KEEP = "local all = {} local function keep(x) all[#all + 1] = x end\n"
MEMORY = {
    "tables": "while true do keep({{}, {}}) end",
    "one growing table": "local t = {} for i = 1, math.huge do t[i] = i end",
    "strings": "while true do keep(('x'):rep(1000) .. #all) end",
    "long strings": "while true do keep(('x'):rep(1 << 20) .. #all) end",
    "doubling strings": "local s = 'x' while true do s = s .. s end",
    "doubling in pcall": "while true do pcall(function() local s = 'x' while true do s = s .. s end end) end",
    "rep": "while true do pcall(string.rep, 'x', 1 << 40) pcall(string.rep, 'x', 60 << 20) keep(('x'):rep(10 << 20)) end",
    "gsub": "local s = ('x'):rep(100000) while true do s = s:gsub('x', 'xx') end",
    "gsub by a function": "local s = ('x'):rep(1 << 20) s:gsub('x', function() return s end)",
    "captures": "local s = ('x'):rep(1 << 20) while true do keep({s:match(('(x+)'):rep(30))}) end",
    "gmatch": "local s = ('x '):rep(1 << 20) while true do keep(s:gmatch('(.+) (.+)')) keep({s:gmatch('(.+) (.+)')()}) end",
    "format": "local s = ('x'):rep(1 << 22) while true do keep(string.format('%s%s%s', s, s, s)) end",
    "concat": "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1 << 16) end while true do keep(table.concat(t)) end",
    "pack": "while true do keep(string.pack('s4', ('x'):rep(1 << 22))) end",
    "closures": "while true do local n = #all keep(function() return n end) end",
    "coroutines": "while true do local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) keep(c) end",
    "deep coroutines": "local function f(n) if n > 0 then return f(n - 1) + 1 end coroutine.yield() return 0 end\n"
                       "while true do local c = coroutine.wrap(f) c(5000) keep(c) end",
    "recursion": "local function f() return 1 + f() end while true do pcall(f) keep(('x'):rep(1 << 20)) end",
    "metamethods": "local mt = {} mt.__concat = function(a, b) keep(('x'):rep(1 << 20)) return setmetatable({}, mt) end\n"
                   "local t = setmetatable({}, mt) while true do t = t .. 'x' end",
    "index functions": "local t = setmetatable({}, {__index = function(t, k) keep({k}) return k + 1 end}) local k = 1 while true do k = t[k] end",
    "close": "while true do do local x <close> = setmetatable({}, {__close = function() keep(('x'):rep(1 << 20)) end}) end end",
    "errors": "while true do pcall(function() local x <close> = setmetatable({}, {__close = function(_, e) keep(e) error({e}) end}) error({}) end) end",
    "loaded texts": "while true do keep(load('return {' .. ('1, '):rep(10000) .. '}')) end",
    "globals": "for i = 1, math.huge do _G['name' .. i] = {} end",
    "varargs": "local t = {} for i = 1, 200000 do t[i] = i end while true do keep({table.unpack(t)}) end",
    "sorting": "local t = {} for i = 1, 1000 do t[i] = 1000 - i end while true do table.sort(t, function(a, b) keep({}) return a < b end) end",
    "programs": "while true do keep(pto.load('softmax_online')) end",
    "texts of programs": "while true do keep(pto.load('softmax_online').text .. #all) end",
    "made up inputs": "while true do keep(pto.load('row_loop', {size={x=8 << 20}})) end",
    "one huge input": "keep(pto.load('row_loop', {size={x=1 << 30}}):record()) while true do keep({}) end",
    "given inputs": "local a = pto.array('f32', 50, 100) while true do keep(pto.load('row_loop', {inputs={x=a, y=a}})) end",
    "recordings": "while true do keep(pto.load('softmax_online'):record()) end",
    "recordings of one program": "local p = pto.load('row_loop') while true do keep(p:record()) end",
    "recordings with budgets": "local p = pto.load('row_loop') while true do keep(p:record{budget='4GiB'}) end",
    "tiles": "while true do keep(pto.load('softmax_online'):record():tile('some')) end",
    "recordings in coroutines": "while true do local c = coroutine.wrap(function() local r = pto.load('row_loop'):record() coroutine.yield() keep(r) end) c() keep(c) end",
    "recordings by listeners": "pto.addEventListener('recordingOpened', keep) while true do pto.load('row_loop'):record() end",
    "forks": RECORD + "while true do keep(rec:fork{step=3, mem='ub', offset=0, bytes='00'}) end",
    "forks of forks": RECORD + "while true do rec = rec:fork{step=3, mem='ub', offset=0, bytes='00'} keep(rec) end",
    "lock step": "while true do keep(pto.lockstep('row_loop', {'a2a3', 'a5'}) or pto.load('row_loop'):record()) end",
    "compared recordings": "while true do local a, b = pto.load('row_loop', {seed=1}):record(), pto.load('row_loop', {seed=#all}):record() keep(pto.compareRuns(a, b, {most=1000000})) end",
    "opened recordings": RECORD + "rec:save('kept.ptorec') while true do keep(pto.open('kept.ptorec')) end",
    "files of recordings": RECORD + "for i = 1, 1000 do rec:save('kept' .. i .. '.ptorec') keep(pto.open('kept' .. i .. '.ptorec')) end while true do keep({}) end",
    "arrays": "while true do keep(pto.array('u8', 100, 100)) end",
    "large arrays": "while true do keep(pto.array('f64', 1000, 1000)) end",
    "arrays of tiles": RECORD + "local t = rec:tile('x_even') while true do keep(pto.compare(t, t)) end",
    "histories": RECORD + "while true do local h = rec:tile('x_even'):history(0, 0) keep(#h) keep(h) end",
    "slices": RECORD + "rec:last() local t = rec:tile('y_even') while true do keep(t:slice(0, 0)) end",
    "origins in every recording": "while true do local r = pto.load('row_loop'):record() keep(r) r:tile('y_even', {step=r.count}):slice(0, 0) end",
    "micro-steps in every recording": "while true do local r = pto.load('softmax_online'):record() keep(r) for i = 0, r.count - 1, 7 do r:microSteps(i) end end",
    "micro-steps": RECORD + "while true do keep(rec:microSteps(1)) end",
    "findings": "while true do local r = pto.load('bug_uninitialised'):record() keep(r) for f in r:findings() do keep(f) end end",
    "bookmarks": RECORD + "local i = 0 while true do i = i + 1 rec:bookmark(('x'):rep(1 << 18) .. i, 1) end",
    "watches": RECORD + "while true do rec:watch(('x'):rep(1 << 18)) end",
    "breakpoints": RECORD + "while true do rec:addBreakpoint{op='tadd', log=('x'):rep(1 << 16)} end",
    "listeners": "while true do pto.addEventListener('recordingOpened', print) end",
    "memory callbacks": RECORD + "while true do pcall(pto.addMemoryCallback, function() end, 'write', 'ub', 0, 100) keep({('x'):rep(1000)}) end",
    "what is put off": "while true do pto.nextTick(print) end",
    "ticks that double": "local function again() pto.nextTick(again) pto.nextTick(again) end again()",
    "tests": "local i = 0 while true do i = i + 1 pto.test(('x'):rep(1 << 16) .. i, function() error(('x'):rep(1 << 16)) end) end",
    "scopes": "local function f(n) pto.scope(function() pto.addEventListener('recordingOpened', print) keep({}) f(n + 1) end) end while true do pcall(f, 0) end",
    "generators": "while true do keep(pto.rng(1)) end",
    "a large array of a file": "while true do keep(pto.npy('wide.npy')) end",
    "a file with holes": "pcall(pto.npy, 'holes.npy') pcall(pto.load, 'holes.pto') pcall(pto.open, 'holes.ptorec') pcall(pto.load, 'row_loop', {inputs={x='holes.npy'}}) while true do keep({}) end",
    "a long text": "while true do keep(pto.load('long.pto')) end",
    "a deep text": "while true do pcall(pto.load, 'deep.pto') keep({}) end",
    "a text of commas": "while true do pcall(pto.load, 'commas.pto') keep({}) end",
    "a text of mistakes": "while true do pcall(pto.load, 'wrong.pto') keep({}) end",
    "many functions": "while true do pcall(pto.load, 'functions.pto') keep({}) end",
    "a long run": "keep(pto.load('forever.pto'):record()) while true do keep({}) end",
    "a long run, kept short": "while true do keep(pto.load('forever.pto'):record{max_steps=20000}) end",
    "a wide run": "while true do keep(pto.load('wide.pto'):record()) end",
    "digests of a wide run": "local r = pto.load('wide.pto'):record{max_steps=30} while true do r:digest() keep({('x'):rep(1 << 20)}) end",
}

# --- time: none of these ends by itself ---

CALLBACK = RECORD + "local function loop() while true do end end\n"
TIME = {
    "a loop": "while true do end",
    "goto": "::again:: goto again",
    "a loop in pcall": "while true do pcall(function() while true do end end) end",
    "pcalls of pcalls": "local function f() while true do pcall(f) end end f()",
    "errors swallowed": "while true do pcall(error, 'x') xpcall(error, function(m) return m end, 'x') end",
    "a handler": "while true do xpcall(error, function() while true do end end) end",
    "close handlers": "while true do pcall(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) end) end",
    "closing coroutines": "while true do local c = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) coroutine.yield() end) coroutine.resume(c) coroutine.close(c) end",
    "collections": "while true do collectgarbage() end",
    "finalisers": "while true do pcall(setmetatable, {}, {__gc = function() while true do end end}) end",
    "metamethods": "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) while true do pcall(function() return t[1] end) end",
    "coroutines": "local f = coroutine.wrap(function() while true do coroutine.yield() end end) while true do f() end",
    "coroutines in coroutines": "local function f() coroutine.wrap(f)() end while true do pcall(f) end",
    "backtracking": "while true do pcall(string.find, ('a'):rep(100000), ('a-'):rep(30) .. 'b') end",
    "balanced": "while true do pcall(string.find, ('('):rep(200000), '%b()') end",
    "gsub": "while true do (('x'):rep(1000)):gsub('x', function() return 'y' end) end",
    "sorting": "while true do pcall(table.sort, setmetatable({}, {__len = function() return 1 << 30 end, __index = function() return 1 end})) end",
    "comparing long strings": "local a, b = ('x'):rep(8 << 20) .. 'a', ('x'):rep(8 << 20) .. 'b' while true do local x = a < b end",
    "numbers in long strings": "local s = ('0'):rep(8 << 20) while true do local x = tonumber(s) x = s + 1 end",
    "concatenating": "while true do local s = ('x'):rep(4 << 20) .. 'y' end",
    "loading": "local s = 'return {' .. ('1, '):rep(50000) .. '}' while true do load(s) end",
    "printing": "while true do print('x') end",
    "warnings": "while true do warn('@on') warn(('x'):rep(100)) end",
    "pairs": "local t = {} for i = 1, 10000 do t['k' .. i] = i end while true do for k, v in pairs(t) do end end",
    "unpack": "local t = {} for i = 1, 100000 do t[i] = i end while true do select('#', table.unpack(t)) end",
    "loading programs": "while true do pto.load('softmax_online') end",
    "recording": "while true do pto.load('softmax_online'):record() end",
    "recording in pcall": "while true do pcall(function() pto.load('softmax_online'):record() end) end",
    "a run without end": "while true do pcall(function() pto.load('forever.pto'):record() end) end",
    "running on and back": RECORD + "while true do rec:continue() rec:reverse() end",
    "seeking": "local rec = pto.load('forever.pto'):record{max_steps=20000, budget='1MiB'} while true do for i = 0, 20000, 777 do rec:seek(i) rec:seek(20000 - i) end end",
    "conditions": CALLBACK + "rec:addBreakpoint{op='tadd', when=loop} rec:continue() loop()",
    "memory callbacks": CALLBACK + "pto.addMemoryCallback(loop, 'write', 'ub', 0, 1 << 16) rec:continue() loop()",
    "listeners": "pto.addEventListener('recordingOpened', function() while true do end end) pto.load('row_loop'):record() while true do end",
    "a listener that records": "pto.addEventListener('recordingOpened', function() pto.load('row_loop'):record() end) while true do pcall(function() pto.load('row_loop'):record() end) end",
    "at the end": "pto.addEventListener('quitting', function() while true do end end) while true do end",
    "put off": "local function again() pto.nextTick(again) end again()",
    "tests": "while true do pto.test('t', function() while true do end end) end",
    "scopes": "while true do pto.scope(function() end) end",
    "digests": "local rec = pto.load('forever.pto'):record{max_steps=20000} while true do rec:digest() end",
    "slices": RECORD + "rec:last() local t = rec:tile('y_even') while true do t:slice(0, 0) t:sources(0, 0) end",
    "histories": "local rec = pto.load('forever.pto'):record{max_steps=50000} while true do local h = rec:tile('a'):history(0, 0) local n = #h end",
    "readers": RECORD + "while true do rec:tile('x_even'):readers(0, 0, {most=1000000}) end",
    "micro-steps": RECORD + "while true do rec:microSteps(1) end",
    "searching": RECORD + "while true do for s in rec:find{op='tload'} do end for s in rec:find{op='tadd'} do end end",
    "elements": RECORD + "local t = rec:tile('x_even') while true do t:stats() t:histogram{bins=1000} t:find{where=function() return false end} end",
    "comparing": RECORD + "local t = rec:tile('x_even') while true do pto.compare(t, t) end",
    "comparing runs": "local a, b = pto.load('forever.pto'):record{max_steps=20000}, pto.load('forever.pto'):record{max_steps=20000} while true do pto.compareRuns(a, b) end",
    "lock step": "while true do pto.lockstep('row_loop', {'a2a3', 'a5'}) end",
    "checks": "while true do local rec = pto.load('row_loop'):record() for f in rec:findings() do end end",
    "saving": RECORD + "local i = 0 while true do i = i + 1 pcall(rec.save, rec, 'x' .. i .. '.ptorec') end",
    "opening": RECORD + "rec:save('x.ptorec') while true do pto.open('x.ptorec') end",
    "watch expressions": RECORD + "while true do pcall(pto.watch, 'x_even[0,0]') end",
    "long watch expressions": RECORD + "while true do pcall(pto.watch, ('('):rep(100000)) pcall(pto.watch, ('1+'):rep(100000) .. '1') end",
    "texts with mistakes": "while true do pcall(pto.load, 'wrong.pto') pcall(pto.load, 'deep.pto') end",
    "refused limits": "while true do pcall(pto.load, 'row_loop', {blocks=0/0}) pcall(pto.array, 'f32', 0/0, 1) end",
}

# --- lessons: their callbacks, too ---

LESSON = "return pto.lesson{title='t', teaches='t', family='t', file='row_loop', %s}"
LESSONS = {
    "a loop before": "while true do end " + LESSON % "steps={{say='x'}}",
    "an answer that loops": LESSON % "steps={{ask='a', answer=function() while true do end end, solution='x'}}",
    "answers that loop in pcall": LESSON % ("steps={%s}" % ("{ask='a', answer=function() while true do pcall(function() while true do end end) end end, solution='x'}, " * 5)),
    "an answer that takes memory": LESSON % "steps={{ask='a', answer=function() local t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) .. #t end end, solution='x'}}",
    "an answer that records": LESSON % "steps={{ask='a', answer=function() local t = {} while true do t[#t + 1] = pto.load('row_loop'):record() end end, solution='x'}}",
    "many lessons": "local t = {} while true do t[#t + 1] = pto.lesson{title='t', teaches='t', family='t', file='row_loop', steps={{say='x'}}} end",
    "lessons of lessons": "local function f() return " + LESSON[7:] % "steps={{say='x'}, {ask='a', answer=function() f() return true end, solution='x'}}" + " end while true do f() end",
    "a long text": LESSON % "steps={{say=('x'):rep(1e7)}}",
    "a quit": "pto.quit(77) " + LESSON % "steps={{say='x'}}",
    "an answer that quits": LESSON % "steps={{ask='a', answer=function() pto.quit(77) end, solution='x'}}",
    "a program that runs on": "return pto.lesson{title='t', teaches='t', family='t', file='forever.pto', steps={{say='x'}}}",
    "an answer that writes": LESSON % "steps={{ask='a', answer=function() pto.current():save('../outside/new.ptorec') return true end, solution='x'}}",
    "a listener at the end": "pto.addEventListener('quitting', function() while true do end end) " + LESSON % "steps={{say='x'}}",
    "strings": "local s = 'x' while true do s = s .. s end",
    "recordings": "local t = {} while true do t[#t + 1] = pto.load('row_loop'):record() end",
    "controls": "return pto.lesson{title='t\\27[2J', teaches='\\27]52;c;aGk=\\7', family='t', file='row_loop', steps={{say='\\27[31mx'}}}",
}

OTHERS = {
    "orders to the terminal": "print('\\27]52;c;aGk=\\7') error('\\27[2J\\x9b31m')",
    "orders in names": "pcall(pto.load, '\\27]52;c;aGk=\\7') pto.test('\\27[2J', function() error('\\27[2J') end) error(setmetatable({}, {__tostring = function() return '\\27[2J' end}))",
    "a quit": "pto.quit(77)",
    "a flood of files": RECORD + "for i = 1, math.huge do rec:save('x' .. i .. '.ptorec') end",
    "a flood of small files": RECORD + "for i = 1, math.huge do rec:tile('x_even'):save('x' .. i .. '.csv') end",
    "the globals": "for k, v in pairs(_G) do if k ~= 'pcall' then _G[k] = nil end end pto.load('x')",
}


def all_scripts():
    """(kind, name, text), each of them once."""
    scripts = []
    for name, (ending, call) in READERS.items():
        scripts.append(("read", name, trying(OUTSIDE, ending, call)))
        scripts.append(("read", name + ", of no file", trying(NO_FILES, ending, call)))
    for name, (ending, call) in WRITERS.items():
        scripts.append(("write", name, trying(FORBIDDEN, ending, call, RECORD)))
    scripts += [("memory", name, KEEP + text) for name, text in MEMORY.items()]
    scripts += [("time", name, text) for name, text in TIME.items()]
    scripts += [("lesson", name, "-- pto.lesson\n" + text) for name, text in LESSONS.items()]
    scripts += [("other", name, text) for name, text in OTHERS.items()]
    return scripts


# --- what lies around them ---

def program(body, arguments="", more=""):
    return ('module attributes {pto.target_arch = "a5"} {\n  func.func @f(%s) {\n    %%c0 = arith.constant 0 : index\n'
            '    %%c1 = arith.constant 1 : index\n%s    return\n  }\n%s}\n' % (arguments, body, more))


TILE = "!pto.tile_buf<vec, 8x64xf32>"
ADD = f"pto.tadd ins(%a, %a : {TILE}, {TILE}) outs(%a : {TILE})\n"
ALLOC = f"    %a = pto.alloc_tile : {TILE}\n    %one = arith.constant 1.0 : f32\n" \
        f"    pto.texpands ins(%one : f32) outs(%a : {TILE})\n"


def looping(count):
    return program(ALLOC + f"    %n = arith.constant {count} : index\n    scf.for %i = %c0 to %n step %c1 {{\n      {ADD}    }}\n")


def wide():
    """Stores into as many big pages of the host as there are: 512 x 2 MiB."""
    return program(
        ALLOC + "    %n = arith.constant 512 : index\n    %c8 = arith.constant 8 : index\n    %c64 = arith.constant 64 : index\n"
        "    %w = arith.constant 524288 : index\n"
        "    %v = pto.make_tensor_view %x, shape = [%n, %w], strides = [%w, %c1] : !pto.tensor_view<512x524288xf32>\n"
        "    %b = pto.alloc_tile : !pto.tile_buf<vec, 1x64xf32>\n    pto.texpands ins(%one : f32) outs(%b : !pto.tile_buf<vec, 1x64xf32>)\n"
        "    scf.for %i = %c0 to %n step %c1 {\n"
        "      %p = pto.partition_view %v, offsets = [%i, %c0], sizes = [%c1, %c64] : !pto.tensor_view<512x524288xf32> -> !pto.partition_tensor_view<1x64xf32>\n"
        "      pto.tstore ins(%b : !pto.tile_buf<vec, 1x64xf32>) outs(%p : !pto.partition_tensor_view<1x64xf32>)\n    }\n",
        "%x: !pto.ptr<f32>")


def npy(rows, cols, data):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {cols}), }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


class World:
    """A folder with a script's own, and with what it must not come near."""

    def __init__(self, folder, home, sample, recording):
        self.folder, self.own, self.outside, self.home = folder, folder / "own", folder / "outside", home
        self.own.mkdir()
        self.outside.mkdir()
        (self.own / "sub").mkdir()
        token = b"// " + TOKEN + b"\n"
        secrets = {"pto": token + sample, "npy": npy(50, 100, (TOKEN + b"\0" * 3)[:16] * 1250), "ptorec": recording,
                   "lua": b"-- " + TOKEN + b"\nprint('" + TOKEN + b"')", "csv": token, "html": token, "json": token,
                   "png": token}
        for ending, content in secrets.items():
            (self.outside / f"secret.{ending}").write_bytes(content)
            (self.own / f"there.{ending}").write_bytes(b"there")
            (self.own / f"link.{ending}").symlink_to(f"../outside/secret.{ending}")
            (self.own / f"chain.{ending}").symlink_to(f"link.{ending}")
            (self.own / f"dangling.{ending}").symlink_to(f"../outside/new.{ending}")
            (self.own / f"loop.{ending}").symlink_to(f"loop.{ending}")
            (self.own / f"zero.{ending}").symlink_to("/dev/zero")
            (self.own / f"folder.{ending}").mkdir()
            os.mkfifo(self.own / f"fifo.{ending}")
        (self.own / "linked").symlink_to("../outside")
        (self.own / "sub" / "linked").symlink_to("../../outside")
        self.add_large()

    def add_large(self):
        own = self.own
        for name in ("holes.npy", "holes.pto", "holes.ptorec"):
            with open(own / name, "wb") as file:
                file.write(b"\x93NUMPY\x01\x00" if name.endswith("npy") else b"SQLite format 3\0")
                file.truncate(8 << 30)
        (own / "wide.npy").write_bytes(npy(500, 1000, bytes(2_000_000)))
        (own / "long.pto").write_text(program(ALLOC + "    " + ("    " + ADD) * 10_000))
        (own / "deep.pto").write_bytes(b"(" * 2_000_000)
        (own / "commas.pto").write_bytes(b"module {\n" + b"f " + b"%a," * 700_000 + b"\n}")
        (own / "wrong.pto").write_bytes(b"module {\n" + b"x %undefined\n" * 150_000 + b"}")
        (own / "functions.pto").write_text(program("", "", "".join(f"  func.func @g{i}() {{\n    return\n  }}\n" for i in range(30_000))))
        (own / "forever.pto").write_text(looping(1_000_000_000))
        (own / "wide.pto").write_text(wide())

    def write_script(self, text):
        path = self.own / "script.lua"
        path.write_text(text.replace("FOLDER", str(self.folder)).replace("HOME", str(self.home)))
        return path


class Watch:
    """Says what was opened or changed in folders since it began, by inotify."""
    OPEN, MODIFY, ATTRIB, CREATE, DELETE, MOVED = 0x20, 0x2, 0x4, 0x100, 0x200, 0xC0

    def __init__(self, folders):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.names = {}
        mask = self.OPEN | self.MODIFY | self.CREATE | self.DELETE | self.MOVED
        for folder in folders:
            number = self.libc.inotify_add_watch(self.descriptor, os.fsencode(folder), mask)
            if self.descriptor < 0 or number < 0:
                raise OSError(ctypes.get_errno(), "inotify is needed to see what is opened")
            self.names[number] = folder

    def seen(self):
        found = []
        while True:
            try:
                data = os.read(self.descriptor, 1 << 16)
            except BlockingIOError:
                break
            while data:
                number, mask, _, size = struct.unpack_from("iIII", data)
                name = data[16:16 + size].rstrip(b"\0").decode(errors="replace")
                found.append(f"{'opened' if mask & self.OPEN else 'changed'} {self.names.get(number, '?')}/{name}")
                data = data[16 + size:]
        return found

    def close(self):
        os.close(self.descriptor)
