// What scripts may ask of this program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/run/host.h"

namespace ts {

// Files, samples, standard output and error.
scripting::ScriptHost script_host(std::vector<std::string> arguments);
// Of a lesson's file: programs and recordings that it names are looked for beside it first.
scripting::ScriptHost lesson_host(const std::string& lesson_path);

}  // namespace ts
