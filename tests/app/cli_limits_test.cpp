// What the command line does where it may have little: memory, and the time of somebody who pressed Ctrl+C.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/process/terminal_child.h"
#include "tests/support/scale.h"

namespace ts::test {

TEST_CASE(
    "cli limits: a process that may have little memory keeps fewer snapshots, and says so where it was asked for more") {
  if (kSanitized) return;  // the sanitizers reserve terabytes
  const std::string limited = fmt::format("ulimit -v 1500000; exec {} run softmax_three_pass", program_path());
  const ProcessResult usual = run_process({"/bin/sh", "-c", limited});
  CHECK(usual.status == kOk);
  const ProcessResult asked = run_process({"/bin/sh", "-c", limited + " --budget 100000"});
  CHECK(asked.status == kOk);
  CHECK(has(asked.out + asked.err, "100000 MiB for snapshots were asked for, "));
  CHECK(has(asked.out + asked.err, " MiB could be had"));
  const std::string digest = tilescope({"run", "softmax_three_pass", "--digest"}).out;
  CHECK(run_process({"/bin/sh", "-c", limited + " --digest"}).out == digest);
}

TEST_CASE("cli limits: Ctrl+C ends every command that works long, with status 5 and a word about what is kept") {
  const TempFolder folder;
  const std::string endless = folder / "endless.pto", script = folder / "long.lua";
  put_text(endless, kEndless);
  put_text(script, "print('begun') while true do pcall(function() while true do end end) end");
  const std::string steps = std::to_string(kSanitized ? 1'000'000 : 100'000'000);
  const std::string fewer = std::to_string(kSanitized ? 20'000 : 1'000'000), saved = folder / "saved.ptorec";
  REQUIRE(tilescope({"run", endless, "--max-steps", fewer, "--record", saved}).status == kLimit);
  // What is printed when the work has begun, and the work.
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands = {
      {"Ctrl+C stops", {"run", endless, "--max-steps", steps}},
      {"micro-operation", {"run", endless, "--max-steps", fewer, "--trace"}},
      {"\"step\"", {"run", endless, "--max-steps", fewer, "--json"}},
      {"Ctrl+C stops", {"check", endless, "--run", "--max-steps", steps}},
      {"Ctrl+C stops", {"lockstep", endless, "--max-steps", steps}},
      {"Ctrl+C stops", {"compare", endless, endless, "--max-steps", steps}},
      {"micro-operation", {"run", saved, "--trace"}},
      {"begun", {"script", script, "--script-steps", "1000000000000", "--script-total-seconds", "0"}},
  };
  for (const auto& command : commands) {
    const auto& begun = command.first;
    const auto& words = command.second;
    std::vector<const char*> arguments{"tilescope"};
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    TerminalChild child(100, [&] { ::execv(program_path().c_str(), const_cast<char**>(arguments.data())); });
    // Into the middle of its work.
    CHECK(child.prints(begun));
    child.press(kCtrlC);
    const std::string output = child.all_output();
    const int status = child.end_status();
    CHECK_MESSAGE(WIFEXITED(status), words.front(), " ", words[1]);
    CHECK_MESSAGE(WEXITSTATUS(status) == kLimit, words.front(), " ", words[1], ": ", output.substr(0, 500));
    CHECK(has(output, "interrupted"));
    CHECK(!has(output, "part at step 0"));
  }
}

}  // namespace ts::test
