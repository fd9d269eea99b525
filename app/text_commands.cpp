// check, fmt, explain, list, options: what needs no run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/commands.h"
#include "app/files.h"
#include "app/program_file.h"
#include "core/data/file.h"
#include "core/isa/catalogue.h"
#include "core/text/printer.h"
#include "core/text/render.h"
#include "core/text/signature.h"

namespace ts {
namespace {

// Each entry point on the module's own target, or on both where it names none.
void check_entries(const ProgramFile& file, const TextArguments& arguments, OpenRequest request, Diagnostics& out) {
  request.inputs.guess = false;
  for (const EntryPoint& entry : file.entries) {
    if (!arguments.entry.empty() && entry.name != arguments.entry) continue;
    std::vector<Target> targets(std::begin(kBothTargets), std::end(kBothTargets));
    if (request.target || entry.target) targets = {request.target.value_or(entry.target.value_or(Target::A5))};
    for (const Target target : targets) {
      OpenRequest one = request;
      one.target = target;
      Diagnostics found;
      open_program(file.tree, entry, one, found);
      for (Diagnostic& diagnostic : found) {
        const bool told = std::ranges::any_of(out, [&](const Diagnostic& d) { return d.pos == diagnostic.pos && d.rule == diagnostic.rule && d.text == diagnostic.text; });
        if (!told) out.push_back(std::move(diagnostic));
      }
    }
  }
}

std::string counted(std::size_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

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
  bool bad = false;
  for (const std::string& name : arguments.files) {
    auto file = open_file(name, arguments);
    if (!file) {
      bad = true;
      continue;
    }
    if (!has_error(file->diagnostics)) check_entries(*file, arguments, request, file->diagnostics);
    const text::Source& source = *file->tree->source;
    if (arguments.json) fmt::print("{}\n", text::render_json(file->diagnostics, source));
    else print_diagnostics(file->diagnostics, source);
    const auto errors = static_cast<std::size_t>(std::ranges::count(file->diagnostics, Severity::Error, &Diagnostic::severity));
    const auto warnings = static_cast<std::size_t>(std::ranges::count(file->diagnostics, Severity::Warning, &Diagnostic::severity));
    if (!arguments.json)
      fmt::print("{}: {}, {}, {}\n", source.name(), counted(file->entries.size(), "entry point"), counted(errors, "error"), counted(warnings, "warning"));
    bad = bad || errors != 0;
  }
  return bad ? kCannotRun : kOk;
}

int format_command(const FormatArguments& arguments) {
  const auto file = open_file(arguments.file, {});
  if (!file) return kCannotRun;
  if (has_error(file->diagnostics)) {
    print_diagnostics(file->diagnostics, *file->tree->source);
    return fail(fmt::format("{} is left as it is", arguments.file));
  }
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

int explain_command(const std::string& mnemonic, const std::string& target) {
  if (const InstructionRow* row = find_instruction(mnemonic)) {
    if (const auto page = instruction_page(row->name)) {
      fmt::print("{}", page_for(*page, target));
      return kOk;
    }
  }
  text::OpCode code = text::find_op(mnemonic);
  if (code == text::kUnknownOp) code = text::find_op("pto." + mnemonic);
  if (code == text::kUnknownOp) {
    const auto near = text::similar_ops(mnemonic);
    return fail(fmt::format("no operation is called {}", mnemonic), near.empty() ? "`tilescope list` names them" : fmt::format("did you mean {}?", fmt::join(near, ", ")));
  }
  const text::OpRow& row = text::op_rows()[code];
  fmt::print("# {}\n\n{}\n\n", row.name, row.meaning);
  if (!row.current.empty()) fmt::print("An old name of {}.\n\n", row.current);
  const std::string forms = one_line_signature(text::signature(code));
  if (!forms.empty()) fmt::print("Operands\n\n{}\n", forms);
  fmt::print("Group: {}.{}\n", name(row.group), row.only.empty() ? "" : fmt::format(" Only on {}.", row.only));
  if (row.group < text::OpGroup::View || row.group >= text::OpGroup::Fifo) {
    if (row.group != text::OpGroup::Shared) fmt::print("It loads, shows and is checked by its signature; running it is not emulated yet.\n");
  }
  return kOk;
}

int list_command() {
  fmt::print("samples\n");
  for (const Sample& sample : samples()) fmt::print("  {:<18} {}\n", sample.name, sample.summary);
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
