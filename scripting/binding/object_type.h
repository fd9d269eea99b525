// What scripts see of an object: its rows, and how it behaves. A new object, in a file of its own:
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
//   const ListedType kHere{70, TileObject::type};   // its place in the manual
//
// Objects reach scripts by `make_object<TileObject>(L, ...)` (object.h).
#pragma once

#include <lua.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/binding/binding.h"
#include "scripting/sandbox/listed.h"

namespace ts::scripting {

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

// The function that gives a type, by which it is named before it is made.
using TypeFunction = const ObjectType& (*)();
// A type that scripts know, by its place in the manual.
using ListedType = Listed<TypeFunction>;

// Rows of a type that stand where what they do stands: `rec:fork` in fork.cpp. The type asks for them by `listed_rows`.
//
//   const ListedRows kHere{47, {RecordingObject::type, fork_rows}};
struct RowsOfType {
  TypeFunction type;
  std::vector<Binding> (*rows)();
};
using ListedRows = Listed<RowsOfType>;
std::vector<Binding> listed_rows(TypeFunction type);

// All types, in the order of the manual.
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

}  // namespace ts::scripting
