// lockstep and compare: two runs side by side.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/cases/case_run.h"
#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/report/difference_report.h"
#include "app/cli/request.h"
#include "app/cli/saved_recording.h"
#include "app/cli/terminal/terminal.h"
#include "core/cases/open.h"
#include "core/data/array_file.h"
#include "core/data/fields.h"
#include "core/data/npy.h"
#include "core/debug/compare/padding_cause.h"

namespace ts {
namespace {

CompareOptions tolerances(const CompareArguments& arguments) {
  return {.abs = arguments.abs, .rel = arguments.rel, .ulp = arguments.ulp};
}

// How a program is to be run is said to the programs; of a file of a recording that stands beside one it says nothing.
std::shared_ptr<const Recording> recording_in_file(const std::string& name, const CompareArguments& arguments) {
  const bool beside_program = !is_recording_file(arguments.files.front()) || !is_recording_file(arguments.files.back());
  RunArguments one;
  if (!beside_program) one = arguments;
  one.budget_mb = arguments.budget_mb;
  one.files = {name};
  std::optional<RecordingFile> opened = open_saved(one);
  return opened ? std::move(opened->recording) : nullptr;
}

// What is compared: a file, and how it is run.
struct Side {
  std::string name;
  std::shared_ptr<const CaseRun> asked;
};

// What the command is asked for, of one of the files that it names. Null: it makes no sense, and stderr says why.
std::shared_ptr<const CaseRun> asked_of(const CompareArguments& arguments, const std::string& name) {
  RunArguments one = arguments;
  one.files = {name};
  auto read = read_case(one);
  return read ? std::make_shared<const CaseRun>(std::move(*read)) : nullptr;
}

// Of a program beside a case the inputs are the case's: else it would be run on something else.
std::optional<std::pair<Side, Side>> sides_of(const CompareArguments& arguments) {
  const std::string &first = arguments.files.front(), &second = arguments.files.back();
  const bool is_case_a = cases::is_folder(first), is_case_b = cases::is_folder(second);
  std::shared_ptr<const CaseRun> a, b;
  if (is_case_a || !is_case_b) a = asked_of(arguments, first);
  if (is_case_b) b = asked_of(arguments, second);
  if (((is_case_a || !is_case_b) && a == nullptr) || (is_case_b && b == nullptr)) return {};
  if (a == nullptr) a = b;
  if (b == nullptr) b = a;
  return std::pair{Side{is_case_a ? a->arguments.files.front() : first, a},
                   Side{is_case_b ? b->arguments.files.front() : second, b}};
}

// The recording that a command means by a name. Nothing: stderr says why.
std::shared_ptr<const Recording> recording_of(const Side& side, const CompareArguments& arguments) {
  if (is_recording_file(side.name)) return recording_in_file(side.name, arguments);
  const RunArguments& how = side.asked->arguments;
  const std::optional<ChosenProgram> program = open_one_entry(side.name, how);
  if (!program) return nullptr;
  std::optional<RecordedEntry> recorded = record_entry(program->file, program->entry, side.asked->request, how);
  return recorded ? std::move(recorded->recording) : nullptr;
}

bool was_cut(const Recording& recording) {
  const StopReason reason = recording.stop_reason();
  return reason == StopReason::Limit || reason == StopReason::Budget || reason == StopReason::Interrupted;
}

int report_runs(Session& a, Session& b, const std::string& what, const CompareArguments& arguments) {
  Progress progress("comparing", stderr_is_terminal());
  const auto start = std::chrono::steady_clock::now();
  const CompareRunsOptions options{.values = tolerances(arguments)};
  const auto go_on = [&](std::uint32_t pairs) {
    progress.update(pairs, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return !interrupted();
  };
  const RunDifferences found = compare_runs(a, b, options, go_on);
  const auto padding = padding_cause(a, b, found, options, go_on);
  if (arguments.json) print_json_differences(stdout, a, b, found, padding);
  else print_differences(stdout, a, b, found, padding, what);
  if (!found.differences.empty() || found.parted) return kStopped;
  return !found.complete || was_cut(a.recording()) || was_cut(b.recording()) ? kLimit : kOk;
}

// --- a tile or buffer ---

// As a step left it, or the end did. Nothing: stderr says why.
std::optional<Elements> elements_called(Session& session, const CompareArguments& arguments) {
  const std::string name = arguments.tile.starts_with('%') ? arguments.tile.substr(1) : arguments.tile;
  if (arguments.step >= static_cast<int>(session.count())) {
    fail(
        fmt::format("--step {}: {} has {} steps", arguments.step, session.recording().program().name, session.count()));
    return {};
  }
  const std::uint32_t position = arguments.step < 0 ? session.count() : static_cast<std::uint32_t>(arguments.step) + 1;
  if (const auto tile = session.find_tile(name, position))
    return elements_of(session.memory_at(position), session.tile_at(*tile, position));
  if (const auto buffer = session.find_buffer(name))
    return elements_of(session.memory_at(position), session.recording().program().buffers[*buffer]);
  fail(fmt::format("--tile {}: {} has no tile or buffer of that name", name, session.recording().program().name));
  return {};
}

std::optional<Elements> elements_in_file(const std::string& path) {
  const auto read = data::read_array(path);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    fail(error->text, error->hint);
    return {};
  }
  auto elements = elements_of(std::get<data::Array>(read));
  if (const auto* refusal = std::get_if<Refusal>(&elements)) {
    fail(refusal->text, refusal->hint);
    return {};
  }
  return std::get<Elements>(std::move(elements));
}

int report_elements(const Elements& a, const Elements& b, const CompareArguments& arguments) {
  const auto comparing = Comparing::make(a, b, tolerances(arguments));
  if (const auto* refusal = std::get_if<Refusal>(&comparing))
    return fail(fmt::format("%{} and {}: {}", arguments.tile, arguments.files.back(), refusal->text), refusal->hint);
  const Comparison found = std::get<Comparing>(comparing).all([] { return !interrupted(); });
  if (interrupted()) return kLimit;
  const auto text = [&](const std::optional<Difference>& one) { return one ? difference_text(a, b, *one) : ""; };
  if (arguments.json) {
    const nlohmann::ordered_json json{{"same", found.ok()},
                                      {"compared", found.compared},
                                      {"different", found.count},
                                      {"undefined", found.undefined},
                                      {"first", text(found.first)},
                                      {"worst", text(found.worst)},
                                      {"worst_ulp", text(found.worst_ulp)}};
    fmt::print("{}\n", data::json_text(json, 2));
  } else {
    fmt::print("%{} and {}: {} of {} elements differ\n", arguments.tile, arguments.files.back(), found.count,
               found.compared);
    if (found.undefined > 0) fmt::print("  {} have no value on either side\n", found.undefined);
    if (found.first)
      fmt::print("  first    {}\n  worst    {}\n  furthest {}\n", text(found.first), text(found.worst),
                 text(found.worst_ulp));
  }
  return found.ok() ? kOk : kStopped;
}

int compare_tile(Session& a, const std::shared_ptr<const Recording>& other, const CompareArguments& arguments) {
  const std::optional<Elements> of_a = elements_called(a, arguments);
  if (!of_a) return kCannotRun;
  std::optional<Elements> of_b;
  if (other != nullptr) {
    Session b(other);
    of_b = elements_called(b, arguments);
  } else {
    of_b = elements_in_file(arguments.files.back());
  }
  return of_b ? report_elements(*of_a, *of_b, arguments) : kCannotRun;
}

}  // namespace

int lockstep_command(const CompareArguments& arguments) {
  if (!arguments.target.empty())
    return fail("--target: lockstep runs the program on both targets", "`tilescope run` runs it on one");
  std::optional<CaseRun> asked = read_case(arguments);
  if (!asked) return kCannotRun;
  Request* request = &asked->request;
  const std::optional<ChosenProgram> program = open_one_entry(asked->arguments.files.front(), asked->arguments);
  if (!program) return kCannotRun;
  std::shared_ptr<const Recording> recordings[kTargets];
  for (const Target target : {Target::A2A3, Target::A5}) {
    request->open.target = target;
    std::optional<RecordedEntry> recorded = record_entry(program->file, program->entry, *request, arguments);
    if (!recorded) {
      if (!arguments.json)
        fail(fmt::format("{} does not run on {}", program->entry.name, name(target)),
             "lockstep needs a program for both targets");
      return kCannotRun;
    }
    if (interrupted()) return kLimit;  // half a run would part from a whole one
    recordings[static_cast<int>(target)] = std::move(recorded->recording);
  }
  Session a(recordings[static_cast<int>(Target::A2A3)]), b(recordings[static_cast<int>(Target::A5)]);
  return report_runs(a, b, fmt::format("{} on a2a3 and on a5", program->entry.name), arguments);
}

int compare_command(const CompareArguments& arguments) {
  const bool with_array = arguments.files.back().ends_with(".npy");
  if (with_array && arguments.tile.empty())
    return fail(fmt::format("{} is an array; what is compared with it?", arguments.files.back()),
                "--tile NAME, a tile or buffer of the run");
  if (arguments.step >= 0 && arguments.tile.empty())
    return fail("--step is of what --tile compares", "without --tile all steps are compared");
  const auto sides = sides_of(arguments);
  if (!sides) return kCannotRun;
  const auto recording_a = recording_of(sides->first, arguments);
  if (recording_a == nullptr) return kCannotRun;
  if (interrupted()) return kLimit;
  const auto recording_b = with_array ? nullptr : recording_of(sides->second, arguments);
  if (!with_array && recording_b == nullptr) return kCannotRun;
  if (interrupted()) return kLimit;
  Session a(recording_a);
  if (!arguments.tile.empty()) return compare_tile(a, recording_b, arguments);
  Session b(recording_b);
  return report_runs(a, b, fmt::format("{} and {}", arguments.files.front(), arguments.files.back()), arguments);
}

}  // namespace ts
