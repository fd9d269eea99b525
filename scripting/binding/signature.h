// The signatures of bindings, taken apart: for counting arguments, for editor stubs, and for tests.
#pragma once

#include <string_view>
#include <vector>

namespace ts::scripting {

// "rec:seek(position: integer, micro?: integer) -> rec | nil": the owner, '.' or ':', the name; of functions the
// parameters; what is given back. Parameters without a type take anything, `?` behind the name says that they may be
// left out, `...` is any number of them. Types are those of LuaLS. "pto.record{...}" stands for "(options?: table)"
// with these options.
struct Signature {
  struct Parameter {
    std::string_view name, type;  // type: empty where none is given
    bool optional = false;
  };
  std::string_view owner, name, result;  // result: empty where nothing is given back
  char separator = 0;
  bool callable = false;
  bool any_number = false;  // ends in ...
  std::vector<Parameter> parameters;
};

// Empty names where the text is no signature: rows are tested for it.
Signature parse_signature(std::string_view text);

}  // namespace ts::scripting
