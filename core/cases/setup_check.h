// Whether a setup fits its program, before anything runs: what the program wants of each input, and what is wrong with what
// it is to be given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cases/setup.h"
#include "core/compile/compiler.h"
#include "core/program/arrays.h"

namespace ts::cases {

// What the program wants.
struct InputForm {
  std::string name;
  ProgramInput::Kind kind = ProgramInput::Kind::Scalar;
  std::string type;                       // "f32"
  std::vector<std::uint64_t> shape = {};  // of a buffer that of its first view; empty: nobody knows before the run
  bool read = false, written = false;     // of a buffer
};
std::string describe(const InputForm& form);  // "buffer f32 16x32, read"

struct SetupCheck {
  std::vector<InputForm> inputs = {};             // in the order of the arguments
  std::map<std::string, std::string> found = {};  // what a file holds that fits: "f4 16x32"; by input
  std::map<std::string, data::Error> wrong = {};  // by input
  std::optional<data::Error> refused = {};        // the program does not run like that at all
  bool fits() const { return wrong.empty() && !refused; }
};

// Arrays are read from their paths as they stand. `go_on` is asked now and then; false: what is there is given back.
SetupCheck check_setup(const std::shared_ptr<const text::Tree>& tree, const std::vector<EntryPoint>& entries,
                       const Setup& setup, const std::function<bool()>& go_on = {});

// What is known of a program that ran, without looking anywhere: what it took fits.
SetupCheck known_of(const Program& program);

// Reads an array of a setup, as what its raw bytes are said to hold.
std::variant<data::Array, data::Error> read_setup_array(const Setup& setup, const std::string& input);

}  // namespace ts::cases
