// check, fmt, explain, list, options: what needs no run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <tuple>

#include "app/cli/commands.h"
#include "app/files/files.h"
#include "app/cli/json_report.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal.h"
#include "app/cli/told.h"
#include "core/data/file.h"
#include "core/isa/catalogue.h"
#include "core/text/printer.h"
#include "core/text/signature.h"
#include "scripting/docs.h"

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
  explicit Checked(const ProgramFile& file) : file_(file) {
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
      legal = open_program(file_.tree, entry, one, found).has_value() || legal;
      for (Diagnostic& diagnostic : found) add(target, std::move(diagnostic));
      if (std::ranges::find(targets_, target) == targets_.end()) targets_.push_back(target);
    }
    bad_ = bad_ || !legal;
  }

  bool bad() const { return bad_; }
  const std::vector<FileDiagnostic>& all() const { return all_; }

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
  void add(Target target, Diagnostic diagnostic) {
    using Key = decltype(index_)::key_type;
    const auto [it, made] =
        index_.try_emplace(Key{diagnostic.pos.line, diagnostic.pos.column, diagnostic.rule, diagnostic.text}, all_.size());
    if (made) all_.push_back({file_.tree->source->name(), {}, std::move(diagnostic)});
    std::vector<std::string>& targets = all_[it->second].targets;
    if (std::ranges::find(targets, name(target)) == targets.end()) targets.emplace_back(name(target));
  }

  const ProgramFile& file_;
  std::vector<FileDiagnostic> all_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, std::string>, std::size_t> index_;  // by place, rule and text
  std::vector<Target> targets_;
  bool bad_ = false;
};

std::string counted(std::size_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

bool check_file(const ProgramFile& file, const TextArguments& arguments, const OpenRequest& request, std::vector<FileDiagnostic>& all) {
  Checked checked(file);
  const auto asked_for = [&](const EntryPoint& entry) { return arguments.entry.empty() || entry.name == arguments.entry; };
  const auto entries = std::ranges::count_if(file.entries, asked_for);
  if (!arguments.entry.empty() && entries == 0 && !checked.bad()) {
    fail(fmt::format("{} has no entry point {}", file.tree->source->name(), arguments.entry));
    return false;
  }
  if (!checked.bad())
    for (const EntryPoint& entry : file.entries)
      if (asked_for(entry)) checked.entry(entry, request);
  all.insert(all.end(), checked.all().begin(), checked.all().end());
  if (arguments.json) return !checked.bad();
  const Diagnostics messages = checked.messages();
  print_diagnostics(messages, *file.tree->source);
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(messages, severity, &Diagnostic::severity));
  };
  fmt::print("{}: {}, {}, {}\n", file.tree->source->name(), counted(static_cast<std::size_t>(entries), "entry point"),
             counted(count(Severity::Error), "error"), counted(count(Severity::Warning), "warning"));
  return !checked.bad();
}

std::string one_line_signature(const text::Signature& signature) {
  std::string out;
  const auto list = [](const std::vector<text::SignatureOperand>& operands) {
    std::string names;
    for (const text::SignatureOperand& operand : operands) {
      names += fmt::format("{}{}{}", names.empty() ? "" : ", ", operand.name, operand.sort == text::OperandSort::Clause ? "(...)" : "");
      names += operand.optional ? "?" : operand.repeated ? "..." : "";
    }
    return names;
  };
  for (const text::SignatureForm& form : signature.forms)
    out += fmt::format("  {}{}{}\n", list(form.operands), form.results.empty() ? "" : " -> ", list(form.results));
  return out;
}

// The page without the sections of the other target.
std::string page_for(std::string_view page, const std::string& target) {
  const std::string_view other = target == "a5" ? "## On A2A3" : target == "a2a3" ? "## On A5" : "";
  std::string out;
  bool skip = false;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size() - 1) + 1;
    const std::string_view line = page.substr(0, end);
    if (line.starts_with("## ")) skip = !other.empty() && line.starts_with(other);
    if (!skip) out += line;
    page.remove_prefix(end);
  }
  return out;
}

}  // namespace

int check_command(const TextArguments& arguments) {
  OpenRequest request;
  if (!read_options(arguments, request)) return kCannotRun;
  request.inputs.guess = false;
  install_interrupt();
  request.limits.go_on = [](std::uint64_t) { return !interrupted(); };
  bool bad = false;
  std::vector<FileDiagnostic> all;
  for (const std::string& name : arguments.files) {
    const auto file = open_file(name, arguments);
    const bool legal = file && check_file(*file, arguments, request, all);
    bad = bad || !legal;
  }
  if (arguments.json) fmt::print("{}", json_diagnostics(all));
  return interrupted() ? kLimit : bad ? kCannotRun : kOk;
}

