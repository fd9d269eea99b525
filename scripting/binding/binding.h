// One row of what scripts see: a function, a method or a field. Help, manual, editor stubs and tests read the same rows
// that are bound, so nothing can be there and be missing in one of them.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

namespace ts::scripting {

struct Binding {
  enum class Kind : std::uint8_t {
    Function,  // of a table: pto.load(...)
    Method,    // of an object: rec:seek(...); the object is argument 1
    Field,     // of either: computed when it is read; of an object, argument 1 is the object
  };
  const char* name;
  Kind kind;
  lua_CFunction function;
  // "tile:get(row: integer, col?: integer, ...) -> number | nil", "rec.pos -> integer"; see signature.h. Arguments
  // beyond those of the signature are refused before `function` is called.
  std::string signature;
  std::string help;     // one to three sentences
  std::string example;  // a whole script that asserts what it shows; the tests run it

  std::string_view called() const;  // "tile:get"
};

// Makes the rows of one object, whose examples begin alike.
struct RowMaker {
  const char* owner;          // "rec"
  const char* example_begin;  // source text
  // `type` is what stands behind the arrow, `rest` all behind the name.
  Binding field(const char* name, lua_CFunction function, const std::string& type, std::string help,
                const std::string& example) const;
  Binding method(const char* name, lua_CFunction function, const std::string& rest, std::string help,
                 const std::string& example) const;
};

// The row of the binding that runs as `L`'s current function; null inside fields and iterators.
const Binding* current_binding(lua_State* L);

}  // namespace ts::scripting
