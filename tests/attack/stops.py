"""Ctrl+C while something long is in work: status 5, and not much work after it."""
import os
import signal
import subprocess
import threading
import time

from common import Failure

ARCH = 'module attributes {pto.target_arch = "a5"} {\n'
TILE = "!pto.tile_buf<vec, 8x64xf32>"
ADD = f"pto.tadd ins(%a, %a : {TILE}, {TILE}) outs(%a : {TILE})\n"
MANY_STEPS = 1_000_000
MOST_SECONDS_AFTER = 1      # of work, by all threads together: other work on the machine does not count
HANGS_AFTER = 20            # by the clock
GIVE_UP_WAITING = 300

SCRIPTS = {
    "loop.lua": "while true do end",
    "sort.lua": "local t = {} for i = 1, 3e6 do t[i] = -i end table.sort(t)",
    "find.lua": "local s = ('x'):rep(1e5) .. 'y' s:find(('x*'):rep(30) .. 'z')",
    "record.lua": "for i = 1, 50 do print(pto.load('loop.pto'):record().count) end",
    "test.lua": "pto.test('long', function() local r = pto.load('loop.pto'):record() for i = 1, 1e9 do end end)",
    "lesson.lua": "-- pto.lesson\nlocal n = 0 for i = 1, 1e10 do n = n + i end",
}


def kernel(body, arguments=""):
    return (f"{ARCH}  func.func @f({arguments}) {{\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
            f"    %n = arith.constant {MANY_STEPS} : index\n    %a = pto.alloc_tile : {TILE}\n{body}    return\n  }}\n}}\n")


def loop(turn):
    return f"    scf.for %i = %c0 to %n step %c1 {{\n      {turn}    }}\n"


def adding_up(elements):
    """Reads a buffer of `elements` floats, again and again."""
    view = f"!pto.tensor_view<{elements // 64}x64xf32>"
    return kernel(f"    %c8 = arith.constant 8 : index\n    %c64 = arith.constant 64 : index\n"
                  f"    %rows = arith.constant {elements // 64} : index\n"
                  f"    %all = pto.make_tensor_view %x, shape = [%rows, %c64], strides = [%c64, %c1] : {view}\n"
                  "    scf.for %row = %c0 to %rows step %c8 {\n"
                  "      %part = pto.partition_view %all, offsets = [%row, %c0], sizes = [%c8, %c64]\n"
                  f"          : {view} -> !pto.partition_tensor_view<8x64xf32>\n"
                  f"      pto.tload ins(%part : !pto.partition_tensor_view<8x64xf32>) outs(%a : {TILE})\n      {ADD}    }}\n",
                  "%x: !pto.ptr<f32>")


def npy(path, size):
    shape = f"({size // 4},)"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        out.write(os.urandom(1 << 20) * (size >> 20))


