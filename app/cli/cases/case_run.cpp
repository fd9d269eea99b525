// From a case's folder to the request that its program is run with. What the command line says goes before the case.
#include "app/cli/cases/case_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "app/cli/output_paths.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/terminal/terminal.h"

namespace ts {
namespace {

bool is_folder(const std::string& name) {
  std::error_code wrong;
  return std::filesystem::is_directory(name, wrong);
}

void take_manifest(const cases::Manifest& manifest, RunArguments& arguments) {
  if (arguments.entry.empty()) arguments.entry = manifest.entry;
  if (arguments.target.empty()) arguments.target = manifest.target;
  if (manifest.blocks && arguments.blocks == 1) arguments.blocks = *manifest.blocks;
  // Of an option that is set twice the last one counts.
  arguments.options.insert(arguments.options.begin(), manifest.options.begin(), manifest.options.end());
}

bool has_arrays(const cases::Folder& folder) {
  return !folder.inputs.empty() || !folder.goldens.empty() || !folder.manifest.inputs.all.empty() ||
         !folder.manifest.goldens.all.empty();
}

bool keeps_its_files(const CaseRun& run) {
  std::vector<std::string> outputs{run.arguments.trace_json, run.arguments.html, run.arguments.record}, inputs;
  for (const auto& [name, path] : run.request.outputs) outputs.push_back(path);
  for (const auto& [name, file] : run.request.files) inputs.push_back(file.path);
  for (const cases::Golden& golden : *run.goldens) inputs.push_back(golden.from);
  return outputs_are_free(outputs, inputs);
}

void take_case(cases::Case found, CaseRun& run) {
  InputValues& inputs = run.request.open.inputs;
  for (auto& [name, bytes] : found.inputs.data) inputs.data.emplace(name, std::move(bytes));
  for (const auto& [name, number] : found.inputs.numbers) inputs.numbers.emplace(name, number);
  for (const auto& [name, size] : found.inputs.size_bytes) inputs.size_bytes.emplace(name, size);
  for (auto& [name, file] : found.files) run.request.files.emplace(name, std::move(file));
  run.goldens = std::make_shared<const std::vector<cases::Golden>>(std::move(found.goldens));
}

// The arrays of the case; a program that has errors is told of by whoever opens it.
bool bind(const cases::Folder& folder, CaseRun& run) {
  for (const std::string& note : folder.notes) fmt::print(stderr, "tilescope: {}\n", note);
  if (!has_arrays(folder)) return true;
  const std::optional<ProgramFile> file = open_file(folder.program, run.arguments);
  if (!file) return false;
  if (has_error(file->diagnostics)) return true;
  const std::vector<EntryPoint> entries = chosen_entries(*file, run.arguments);
  if (entries.size() > 1)
    fail(fmt::format("{} has {} entry points; which one are the arrays for?", folder.program, entries.size()),
         "--entry NAME, or \"entry\" in case.json");
  if (entries.size() != 1) return false;
  cases::BindRequest request{.open = run.request.open, .go_on = [] { return !interrupted(); }};
  for (const auto& [name, array] : run.request.files) request.given.insert(name);
  request.open.inputs.data.clear();
  auto found = cases::bind_case(folder, file->tree, entries.front(), request);
  if (const auto* error = std::get_if<data::Error>(&found)) {
    fail(error->text, error->hint);
    return false;
  }
  auto& good = std::get<cases::Case>(found);
  for (std::size_t i = folder.notes.size(); i < good.notes.size(); ++i)
    fmt::print(stderr, "tilescope: {}\n", good.notes[i]);
  take_case(std::move(good), run);
  return keeps_its_files(run);
}

}  // namespace

std::optional<CaseRun> read_case(const RunArguments& arguments) {
  CaseRun run{arguments, {}};
  std::optional<cases::Folder> folder;
  if (!arguments.files.empty() && is_folder(arguments.files.front())) {
    auto opened = cases::open_folder(arguments.files.front());
    if (const auto* error = std::get_if<data::Error>(&opened)) {
      fail(error->text, error->hint);
      return {};
    }
    folder = std::move(std::get<cases::Folder>(opened));
    run.arguments.files.front() = folder->program;
    take_manifest(folder->manifest, run.arguments);
    run.goldens = std::make_shared<const std::vector<cases::Golden>>();
  }
  std::optional<Request> request = read_request(run.arguments);
  if (!request) return {};
  run.request = std::move(*request);
  if (folder && !bind(*folder, run)) return {};
  return run;
}

}  // namespace ts
