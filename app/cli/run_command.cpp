// run: records a program and says what it did.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>

#include "app/cli/cases/case_run.h"
#include "app/cli/cases/exact_report.h"
#include "app/cli/cases/golden_report.h"
#include "app/cli/commands.h"
#include "app/cli/digest.h"
#include "app/cli/exports.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/report/json_report.h"
#include "app/cli/report/profile_report.h"
#include "app/cli/report/report.h"
#include "app/cli/request.h"
#include "app/cli/saved_recording.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "app/files/files.h"
#include "app/files/hint.h"
#include "core/cpp/cpp_kernel.h"
#include "core/data/fields.h"

namespace ts {
namespace {

// The result of this name in a step; null: it makes none.
const Operand* result_called(const Recording& recording, int step, const std::string& tile) {
  for (const Operand& operand : recording.bound(static_cast<std::uint32_t>(step)).operands)
    if (operand.spec->kind == OperandKind::Tile && operand.spec->role == Role::Out &&
        recording.program().tiles[operand.id].is_called(tile))
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

// The tree of a kernel in C++ is not what its author wrote.
ShowHint hint_of(const text::Tree& tree) {
  if (tree.kernel == nullptr) return read_hint(tree);
  const ProgramText text = program_text(tree.source->name(), kMostTextBytes);
  return read_cpp_hint(text.text);
}

class RunCommand {
 public:
  using Goldens = std::vector<cases::Golden>;
  RunCommand(const ProgramFile& file, const Request& request, const RunArguments& arguments,
             std::shared_ptr<const Goldens> goldens = nullptr)
      : file_(file), request_(request), arguments_(arguments), goldens_(std::move(goldens)) {}

  int entry(const EntryPoint& entry) {
    std::optional<RecordedEntry> recorded = record_entry(file_, entry, request_, arguments_);
    if (!recorded) return kCannotRun;
    const std::shared_ptr<const Recording> recording = std::move(recorded->recording);
    edited_ = std::move(recorded->edited);
    if (goldens_ != nullptr && !goldens_->empty() && !interrupted()) {
      results_ = check_goldens(recording, *goldens_, arguments_.tolerance);
      if (!results_) return kCannotRun;
    }
    make_exact(recording);
    const int status = print(recording, recorded->inputs, recorded->told);
    return keep(*recording, recording->findings(), {}, status);
  }

  int saved(const RecordingFile& file) {
    sums_ = file.facts.sources;
    if (!arguments_.edit.empty()) {
      edited_ = run_with_edits(file.recording, arguments_.edit);
      if (!edited_) return kCannotRun;
      if (!arguments_.json && !arguments_.digest) fmt::print("{}\n", edited_->text);
      make_exact(edited_->recording);
      const int status = print(edited_->recording, saved_inputs(file.recording->program()), {});
      return keep(*edited_->recording, edited_->recording->findings(), {}, status);
    }
    make_exact(file.recording);
    const int status = print(file.recording, saved_inputs(file.recording->program()), {});
    if (file.recording->timeline().is_damaged())
      return fail("some snapshots of the recording are damaged; what they held is shown as never written",
                  "run the program again");
    return keep(*file.recording, file.findings, file.notes, status);
  }

 private:
  void make_exact(const std::shared_ptr<const Recording>& recording) {
    if (!arguments_.exact || arguments_.digest || interrupted()) return;
    Questions questions(recording);
    exact_ = run_exactly(questions, arguments_.tolerance, [] { return !interrupted(); });
  }

  int print(const std::shared_ptr<const Recording>& shared, const std::vector<InputSource>& inputs,
            const Diagnostics& told) {
    const Recording& recording = *shared;
    ReportOptions show = request_.show;
    if (show.step < 0 && show.tile.empty() && file_.entries.size() == 1)
      follow_hint(hint_of(*file_.tree), recording, show);
    const bool shown_as_asked = arguments_.json || arguments_.digest || fit_view(recording, show);
    if (!shown_as_asked) show.step = -1;
    if (arguments_.golden) {
      print_golden_report(recording);
    } else if (arguments_.digest) {
      if (const std::string digest = digest_of(recording); !digest.empty()) fmt::print("{}\n", digest);
    } else if (arguments_.json) {
      print_whole_json(shared, inputs, told);
    } else {
      print_whole(shared, inputs, told, show);
    }
    if (const int status = write_exports(shared, inputs, request_, arguments_, show); status != kOk) return status;
    if (!shown_as_asked || !printed_as_asked_) return kCannotRun;
    return std::max<int>(run_status(recording), results_ && !all_right(*results_) ? kStopped : kOk);
  }

  static Profile profile_of(const Recording& recording) {
    return profile(recording, [] { return !interrupted(); });
  }

  SourceTexts source_texts() const {
    return {arguments_.files.empty() ? "" : arguments_.files.front(), arguments_.sources, sums_};
  }

  void print_golden_report(const Recording& recording) const {
    if (!results_) return;  // Ctrl+C came before
    SourceTexts sources = source_texts();
    if (arguments_.json) {
      nlohmann::ordered_json exact;
      if (exact_) exact = exact_json(recording, *exact_, goldens_found(), sources);
      print_json_goldens(stdout, recording, *results_, sources, exact_ ? &exact : nullptr);
      return;
    }
    print_goldens(stdout, recording, *results_, sources);
    print_exact_part(recording, sources);
  }

  void print_exact_part(const Recording& recording, SourceTexts& sources) const {
    if (!exact_) return;
    fmt::print("\n");
    print_exact(stdout, recording, *exact_, goldens_found(), sources);
  }
  std::span<const GoldenResult> goldens_found() const {
    return results_ ? std::span<const GoldenResult>(*results_) : std::span<const GoldenResult>();
  }

  void print_whole_json(const std::shared_ptr<const Recording>& recording, const std::vector<InputSource>& inputs,
                        const Diagnostics& told) {
    SourceTexts sources = source_texts();
    JsonExtras extras{.trace = arguments_.trace, .by_source = arguments_.step_by == "source"};
    if (results_) extras.goldens = data::json_text(goldens_json(*recording, *results_, sources));
    if (edited_) {
      nlohmann::ordered_json edited{{"edits", edited_->edits}, {"first_difference", nullptr}};
      if (edited_->differs) edited["first_difference"] = *edited_->differs;
      extras.edited = data::json_text(edited);
    }
    if (arguments_.profile) extras.profile = data::json_text(profile_json(*recording, profile_of(*recording)));
    if (exact_) extras.exact = data::json_text(exact_json(*recording, *exact_, goldens_found(), sources));
    if (!request_.prints.empty()) printed_as_asked_ = json_wishes(extras.printed, recording, request_.prints);
    print_json_report(stdout, *recording, inputs, told, sources, extras);
  }

  void print_whole(const std::shared_ptr<const Recording>& recording, const std::vector<InputSource>& inputs,
                   const Diagnostics& told, const ReportOptions& show) {
    ReportOptions options = show;
    options.by_source = arguments_.step_by == "source";
    SourceTexts sources = source_texts();
    print_report(stdout, *recording, inputs, told, sources, options);
    print_what_program_prints(stdout, recording);
    if (arguments_.profile) {
      fmt::print("\n");
      print_profile(stdout, *recording, profile_of(*recording));
    }
    printed_as_asked_ = print_wishes(stdout, recording, request_.prints);
    if (results_) {
      fmt::print("\n");
      print_goldens(stdout, *recording, *results_, sources);
    }
    print_exact_part(*recording, sources);
  }

  int keep(const Recording& recording, const std::vector<Finding>& findings, const std::vector<RecordingNote>& notes,
           int status) const {
    if (arguments_.record.empty()) return status;
    std::map<std::string, std::string> sums = sums_;
    sums.merge(source_texts().sums(SourceMap(recording.program()).files()));
    const int saved = save_as(recording, findings, notes, sums, arguments_.record, arguments_.full);
    return saved == kOk ? status : saved;
  }

  const ProgramFile& file_;
  const Request& request_;
  const RunArguments& arguments_;
  std::shared_ptr<const Goldens> goldens_;  // null: it is no case
  std::optional<std::vector<GoldenResult>> results_;
  std::optional<ExactRun> exact_;
  std::optional<EditedRun> edited_;
  std::map<std::string, std::string> sums_;  // of the files that a saved recording came from
  bool printed_as_asked_ = true;
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

namespace {

// Whether there is something to compare with, where that is asked for; else stderr says that there is not.
bool has_wanted_goldens(const CaseRun& asked, const RunArguments& given) {
  const bool wanted = given.golden || (given.tolerance && !given.exact);
  if (!wanted || (asked.goldens != nullptr && !asked.goldens->empty())) return true;
  fail(fmt::format("{}: there are no goldens to compare with", given.files.empty() ? "--golden" : given.files.front()),
       "a case is a folder with a program, its inputs and golden_NAME.npy for its outputs");
  return false;
}

}  // namespace

int run_command(const RunArguments& given) {
  if (!may_have_main(given, "run")) return kCannotRun;
  const std::optional<CaseRun> asked = read_case(given);
  if (!asked) return kCannotRun;
  const RunArguments& arguments = asked->arguments;
  const Request* request = &asked->request;
  if (arguments.full && arguments.record.empty())
    return fail("--full says how a recording is kept", "--record PATH says where");
  if (takes_recording(arguments))
    return has_wanted_goldens(*asked, given) ? run_saved(*request, arguments) : kCannotRun;
  const std::string name = arguments.files.empty() ? std::string(samples().front().name) : arguments.files.front();
  const std::optional<ProgramFile> file = open_file(name, arguments);
  if (!file) return kCannotRun;
  if (!arguments.json) print_diagnostics(file->diagnostics, *file->tree->source);
  if (has_error(file->diagnostics)) {
    if (arguments.json) print_json_refusal(stdout, file->tree->source->name(), file->diagnostics, *file->tree->source);
    return kCannotRun;
  }
  if (!has_wanted_goldens(*asked, given)) return kCannotRun;
  const std::vector<EntryPoint> entries = chosen_entries(*file, arguments);
  if (entries.empty()) return kCannotRun;
  if (entries.size() > 1 && !arguments.record.empty())
    return fail(fmt::format("{} has {} entry points; which one is to be recorded?", name, entries.size()),
                "--entry NAME");
  RunCommand run(*file, *request, arguments, asked->goldens);
  const int status = run_entries(run, entries, arguments);
  if (arguments.files.empty() && !arguments.json && !arguments.digest)
    fmt::print("\nNext: tilescope run complex_split --step 5     tilescope repl complex_split     tilescope list\n");
  return status;
}

}  // namespace ts
