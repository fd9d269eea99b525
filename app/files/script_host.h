// What scripts may ask of this program.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/host.h"

namespace ts {

// Files, samples, standard output and error.
scripting::ScriptHost script_host(std::vector<std::string> arguments);

}  // namespace ts
