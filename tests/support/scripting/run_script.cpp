// Running scripts in tests.
#include "tests/support/scripting/run_script.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/data/array_file.h"
#include "core/data/file.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/text/sample_file.h"

namespace ts::test {
namespace {

scripting::ProgramSource open_text_file(const std::string& name, const std::string& path,
                                        std::uint64_t most_bytes = 1 << 24) {
  const auto read = data::read_file(path, most_bytes);
  if (const auto* error = std::get_if<data::Error>(&read)) return {name, "", error->text, error->hint};
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  return {path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

scripting::ProgramSource open_sample(const std::string& name, std::uint64_t most_bytes) {
  return open_text_file(name, std::filesystem::exists(name) ? name : sample_path(name), most_bytes);
}

scripting::ProgramSource open_lesson(const std::string& name) {
  return open_text_file(name, std::filesystem::exists(name) ? name : "assets/lessons/" + name + ".lua");
}

}  // namespace

scripting::ScriptHost script_host(ScriptRun& run) {
  const auto folder = std::make_shared<TempFolder>();
  return {.open_program = open_sample,
          .open_lesson = open_lesson,
          .read_array = [](const std::string& path,
                           std::uint64_t most_bytes) { return data::read_array(path, most_bytes); },
          .open_recording =
              [folder](const std::string& path, std::size_t budget, const std::function<bool()>& go_on) {
                return open_recording(*folder / path, budget, go_on);
              },
          .new_file =
              [folder](const std::string& path, std::initializer_list<std::string_view> endings) {
                return data::new_file_below(folder->path(), path, endings);
              },
          .print = [&run](std::string_view text) { run.printed += text; },
          .complain = [&run](std::string_view text) { run.complained += text; },
          .budget_bytes = std::size_t{16} << 20};
}

ScriptRun run_script(std::string_view text, const scripting::SandboxLimits& limits) {
  ScriptRun run;
  scripting::Script script(script_host(run), limits);
  run.status = script.run(text, "test.lua");
  return run;
}

std::string script_error(std::string_view text) {
  const ScriptRun run = run_script(text);
  const std::string first = run.complained.substr(0, run.complained.find('\n'));
  const std::size_t place = first.find(": ");
  return place == std::string::npos ? first : first.substr(place + 2);
}

std::string with_rec(std::string_view text) {
  return "local rec = pto.load('row_loop'):record()\n" + std::string(text);
}

ScriptRun run_rec(std::string_view text, const scripting::SandboxLimits& limits) {
  return run_script(with_rec(text), limits);
}

void passes_with_rec(std::string_view text) {
  const ScriptRun run = run_rec(text);
  CAPTURE(text);
  CAPTURE(run.complained);
  CHECK(run.status == 0);
}

std::string rec_error(std::string_view text) { return script_error(with_rec(text)); }

}  // namespace ts::test
