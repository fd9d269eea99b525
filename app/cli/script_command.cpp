// script: runs a Lua script without a window.
#include <algorithm>
#include <cstddef>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/files/files.h"
#include "app/files/script_host.h"
#include "core/data/byte_size.h"
#include "core/data/file.h"
#include "scripting/run/script.h"

namespace ts {
namespace {

std::optional<scripting::SandboxLimits> limits_of(const ScriptArguments& arguments) {
  scripting::SandboxLimits limits{.steps = arguments.steps, .call_seconds = arguments.seconds};
  const std::optional<std::uint64_t> memory = data::parse_byte_size(arguments.memory);
  if (!memory || *memory == 0) {
    fail("--script-mem " + arguments.memory + ": wanted BYTES, such as 256MiB or 1000000");
    return {};
  }
  limits.memory_bytes = *memory;
  limits.allow_io = std::ranges::find(arguments.allow, "io") != arguments.allow.end();
  return limits;
}

}  // namespace

int script_command(const ScriptArguments& arguments) {
  const ProgramText text = script_text(arguments.file);
  if (!text.error.empty()) return fail(text.error, text.hint);
  const std::optional<scripting::SandboxLimits> limits = limits_of(arguments);
  if (!limits) return kCannotRun;
  scripting::Script script(script_host(arguments.arguments), *limits);
  const int status = script.run(text.text, text.name);
  if (arguments.junit.empty()) return status;
  const std::string results = script.tests().junit(text.name);
  const data::Error error = data::write_file(arguments.junit, {std::as_bytes(std::span(results))});
  return error.text.empty() ? status : fail(error.text, error.hint);
}

}  // namespace ts
