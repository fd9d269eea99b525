// Opening a program for a command: reads, parses, tells what is wrong.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/compile/open.h"
#include "core/cpp/cpp_kernel.h"

namespace ts {

struct ProgramFile {
  std::shared_ptr<const text::Tree> tree;
  std::vector<EntryPoint> entries;
  Diagnostics diagnostics;  // of the text alone
};

// Nothing: it could not be read, and stderr says why.
std::optional<ProgramFile> open_file(const std::string& name, const TextArguments& arguments);
// What the command line says of a kernel's main; false: it says something, and no kernel is named, as stderr says.
cpp::HostMain host_main_of(const TextArguments& arguments);
bool may_have_main(const TextArguments& arguments, const char* command);
// The options and target of the command line; false: one is unknown, and stderr says which.
bool read_options(const TextArguments& arguments, OpenRequest& request);

// "tilescope: text" and the hint on stderr; the status to end with.
int fail(const std::string& text, const std::string& hint = "");

}  // namespace ts
