// Reading a program file for a command.
#include "app/program_file.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/files.h"
#include "core/text/render.h"

namespace ts {

int fail(const std::string& text, const std::string& hint) {
  fmt::print(stderr, "tilescope: {}\n", text);
  if (!hint.empty()) fmt::print(stderr, "  hint: {}\n", hint);
  return kCannotRun;
}

void print_diagnostics(const Diagnostics& diagnostics, const text::Source& source) {
  constexpr std::size_t kMost = 20;
  std::size_t errors = 0, others = 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    std::size_t& count = diagnostic.severity == Severity::Error ? errors : others;
    if (++count <= kMost) fmt::print(stderr, "{}", text::render(diagnostic, source));
  }
  if (errors > kMost) fmt::print(stderr, "{}: and {} errors more\n", source.name(), errors - kMost);
  if (others > kMost) fmt::print(stderr, "{}: and {} warnings and notes more\n", source.name(), others - kMost);
}

std::optional<ProgramFile> open_file(const std::string& name, const TextArguments& arguments) {
  ProgramText text = program_text(name, arguments.most_bytes);
  if (!text.error.empty()) {
    fail(text.error, text.hint);
    return {};
  }
  ProgramFile file;
  text::ParseLimits limits;
  limits.most_bytes = arguments.most_bytes;
  file.tree = read_program(std::move(text.name), std::move(text.text), file.diagnostics, limits);
  file.entries = entry_points(*file.tree, file.diagnostics);
  return file;
}

bool read_options(const TextArguments& arguments, OpenRequest& request) {
  for (const std::string& option : arguments.options) {
    const std::size_t equals = option.find('=');
    if (equals != std::string::npos && set_option(request.options, option.substr(0, equals), option.substr(equals + 1))) continue;
    fail(fmt::format("--option {}: unknown", option), "`tilescope options` lists them");
    return false;
  }
  if (!arguments.target.empty()) request.target = arguments.target == "a5" ? Target::A5 : Target::A2A3;
  return true;
}

}  // namespace ts
