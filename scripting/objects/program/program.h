// Programs in the hands of scripts: pto.load and what it gives back.
#pragma once

#include <memory>

#include "core/record/recording.h"
#include "scripting/binding/object_type.h"
#include "scripting/objects/program/load.h"

namespace ts::scripting {

struct ProgramObject {
  std::shared_ptr<const LoadedProgram> loaded;
  static const ObjectType& type();
};

struct OpenRecording;
// Runs it to the end; raises where that takes too long, or more of the script's memory than is left.
std::shared_ptr<OpenRecording> record_program(lua_State* L, const LoadedProgram& loaded, std::size_t budget_bytes,
                                              WalkLimits limits = {});

}  // namespace ts::scripting
