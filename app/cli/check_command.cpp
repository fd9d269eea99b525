// check: what is wrong with programs, before a run and, where that is asked for, in one.
#include "core/check/check.h"
#include "core/cpp/cpp_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "app/cli/cases/case_run.h"
#include "app/cli/cases/golden_report.h"
#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/cli/record_entry.h"
#include "app/cli/report/json_report.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "core/text/tree.h"

namespace ts {
namespace {

std::vector<Target> targets_of(const EntryPoint& entry, const OpenRequest& request) {
  if (request.target) return {*request.target};
  if (entry.target) return {*entry.target};
  return {std::begin(kBothTargets), std::end(kBothTargets)};
}

// The messages of a file, each once, with the targets it was said of.
class Checked {
 public:
  // `options`: what is looked for in the text alone; null: nothing is, because a run tells more of it.
  Checked(const ProgramFile& file, const CheckOptions* options) : file_(file), options_(options) {
    for (const Diagnostic& diagnostic : file.diagnostics) all_.push_back({file.tree->source->name(), {}, diagnostic});
    bad_ = has_error(file.diagnostics);
  }

  // A program that names no target has to be legal on one of them.
  void entry(const EntryPoint& entry, const OpenRequest& request) {
    bool legal = false;
    for (const Target target : targets_of(entry, request)) {
      OpenRequest one = request;
      one.target = target;
      Diagnostics found;
      const std::optional<Opened> opened = open_entry(file_, entry, one, found);
      const bool taken = opened.has_value();
      if (taken) legal_.emplace_back(&entry, target);
      if (taken && options_ != nullptr) look_at_text(opened->program, found);
      legal = taken || legal;
      for (Diagnostic& diagnostic : found) add(target, std::move(diagnostic));
      if (std::ranges::find(targets_, target) == targets_.end()) targets_.push_back(target);
    }
    bad_ = bad_ || !legal;
  }

  bool bad() const { return bad_; }
  // Something in the text is an error to whoever asks, although it could run.
  bool has_findings() const { return has_findings_; }
  const std::vector<FileDiagnostic>& all() const { return all_; }
  // What can be run.
  const std::vector<std::pair<const EntryPoint*, Target>>& legal() const { return legal_; }

  // For people: what holds on one of several targets only says so.
  Diagnostics messages() const {
    Diagnostics out;
    for (const FileDiagnostic& one : all_) {
      out.push_back(one.diagnostic);
      if (!one.targets.empty() && one.targets.size() < targets_.size())
        out.back().text = fmt::format("on {}: {}", fmt::join(one.targets, ", "), out.back().text);
    }
    return out;
  }

 private:
  void look_at_text(const Program& program, Diagnostics& found) {
    for (Diagnostic& said : check_text(program, *options_)) {
      has_findings_ = has_findings_ || said.severity == Severity::Error;
      found.push_back(std::move(said));
    }
  }

  void add(Target target, Diagnostic diagnostic) {
    using Key = decltype(index_)::key_type;
    const auto [it, made] = index_.try_emplace(
        Key{diagnostic.pos.line, diagnostic.pos.column, diagnostic.rule, diagnostic.text}, all_.size());
    if (made) all_.push_back({file_.tree->source->name(), {}, std::move(diagnostic)});
    std::vector<std::string>& targets = all_[it->second].targets;
    if (std::ranges::find(targets, name(target)) == targets.end()) targets.emplace_back(name(target));
  }

  const ProgramFile& file_;
  const CheckOptions* options_;
  std::vector<FileDiagnostic> all_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, std::string>, std::size_t>
      index_;  // by place, rule and text
  std::vector<Target> targets_;
  std::vector<std::pair<const EntryPoint*, Target>> legal_;
  bool bad_ = false, has_findings_ = false;
};

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// One file on its way through.
class FileCheck {
 public:
  FileCheck(const CheckArguments& arguments, const CheckOptions& options) : arguments_(arguments), options_(options) {}

  int file(const ProgramFile& file, const CaseRun& asked) {
    Checked checked(file, arguments_.run ? nullptr : &options_);
    asked_ = &asked;
    const std::string& wanted = asked.arguments.entry;
    const auto asked_for = [&](const EntryPoint& entry) { return wanted.empty() || entry.name == wanted; };
    const auto entries = std::ranges::count_if(file.entries, asked_for);
    if (!wanted.empty() && entries == 0 && !checked.bad())
      return fail(fmt::format("{} has no entry point {}", file.tree->source->name(), wanted));
    if (file.entries.empty() && !checked.bad())
      return fail(fmt::format("{} has no function to start", file.tree->source->name()),
                  "an entry point is a func.func with a body that returns nothing");
    OpenRequest without_values = asked.request.open;
    without_values.inputs = {};
    without_values.inputs.guess = false;
    if (!checked.bad())
      for (const EntryPoint& entry : file.entries)
        if (asked_for(entry) && !interrupted()) checked.entry(entry, without_values);
    tell(file, checked, static_cast<std::size_t>(entries));
    if (interrupted()) return kLimit;
    if (checked.bad()) return kCannotRun;
    int worst = checked.has_findings() ? kStopped : kOk;
    for (const auto& [entry, target] : checked.legal())
      if (arguments_.run && !interrupted()) worst = std::max(worst, run(file, *entry, target, checked.messages()));
    return worst;
  }

  const std::vector<FileDiagnostic>& all() const { return all_; }

