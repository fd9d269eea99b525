// What scripts may ask of this program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading.h"
#include "scripting/run/host.h"
#include "scripting/sandbox/limits.h"

namespace ts {

// What a person types may read everywhere; a script in a file below the file's folder, and what else it was given. Those
// that the program brings along are its own.
data::ReadingPlaces places_of_person();
data::ReadingPlaces places_of_script(const std::string& path, const std::vector<std::string>& given = {});

// Files, samples, standard output and error.
scripting::ScriptHost script_host(data::ReadingPlaces places, std::vector<std::string> arguments = {});
// Lets scripts compile kernels in C++ and run them.
void allow_kernels(scripting::ScriptHost& host);
// What a person types may hold recordings as large as any.
scripting::SandboxLimits person_limits();
// Of a lesson's file.
scripting::ScriptHost lesson_host(const std::string& lesson_path);

}  // namespace ts
