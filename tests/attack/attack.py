#!/usr/bin/env python3
"""Throws at the built program what a stranger may send, and what goes wrong around it: ./dev attack [MINUTES].

Each row of the table at the end is one kind of attack. A trial fails where the program crashes, hangs, takes more memory
than it may, sends a terminal controls, writes where it must not, or gives another result than the true one without a word.
What failed is kept, with the command line to see it again.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

STATUSES = {0, 1, 2, 3, 4, 5}
MOST_SECONDS = 60
MOST_RESIDENT = 3 << 30
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


class Failure(Exception):
    pass


Result = collections.namedtuple("Result", "status out err seconds resident")


class Attack:
    def __init__(self, program, root, keep, seed):
        self.program, self.root, self.keep = program, root, keep
        self.random = random.Random(seed)
        self.samples = sorted(root.glob("samples/*.pto"))
        self.scripts = sorted(root.glob("samples/scripts/*.lua"))
        self.lessons = sorted(root.glob("assets/lessons/*.lua"))
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tilescope-attack-"))
        self.recordings = {}

    # --- running ---

    def run(self, words, folder, limits=None, seconds=MOST_SECONDS, checked=True, stdin=b"", data=False,
            silent=False):
        """Runs the program in `folder`; `limits` is called in the child. `data`: standard output is for programs;
        `silent`: it goes nowhere."""
        environment = dict(os.environ, HOME=str(self.home), XDG_STATE_HOME=str(self.home / "state"),
                           XDG_CONFIG_HOME=str(self.home / "config"))
        environment.pop("DISPLAY", None)
        environment.pop("WAYLAND_DISPLAY", None)
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            child = subprocess.Popen([self.program, *map(str, words)], cwd=folder, env=environment, stdin=given,
                                     stdout=subprocess.DEVNULL if silent else out,
                                     stderr=subprocess.DEVNULL if silent else err, preexec_fn=limits, start_new_session=True)
            timer_end, status, usage = start + seconds, None, None
            while status is None:
                pid, code, usage = os.wait4(child.pid, os.WNOHANG)
                if pid:
                    status = os.waitstatus_to_exitcode(code)
                elif time.monotonic() > timer_end:
                    os.killpg(child.pid, signal.SIGKILL)
                    os.wait4(child.pid, 0)
                    raise Failure(f"still running after {seconds} s")
                else:
                    time.sleep(0.002)
            child.returncode = status
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read())
        result = Result(status, *texts, time.monotonic() - start, usage.ru_maxrss * 1024)
        if checked:
            self.check(result._replace(out=b"") if data else result)
        return result

    def check(self, result):
        if result.status not in STATUSES:
            raise Failure(f"ended with {result.status}: {result.err[-300:]!r}")
        if result.resident > MOST_RESIDENT:
            raise Failure(f"took {result.resident >> 20} MiB")
        for text in (result.out, result.err):
            found = CONTROLS.search(text)
            if found:
                raise Failure(f"printed {found.group()!r}: {text[max(0, found.start() - 40):found.start() + 40]!r}")

    # --- making things ---

    def mutant(self, text):
        """A text with a few things changed: bytes, words, lines, numbers."""
        bits = self.random
        text = bytearray(text)
        for _ in range(bits.choice([1, 1, 2, 3, 8])):
            kind = bits.randrange(8)
            at = bits.randrange(len(text) + 1)
            if kind == 0 and text:
                text[at % len(text)] = bits.randrange(256)
            elif kind == 1:
                text[at:at] = bytes(bits.randrange(256) for _ in range(bits.randrange(1, 9)))
            elif kind == 2:
                del text[at:at + bits.choice([1, 3, 20, 200])]
            elif kind == 3:
                end = at + bits.choice([5, 40, 300])
                text[at:at] = text[at:end] * bits.choice([1, 2, 50])
            elif kind == 4:
                numbers = list(re.finditer(rb"\d+", text))
                if numbers:
                    number = bits.choice(numbers)
                    value = bits.choice([b"0", b"1", b"-1", b"255", b"65536", b"2147483648", b"99999999999999999999"])
                    text[number.start():number.end()] = value
            elif kind == 5:
                words = list(re.finditer(rb"[A-Za-z_.%]+", text))
                if len(words) > 1:
                    a, b = bits.sample(words, 2)
                    text[a.start():a.end()] = b.group()
            elif kind == 6:
                lines = text.split(b"\n")
                bits.shuffle(lines) if bits.random() < 0.1 else lines.insert(at % len(lines), bits.choice(lines))
                text = bytearray(b"\n".join(lines))
            else:
                text[at:at] = bits.choice([b"\x1b]52;c;aGk=\x07", b"\xe2\x80\xae", b"\xff\xfe", b"\x00", b"(" * 3000,
                                           b"{" * 300, b"loc(\"" + b"../" * 40 + b"\")", b"\r"])
        return bytes(text)

    def recording(self):
        """The bytes of a sample's recording, and its digest."""
        sample = self.random.choice(self.samples)
        if sample not in self.recordings:
            path = self.home / "whole.ptorec"
            self.run(["run", sample, "--record", path], self.home, checked=False)
            if not path.exists():
                self.recordings[sample] = None
            else:
                digest = self.run(["run", path, "--digest"], self.home).out
                self.recordings[sample] = path.read_bytes(), digest
                path.unlink()
        return self.recordings[sample] or self.recording()

    # --- the rows ---

    def programs(self, folder):
        path = folder / "kernel.pto"
        text = self.mutant(self.random.choice(self.samples).read_bytes())
        path.write_bytes(text)
        command = self.random.choice([["check"], ["check", "--json"], ["run"], ["run", "--json"], ["run", "--trace"],
                                      ["check", "--run"], ["fmt"], ["lockstep"], ["run", "--digest"], ["repl"]])
        limits = [] if command[0] == "fmt" else ["--max-steps", 20000]
        self.run([command[0], path, *command[1:], *limits], folder, stdin=b"over\ninto\nback\nlast\nquit\n",
                 data=command[0] == "fmt" or "--json" in command)
        if path.read_bytes() != text or list(folder.iterdir()) != [path]:
            raise Failure("changed or left files: " + ", ".join(p.name for p in folder.iterdir()))

    def damaged_recordings(self, folder):
        whole, digest = self.recording()
        damaged = bytearray(whole)
        for _ in range(self.random.choice([1, 1, 4, 30])):
            at = self.random.randrange(len(damaged))
            kind = self.random.randrange(4)
            if kind == 0:
                damaged[at] ^= 1 << self.random.randrange(8)
            elif kind == 1:
                damaged[at] = self.random.randrange(256)
            elif kind == 2:
                size = self.random.choice([16, 512, 4096])
                damaged[at:at + size] = bytes(len(damaged[at:at + size]))
            else:
                del damaged[at:]
                if not damaged:
                    damaged = bytearray(b"S")
        path = folder / "k.ptorec"
        path.write_bytes(damaged)
        result = self.run(["run", path, "--digest"], folder)
        if result.status == 0 and result.out != digest:
            raise Failure("another digest, and status 0")
        self.run(["info", path], folder)

    def hostile_scripts(self, folder):
        (folder / "own").mkdir()
        secret = folder / "secret.npy"
        secret.write_bytes(b"\x93NUMPY secret")
        text = self.random.choice(HOSTILE_SCRIPTS).replace("SECRET", str(secret))
        script = folder / "own" / "script.lua"
        script.write_text(text)
        before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        lesson = self.random.random() < 0.3
        if lesson:
            script.write_text("-- pto.lesson\n" + text)
            before[script] = script.read_bytes()
        words = ["lesson", script, "--check"] if lesson else \
            ["script", script, "--script-total-seconds", 3, "--script-mem", "64MiB", "--script-seconds", 2]
        result = self.run(words, folder / "own", seconds=300 if lesson else 30)
        if b"secret" in result.out:
            raise Failure("read a file outside of its folder")
        for path, content in before.items():
            if not path.exists() or path.read_bytes() != content:
                raise Failure(f"changed {path.name}")
        for path in folder.rglob("*"):
            if path.is_file() and path not in before and folder / "own" not in path.parents:
                raise Failure(f"wrote {path}")

    def mutated_scripts(self, folder):
        script = folder / "script.lua"
        script.write_bytes(self.mutant(self.random.choice(self.scripts + self.lessons).read_bytes()))
        if b"pto.lesson" in script.read_bytes():
            self.run(["lesson", script, "--check"], folder, seconds=300)
        else:
            self.run(["script", script, "--script-total-seconds", 5], folder)

    def kills(self, folder):
        path = folder / "k.ptorec"
        kernel = folder / "kernel.pto"
        kernel.write_bytes(b"module attributes {pto.target_arch = \"a5\"} {\n  func.func @f() {\n"
                           b"    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n"
                           b"    %n = arith.constant 3000 : index\n"
                           b"    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>\n"
                           b"    scf.for %i = %c0 to %n step %c1 {\n"
                           b"      pto.tadd ins(%a, %a : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) "
                           b"outs(%a : !pto.tile_buf<vec, 8x64xf32>)\n    }\n    return\n  }\n}\n")
        old = self.random.random() < 0.5
        if old:
            self.run(["run", "masked_sum", "--record", path], folder)
        environment = dict(os.environ, HOME=str(self.home))
        child = subprocess.Popen([self.program, "run", kernel, "--record", path, "--full"], cwd=folder, env=environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.random.random() * 0.4)
        child.kill()
        child.wait()
        if path.exists() or old:
            if self.run(["info", path], folder).status != 0:
                raise Failure("a killed save left a recording that cannot be opened")

    def full_disks(self, folder):
        blocks = self.random.choice([0, 1, 4, 16, 64]) * 1024
        path = folder / "out"
        words = self.random.choice([["run", "masked_sum", "--record", path], ["run", "masked_sum", "--report", path],
                                    ["run", "masked_sum", "--trace-json", path], ["run", "masked_sum", "--out", f"out={path}"],
                                    ["script", "softmax", "--junit", path]])
        result = self.run(words, folder, limits=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (blocks, blocks)),
                          checked=False, silent=True)
        if result.status not in STATUSES:
            raise Failure(f"ended with {result.status}")
        if result.status == 0 and not path.exists():
            raise Failure("status 0, and no file")
        if result.status != 0 and list(folder.iterdir()):
            raise Failure("left " + ", ".join(p.name for p in folder.iterdir()))

    def little_memory(self, folder):
        most = self.random.choice([200, 400, 800, 1600]) << 20
        words = self.random.choice([["run", "softmax_online"], ["check", "rope", "--run"], ["lockstep", "gelu"],
                                    ["script", "softmax"], ["lesson", "zip", "--check"]])
        result = self.run(words, folder, limits=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)), checked=False)
        if result.status not in STATUSES:
            raise Failure(f"ended with {result.status} under {most >> 20} MiB: {result.err[-200:]!r}")

    ROWS = ["programs", "damaged_recordings", "hostile_scripts", "mutated_scripts", "kills", "full_disks", "little_memory"]

    # --- all of it ---

    def trial(self, row, number):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="trial-", dir=self.home))
        try:
            getattr(self, row)(folder)
        except Failure as failure:
            kept = self.keep / f"{row}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept, symlinks=True)
            (kept / "FAILURE").write_text(f"{failure}\n")
            return str(failure)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return None


