"""The window, on a screen of its own, with keys and files that change while it is open."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from common import KINDS, Failure, put_in_place

HANGS_AFTER = 120
MOST_RESIDENT = 3 << 30


class Screen:
    """Xvfb; `display` is None where there is none."""

    def __init__(self):
        self.display = self.server = None
        if shutil.which("Xvfb") is None or shutil.which("xdotool") is None:
            return
        mine, servers = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(servers), "-screen", "0", "1600x1000x24", "-nolisten", "tcp",
                                        "-noreset", "-r"], pass_fds=[servers], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        os.close(servers)
        with os.fdopen(mine, "rb") as numbers:
            number = numbers.readline().strip().decode()
        self.display = f":{number}" if number else None

    def environment(self):
        return {"DISPLAY": self.display, "LIBGL_ALWAYS_SOFTWARE": "1", "WAYLAND_DISPLAY": ""}

    def close(self):
        if self.server is not None:
            self.server.kill()
            self.server.wait()


class Window:
    """`tilescope open` in a folder; what it says of itself is what it writes with --state."""

    def __init__(self, program, words, folder, environment, screen):
        self.environment = dict(environment, **screen.environment())
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="window-", dir=environment["HOME"]))
        self.err = open(self.place / "err", "w+b")
        self.known = {}
        self.mouse = 0
        # The mouse is away while it starts: what is under it gets the keys.
        self.hand("mousemove", "700", "500")
        self.child = subprocess.Popen([program, "open", *words, "--state", self.place / "state"], cwd=folder,
                                      env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                      stderr=self.err, start_new_session=True)

    def hand(self, *words):
        subprocess.run(["xdotool", *words], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=HANGS_AFTER, check=False)

    def state(self):
        try:
            self.known = json.loads((self.place / "state").read_bytes())
        except (OSError, ValueError):
            pass
        return self.known

    def running(self):
        return self.child.poll() is None

    def wait(self, what, until):
        """False: it has ended."""
        end = time.monotonic() + HANGS_AFTER
        while self.running():
            if until(self.state()):
                return True
            if time.monotonic() > end:
                raise Failure(f"the window hangs: no {what} after {HANGS_AFTER} s")
            time.sleep(0.01)
        return False

    def wait_ready(self):
        return self.wait("end of opening", lambda state: state.get("ready"))

    def answers(self):
        """A frame sees where the mouse is."""
        self.mouse = (self.mouse + 1) % 50
        self.hand("mousemove", str(600 + self.mouse), "480")
        return self.wait("answer to the mouse", lambda state: state.get("mouse") == [600 + self.mouse, 480])

    def press(self, keys):
        self.hand("key", "--delay", "10", *keys)

    def quit(self):
        """The exit status."""
        end = time.monotonic() + HANGS_AFTER
        while self.running():
            if time.monotonic() > end:
                raise Failure(f"the window does not quit within {HANGS_AFTER} s")
            # Out of text fields and dialogs first.
            self.hand("key", "--delay", "30", "Escape", "Escape", "keydown", "ctrl+q", "sleep", "0.1", "keyup", "ctrl+q")
            for _ in range(20):
                if self.running():
                    time.sleep(0.05)
        return self.child.returncode

    def resident(self):
        try:
            with open(f"/proc/{self.child.pid}/status", encoding="ascii") as status:
                return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            return 0

    def said(self):
        self.err.flush()
        self.err.seek(0)
        return self.err.read()

    def close(self):
        if self.running():
            self.child.kill()
        self.child.wait()
        self.err.close()
        shutil.rmtree(self.place, ignore_errors=True)


KEYS = ["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "Tab", "Return", "Escape", "space", "Up",
        "Down", "Left", "Right", "Home", "End", "Prior", "Next", "Delete", "BackSpace", "comma", "period", "plus", "minus",
        "bracketleft", "slash", *"abcdefghijklmnoprstuvwxyz0123456789"]
MODIFIERS = ["", "", "", "", "shift+", "ctrl+", "alt+", "ctrl+shift+"]


class WindowKeys:
    """Random keys and clicks, and files that are replaced, removed, or turned into something else meanwhile."""

    def open_window(self, words, folder, home=None):
        window = Window(self.program, words, folder, self.environment(home), self.screen)
        self.windows.append(window)
        return window

    def check_window(self, window):
        """After it was asked to end."""
        status = window.quit()
        if status != 0:
            raise Failure(f"the window ended with {status}: {window.said()[-300:]!r}")

    def check_alive(self, window):
        if window.resident() > MOST_RESIDENT:
            raise Failure(f"the window took {window.resident() >> 20} MiB")
        if not window.answers() and window.child.returncode != 0:
            raise Failure(f"the window ended with {window.child.returncode}: {window.said()[-300:]!r}")

    def random_keys(self):
        bits = self.random
        keys = [bits.choice(MODIFIERS) + bits.choice(KEYS) for _ in range(bits.choice([1, 3, 5]))]
        return [key for key in keys if key not in ("ctrl+q", "ctrl+shift+q")]

    def change_file(self, path, content):
        bits = self.random
        kind = bits.choice(["file", "mutant", "mutant", "cut", *KINDS])
        if kind == "mutant":
            put_in_place(path, "file", self.mutant(content))
        elif kind == "cut":
            put_in_place(path, "file", content[:bits.randrange(len(content) + 1)])
        else:
            put_in_place(path, kind, content, size=8 << 20)

    def window_keys(self, folder):
        if self.screen.display is None:
            return
        bits = self.random
        whole, _ = self.recording()
        contents = {"kernel.pto": bits.choice(self.samples).read_bytes(), "k.ptorec": whole,
                    "lesson.lua": bits.choice(self.lessons).read_bytes(), "script.lua": bits.choice(self.scripts).read_bytes()}
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        opened = bits.choice(list(contents))
        window = self.open_window([opened], folder)
        if not window.wait_ready():
            raise Failure(f"the window ended with {window.child.returncode}: {window.said()[-300:]!r}")
        for _ in range(12):
            for _ in range(bits.randrange(4)):
                window.press(self.random_keys())
            if bits.random() < 0.3:
                window.hand("mousemove", str(bits.randrange(1600)), str(bits.randrange(1000)), "click", bits.choice("1145"))
            name = opened if bits.random() < 0.7 else bits.choice(list(contents))
            self.change_file(folder / name, contents[name])
            if bits.random() < 0.3:
                window.press(["ctrl+r"])
            self.check_alive(window)
            if not window.running():
                return
        self.check_window(window)
