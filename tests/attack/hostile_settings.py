"""Settings, kept work, lessons' progress and themes that were changed, or that are something else than files."""
import json

from common import KINDS, Failure, put_in_place, remove

LESSONS = {"0123456789abcdef": {"name": "zip", "title": "Zip", "family": "moves", "questions": 2, "page": 1,
                                "pages": [{"tries": 1, "right": True, "shown": False}] * 2}}
SEPIA = b"name = Sepia\nbased on = light\naccent = #8a5a00\n"
VALUES = [None, True, False, 0, -1, 1, 2.5, 1e308, -1e308, 10**30, "", "x", "\u0000", "\ufffd" * 50, "x" * 100_000, [], [[]],
          {}, {"": {}}, [1] * 1000, "F99999999999999999999", "Ctrl+K Ctrl+K Ctrl+K"]
TEXTS = [b"", b"{", b"null", b"[]", b"3", b'"x"', b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"{" * 100_000, b'{"a":' * 100_000,
         b"[" * 1_000_000, b'{"panes":{"timeline":{"byCore":1}}}', b'{"recent":["\\u001b]52;c;aGk=\\u0007"]}',
         b'{"zoom":1e999}', b'{"keys":{"own":{"over":"F99999999999"}}}', b"\x00" * 100_000]


class HostileSettings:
    def true_settings(self):
        """What the window itself keeps: place below the home, content."""
        if self.kept_settings is None:
            home = self.home / "true-settings"
            home.mkdir()
            window = self.open_window(["masked_sum"], self.home, home)
            if not window.wait_ready():
                raise Failure("the window does not start")
            # A breakpoint, a theme, how a tile is shown; written within a second.
            for keys in (["F10"], ["F9"], ["ctrl+t"]):
                window.press(keys)
                self.check_alive(window)
            self.check_window(window)
            window.close()
            files = [path for path in home.rglob("*.json") if path.is_file()]
            self.kept_settings = {path.relative_to(home): path.read_bytes() for path in files}
            for place, content in (("state/tilescope/lessons.json", json.dumps(LESSONS).encode()),
                                   ("config/tilescope/themes/sepia.theme", SEPIA),
                                   ("state/tilescope/repl_history", b"over\ninto\n")):
                self.kept_settings[home.relative_to(home) / place] = content
        return self.kept_settings

    def other_values(self, value, depth=0):
        """The same with some values, and names of values, replaced by others."""
        bits = self.random
        if depth and bits.random() < 0.08:
            return bits.choice(VALUES)
        if isinstance(value, dict):
            return {(bits.choice(["", "x", "\u001b[2J", name]) if bits.random() < 0.05 else name):
                    self.other_values(one, depth + 1) for name, one in value.items()}
        if isinstance(value, list):
            return [self.other_values(one, depth + 1) for one in value] * bits.choice([1, 1, 1, 2])
        return value

    def hostile_file(self, content):
        bits = self.random
        if bits.random() < 0.3:
            return bits.choice(TEXTS)
        if bits.random() < 0.6:
            try:
                return json.dumps(self.other_values(json.loads(content))).encode()
            except ValueError:
                pass
        return self.mutant(content)

    def put_settings(self, home):
        bits = self.random
        for place, content in self.true_settings().items():
            path = home / place
            path.parent.mkdir(parents=True, exist_ok=True)
            if bits.random() < 0.7:
                path.write_bytes(self.hostile_file(content))
            else:
                put_in_place(path, bits.choice(KINDS), content)
        if bits.random() < 0.1:
            folder = home / bits.choice(["config/tilescope", "state/tilescope", "state/tilescope/programs", "state"])
            remove(folder)
            put_in_place(folder, bits.choice([kind for kind in KINDS if kind != "folder"]), b"x")

    def hostile_settings(self, folder):
        if self.screen.display is None:
            return
        home = folder / "home"
        home.mkdir()
        self.put_settings(home)
        beside = folder / "beside.txt"
        beside.write_bytes(b"as it was")
        bits = self.random
        self.run(bits.choice([["repl", "masked_sum"], ["lesson"], ["manual"], ["run", "masked_sum"], ["shot", "masked_sum"],
                              ["lesson", "zip", "--check"]]), folder, stdin=b"over\nwatch x\nquit\n", home=home,
                 screen=True)
        window = self.open_window([bits.choice(["masked_sum", "zip", "--start-page"])], folder, home)
        if not window.wait_ready():
            raise Failure(f"the window ended with {window.child.returncode}: {window.said()[-300:]!r}")
        for _ in range(bits.randrange(1, 5)):
            window.press(bits.choice([["F10"], ["F9"], ["ctrl+t"], ["F11"], ["F5"], ["ctrl+plus"], ["ctrl+shift+p"]]))
            self.check_alive(window)
        self.check_window(window)
        self.check_text(window.said())
        if beside.read_bytes() != b"as it was":
            raise Failure("changed a file beside the settings")
