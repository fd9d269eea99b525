// Scripts and the prompt, as their users start them.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/process/terminal_child.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

ProcessResult script(std::string_view text, std::vector<std::string> more = {}) {
  const TempFolder folder;
  put_text(folder / "test.lua", text);
  more.insert(more.begin(), {"script", folder / "test.lua"});
  return tilescope(more);
}

}  // namespace

TEST_CASE("cli script: every sample script finds what it says") {
  int scripts = 0;
  const std::string listed = tilescope({"list"}).out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("samples/scripts")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().stem().string();
    if (++scripts % 6 != 0 && kSanitized) continue;
    CAPTURE(name);
    // Work of the host counts by its time, of which the sanitizers take many times as much.
    const ProcessResult result = tilescope({"script", name, "--script-steps", kSanitized ? "4000000000" : "100000000"});
    CHECK_MESSAGE(result.status == kOk, result.out, result.err);
    CHECK(result.err == "");
    CHECK(has(result.out, "ok 1 - "));
    CHECK(!has(result.out, "not ok"));
    CHECK(has(listed, name));
  }
  CHECK(scripts >= 20);
}

TEST_CASE("manual: every script in the guide runs") {
  const std::string guide = get_text("assets/manual/scripts.md");
  const std::string begin = "```lua\n", end = "```\n";
  int scripts = 0;
  for (std::size_t at = guide.find(begin); at != std::string::npos; at = guide.find(begin, at)) {
    at += begin.size();
    const std::string text = guide.substr(at, guide.find(end, at) - at);
    const ProcessResult result = script(text);
    CHECK_MESSAGE(result.status == kOk, text, result.out, result.err);
    ++scripts;
  }
  CHECK(scripts == 8);
}

TEST_CASE("cli manual: declarations for editors, and pages by name") {
  const ProcessResult stubs = tilescope({"manual", "--stubs"});
  CHECK(stubs.status == kOk);
  CHECK(has(stubs.out, "---@class recording"));
  CHECK(has(stubs.out, "---@param position integer"));
  CHECK(has(tilescope({"explain", "rec:seek"}).out, "rec:seek(position: integer"));
  const ProcessResult both = tilescope({"explain", "pto.load"});
  CHECK(has(both.out, "An old name of pto.load_scalar."));
  CHECK(has(both.out, "In scripts:"));
  CHECK(tilescope({"explain", "rec:nothing"}).status == kCannotRun);
}

TEST_CASE("cli script: the exit status says how it ended") {
  const TempFolder folder;
  put_text(folder / "endless.pto", kEndless);
  CHECK(script("print(1)").status == kOk);
  CHECK(script("pto.assert.equal(1, 2)").status == kAssertionFailed);
  CHECK(script("pto.test('a', function() pto.assert.equal(1, 2) end)").status == kAssertionFailed);
  CHECK(script("error('no')").status == kScriptError);
  CHECK(script("x = = 1").status == kScriptError);
  CHECK(script("while true do end", {"--script-steps", "100000"}).status == kLimit);
  CHECK(script("t = {} while true do t[#t + 1] = {} end", {"--script-mem", "8MiB"}).status == kLimit);
  const ProcessResult slow =
      script("pto.load(pto.args[1]):record()", {"--script-seconds", "0.1", "--", folder / "endless.pto"});
  CHECK(slow.status == kLimit);
  CHECK(has(slow.err, "took longer than 0.1 s, the limit for one call"));
  CHECK(script("pto.quit(17)").status == 17);
  CHECK(tilescope({"script", "nowhere.lua"}).status == kCannotRun);
}

TEST_CASE("cli script: arguments, messages and traces") {
  CHECK(script("print(#pto.args, pto.args[1], pto.args[2])", {"--", "a b", "--x"}).out == "2\ta b\t--x\n");
  const ProcessResult wrong = script("local function f() error('here') end\nf()");
  CHECK(has(wrong.err, "test.lua:1: here"));
  CHECK(has(wrong.err, "test.lua:2"));
  CHECK(has(tilescope({"script", "nowhere"}).err, "sample scripts are first_nan, "));
  CHECK(has(script("", {"--script-mem", "lots"}).err, "--script-mem lots: wanted BYTES"));
  CHECK(has(tilescope({"test.lua"}).err, "hint: tilescope script test.lua"));
}

