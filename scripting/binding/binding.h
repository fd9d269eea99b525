// What scripts see, as tables: one row for each function, method and field. Help, manual, editor stubs and tests read
// the same rows that are bound, so nothing can be there and be missing in one of them.
//
// A new object, in a file of its own:
//
//   struct TileObject {                       // what the script holds; its destructor runs when the script lets go
//     std::shared_ptr<OpenRecording> recording;
//     std::uint32_t tile;
//     static const ObjectType& type();
//   };
//
//   int tile_get(lua_State* L) {              // a method: the object is argument 1
//     TileObject& tile = check_self<TileObject>(L);
//     const auto row = check_index(L, 2, rows_of(tile), "row");
//     ...
//     lua_pushnumber(L, value);
//     return 1;
//   }
//   int tile_rows(lua_State* L) { ... }       // a field: takes the object, pushes the value
//
//   const ObjectType& TileObject::type() {
//     static const ObjectType made{
//         .name = "tile",
//         .help = "A tile as it is at a step.",
//         .bindings = {
//             {"get", Binding::Kind::Method, tile_get, "tile:get(row: integer, col: integer) -> number",
//              "The element at row, col; both count from 0.", R"(local t = ... assert(t:get(0, 0) == 1))"},
//             {"rows", Binding::Kind::Field, tile_rows, "tile.rows -> integer", "Rows of the tile.", R"(...)"},
//         }};
//     return made;
//   }
//
// and one line in types.cpp. Objects reach scripts by `make_object<TileObject>(L, ...)` (object.h).
#pragma once

#include <lua.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

struct ObjectType {
  const char* name;   // as messages and the manual call it: "recording", "pto.assert"
  const char* owner;  // how signatures call it: "rec"
  std::string help;
  std::vector<Binding> bindings;
  // Tables of functions are there from the start; objects are made by others.
  bool is_table = false;
  // A list that asks: `ipairs` and `#` work on it, an index that is none is nil. Null: no such thing.
  lua_CFunction index = nullptr;
  // What tostring() shows; takes the object, pushes the text. Null: the name.
  lua_CFunction to_text = nullptr;
  // Whether two of them are the same thing; null: only an object itself is.
  lua_CFunction equal = nullptr;
  // Other metamethods, such as __len and __add; ends with a null name. Null: none.
  const luaL_Reg* operators = nullptr;

  const Binding* find(std::string_view name) const;
  std::vector<std::string_view> names() const;
};

// All types, in the order of the manual (types.cpp).
std::span<const ObjectType* const> object_types();

// How a row is found by people: "pto.load", "rec:seek", "recording.seek" and "seek" all lead there; "recording" leads
// to the type as a whole.
struct FoundBinding {
  const ObjectType* type = nullptr;
  const Binding* binding = nullptr;  // null: the type as a whole
};
std::vector<FoundBinding> find_bindings(std::string_view name);

// Pushes the table of functions of a type that is one.
void push_table(lua_State* L, const ObjectType& type);
// Pushes the metatable of a type, which is made when it is first asked for.
void push_metatable(lua_State* L, const ObjectType& type);

// The row of the binding that runs as `L`'s current function; null inside fields and iterators.
const Binding* current_binding(lua_State* L);

}  // namespace ts::scripting