HOSTILE_SCRIPTS = [
    "print(pto.load('SECRET'))",
    "print(pto.array('SECRET'))",
    "local ok, why = pcall(pto.load, 'row_loop', {inputs={x='SECRET'}}) print(ok, why)",
    "pto.open('../secret.npy')",
    "pto.open('/etc/passwd') print('secret')",
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) end",
    "local s = 'x' while true do s = s .. s end",
    "local c = {} while true do c[#c + 1] = coroutine.create(function() coroutine.yield() end) coroutine.resume(c[#c]) end",
    "while true do pcall(function() pto.load('softmax_online'):record() end) end",
    "local all = {} while true do all[#all + 1] = pto.load('softmax_online'):record() end",
    "local all = {} while true do all[#all + 1] = pto.load('softmax_online'):record():tile('x') end",
    "print('\\27]52;c;aGk=\\7')",
    "error('\\27[2J')",
    "pto.load('softmax_online'):record():save('../out.ptorec')",
    "pto.load('softmax_online'):record():report('/tmp/out.html')",
    "for i = 1, 1e9 do pto.load('masked_sum'):record():tile('sum'):save('x' .. i .. '.csv') end",
    "string.rep('x', 1e18)",
    "local ok = pcall(string.rep, ('x'):rep(1e6), 1e6)",
    "('x'):rep(1e5):find(('x*'):rep(30) .. 'y')",
    "table.sort(setmetatable({}, {__len = function() return 1e9 end, __index = function() return 1 end}))",
    "setmetatable({}, {__gc = function() while true do end end}) error('x')",
    "local function f() return f() + 1 end f()",
    "load(('('):rep(1e6))",
    "pto.quit(77)",
    "return pto.lesson{title='t', teaches='t', family='t', file='SECRET', steps={{say='x'}}}",
    "return pto.lesson{title='t', teaches='t', family='t', file='row_loop', steps={{say=('x'):rep(1e7)}}}",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", choices=Attack.ROWS)
    arguments = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    keep = root / "build" / "attack"
    keep.mkdir(parents=True, exist_ok=True)
    attack = Attack(arguments.program.resolve(), root, keep, arguments.seed)
    rows = [arguments.only] if arguments.only else Attack.ROWS
    tried, failed, first = collections.Counter(), collections.Counter(), {}
    end = time.monotonic() + arguments.minutes * 60
    number = 0
    try:
        while time.monotonic() < end:
            row = rows[number % len(rows)]
            number += 1
            failure = attack.trial(row, number)
            tried[row] += 1
            if failure:
                failed[row] += 1
                first.setdefault(row, (number, failure))
    except KeyboardInterrupt:
        pass
    finally:
        shutil.rmtree(attack.home, ignore_errors=True)
    print(f"seed {arguments.seed}\n{'attack':<20} {'trials':>7} {'failed':>7}  the first")
    for row in rows:
        where, why = first.get(row, ("", ""))
        print(f"{row:<20} {tried[row]:>7} {failed[row]:>7}  {why} {f'(build/attack/{row}-{where})' if why else ''}")
    return 1 if sum(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
