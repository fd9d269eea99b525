#!/usr/bin/env python3
"""Throws at the built program what a stranger may send, and what goes wrong around it: ./dev attack [MINUTES].

Each row of the table at the end is one kind of attack. A trial fails where the program crashes, hangs, takes more memory
than it may, sends a terminal controls, writes where it must not, or gives another result than the true one without a word.
What failed is kept, with the command line to see it again.
"""
import argparse
import collections
import hashlib
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

import hostile
from common import Failure
from hostile_names import HostileNames
from hostile_settings import HostileSettings
from stops import Stops
from windows import Screen, WindowKeys

STATUSES = {0, 1, 2, 3, 4, 5}
MOST_SECONDS = 60
MOST_RESIDENT = 3 << 30
HOSTILE_DISK = 8 << 20
# Starts the program and tells how it went. What a process took at most begins with what whoever started it had taken, so
# that has to be little.
STARTER = """
import os, sys
child = os.fork()
if child == 0: os.execv(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
told = (os.waitstatus_to_exitcode(status), usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
os.write(int(sys.argv[1]), " ".join(map(str, told)).encode())
"""
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")


def is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


Result = collections.namedtuple("Result", "status out err seconds resident processor left_alive")


class Attack(Stops, HostileSettings, HostileNames, WindowKeys):
    def __init__(self, program, root, keep, seed):
        self.program, self.root, self.keep = program, root, keep
        self.random = random.Random(seed)
        self.samples = sorted(root.glob("samples/**/*.pto"))
        self.scripts = sorted(root.glob("samples/scripts/*.lua"))
        self.lessons = sorted(root.glob("assets/lessons/*.lua"))
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="tilescope-attack-"))
        self.recordings = {}
        self.row_loop_recording, self.plain = None, None
        self.hostile, self.next_hostile = hostile.all_scripts(), 0
        self.random.shuffle(self.hostile)
        self.screen, self.windows = Screen(), []
        self.kept_settings = self.slow = None
        self.takes, self.longest = {}, (0, "")  # seconds of commands; of work after Ctrl+C, and by whom
        self.notes = {}                         # behind the rows of the table

    # --- running ---

    def environment(self, home=None, screen=False):
        """`home`: with the settings in there; `screen`: for the window."""
        home = home or self.home
        environment = dict(os.environ, HOME=str(home), XDG_STATE_HOME=str(home / "state"),
                           XDG_CONFIG_HOME=str(home / "config"))
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
        return dict(environment, **self.screen.environment()) if screen else environment

    def run(self, words, folder, limits=None, seconds=MOST_SECONDS, checked=True, stdin=b"", data=False,
            silent=False, quits=0, home=None, screen=False):
        """Runs the program in `folder`; `limits` is called in the child. `data`: standard output is for programs;
        `silent`: it goes nowhere; `quits`: a status that it may end with besides."""
        environment = self.environment(home, screen)
        words = [word if isinstance(word, bytes) else str(word) for word in words]
        start = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            told, tell = os.pipe()
            child = subprocess.Popen([sys.executable, "-S", "-E", "-c", STARTER, str(tell), self.program, *words],
                                     cwd=folder, env=environment, stdin=given, pass_fds=[tell],
                                     stdout=subprocess.DEVNULL if silent else out,
                                     stderr=subprocess.DEVNULL if silent else err, preexec_fn=limits, start_new_session=True)
            os.close(tell)
            with open(told) as ended:
                try:
                    child.wait(seconds)
                except subprocess.TimeoutExpired:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
                    raise Failure(f"still running after {seconds} s") from None
                numbers = ended.read().split()
            status, resident, processor = int(numbers[0]), int(numbers[1]) * 1024, float(numbers[2])
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read())
        result = Result(status, *texts, time.monotonic() - start, resident, processor, is_alive(child.pid))
        if checked:
            shown = result._replace(out=b"") if data else result
            self.check(shown._replace(status=0) if quits and status == quits else shown)
        return result

    def check(self, result):
        if result.status not in STATUSES:
            raise Failure(f"ended with {result.status}: {result.err[-300:]!r}")
        if result.resident > MOST_RESIDENT:
            raise Failure(f"took {result.resident >> 20} MiB")
        for text in (result.out, result.err):
            self.check_text(text)

    def check_text(self, text):
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
        kind, name, text = self.hostile[self.next_hostile % len(self.hostile)]
        self.next_hostile += 1
        home = self.home / "hostile"  # of their own: a window of another row keeps its work below its home
        home.mkdir(exist_ok=True)
        world = hostile.World(folder, home, (self.root / "samples/row_loop.pto").read_bytes(), self.row_loop())
        script = world.write_script(text)
        before = contents(folder)
        watch = hostile.Watch([world.outside])
        lesson = kind == "lesson"
        limit, total = (256 << 20, 60) if lesson else (64 << 20, 10 if kind == "memory" else 3)
        words = ["lesson", script, "--check"] if lesson else \
            ["script", script, "--script-mem", limit, "--script-total-seconds", total, "--script-seconds", 2,
             "--script-steps", 10 ** 13, "--script-disk", HOSTILE_DISK]
        try:
            result = self.run(words, world.own, seconds=10 * (total + 5), data=not lesson, quits=77, home=home)
            opened = watch.seen()
        except Failure as failure:
            raise Failure(f"{kind}, {name}: {failure}") from failure
        finally:
            watch.close()
        wrong = self.wrong_of_hostile(world, kind, result, before, limit, total)
        if opened:
            wrong.append(", ".join(sorted(set(opened))))
        if wrong:
            raise Failure(f"{kind}, {name}: {'; '.join(wrong)}")

    def wrong_of_hostile(self, world, kind, result, before, limit, total):
        wrong = []
        most = self.plain_resident() + limit + (64 << 20)
        if result.resident > most:
            wrong.append(f"took {result.resident >> 20} MiB, {most >> 20} at most")
        # The machine may have other work: it is the processor's time that a script has so much of.
        if result.processor > total + 5:
            wrong.append(f"used the processor for {result.processor:.1f} s, {total} s were its time")
        if result.left_alive:
            wrong.append("left a process behind")
        if kind in ("memory", "time") and result.status != 5:
            wrong.append(f"ended with {result.status}, as if there were no limit: {result.err[:200]!r}")
        if hostile.TOKEN in result.out + result.err:
            wrong.append("read a file outside of its folder")
        if b"GOT " in result.out:
            wrong.append(f"was let: {result.out[:200]!r}")
        after = contents(world.folder)
        for path, content in before.items():
            if after.get(path) != content:
                wrong.append(f"changed {path}")
        for path in after:
            if path not in before and (world.own not in path.parents or kind == "write"):
                wrong.append(f"wrote {path}")
            if path not in before and after[path][2]:
                wrong.append(f"copied a file outside of its folder to {path}")
        if sum(size for path, (size, _, _) in after.items() if path not in before) > HOSTILE_DISK:
            wrong.append("wrote more than it may")
        for path in (pathlib.Path("/tmp").glob("tilescope-attack-new.*"), world.home.glob("*")):
            wrong += [f"wrote {one}" for one in path]
        return wrong

    def plain_resident(self):
        """What a script that does nothing takes: the program itself, its tables, and Lua."""
        if self.plain is None:
            script = self.home / "plain.lua"
            script.write_text("")
            self.plain = max(self.run(["script", script], self.home).resident for _ in range(3))
        return self.plain

    def row_loop(self):
        if self.row_loop_recording is None:
            path = self.home / "row_loop.ptorec"
            self.run(["run", "row_loop", "--record", path], self.home)
            self.row_loop_recording = path.read_bytes()
            path.unlink()
        return self.row_loop_recording

    def mutated_scripts(self, folder):
        script = folder / "script.lua"
        script.write_bytes(self.mutant(self.random.choice(self.scripts + self.lessons).read_bytes()))
        if b"pto.lesson" in script.read_bytes():
            self.run(["lesson", script, "--check"], folder, seconds=300)
        else:
            self.run(["script", script, "--script-total-seconds", 5], folder, data=True)

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

    ROWS = ["programs", "damaged_recordings", "hostile_scripts", "mutated_scripts", "kills", "full_disks", "little_memory",
            "hostile_settings", "hostile_names", "window_keys", "stops"]

    # --- all of it ---

    def trial(self, row, number):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="trial-", dir=self.home))
        try:
            getattr(self, row)(folder)
        except Failure as failure:
            kept = self.keep / f"{row}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            # Not what is no file, and not what is large: it is made the same every time.
            shutil.copytree(folder, kept, symlinks=True, ignore=lambda place, names: [
                name for name in names if not (pathlib.Path(place) / name).is_symlink() and
                not (pathlib.Path(place) / name).is_dir() and (not (pathlib.Path(place) / name).is_file() or
                                                               (pathlib.Path(place) / name).stat().st_size > 1 << 28)])
            (kept / "FAILURE").write_text(f"{failure}\n")
            return str(failure)
        finally:
            while self.windows:
                self.windows.pop().close()
            shutil.rmtree(folder, ignore_errors=True)
        return None

    def close(self):
        self.screen.close()
        shutil.rmtree(self.home, ignore_errors=True)