 private:
  void tell(const ProgramFile& file, const Checked& checked, std::size_t entries) {
    all_.insert(all_.end(), checked.all().begin(), checked.all().end());
    if (arguments_.json) return;
    const Diagnostics messages = checked.messages();
    print_diagnostics(messages, *file.tree->source);
    fmt::print("{}: {}, {}\n", file.tree->source->name(), counted(entries, "entry point"), severities(messages));
    std::fflush(stdout);
  }

  static std::string severities(const Diagnostics& messages) {
    const auto count = [&](Severity severity) {
      return static_cast<std::size_t>(std::ranges::count(messages, severity, &Diagnostic::severity));
    };
    return fmt::format("{}, {}", counted(count(Severity::Error), "error"),
                       counted(count(Severity::Warning), "warning"));
  }

  int run(const ProgramFile& file, const EntryPoint& entry, Target target, const Diagnostics& told) {
    OpenRequest open = asked_->request.open;
    open.target = target;
    Diagnostics found;
    std::optional<Opened> opened = open_entry(file, entry, open, found);
    if (!opened) {
      if (!arguments_.json) print_diagnostics(found, *file.tree->source);
      for (Diagnostic& diagnostic : found)
        all_.push_back({file.tree->source->name(), {name(target)}, std::move(diagnostic)});
      return kCannotRun;
    }
    const std::shared_ptr<const Recording> recording =
        record_program(std::move(opened->program), open.limits, arguments_.budget_mb);
    const Watch watch(fmt::format("checking {}", entry.name));
    const CheckReport report = check(*recording, options_, watch.question());
    tell_findings(*recording, report, told);
    return std::max(status_of(*recording, report), compare_outputs(recording));
  }

  // Of a case.
  int compare_outputs(const std::shared_ptr<const Recording>& recording) {
    if (asked_->goldens == nullptr || asked_->goldens->empty() || interrupted()) return kOk;
    const auto results = check_goldens(recording, *asked_->goldens, asked_->arguments.tolerance);
    if (!results) return kCannotRun;
    const Program& program = recording->program();
    for (GoldenMessage& message : golden_messages(*recording, *results))
      all_.push_back({program.tree->source->name(),
                      {name(program.target)},
                      std::move(message.diagnostic),
                      message.step,
                      std::move(message.element)});
    if (!arguments_.json) {
      SourceTexts sources(asked_->arguments.files.front(), asked_->arguments.sources);
      print_goldens(stdout, *recording, *results, sources);
    }
    return all_right(*results) ? kOk : kStopped;
  }

  void tell_findings(const Recording& recording, const CheckReport& report, const Diagnostics& told) {
    const text::Source& source = *recording.program().tree->source;
    const char* target = name(recording.program().target);
    for (const Finding& finding : report.findings)
      all_.push_back({source.name(), {target}, finding.diagnostic, finding.step, place_text(recording, finding)});
    if (arguments_.json) return;
    Diagnostics messages;
    for (const Finding& finding : report.findings) messages.push_back(finding.diagnostic);
    fmt::print("{} on {}: {}, {}; {}\n", recording.program().name, target, counted(recording.count(), "step"),
               severities(messages), name(recording.stop_reason()));
    print_findings(stdout, report.findings, source, told);
  }

  // "t2[1,5]"; empty: it is about no element.
  static std::string place_text(const Recording& recording, const Finding& finding) {
    const Bound* bound = recording.bound_of(finding);
    if (!finding.element || finding.element->operand < 0 || bound == nullptr) return "";
    const Operand& operand = bound->operands[static_cast<std::size_t>(finding.element->operand)];
    return fmt::format("{}[{},{}]", recording.program().operand_name(operand), finding.element->row,
                       finding.element->col);
  }

  static int status_of(const Recording& recording, const CheckReport& report) {
    if (!report.complete) return kLimit;
    const int ran = run_status(recording);
    if (ran != kOk) return ran;
    const auto is_error = [](const Finding& finding) { return finding.diagnostic.severity == Severity::Error; };
    return std::ranges::any_of(report.findings, is_error) ? kStopped : kOk;
  }

  const CheckArguments& arguments_;
  const CheckOptions& options_;
  const CaseRun* asked_ = nullptr;  // of the file that is looked at
  std::vector<FileDiagnostic> all_;
};

bool read_levels(const CheckArguments& arguments, CheckOptions& options) {
  for (const std::string& level : arguments.levels)
    if (const auto refusal = set_check(options, level)) {
      fail(fmt::format("--level {}: {}", level, refusal->text), refusal->hint);
      return false;
    }
  return true;
}

}  // namespace

int check_command(const CheckArguments& given) {
  CheckOptions options;
  CheckArguments arguments = given;
  // What compiled code does is known when it ran.
  if (!arguments.run && std::ranges::any_of(arguments.files, cpp::is_cpp_name)) {
    if (!arguments.json) fmt::print(stderr, "kernels in C++ are compiled and run to be checked\n");
    arguments.run = true;
  }
  if (!read_levels(arguments, options)) return kCannotRun;
  FileCheck check(arguments, options);
  int worst = kOk;
  for (const std::string& name : arguments.files) {
    RunArguments one = arguments;
    one.files = {name};
    const std::optional<CaseRun> asked = read_case(one);
    const auto file = asked ? open_file(asked->arguments.files.front(), arguments) : std::nullopt;
    worst = std::max<int>(worst, file ? check.file(*file, *asked) : kCannotRun);
  }
  if (arguments.json) fmt::print("{}", json_diagnostics(check.all()));
  return worst;
}

}  // namespace ts
