// What arrives where the program prints: no controls of strangers, all of it, or a word that it did not.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "core/data/utf8.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/process/terminal_child.h"

namespace ts::test {
namespace {

// A comment, a name and a string that give a terminal orders; the last line has a mistake, so that they are printed.
constexpr std::string_view kOrders =
    "module attributes {pto.target_arch = \"a5\"} {\n"
    "  func.func @\"f\x1b]52;c;aGk=\x07\"() {\n"
    "    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>\n"
    "    pto.tadd ins(%a, %a) outs(%a) \"\x1b[2J\x9b\" // \x1b]52;c;aGk=\x07 \xe2\x80\xae\n"
    "    return\n  }\n}\n";

struct File {
  TempFolder folder;
  std::string path = folder / "kernel.pto";
  explicit File(std::string_view text) { put_text(path, text); }
};

// By a shell, so that its output goes where the words say.
ProcessResult in_shell(const std::string& words) {
  return run_process({"/bin/sh", "-c", program_path() + " " + words});
}

bool gives_orders(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const data::Character next = data::character_at(text, at);
    if (next.bytes == 0 || (data::is_control(next.code) && next.code != '\r')) return true;
    at += next.bytes;
  }
  return false;
}

}  // namespace

TEST_CASE("shown: what a terminal would obey is written out, all else stays") {
  CHECK(data::shown("a\tb\n\u00e9\U0001F600") == "a\tb\n\u00e9\U0001F600");
  CHECK(data::shown("\x1b]52;c;\x07") == "\\x1b]52;c;\\x07");
  CHECK(data::shown("\x7f\xc2\x9b\xff") == "\\x7f\\u{9b}\\xff");
  CHECK(data::shown("\xe2\x80\xae") == "\\u{202e}");
  CHECK(data::shown("one\r\ntwo\rthree\r") == "one\ntwo\\x0dthree\\x0d");
  CHECK(data::shown("\xf0\x9f\x98") == "\\xf0\\x9f\\x98");
  CHECK(data::shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");
}

TEST_CASE("shown: in pieces it is the same, wherever they are cut") {
  const std::string text = "a\xe2\x80\xae\r\nb\x1b\xf0\x9f\x98\x80\xf0\x9f\xff\r\rz";
  for (std::size_t first = 0; first <= text.size(); ++first)
    for (std::size_t second = first; second <= text.size(); ++second) {
      std::string out, rest;
      for (const std::string& piece :
           {text.substr(0, first), text.substr(first, second - first), text.substr(second)}) {
        rest += piece;
        rest.erase(0, data::append_shown(out, rest));
      }
      CHECK(out + data::shown(rest) == data::shown(text));
    }
}

TEST_CASE("cli output: no command sends a terminal what a program's text holds") {
  const File file(kOrders);
  for (const char* command : {"run", "check", "fmt", "lockstep", "repl", "script", "lesson", "info", "explain"}) {
    CAPTURE(command);
    const ProcessResult result = tilescope({command, file.path});
    CHECK(!gives_orders(result.out));
    CHECK(!gives_orders(result.err));
  }
  TerminalChild child(100, [&] { ::execl(program_path().c_str(), "tilescope", "check", file.path.c_str(), nullptr); });
  const std::string output = child.all_output();
  CHECK(!gives_orders(output));
  CHECK(has(output, "\\x1b"));
  child.end_status();
}

TEST_CASE("cli output: the text of a program and JSON come out byte for byte") {
  const std::string text = "// \x7f\xc2\x9b\n" + std::string(kAddRows);
  const File file(text);
  CHECK(has(tilescope({"fmt", file.path}).out, "// \x7f\xc2\x9b\n"));
  const ProcessResult run = tilescope({"run", file.path, "--set", "rows=8", "--json"});
  CHECK(json_of(run)["program"] == "add");
}

TEST_CASE("cli output: where standard output cannot be written, it is said and the status is not 0") {
  for (const char* words :
       {"list", "run masked_sum", "coverage --json", "manual", "explain tsel", "--help", "--version"}) {
    const ProcessResult result = in_shell(std::string(words) + " > /dev/full");
    CHECK_MESSAGE(result.status == kCannotRun, words);
    CHECK(has(result.err, "standard output cannot be written: No space left on device"));
  }
  // What the work itself had to say comes first.
  CHECK(in_shell("run bug_offset_units > /dev/full").status == kStopped);
}

TEST_CASE("cli output: where standard error cannot be written, the work goes on") {
  const ProcessResult run = in_shell("run masked_sum --step 6 2> /dev/full");
  CHECK(run.status == kOk);
  CHECK(run.out == tilescope({"run", "masked_sum", "--step", "6"}).out);
  const File file("nothing");
  CHECK(in_shell(fmt::format("check {} 2> /dev/full", file.path)).status == tilescope({"check", file.path}).status);
  CHECK(in_shell("list 2>&-").status == kOk);
}

TEST_CASE("cli output: what is read is not written over, by whatever path") {
  const File file(kAddRows);
  const std::string link = file.folder / "link.pto", array = file.folder / "x.npy";
  std::filesystem::create_symlink(file.path, link);
  REQUIRE(tilescope({"run", file.path, "--set", "rows=8", "--out", "x=" + array}).status == kOk);
  const std::string before = get_text(array);
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", file.path, "--set", "rows=8"});
    const ProcessResult result = tilescope(words);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE((has(result.err, "it is read") || has(result.err, "two results")), result.err);
    CHECK(get_text(file.path) == kAddRows);
    CHECK(get_text(array) == before);
  };
  refused({"--out", "z=" + file.path});
  refused({"--out", "z=" + link});
  refused({"--out", "z=" + (file.folder / "./../") + std::filesystem::path(file.folder.path()).filename().string() +
                        "/kernel.pto"});
  refused({"--in", "x=" + array, "--out", "z=" + array});
  refused({"--record", file.path});
  refused({"--report", link});
  refused({"--trace-json", file.path});
  refused({"--out", "z=" + (file.folder / "new.npy"), "--record", file.folder / "new.npy"});
  CHECK(tilescope({"run", file.path, "--set", "rows=8", "--out", "z=" + (file.folder / "z.npy")}).status == kOk);
}

TEST_CASE("cli output: a recording for which there is no room is an error, and nothing is left of it") {
  const File file(kAddRows);
  const std::string path = file.folder / "k.ptorec";
  for (const char* blocks : {"0", "1", "8"}) {
    const ProcessResult result = run_process({"/bin/sh", "-c",
                                              fmt::format("ulimit -f {}; exec {} run {} --set rows=8 --record {}",
                                                          blocks, program_path(), file.path, path)});
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, "k.ptorec: cannot be written"));
    CHECK(!std::filesystem::exists(path));
  }
  std::size_t left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(file.folder.path())) ++left;
  CHECK(left == 1);
}

}  // namespace ts::test
