// Reading a program file for a command.
#include "app/cli/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/terminal/terminal.h"
#include "app/files/files.h"
#include "core/cpp/cpp_kernel.h"

namespace ts {

int fail(const std::string& text, const std::string& hint) {
  fmt::print(stderr, "tilescope: {}\n", text);
  if (!hint.empty()) fmt::print(stderr, "  hint: {}\n", hint);
  return kCannotRun;
}

namespace {

std::optional<ProgramFile> open_kernel(const std::string& path, const TextArguments& arguments) {
  cpp::KernelRequest request{.entry = arguments.entry};
  if (!arguments.target.empty()) request.target = arguments.target == "a5" ? Target::A5 : Target::A2A3;
  request.build.compiler = arguments.cxx;
  if (!arguments.standard.empty()) request.build.standard = arguments.standard;
  request.build.include = arguments.include;
  request.build.define = arguments.define;
  request.build.go_on = [] { return !interrupted(); };
  request.host = host_main_of(arguments);
  ProgramFile file;
  file.tree = cpp::read_kernel(path, request, file.diagnostics);
  if (!has_error(file.diagnostics)) file.entries = entry_points(*file.tree, file.diagnostics, request.build.go_on);
  return file;
}

}  // namespace

cpp::HostMain host_main_of(const TextArguments& arguments) {
  const auto words = std::ranges::find_if_not(arguments.more, cpp::is_cpp_name);
  return {{arguments.more.begin(), words}, {words, arguments.more.end()}, arguments.folder};
}

bool may_have_main(const TextArguments& arguments, const char* command) {
  const std::string name = arguments.files.empty() ? "" : arguments.files.front();
  if (!host_main_of(arguments).is_said() || cpp::is_cpp_name(name)) return true;
  fail(fmt::format("{} is for a kernel in C++ that has a main",
                   arguments.more.empty() ? "--cd" : arguments.more.front()),
       fmt::format("{} takes one program", command));
  return false;
}

std::optional<ProgramFile> open_file(const std::string& name, const TextArguments& arguments) {
  ProgramText text = program_text(name, arguments.most_bytes);
  if (!text.error.empty()) {
    fail(text.error, text.hint);
    return {};
  }
  if (cpp::is_cpp_name(name)) return open_kernel(kernel_file(name), arguments);
  ProgramFile file;
  text::ParseLimits limits;
  limits.most_bytes = arguments.most_bytes;
  limits.go_on = [] { return !interrupted(); };
  file.tree = read_program(std::move(text.name), std::move(text.text), file.diagnostics, limits);
  file.entries = entry_points(*file.tree, file.diagnostics, limits.go_on);
  return file;
}

bool read_options(const TextArguments& arguments, OpenRequest& request) {
  for (const std::string& option : arguments.options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals),
                      value = equals == std::string::npos ? "" : option.substr(equals + 1);
    if (set_option(request.options, name, value)) continue;
    const auto row = std::ranges::find(kOptions, kOptions + kOptionCount, name, &OptionRow::name);
    if (row == kOptions + kOptionCount)
      fail(fmt::format("--option {}: there is no option {}", option, name), "`tilescope options` lists them");
    else fail(fmt::format("--option {}: wanted {}={}", option, name, row->values));
    return false;
  }
  if (!arguments.placement.empty()) set_option(request.options, "placement", arguments.placement);
  if (!arguments.target.empty()) request.target = arguments.target == "a5" ? Target::A5 : Target::A2A3;
  return true;
}

}  // namespace ts
