// A script with all that it can ask for: the sandbox, the tables `pto` and `gui`, and the rule for the exit status.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scripting/run/host.h"
#include "scripting/run/test_report.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

// How scripts end, as the process tells it. pto.quit(code) gives any other.
enum class ScriptStatus : int { Ok = 0, AssertionFailed = 1, Error = 3, CannotRun = 4, Limit = 5 };

class Engine;

class Script {
 public:
  explicit Script(ScriptHost host, const SandboxLimits& limits = {});
  ~Script();

  // Runs a text to its end, then what it put off with pto.nextTick. Errors go to the host's `complain`. The status to
  // end with: what the script quit with, else a ScriptStatus.
  int run(std::string_view text, const std::string& name);
  // The same of a file. The folder and the size are the caller's to allow.
  int run_file(const std::string& path);

  // The results of pto.test, for a JUnit file.
  const TestReport& tests() const;

  Sandbox& sandbox() { return sandbox_; }
  Engine& engine() { return *engine_; }

 private:
  int status_of(const Outcome& outcome);
  int finish(const Outcome& outcome);

  Sandbox sandbox_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace ts::scripting
