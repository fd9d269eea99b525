// From a case's folder to the request that its program is run with. What the command line says goes before the case.
#include "app/cli/cases/case_run.h"

#include <fmt/format.h>

#include <utility>

#include "app/cli/output_paths.h"
#include "app/cli/program_file.h"
#include "app/cli/setup_choice.h"
#include "app/cli/terminal/terminal.h"
#include "core/cases/open.h"

namespace ts {
namespace {

bool keeps_its_files(const CaseRun& run) {
  std::vector<std::string> outputs{run.arguments.trace_json, run.arguments.html, run.arguments.record}, inputs;
  for (const auto& [name, path] : run.request.outputs) outputs.push_back(path);
  for (const auto& [name, file] : run.request.files) inputs.push_back(file.path);
  for (const cases::Golden& golden : *run.goldens) inputs.push_back(golden.from);
  return outputs_are_free(outputs, inputs);
}

bool told(const data::Error& error) {
  fail(error.text, error.hint);
  return false;
}

// The arrays of the case; a program that has errors is told of by whoever opens it.
bool bind(const cases::Folder& folder, CaseRun& run) {
  const std::optional<ProgramFile> file = open_file(folder.program, run.arguments);
  if (!file) return false;
  if (has_error(file->diagnostics)) return true;
  cases::Beside beside{.entry = run.arguments.entry,
                       .open = std::move(run.request.open),
                       .files = std::move(run.request.files),
                       .types = std::move(run.request.types),
                       .go_on = [] { return !interrupted(); }};
  auto opened = cases::open_case(folder, file->tree, file->entries, std::move(beside));
  if (const auto* error = std::get_if<data::Error>(&opened)) return told(*error);
  auto& found = std::get<cases::OpenedCase>(opened);
  for (const std::string& note : found.notes) fmt::print(stderr, "tilescope: {}\n", note);
  run.arguments.entry = std::move(found.entry);
  run.request.open = std::move(found.open);
  run.request.files = std::move(found.files);
  run.goldens = std::make_shared<const std::vector<cases::Golden>>(std::move(found.goldens));
  return keeps_its_files(run);
}

}  // namespace

std::optional<CaseRun> read_case(const RunArguments& arguments) {
  CaseRun run{arguments, {}};
  std::optional<cases::Folder> folder;
  if (!arguments.files.empty() && cases::is_folder(arguments.files.front())) {
    auto opened = cases::open_folder(arguments.files.front());
    if (const auto* error = std::get_if<data::Error>(&opened)) return told(*error), std::nullopt;
    folder = std::move(std::get<cases::Folder>(opened));
    for (const std::string& note : folder->notes) fmt::print(stderr, "tilescope: {}\n", note);
    run.arguments.files.front() = folder->program;
    run.goldens = std::make_shared<const std::vector<cases::Golden>>();
  }
  if (!take_setup(run.arguments)) return {};
  std::optional<Request> request = read_request(run.arguments, folder ? &*folder : nullptr);
  if (!request) return {};
  run.request = std::move(*request);
  if (folder && !bind(*folder, run)) return {};
  return run;
}

}  // namespace ts
