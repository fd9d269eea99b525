// fmt, explain, list, options: what needs no run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/commands.h"
#include "app/cli/op_name.h"
#include "app/cli/program_file.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/terminal.h"
#include "app/cli/told.h"
#include "app/files/files.h"
#include "app/files/pages.h"
#include "core/catalogue/catalogue.h"
#include "core/compile/has_meaning.h"
#include "core/cpp/cpp_kernel.h"
#include "core/data/file.h"
#include "core/text/ops/signature.h"
#include "core/text/printer.h"
#include "scripting/binding/docs.h"

namespace ts {
namespace {

std::string one_line_signature(const text::Signature& signature) {
  std::string out;
  const auto list = [](const std::vector<text::SignatureOperand>& operands) {
    std::string names;
    for (const text::SignatureOperand& operand : operands) {
      names += fmt::format("{}{}{}", names.empty() ? "" : ", ", operand.name,
                           operand.sort == text::OperandSort::Clause ? "(...)" : "");
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

int format_command(const FormatArguments& arguments) {
  if (cpp::is_cpp_name(arguments.file))
    return fail(fmt::format("{} is C++, and fmt is for program text", arguments.file), "clang-format forms C++");
  const auto file = open_file(arguments.file, {});
  if (!file) return kCannotRun;
  if (has_error(file->diagnostics)) {
    print_diagnostics(file->diagnostics, *file->tree->source);
    return fail(fmt::format("{} is left as it is", arguments.file));
  }
  if (arguments.write && !std::filesystem::exists(arguments.file))
    return fail(fmt::format("{} is a sample, not a file", arguments.file));
  const std::string printed =
      text::print(*file->tree, {.locations = !arguments.without_locations, .compact_types = arguments.compact_types});
  const bool same = printed == file->tree->source->text();
  if (arguments.check) {
    if (!same) fmt::print("{}: would be formatted\n", arguments.file);
    return same ? kOk : kStopped;
  }
  if (!arguments.write) {
    output_is_data();
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
  const InstructionRow* instruction = find_instruction(mnemonic);
  const text::OpCode code = operation_called(mnemonic);
  const std::string_view called = instruction != nullptr     ? std::string_view(instruction->name)
                                  : code != text::kUnknownOp ? text::op_row(code).name
                                                             : std::string_view();
  const bool old = code != text::kUnknownOp && !text::op_row(code).current.empty();
  if (old) fmt::print("An old name of {}.\n\n", text::op_row(code).current);
  if (const auto page = instruction_page(called)) {
    fmt::print("{}", page_for(*page, target));
    return true;
  }
  if (code == text::kUnknownOp) return false;
  const text::OpRow& row = text::op_rows()[code];
  fmt::print("# {}\n\n{}\n\n", row.name, row.meaning);
  const std::string forms = one_line_signature(text::signature(code));
  if (!forms.empty()) fmt::print("Operands\n\n{}\n", forms);
  fmt::print("Group: {}.{}\n", name(row.group), row.only.empty() ? "" : fmt::format(" Only on {}.", row.only));
  if (!has_meaning(code) && row.group != text::OpGroup::Shared)
    fmt::print("It loads, shows and is checked by its signature; running it is not emulated yet.\n");
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
  list_samples("\nlessons (`tilescope lesson NAME`)", lessons());
  fmt::print("\ninstructions that are emulated (`tilescope explain NAME` has the page)\n");
  for (const InstructionRow* row : catalogue()) {
    fmt::print("  {:<16} {}\n", row->name, row->summary);
    for (const Target target : kBothTargets) {
      const DTypeSet types = row->types(target, Options{});
      fmt::print("  {:<16}   {:<5} {}\n", "", name(target), types.empty() ? "not on this target" : types.list());
    }
  }
  fmt::print("\nmicro-operations that are emulated, on a5\n");
  std::size_t micro = 0;
  for (const text::OpRow& row : text::op_rows()) {
    if (micro_types(text::find_op(row.name)).empty()) continue;
    fmt::print("  {:<16} {}\n", bare_name(row), row.meaning);
    ++micro;
  }
  fmt::print("\n{} more operations are read, shown and checked by their signatures\n",
             text::op_rows().size() - catalogue().size() - micro);
  return kOk;
}

int options_command() {
  for (int i = 0; i < kOptionCount; ++i)
    fmt::print("  {:<28} {:<14} {}\n", kOptions[i].name, kOptions[i].values, kOptions[i].effect);
  return kOk;
}

}  // namespace ts
