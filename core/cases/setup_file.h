// Setups by name, in one file beside their program: "kernel.pto.tilescope". It may be a stranger's, so it names no file
// outside of the program's folder, unless whoever opens it says so, and what is not understood stays in it as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cases/setup.h"
#include "core/data/error.h"

namespace ts::cases {

inline constexpr int kSetupVersion = 1;

std::string setup_file_of(const std::string& program);

// Empty: it may be one; else what is wrong with it.
std::string wrong_setup_name(std::string_view name);

// The names in the file, none where there is no file.
std::variant<std::vector<std::string>, data::Error> setup_names(const std::string& program);

struct LoadedSetup {
  Setup setup;
  std::vector<std::string> notes = {};  // what nobody knows, and was passed over
};
// Where anything of it makes no sense, it is an error: half a setup would run something else. Paths are as they stand there.
std::variant<LoadedSetup, data::Error> load_setup(const std::string& program, const std::string& name);

// Where the files of a setup may be.
enum class SetupFiles : std::uint8_t { Below, Anywhere };
// The path to read an array of a setup from. Below: refused where it lies outside of the program's folder, also by `..` or
// a link.
std::variant<std::string, data::Error> setup_path(const std::string& program, const std::string& path,
                                                  SetupFiles files = SetupFiles::Below);
// The same of all of its arrays.
std::variant<Setup, data::Error> with_paths(Setup setup, const std::string& program, SetupFiles files);

// Adds it, or puts it in the place of the one of that name; what a stranger's file has besides stays. Paths become relative
// to the program's folder where they lie below it. Empty text: it worked; else the file is as it was.
data::Error save_setup(const std::string& program, const std::string& name, Setup setup);
data::Error delete_setup(const std::string& program, const std::string& name);

}  // namespace ts::cases