def contents(folder):
    """Of every regular file below, its size, a sum, and whether the canary is in it; of those with holes the size."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            size = path.stat().st_size
            data = path.read_bytes() if size < 1 << 30 else b""
            found[path] = size, hashlib.sha256(data).digest(), hostile.TOKEN in data
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", choices=Attack.ROWS)
    parser.add_argument("--all-hostile", action="store_true", help="each hostile script once, however long it takes")
    arguments = parser.parse_args()
    # A shell that starts this in the background has it ignored, and the program would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    root = pathlib.Path(__file__).resolve().parents[2]
    keep = root / "build" / "attack"
    keep.mkdir(parents=True, exist_ok=True)
    attack = Attack(arguments.program.resolve(), root, keep, arguments.seed)
    rows = [arguments.only] if arguments.only else Attack.ROWS
    most = 10 ** 9
    if arguments.all_hostile:
        rows, most, arguments.minutes = ["hostile_scripts"], len(attack.hostile), 10_000
    tried, failed, first = collections.Counter(), collections.Counter(), {}
    end = time.monotonic() + arguments.minutes * 60
    number = 0
    try:
        while time.monotonic() < end and number < most:
            row = rows[number % len(rows)]
            number += 1
            failure = attack.trial(row, number)
            tried[row] += 1
            if failure:
                print(f"{row}-{number}: {failure}", file=sys.stderr, flush=True)
                failed[row] += 1
                first.setdefault(row, (number, failure))
    except KeyboardInterrupt:
        pass
    finally:
        attack.close()
    print(f"seed {arguments.seed}\n{'attack':<20} {'trials':>7} {'failed':>7}  the first")
    for row in rows:
        where, why = first.get(row, ("", ""))
        place = f"{why} (build/attack/{row}-{where})" if why else attack.notes.get(row, "")
        print(f"{row:<20} {tried[row]:>7} {failed[row]:>7}  {place}")
    return 1 if sum(failed.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