TEST_CASE("cli script: files and the system only when they are allowed") {
  CHECK(script("assert(io == nil and os == nil and require == nil and debug == nil)").status == kOk);
  CHECK(script("assert(io.open and os.getenv)", {"--allow", "io"}).status == kOk);
  CHECK(script("", {"--allow", "net"}).status == kCannotRun);
}

TEST_CASE("cli script: results as JUnit") {
  const TempFolder folder;
  const std::string out = folder / "out.xml";
  const ProcessResult result = script(
      "pto.test('good', function() end)\npto.test('bad <&>', function() pto.assert.equal(1, 2) end)", {"--junit", out});
  CHECK(result.status == kAssertionFailed);
  const std::string xml = get_text(out);
  CHECK(has(xml, "tests=\"2\""));
  CHECK(has(xml, "failures=\"1\""));
  CHECK(has(xml, "bad &lt;&amp;&gt;"));
  CHECK(script("pto.test('good', function() end)", {"--junit", folder / "no/such/out.xml"}).status == kCannotRun);
}

TEST_CASE("cli repl: commands, Lua, and what comes next") {
  const ProcessResult result = tilescope_fed({"repl", "masked_sum"},
                                             "over\nover 1\nrec.pos\nback 1\nx = 20\nx + 1, 'a'\nseek 3\n"
                                             "for i = 1, 2 do\nprint(i)\nend\nquit\nprint('never')\n");
  CHECK(result.status == kOk);
  CHECK(has(result.out, "     1  line "));
  CHECK(has(result.out, "\n21\na\n"));
  CHECK(has(result.out, "     3  line "));
  CHECK(has(result.out, "\n1\n2\n"));
  CHECK(!has(result.out, "never"));
}

TEST_CASE("cli repl: what is typed shows what it is") {
  const ProcessResult result = tilescope_fed({"repl", "masked_sum"},
                                             "sum\nlast\nlast\nsum\n? out[0,0],x\nout\nout = 5\nout\nsum = "
                                             "7\nsum\nrec:tile('out'):sources(0,1)\n{1, a={b='c'}}\n"
                                             "help tile:get\nhelp nothing_like_it\n? no + such\n");
  CHECK(result.status == kOk);
  CHECK(has(result.out, "2x8 f32: .. .. "));  // nothing has been written yet
  CHECK(has(result.out, "2x8 f32: 2.125 -4.375 "));
  CHECK(has(result.out, "0xbf800000\n"));
  CHECK(times(result.out, "    10  the end\n") == 4);  // out is a command, whatever else is called so
  CHECK(has(result.out, "\n7\n"));                     // a variable of the script's hides the tile
  CHECK(has(result.out, "\nchosen by bit of mask[0,1] = 0, read in step 6 tsels\n"));
  CHECK(has(result.out, "{1, a={b=\"c\"}}\n"));
  CHECK(has(result.out, "tile:get(row: integer"));
  CHECK(has(result.err, "nothing_like_it"));
  CHECK(has(result.out, "nothing is called no"));
}

TEST_CASE("cli repl: a mistake is said, and the prompt goes on") {
  const ProcessResult result =
      tilescope_fed({"repl", "masked_sum"}, "x = = 1\nrec:seek(1000000)\nnothing()\nprint('still here')\n");
  CHECK(result.status == kOk);
  CHECK(has(result.err, "near '='"));
  CHECK(has(result.out, "still here"));
  // A misspelt word is no variable that happens to be nothing.
  const ProcessResult words = tilescope_fed({"repl", "masked_sum"}, "oevr\nsumm\nnil\nx = 1\nx\n");
  CHECK(has(words.err, "there is nothing called oevr; did you mean over"));
  CHECK(has(words.err, "there is nothing called summ; did you mean sum"));
  CHECK(words.out == "nil\n1\n");
  CHECK(tilescope_fed({"repl", "nowhere"}, "").status == kCannotRun);
  CHECK(tilescope_fed({"repl", "masked_sum"}, "pto.quit(9)\n").status == 9);
}