def make_slow_inputs(folder, mebibytes, record):
    """What takes long to read or to run, in `folder`; `record` runs the program for the recording."""
    size = mebibytes << 20
    line = "    " + ADD
    texts = {
        "loop.pto": kernel(loop(ADD)),
        "longer.pto": kernel(loop(ADD) + line),
        "text.pto": kernel(line * (size // len(line))),
        "edited.pto": kernel(line * (size // len(line) + 1)),
        "one_line.pto": kernel((ADD.strip() + " ") * (size // len(ADD)) + "\n"),
        "wrong.pto": kernel("".join(f"    %x{i} = arith.addi %u{i}, %w{i} : index\n" for i in range(size // 45))),
        "functions.pto": "module {\n" + "".join(f"  func.func @f{i}() {{\n    return\n  }}\n"
                                               for i in range(size // 45)) + "}\n",
        "brackets.pto": "(" * size,
        "reads.pto": adding_up(size // 4),
        **SCRIPTS,
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    npy(folder / "x.npy", size)
    # A page a step, and few bytes each.
    steps = size // 400
    record(["run", "loop.pto", "--max-steps", steps, "--record", "whole.ptorec", "--full"], folder)
    record(["run", "loop.pto", "--max-steps", steps // 2, "--record", "half.ptorec"], folder)


COMMANDS = [
    ["run", "loop.pto"],
    ["run", "loop.pto", "--digest"],
    ["run", "loop.pto", "--trace"],
    ["run", "loop.pto", "--json"],
    ["run", "loop.pto", "--trace-json", "OUT.json"],
    ["run", "loop.pto", "--report", "OUT.html"],
    ["run", "loop.pto", "--record", "OUT.ptorec"],
    ["run", "loop.pto", "--record", "OUT.ptorec", "--full"],
    ["run", "loop.pto", "--cell", "a[0,4]"],
    ["run", "text.pto"],
    ["run", "one_line.pto"],
    ["run", "wrong.pto"],
    ["run", "functions.pto"],
    ["run", "brackets.pto"],
    ["run", "reads.pto"],
    ["run", "reads.pto", "--in", "x=x.npy"],
    ["run", "reads.pto", "--in", "x=x.npy", "--out", "x=OUT.npy"],
    ["run", "reads.pto", "--in", "x=x.npy", "--out", "x=OUT.csv"],
    ["run", "reads.pto", "--in", "x=x.npy", "--record", "OUT.ptorec"],
    ["run", "whole.ptorec"],
    ["run", "whole.ptorec", "--digest"],
    ["run", "whole.ptorec", "--trace"],
    ["run", "whole.ptorec", "--record", "OUT.ptorec"],
    ["run", "half.ptorec", "--record", "OUT.ptorec", "--full"],
    ["info", "whole.ptorec"],
    ["info", "whole.ptorec", "--verify"],
    ["check", "text.pto"],
    ["check", "wrong.pto"],
    ["check", "functions.pto"],
    ["check", "brackets.pto", "--json"],
    ["check", "loop.pto", "--run"],
    ["check", "text.pto", "--run", "--json"],
    ["lockstep", "loop.pto"],
    ["lockstep", "text.pto"],
    ["compare", "loop.pto", "longer.pto"],
    ["compare", "text.pto", "edited.pto"],
    ["compare", "whole.ptorec", "half.ptorec"],
    ["compare", "reads.pto", "x.npy", "--tile", "x", "--in", "x=x.npy"],
    ["fmt", "text.pto"],
    ["fmt", "wrong.pto"],
    ["script", "loop.lua"],
    ["script", "sort.lua"],
    ["script", "find.lua"],
    ["script", "record.lua"],
    ["script", "test.lua", "--junit", "OUT.xml"],
    ["lesson", "lesson.lua", "--check"],
    ["repl", "loop.pto"],
    ["repl", "text.pto"],
    ["repl", "whole.ptorec"],
    ["shot", "loop.pto", "-o", "OUT.png"],
    ["shot", "text.pto", "-o", "OUT.png"],
    ["shot", "whole.ptorec", "-o", "OUT.png"],
]


def catches_interrupt(pid):
    """Whether the program is past its first instructions: Ctrl+C is for it, and not for the system."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            caught = next(line for line in status if line.startswith("SigCgt"))
    except (OSError, StopIteration):
        return False
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Interrupted:
    """A command, and Ctrl+C `delay` seconds after it began to listen to it."""

    def __init__(self, words, folder, environment, delay, stdin=subprocess.DEVNULL):
        self.status = self.after = self.work_after = None
        self.err = b""
        child = subprocess.Popen([str(word) for word in words], cwd=folder, env=environment, stdin=stdin,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        reader = threading.Thread(target=self.read, args=(child.stderr,))
        reader.start()
        start = time.monotonic()
        while child.poll() is None and not catches_interrupt(child.pid) and time.monotonic() < start + GIVE_UP_WAITING:
            time.sleep(0.002)
        end = time.monotonic() + delay
        while child.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        # Left where it is until its work is known.
        self.came_late = child.poll() is not None
        self.status = child.returncode
        if not self.came_late:
            self.interrupt(child)
        reader.join()
        child.stderr.close()

    def read(self, stream):
        while part := stream.read1(1 << 16):
            self.err = (self.err + part)[-2000:]

    def interrupt(self, child):
        try:
            before = cpu_seconds(child.pid)
        except OSError:
            before = None
        at = time.monotonic()
        child.send_signal(signal.SIGINT)
        hung = threading.Timer(HANGS_AFTER, child.kill)
        hung.start()
        _, code, usage = os.wait4(child.pid, 0)
        hung.cancel()
        self.after = time.monotonic() - at
        self.status = child.returncode = os.waitstatus_to_exitcode(code)
        self.work_after = 0 if before is None else usage.ru_utime + usage.ru_stime - before


class Stops:
    """Ctrl+C at a moment of a long command: it ends with status 5, soon, and leaves nothing half written."""

    SLOW_MEBIBYTES = 24

    def slow_inputs(self):
        if self.slow is None:
            self.slow = self.home / "slow"
            self.slow.mkdir()
            make_slow_inputs(self.slow, self.SLOW_MEBIBYTES, lambda words, folder: self.run(words, folder, checked=False))
        return self.slow

    def stops(self, folder):
        if self.random.random() < 0.1:
            return self.repl_goes_on(folder)
        words = self.random.choice(COMMANDS)
        if words[0] == "shot" and self.screen.display is None:
            return
        slow = self.slow_inputs()
        environment = self.environment(screen=words[0] == "shot")
        for path in slow.iterdir():
            os.link(path, folder / path.name)  # what a script reads has to be in its folder
        before = set(folder.iterdir())
        name = " ".join(words)
        # As long as it takes, where that is known.
        delay = self.random.random() ** 2 * min(self.takes.get(name, 8.0), 8.0)
        ran = Interrupted([self.program, *words], folder, environment, delay)
        if ran.came_late:
            self.takes[name] = max(delay, 0.05)
            return
        if ran.after > HANGS_AFTER:
            raise Failure(f"{name}: still running {HANGS_AFTER} s after Ctrl+C, {delay:.2f} s after the start")
        # What was recorded until then is there to be looked at: `repl` goes on with it, here to the end of its input.
        goes_on = words[0] == "repl" and ran.status == 0
        if ran.status != 5 and not goes_on and not self.had_its_answer(ran, words, folder, environment):
            raise Failure(f"{name}: ended with {ran.status} after Ctrl+C {delay:.2f} s after the start: {ran.err[-300:]!r}")
        if ran.work_after > MOST_SECONDS_AFTER:
            raise Failure(f"{name}: worked for {ran.work_after:.2f} s after Ctrl+C, {delay:.2f} s after the start")
        left = [path.name for path in folder.iterdir() if path not in before and not path.name.startswith("OUT.")]
        if left:
            raise Failure(f"{name}: left {left}")
        if ran.work_after > self.longest[0]:
            self.longest = ran.work_after, name
            self.notes["stops"] = f"at most {ran.work_after:.2f} s of work after Ctrl+C: {name}"

    def had_its_answer(self, ran, words, folder, environment):
        """Ctrl+C came when nothing was left to do: it ended as it does when nobody stops it."""
        if ran.work_after > 0.1:
            return False
        whole = subprocess.run([self.program, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, check=False)
        return whole.returncode == ran.status and whole.stderr[-2000:] == ran.err

    def repl_goes_on(self, folder):
        """Ctrl+C stops Lua, and the session stays."""
        environment = self.environment()
        child = subprocess.Popen([self.program, "repl", "masked_sum"], cwd=folder, env=environment, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        hung = threading.Timer(HANGS_AFTER * 3, child.kill)
        hung.start()
        try:
            child.stdin.write(b"x = 20 + 1\n")
            child.stdin.write(self.random.choice(REPL_LOOPS) + b"\n")
            child.stdin.flush()
            begun = b""
            while b"begun" not in begun and (part := child.stdout.read1(4096)):
                begun += part
            time.sleep(self.random.random() / 2)
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(b"print('still', x * 2)\nquit\n")
        finally:
            hung.cancel()
            child.kill()
            child.wait()
        if child.returncode != 0 or b"still\t42" not in out:
            raise Failure(f"repl ended with {child.returncode} after Ctrl+C: {(begun + out)[-300:]!r}")


REPL_LOOPS = [
    b"print('begun') while true do end",
    b"print('begun') while true do pcall(function() while true do end end) end",
    b"print('begun') local s = ('x'):rep(1e5) s:find(('x*'):rep(30) .. 'y')",
    b"print('begun') while true do pto.load('softmax_online'):record() end",
]
