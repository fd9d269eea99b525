// The arrays of a case and the inputs and outputs of its program: by name, or by their order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/cases/folder.h"
#include "core/compile/open.h"
#include "core/program/arrays.h"

namespace ts::cases {

// What an output has to be.
struct Golden {
  std::string name;   // of a buffer or tile
  std::string from;   // "case/golden_y.npy"
  data::Array array;  // of the output's own type, or of a wider one of its kind
  Tolerance tolerance;
};

struct Case {
  InputValues inputs;                      // data, numbers and sizes by the program's names
  std::map<std::string, ArrayFile> files;  // by input
  std::vector<Golden> goldens;
  std::vector<std::string> notes = {};  // what a person should know of it, besides the folder's
};

struct BindRequest {
  OpenRequest open = {};  // target, options, blocks, and the numbers and sizes that are given beside the case
  std::set<std::string> given = {};             // names of arrays that are given beside the case
  std::map<std::string, ArrayType> types = {};  // what arrays of the case hold, by input or output
  std::function<bool()> go_on = {};             // asked now and then; false: it is given up
};

// The error, and nothing of the case, where an array is missing, too many, or not what the program takes. The text is
// known to be without errors; what is wrong with the program for this target is left to whoever opens it.
std::variant<Case, data::Error> bind_case(const Folder& folder, std::shared_ptr<const text::Tree> tree,
                                          const EntryPoint& entry, const BindRequest& request);

}  // namespace ts::cases