int format_command(const FormatArguments& arguments) {
  const auto file = open_file(arguments.file, {});
  if (!file) return kCannotRun;
  if (has_error(file->diagnostics)) {
    print_diagnostics(file->diagnostics, *file->tree->source);
    return fail(fmt::format("{} is left as it is", arguments.file));
  }
  if (arguments.write && !std::filesystem::exists(arguments.file)) return fail(fmt::format("{} is a sample, not a file", arguments.file));
  const std::string printed = text::print(*file->tree);
  const bool same = printed == file->tree->source->text();
  if (arguments.check) {
    if (!same) fmt::print("{}: would be formatted\n", arguments.file);
    return same ? kOk : kStopped;
  }
  if (!arguments.write) {
    fmt::print("{}", printed);
    return kOk;
  }
  if (same) return kOk;
  const data::Error error = data::write_file(arguments.file, {std::as_bytes(std::span(printed))});
  return error.text.empty() ? kOk : fail(error.text, error.hint);
}

namespace {

// False: no operation is called so.
bool explain_operation(const std::string& mnemonic, const std::string& target) {
  if (const InstructionRow* row = find_instruction(mnemonic)) {
    if (const auto page = instruction_page(row->name)) {
      fmt::print("{}", page_for(*page, target));
      return true;
    }
  }
  text::OpCode code = text::find_op(mnemonic);
  if (code == text::kUnknownOp) code = text::find_op("pto." + mnemonic);
  if (code == text::kUnknownOp) return false;
  const text::OpRow& row = text::op_rows()[code];
  fmt::print("# {}\n\n{}\n\n", row.name, row.meaning);
  if (!row.current.empty()) fmt::print("An old name of {}.\n\n", row.current);
  const std::string forms = one_line_signature(text::signature(code));
  if (!forms.empty()) fmt::print("Operands\n\n{}\n", forms);
  fmt::print("Group: {}.{}\n", name(row.group), row.only.empty() ? "" : fmt::format(" Only on {}.", row.only));
  if (row.group < text::OpGroup::View || row.group >= text::OpGroup::Fifo) {
    if (row.group != text::OpGroup::Shared)
      fmt::print("It loads, shows and is checked by its signature; running it is not emulated yet.\n");
  }
  return true;
}

}  // namespace

// pto.load is an operation and a function of scripts: both are told.
int explain_command(const std::string& mnemonic, const std::string& target) {
  const bool operation = explain_operation(mnemonic, target);
  const bool member = mnemonic.find_first_of(".:") != std::string::npos;
  const std::optional<std::string> help = !operation || member ? scripting::help_text(mnemonic) : std::nullopt;
  if (help && !mnemonic.empty()) fmt::print("{}{}\n", operation ? "\nIn scripts:\n\n" : "", *help);
  if (operation || (help && !mnemonic.empty())) return kOk;
  const auto near = text::similar_ops(mnemonic);
  return fail(fmt::format("no operation is called {}", mnemonic),
              near.empty() ? "`tilescope list` names them" : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

namespace {

void list_samples(const char* heading, const std::vector<Sample>& all) {
  std::size_t width = 0;
  for (const Sample& sample : all) width = std::max(width, sample.name.size());
  fmt::print("{}\n", heading);
  for (const Sample& sample : all) fmt::print("  {:<{}}  {}\n", sample.name, width, sample.summary);
}

}  // namespace

int list_command() {
  list_samples("samples (`tilescope run NAME`)", samples());
  list_samples("\nsample scripts (`tilescope script NAME`)", sample_scripts());
  fmt::print("\ninstructions that are emulated (`tilescope explain NAME` has the page)\n");
  for (const InstructionRow* row : catalogue()) {
    fmt::print("  {:<16} {}\n", row->name, row->summary);
    for (const Target target : kBothTargets) {
      const DTypeSet types = row->types(target, Options{});
      fmt::print("  {:<16}   {:<5} {}\n", "", name(target), types.empty() ? "not on this target" : types.list());
    }
  }
  fmt::print("\n{} more operations are read, shown and checked by their signatures\n", text::op_rows().size() - catalogue().size());
  return kOk;
}

int options_command() {
  for (int i = 0; i < kOptionCount; ++i) fmt::print("  {:<28} {:<14} {}\n", kOptions[i].name, kOptions[i].values, kOptions[i].effect);
  return kOk;
}

}  // namespace ts
