// Opening a program as the options of pto.load say.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/cases/bind.h"
#include "core/compile/open.h"
#include "core/report/html_report.h"
#include "scripting/binding/arguments.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {

struct ProgramSource;

struct LoadedProgram {
  std::string file;
  std::string kernel_text;  // of a kernel in C++; empty: the program's own text is what somebody wrote
  Program program;
  std::vector<InputSource> inputs;
  std::vector<std::string> warnings;
  RunOrigin launch;
  // What it was opened from, for the other target.
  EntryPoint entry = {};
  OpenRequest request = {};
  // What its outputs have to be, where it is of a case; else empty.
  std::shared_ptr<const std::vector<cases::Golden>> goldens = std::make_shared<const std::vector<cases::Golden>>();
  Weight weight = {};  // without the text's tree, which has its own
};

// Reads and opens a program as the options of pto.load say; raises what is wrong with it.
std::shared_ptr<const LoadedProgram> load_program(lua_State* L, const std::string& name, const OptionTable& options);
// The same of a text that the script has.
std::shared_ptr<const LoadedProgram> load_program(lua_State* L, ProgramSource source, const OptionTable& options);

}  // namespace ts::scripting
