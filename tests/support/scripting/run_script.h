// Running a script as the program does, with what it said kept.
#pragma once

#include <string>
#include <string_view>

#include "scripting/run/script.h"

namespace ts::test {

struct ScriptRun {
  int status = 0;
  std::string printed, complained;
};

// Samples are found by their names, as in the program.
scripting::ScriptHost script_host(ScriptRun& run);
ScriptRun run_script(std::string_view text, const scripting::SandboxLimits& limits = {});
// What a script that fails says, without its place: "rec:seek: position: wanted ...".
std::string script_error(std::string_view text);

// The same of scripts that have `rec`, a recording of the sample row_loop.
std::string with_rec(std::string_view text);
ScriptRun run_rec(std::string_view text, const scripting::SandboxLimits& limits = {});
void passes_with_rec(std::string_view text);
std::string rec_error(std::string_view text);

}  // namespace ts::test
