// run: records a program and says what it did.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/digest.h"
#include "app/cli/exports.h"
#include "app/cli/json_report.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/report.h"
#include "app/cli/request.h"
#include "app/cli/saved_recording.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "app/files/files.h"
#include "app/files/hint.h"

namespace ts {
namespace {

// The result of this name in a step; null: it makes none.
const Operand* result_called(const Recording& recording, int step, const std::string& tile) {
  for (const Operand& operand : recording.bound(static_cast<std::uint32_t>(step)).operands)
    if (operand.spec->kind == OperandKind::Tile && operand.spec->role == Role::Out &&
        recording.program().tiles[operand.id].name == tile)
      return &operand;
  return nullptr;
}

// -1: none.
int last_step_making(const Recording& recording, const std::string& tile) {
  int step = static_cast<int>(recording.count()) - 1;
  while (step >= 0 && result_called(recording, step, tile) == nullptr) --step;
  return step;
}

// The program's own `show:` line, where it still fits the program; it is no order, and when it does not fit it is not
// looked at.
void follow_hint(const ShowHint& hint, const Recording& recording, ReportOptions& show) {
  if (!hint.step || !hint.cell || *hint.step >= recording.count()) return;
  const Operand* result = result_called(recording, static_cast<int>(*hint.step), hint.cell->tile);
  if (result == nullptr || hint.cell->row >= result->tile.rows() || hint.cell->col >= result->tile.cols()) return;
  show.step = static_cast<int>(*hint.step);
  show.show(*hint.cell);
}

// Where --cell points when its step is known.
bool cell_fits(const Recording& recording, const ReportOptions& show) {
  const Operand* result = result_called(recording, show.step, show.tile);
  if (result == nullptr) {
    fail(fmt::format("--cell: step {} does not make a tile %{}", show.step, show.tile),
         fmt::format("the last step that does is {}", last_step_making(recording, show.tile)));
    return false;
  }
  if (show.row < result->tile.rows() && show.col < result->tile.cols()) return true;
  fail(fmt::format("--cell {}[{},{}]: %{} is {}x{}", show.tile, show.row, show.col, show.tile, result->tile.rows(),
                   result->tile.cols()),
       "rows and columns count from 0");
  return false;
}

// Makes --step and --cell fit what ran; false: they do not, and stderr says why.
bool fit_view(const Recording& recording, ReportOptions& show) {
  if (show.step >= static_cast<int>(recording.count())) {
    fail(fmt::format("--step {}: {} has {} steps", show.step, recording.program().name, recording.count()),
         recording.count() == 0 ? "" : fmt::format("they are 0 to {}", recording.count() - 1));
    return false;
  }
  if (show.tile.empty()) return true;
  const int last = last_step_making(recording, show.tile);
  if (last < 0) {
    fail(fmt::format("--cell: no step makes a tile %{}", show.tile));
    return false;
  }
  if (show.step < 0) show.step = last;
  return cell_fits(recording, show);
}

class RunCommand {
 public:
  RunCommand(const ProgramFile& file, const Request& request, const RunArguments& arguments)
      : file_(file), request_(request), arguments_(arguments) {}

  int entry(const EntryPoint& entry) {
    std::optional<RecordedEntry> recorded = record_entry(file_, entry, request_, arguments_);
    if (!recorded) return kCannotRun;
    const std::shared_ptr<const Recording> recording = std::move(recorded->recording);
    const int status = print(recording, recorded->inputs, recorded->told);
    return keep(*recording, recording->findings(), {}, status);
  }

  int saved(const RecordingFile& file) {
    const int status = print(file.recording, saved_inputs(file.recording->program()), {});
    if (file.recording->timeline().is_damaged())
      return fail("some snapshots of the recording are damaged; what they held is shown as never written",
                  "run the program again");
    return keep(*file.recording, file.findings, file.notes, status);
  }

