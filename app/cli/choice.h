// Options with a few values, which may be written in any case: `--target A5` is `--target a5`.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace ts {

// One of these values and no other; `value` gets it as it is spelled here.
CLI::Option* add_choice(CLI::App& command, const char* option, std::string& value,
                        const std::vector<std::string>& choices, const char* meaning);
// Where names of files or of the user's own are values too: what is one of these gets their spelling, the rest stays.
void spell_as(CLI::Option& option, const std::vector<std::string>& names);
// Where everything that makes sense is spelled in small letters.
void in_small_letters(CLI::Option& option);

}  // namespace ts
