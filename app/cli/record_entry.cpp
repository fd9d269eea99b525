// Opening and recording, with progress and Ctrl+C.
#include "app/cli/record_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "app/cli/report/json_report.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "core/program/arrays.h"

namespace ts {
namespace {

// Its type and shape, as its bytes were taken.
ArrayFile as_in_memory(const Program& program, const std::string& name, const ArrayFile& file) {
  data::Array array{file.type, file.shape, {}};
  if (const auto of_name = find_array(program, name)) pack_array(of_name->dtype, array);
  return {file.path, array.type, array.shape};
}

bool arrays_fit(const Program& program, const Request& request) {
  std::optional<data::Error> wrong;
  for (const auto& [name, file] : request.files)
    if (!wrong) wrong = misfit(program, name, as_in_memory(program, name, file));
  for (const auto& [name, path] : request.outputs)
    if (!wrong) wrong = no_output(program, name);
  if (wrong) fail(wrong->text, wrong->hint);
  return !wrong;
}

}  // namespace

std::optional<Opened> open_entry(const ProgramFile& file, const EntryPoint& entry, OpenRequest open,
                                 Diagnostics& told) {
  const Watch watch(fmt::format("sizing {}", entry.name));
  open.limits.go_on = watch.question();
  return open_program(file.tree, entry, open, told);
}

std::vector<EntryPoint> chosen_entries(const ProgramFile& file, const RunArguments& arguments) {
  std::vector<EntryPoint> entries = file.entries;
  std::vector<std::string> names;
  for (const EntryPoint& entry : entries) names.push_back(entry.name);
  const std::string& source = file.tree->source->name();
  if (entries.empty())
    fail(fmt::format("{} has no function to start", source),
         "an entry point is a func.func with a body that returns nothing");
  if (!arguments.entry.empty()) {
    std::erase_if(entries, [&](const EntryPoint& entry) { return entry.name != arguments.entry; });
    if (entries.empty() && !names.empty())
      fail(fmt::format("no entry point is called {}", arguments.entry),
           fmt::format("{} has {}", source, fmt::join(names, ", ")));
  }
  const bool binds = !arguments.in.empty() || !arguments.set.empty() || !arguments.out.empty() ||
                     !arguments.size.empty() || !arguments.trace_json.empty() || !arguments.html.empty();
  if (entries.size() > 1 && binds) {
    fail(fmt::format("{} has {} entry points; which one are the inputs and files for?", source, entries.size()),
         fmt::format("--entry NAME, one of {}", fmt::join(names, ", ")));
    return {};
  }
  return entries;
}

std::optional<ChosenProgram> open_one_entry(const std::string& name, const RunArguments& arguments) {
  std::optional<ProgramFile> file = open_file(name, arguments);
  if (!file) return {};
  if (!arguments.json) print_diagnostics(file->diagnostics, *file->tree->source);
  if (has_error(file->diagnostics)) {
    if (arguments.json) print_json_refusal(stdout, file->tree->source->name(), file->diagnostics, *file->tree->source);
    return {};
  }
  const std::vector<EntryPoint> entries = chosen_entries(*file, arguments);
  if (entries.size() == 1) return ChosenProgram{std::move(*file), entries.front()};
  if (entries.size() > 1) {
    std::vector<std::string> names;
    for (const EntryPoint& entry : entries) names.push_back(entry.name);
    fail(fmt::format("{} has {} entry points; which one is meant?", file->tree->source->name(), entries.size()),
         fmt::format("--entry NAME, one of {}", fmt::join(names, ", ")));
  }
  return {};
}

std::optional<RecordedEntry> record_entry(const ProgramFile& file, const EntryPoint& entry, const Request& request,
                                          const RunArguments& arguments) {
  Diagnostics told = file.diagnostics;
  const auto of_file = static_cast<std::ptrdiff_t>(told.size());
  std::optional<Opened> opened = open_entry(file, entry, request.open, told);
  if (!arguments.json) print_diagnostics({told.begin() + of_file, told.end()}, *file.tree->source);
  if (!opened) {
    if (arguments.json) print_json_refusal(stdout, entry.name, told, *file.tree->source);
    return {};
  }
  if (!arrays_fit(opened->program, request)) return {};
  RecordedEntry made{record_program(std::move(opened->program), request.open.limits, arguments.budget_mb),
                     std::move(opened->inputs), std::move(told)};
  if (arguments.edit.empty()) return made;
  made.edited = run_with_edits(made.recording, arguments.edit);
  if (!made.edited) return {};
  made.recording = made.edited->recording;
  if (!arguments.json && !arguments.digest) fmt::print("{}\n", made.edited->text);
  return made;
}

std::unique_ptr<Recording> record_program(Program program, const WalkLimits& limits, std::uint64_t budget_mb) {
  const Watch watch(fmt::format("recording {}", program.name));
  RecordOptions options{.budget_bytes = budget_mb << 20};
  options.limits = limits;
  options.limits.go_on = watch.question();
  return Recording::run(std::move(program), options);
}

int run_status(const Recording& recording) {
  const auto is_error = [](const Finding& finding) { return finding.diagnostic.severity == Severity::Error; };
  switch (recording.stop_reason()) {
    case StopReason::Limit:
    case StopReason::Budget:
    case StopReason::Interrupted: return kLimit;
    case StopReason::Error:
    case StopReason::NotEmulated: return kStopped;
    case StopReason::End: break;
  }
  return std::ranges::any_of(recording.findings(), is_error) ? kStopped : kOk;
}

}  // namespace ts