 private:
  int print(const std::shared_ptr<const Recording>& shared, const std::vector<InputSource>& inputs,
            const Diagnostics& told) const {
    const Recording& recording = *shared;
    ReportOptions show = request_.show;
    if (show.step < 0 && show.tile.empty() && file_.entries.size() == 1)
      follow_hint(read_hint(*file_.tree), recording, show);
    const bool shown_as_asked = arguments_.json || arguments_.digest || fit_view(recording, show);
    if (!shown_as_asked) show.step = -1;
    if (arguments_.digest) {
      if (const std::string digest = digest_of(recording); !digest.empty()) fmt::print("{}\n", digest);
    } else if (arguments_.json) print_json_report(stdout, recording, inputs, told, arguments_.trace);
    else print_whole(recording, inputs, told, show);
    if (const int status = write_exports(shared, inputs, request_, arguments_, show); status != kOk) return status;
    return shown_as_asked ? run_status(recording) : kCannotRun;
  }

  void print_whole(const Recording& recording, const std::vector<InputSource>& inputs, const Diagnostics& told,
                   const ReportOptions& show) const {
    SourceTexts sources(arguments_.files.empty() ? "" : arguments_.files.front(), arguments_.sources);
    print_report(stdout, recording, inputs, told, sources, show);
  }

  int keep(const Recording& recording, const std::vector<Finding>& findings, const std::vector<RecordingNote>& notes,
           int status) const {
    if (arguments_.record.empty()) return status;
    const int saved = save_as(recording, findings, notes, arguments_.record, arguments_.full);
    return saved == kOk ? status : saved;
  }

  const ProgramFile& file_;
  const Request& request_;
  const RunArguments& arguments_;
};

// One report after the other. As JSON: one object, or of several entry points an array of them.
int run_entries(RunCommand& run, const std::vector<EntryPoint>& entries, const RunArguments& arguments) {
  const bool several = entries.size() > 1, as_json = arguments.json && !arguments.digest;
  int worst = kOk;
  for (std::size_t i = 0; i < entries.size() && !interrupted(); ++i) {
    if (several && as_json) fmt::print("{}", i == 0 ? "[" : ",");
    if (several && !as_json && !arguments.digest)
      fmt::print("{}=== {}, entry point {} of {} ===\n\n", i == 0 ? "" : "\n", entries[i].name, i + 1, entries.size());
    // The heading comes before the messages, wherever the two go.
    std::fflush(stdout);
    worst = std::max(worst, run.entry(entries[i]));
  }
  if (several && as_json) fmt::print("]\n");
  return worst;
}

int run_saved(const Request& request, const RunArguments& arguments) {
  const std::optional<RecordingFile> saved = open_saved(arguments);
  if (!saved) return kCannotRun;
  const Program& program = saved->recording->program();
  const ProgramFile file{program.tree, {{.name = program.name}}, {}};
  return RunCommand(file, request, arguments).saved(*saved);
}

}  // namespace

int run_command(const RunArguments& arguments) {
  const std::optional<Request> request = read_request(arguments);
  if (!request) return kCannotRun;
  if (arguments.full && arguments.record.empty())
    return fail("--full says how a recording is kept", "--record PATH says where");
  if (takes_recording(arguments)) return run_saved(*request, arguments);
  const std::string name = arguments.files.empty() ? std::string(samples().front().name) : arguments.files.front();
  const std::optional<ProgramFile> file = open_file(name, arguments);
  if (!file) return kCannotRun;
  if (!arguments.json) print_diagnostics(file->diagnostics, *file->tree->source);
  if (has_error(file->diagnostics)) {
    if (arguments.json) print_json_refusal(stdout, file->tree->source->name(), file->diagnostics, *file->tree->source);
    return kCannotRun;
  }
  const std::vector<EntryPoint> entries = chosen_entries(*file, arguments);
  if (entries.empty()) return kCannotRun;
  if (entries.size() > 1 && !arguments.record.empty())
    return fail(fmt::format("{} has {} entry points; which one is to be recorded?", name, entries.size()),
                "--entry NAME");
  RunCommand run(*file, *request, arguments);
  const int status = run_entries(run, entries, arguments);
  if (arguments.files.empty() && !arguments.json && !arguments.digest)
    fmt::print("\nNext: tilescope run complex_split --step 5     tilescope repl complex_split     tilescope list\n");
  return status;
}

}  // namespace ts
