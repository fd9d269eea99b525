// What there is for kernels in C++, without running one.
#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "core/cpp/build.h"
#include "core/cpp/scan.h"

namespace ts {
namespace {

void print_entry(const cpp::SourceEntry& entry, const char* what) {
  fmt::print("{}({}), line {}{}\n", entry.name, fmt::join(entry.parameters, ", "), entry.line, what);
}

int print_entries(const std::string& file) {
  const ProgramText text = program_text(file, kMostTextBytes);
  if (!text.error.empty()) return fail(text.error, text.hint);
  const cpp::SourceScan scan = cpp::scan_source(text.text);
  for (const cpp::SourceEntry& entry : scan.entries) print_entry(entry, "");
  for (const cpp::SourceEntry& entry : scan.templates) print_entry(entry, ", a template: --entry takes an instance");
  if (scan.entries.empty() && scan.templates.empty())
    return fail(fmt::format("{} has no function that a launch could start", file),
                "an entry is marked __global__ or extern \"C\"");
  return kOk;
}

}  // namespace

int cpp_command(const CppArguments& arguments) {
  if (!arguments.file.empty()) return print_entries(arguments.file);
  const std::string folder = cpp::include_folder({});
  if (folder.empty()) return fail("the folder for builds cannot be written", "XDG_CACHE_HOME names another");
  fmt::print("{}\n", folder);
  return kOk;
}

}  // namespace ts
