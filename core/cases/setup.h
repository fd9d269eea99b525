// How a program is run, as a person says it: what `tilescope run` takes, under the words that it has there. One table for
// setup files, the command line, and the window's run bar.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/compile/open.h"
#include "core/data/fields.h"

namespace ts::cases {

// All as text, as on the command line; what is empty is as it would be anyway. Names are without their %.
struct Setup {
  std::string entry = {}, target = {}, blocks = {}, private_slots = {}, order = {}, comm = {}, seed = {},
              max_steps = {}, budget = {};
  // Of a kernel in C++.
  std::string standard = {}, include = {}, defines = {};
  // By option, or by input.
  std::map<std::string, std::string> options = {}, numbers = {}, sizes = {}, arrays = {}, raw = {}, made = {};
  std::map<std::string, std::string> args = {};  // what pointers point to: "f16[20x2048]"
  bool operator==(const Setup&) const = default;
};

// One thing that is said once.
struct SetupRow {
  const char *key, *option, *title;
  const char* usual;          // what it is where nobody says it, for people
  const char* values;         // "a5|a2a3"; "": any text, or a number
  std::uint64_t least, most;  // of a number; most 0: it is none
  std::string Setup::*field;
  bool compiled = false;  // of kernels that a compiler reads
};
std::span<const SetupRow> setup_rows();

// One thing that is said of each option or input.
struct SetupPairs {
  const char *key, *option, *title;
  std::map<std::string, std::string> Setup::*field;
};
std::span<const SetupPairs> setup_pairs();

// What is wrong with a value, as what was wanted: "a whole number from 1 to 65535"; empty: nothing, also of an empty one.
std::string wrong_value(const SetupRow& row, std::string_view value);
std::string wrong_value(const SetupPairs& pairs, std::string_view name, std::string_view value);
// What is wrong with all of it together, such as two ways to fill one input; empty: nothing.
std::vector<data::Error> problems_of(const Setup& setup);

// Its folders of headers, and its macros, one by one.
std::vector<std::string> include_folders(const Setup& setup);
void set_include_folders(const std::vector<std::string>& folders, Setup& setup);
std::vector<std::string> macros(const Setup& setup);
void set_macros(const std::vector<std::string>& macros, Setup& setup);

// As the words of a command line behind "tilescope run": {"--target", "a5", "--in", "x=x.npy"}.
std::vector<std::string> words_of(const Setup& setup);
// As few words for people; empty: everything is as usual.
std::string short_text(const Setup& setup);

nlohmann::json to_json(const Setup& setup);
// What is of another type or makes no sense goes into `problems`, what nobody knows into `notes`; both say where.
Setup setup_from(const data::Fields& saved, std::vector<std::string>& problems, std::vector<std::string>& notes);

// All but the arrays, which are files, the entry point, and what a compiler is told.
Setup setup_of(const OpenRequest& open);
// A setup without problems. Arrays are left to whoever may read files.
void put_into(const Setup& setup, OpenRequest& open);
std::uint64_t budget_bytes(const Setup& setup);

// How many operations a walk of at most so many steps may take between two of them: so that the limit also ends a loop
// that has no steps.
std::uint64_t most_code_for(std::uint64_t most_steps);

}  // namespace ts::cases