TEST_CASE("cli repl: at a terminal lines can be edited and completed") {
  const TempFolder folder;
  TerminalChild child(100, [&] {
    ::setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
    ::execl(program_path().c_str(), "tilescope", "repl", "masked_sum", nullptr);
  });
  const auto type = [&](std::string_view keys) {
    for (const char key : keys) child.press(key);
  };
  CHECK(child.prints("0/"));
  type("print(rec.po\t + 41)\r");
  CHECK(child.prints("\n41\r"));
  type("ove\t\r");
  CHECK(child.prints("1/"));
  type("for i = 1, 2 do\r");
  CHECK(child.prints("\n... "));  // the greeting has dots as well
  child.press(kCtrlC);
  // The terminal shows the key as ^C where it comes before the line is edited.
  CHECK(child.prints("\n1/10> ", 2));
  type("40 + 2\r");
  CHECK(child.prints("\n42\r"));
  type("quit\r");
  child.all_output();
  CHECK(child.end_status() == 0);
  CHECK(has(get_text(folder / "tilescope/repl_history"), "print(rec.pos"));  // libedit writes blanks in its own way
}

TEST_CASE("cli script: it reads below its own folder, what it was given, and no more") {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "own");
  put_text(folder / "own/kernel.pto", kAddRows);
  put_text(folder / "secret.pto", kAddRows);
  const std::string script = folder / "own/read.lua", secret = folder / "secret.pto";
  const auto run = [&](const std::string& path, std::vector<std::string> more = {}) {
    put_text(script, "print(pto.load('" + path + "', {inputs={rows=8}}).target)");
    std::vector<std::string> words{"script", script};
    words.insert(words.end(), more.begin(), more.end());
    return tilescope(words);
  };
  CHECK(run("kernel.pto").out == "a5\n");
  for (const std::string& path : {secret, std::string("../secret.pto"), std::string("/etc/passwd")}) {
    const ProcessResult result = run(path);
    CHECK(result.status == 3);
    CHECK(has(result.err, "a script reads below its own folder only"));
    CHECK(has(result.err, "--allow read"));
  }
  CHECK(run(secret, {secret}).out == "a5\n");
  CHECK(run(secret, {"--allow", "read"}).out == "a5\n");
  put_text(script, "pto.load('row_loop')");
  CHECK(tilescope({"script", script}).status == kOk);
  put_text(script, "pto.load('kernel.pto', {inputs={x='/etc/passwd', rows=8}})");
  CHECK(has(tilescope({"script", script}).err, "a script reads below its own folder only"));
  put_text(script, "return pto.lesson{title='t', teaches='t', family='t', file='" + secret + "', steps={{say='x'}}}");
  CHECK(has(tilescope({"lesson", script, "--check"}).err, "a script reads below its own folder only"));
}

TEST_CASE("cli script: the time for everything is one clock, also for many short calls") {
  const TempFolder folder;
  const std::string script = folder / "long.lua";
  // Each call is short, and none of them is the script's own code.
  put_text(script, "while true do pcall(function() pto.load('softmax_online'):record() end) end");
  const ProcessResult result =
      tilescope({"script", script, "--script-total-seconds", "0.5", "--script-steps", "1000000000000"});
  CHECK(result.status == kLimit);
  CHECK(has(result.err, "took longer than 0.5 s in all, its limit; --script-total-seconds N allows more"));
  for (const char* flag : {"--script-total-seconds", "--script-seconds", "--script-steps"})
    for (const char* value : {"nan", "inf", "-1", "x", ""})
      CHECK_MESSAGE(tilescope({"script", script, flag, value}).status == kCannotRun, flag, " ", value);
}

TEST_CASE("cli lesson: what a lesson quits with is not the status of the command") {
  const TempFolder folder;
  const std::string lesson = folder / "quit.lua";
  for (const char* code : {"0", "7", "4"}) {
    put_text(lesson, std::string("-- pto.lesson\npto.quit(") + code + ")");
    CHECK(tilescope({"lesson", lesson, "--check"}).status == 3);
  }
}

}  // namespace ts::test
