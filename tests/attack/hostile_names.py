"""Files and folders whose names are orders for a terminal, a shell, a page or a command line."""
import json
import os

from common import Failure

NAMES = [b"-x", b"--help", b"-", b"a\nb", b"\x1b]52;c;aGk=\x07", b"\x1b[2J", b"\xff\xfe", b"\xc3", b"\xc2\x9b2J", b"'q'\"q\"",
         b"$(touch pwned)", b"`touch pwned`", b"; touch pwned;", b"x" * 240, b" ", b"a b", b"..", b"\xe2\x80\xae", b"%s%n%n",
         b"{}{0}", b"[1,2]", b"~", b"*", b"a\\b", b"\xc3\xa4\xcc\x88", b"name\r", b"\x7f", b"\t", b"<script>alert(1)<&>",
         b"\"><img src=x onerror=alert(1)>", b"x=y", b"a,b", b"#", b"&lt;", b"\xef\xbb\xbf", b"\xf0\x9f\x90\xa2", b"out=x"]


class HostileNames:
    def hostile_name(self, ending):
        """Bytes; there is room for the ending of what is written beside it."""
        bits = self.random
        name = b"".join(bits.choice(NAMES) for _ in range(bits.choice([1, 1, 1, 2])))
        return name[:230 - len(ending)] + ending

    def check_json(self, result):
        text = result.out.decode()  # has to be UTF-8
        if result.status in (0, 1, 2, 5) or text:
            json.loads(text)

    def hostile_names(self, folder):
        bits = self.random
        inner = os.fsencode(folder) + b"/" + (self.hostile_name(b"") if bits.random() < 0.5 else b"plain")
        if not os.path.isdir(inner):
            os.mkdir(inner)
        before = set(os.listdir(inner))  # one of the names leads up
        program, recording = self.hostile_name(b".pto"), self.hostile_name(b".ptorec")
        page, table, script = self.hostile_name(b".html"), self.hostile_name(b".csv"), self.hostile_name(b".lua")
        sample = next(path for path in self.samples if path.name == "masked_sum.pto")
        with open(inner + b"/" + program, "wb") as out:
            out.write(sample.read_bytes())
        with open(inner + b"/" + script, "wb") as out:
            out.write(b"print(pto.load('masked_sum'):record().count)\n")
        way = bits.choice([b"", b"./", inner + b"/"])
        at = [way + name for name in (program, recording, page, table, script)]
        program_at, recording_at, page_at, table_at, script_at = at
        said = [self.run(["run", program_at, "--record", recording_at, "--report", page_at], inner),
                self.run(["run", program_at, "--out", b"out=" + table_at], inner),
                self.run(["check", program_at, "--run"], inner),
                self.run(["info", recording_at], inner),
                self.run(["compare", program_at, recording_at], inner),
                self.run(["script", script_at], inner),
                self.run(["repl", program_at], inner, stdin=b"over\nquit\n")]
        try:
            for words in (["check", program_at, "--json"], ["run", program_at, "--json"], ["info", recording_at, "--json"]):
                self.check_json(self.run(words, inner, data=True))
        except ValueError as wrong:
            raise Failure(f"JSON of {words} is none: {wrong}") from wrong
        self.run(["fmt", program_at], inner, data=True)
        # With the way before it, no name is an option.
        if way and said[0].status != 0:
            raise Failure(f"run ended with {said[0].status}: {said[0].err[-300:]!r}")
        self.check_names_left(inner, before | {program, recording, page, table, script})
        if os.path.exists(inner + b"/" + page):
            with open(inner + b"/" + page, "rb") as made:
                text = made.read()
            if b"<script>alert(1)" in text or b"<img src=x" in text:
                raise Failure("a page with a name in it that is not escaped")
        if self.screen.display is not None and way and bits.random() < 0.2:
            window = self.open_window([program_at], inner)
            if window.wait_ready():
                self.check_alive(window)
            self.check_window(window)
            self.check_text(window.said())

    def check_names_left(self, inner, wanted):
        there = set(os.listdir(inner))
        if there - wanted:
            raise Failure(f"left {sorted(there - wanted)}")
