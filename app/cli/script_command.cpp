// script: runs a Lua script without a window.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/output_paths.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/terminal.h"
#include "app/files/files.h"
#include "app/files/script_host.h"
#include "core/data/byte_size.h"
#include "core/data/file.h"
#include "scripting/run/script.h"

namespace ts {
namespace {

bool allowed(const ScriptArguments& arguments, std::string_view what) {
  return std::ranges::find(arguments.allow, what) != arguments.allow.end();
}

std::optional<std::uint64_t> bytes_of(const char* option, const std::string& text) {
  const std::optional<std::uint64_t> bytes = data::parse_byte_size(text);
  if (bytes && *bytes != 0) return bytes;
  fail(fmt::format("{} {}: wanted BYTES, such as 256MiB or 1000000", option, text));
  return {};
}

std::optional<scripting::SandboxLimits> limits_of(const ScriptArguments& arguments) {
  scripting::SandboxLimits limits{
      .steps = arguments.steps, .call_seconds = arguments.seconds, .total_seconds = arguments.total_seconds};
  const auto memory = bytes_of("--script-mem", arguments.memory), disk = bytes_of("--script-disk", arguments.disk);
  if (!memory || !disk) return {};
  limits.memory_bytes = *memory;
  limits.disk_bytes = *disk;
  limits.stopped = interrupted;
  limits.allow_io = allowed(arguments, "io");
  return limits;
}

}  // namespace

int script_command(const ScriptArguments& arguments) {
  const ProgramText text = script_text(arguments.file);
  if (!text.error.empty()) return fail(text.error, text.hint);
  const std::optional<scripting::SandboxLimits> limits = limits_of(arguments);
  if (!limits || !outputs_are_free({arguments.junit}, {arguments.file})) return kCannotRun;
  output_is_data();  // what it prints may be for another program
  const bool reads_everywhere = limits->allow_io || allowed(arguments, "read");
  scripting::ScriptHost host =
      script_host(reads_everywhere ? places_of_person() : places_of_script(arguments.file, arguments.arguments),
                  arguments.arguments);
  if (limits->allow_io || allowed(arguments, "kernels")) allow_kernels(host);
  scripting::Script script(std::move(host), *limits);
  const int status = script.run(text.text, text.name);
  if (arguments.junit.empty()) return status;
  const std::string results = script.tests().junit(text.name);
  const data::Error error = data::write_file(arguments.junit, {std::as_bytes(std::span(results))});
  return error.text.empty() ? status : fail(error.text, error.hint);
}

}  // namespace ts
