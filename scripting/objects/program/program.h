// Programs in the hands of scripts: pto.load and what it gives back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program/open.h"
#include "core/record/recording.h"
#include "core/report/html_report.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/binding.h"

namespace ts::scripting {

struct LoadedProgram {
  std::string file;
  Program program;
  std::vector<InputSource> inputs;
  std::vector<std::string> warnings;
  RunOrigin launch;
  // What it was opened from, for the other target.
  EntryPoint entry = {};
  OpenRequest request = {};
};

struct ProgramObject {
  std::shared_ptr<const LoadedProgram> loaded;
  static const ObjectType& type();
};

// load.cpp: reads and opens a program as the options of pto.load say; raises what is wrong with it.
std::shared_ptr<const LoadedProgram> load_program(lua_State* L, const std::string& name, const OptionTable& options);
struct ProgramSource;
// The same of a text that the script has.
std::shared_ptr<const LoadedProgram> load_program(lua_State* L, ProgramSource source, const OptionTable& options);

struct OpenRecording;
// Runs it to the end; raises where that takes too long.
std::shared_ptr<OpenRecording> record_program(lua_State* L, const LoadedProgram& loaded, RecordOptions options);

}  // namespace ts::scripting
