// A case, from its folder to what its program is opened with: the one way for the command line, scripts and the window.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/cases/bind.h"

namespace ts::cases {

// Whether a name is one of a folder, which stands for a case wherever a program is named.
bool is_folder(const std::string& name);

// How the case says that it is run: options, target, blocks. What is said beside the case is put over that.
OpenRequest request_of(const Folder& folder);

// The entry point that is meant: `wanted`, else the case's, else the only one. Empty: nobody says it, and no array asks.
std::variant<std::string, data::Error> entry_of(const Folder& folder, const std::vector<EntryPoint>& entries,
                                                const std::string& wanted);

// What is said beside a case, and goes before it.
struct Beside {
  std::string entry = {};                       // empty: as the case has it
  OpenRequest open = {};                        // `request_of` the case with what is said put over it
  std::map<std::string, ArrayFile> files = {};  // of the arrays in `open`
  std::map<std::string, ArrayType> types = {};  // what arrays of the case hold, by input or output
  std::function<bool()> go_on = {};             // asked now and then; false: it is given up
};

struct OpenedCase {
  std::string entry;                            // empty: nobody says it, and no array asks for it
  OpenRequest open;                             // with all that the case gives
  std::map<std::string, ArrayFile> files = {};  // where the arrays come from, by input
  std::vector<Golden> goldens = {};
  std::vector<std::string> notes = {};  // what a person should know of it, besides the folder's
};

// The program's text, read and without errors. An error where an array is missing, too many, or not what the program
// takes, and where nobody says which of several entry points the arrays are for.
std::variant<OpenedCase, data::Error> open_case(const Folder& folder, std::shared_ptr<const text::Tree> tree,
                                                const std::vector<EntryPoint>& entries, Beside beside);

}  // namespace ts::cases
