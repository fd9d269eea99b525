// Rows become metatables and tables of functions.
#include "scripting/binding/object_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "scripting/binding/arguments.h"
#include "scripting/binding/signature.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

constexpr int kAnyNumber = -1;

// Arguments that a row's function takes, its object included.
int most_arguments(const Binding& row) {
  const Signature signature = parse_signature(row.signature);
  if (signature.any_number) return kAnyNumber;
  return static_cast<int>(signature.parameters.size()) + (row.kind == Binding::Kind::Method ? 1 : 0);
}

// Upvalues: the row, and the most arguments it takes.
int call_row(lua_State* L) {
  const Binding& row = *current_binding(L);
  const int most = static_cast<int>(lua_tointeger(L, lua_upvalueindex(2))), got = lua_gettop(L);
  if (most != kAnyNumber && got > most) {
    const int self = row.kind == Binding::Kind::Method ? 1 : 0;
    raise(L,
          fmt::format("{}: takes {} argument{}, got {}", row.called(), most - self, most - self == 1 ? "" : "s",
                      got - self),
          row.signature);
  }
  return row.function(L);
}

void push_row(lua_State* L, const Binding& row) {
  if (row.kind == Binding::Kind::Field) return lua_pushlightuserdata(L, const_cast<Binding*>(&row));
  lua_pushlightuserdata(L, const_cast<Binding*>(&row));
  lua_pushinteger(L, most_arguments(row));
  lua_pushcclosure(L, guarded<call_row>, 2);
}

// The type whose metatable this closure is of.
const ObjectType& own_type(lua_State* L, int upvalue) {
  return *static_cast<const ObjectType*>(lua_touserdata(L, lua_upvalueindex(upvalue)));
}

[[noreturn]] void no_such_member(lua_State* L, const ObjectType& type) {
  if (lua_type(L, 2) != LUA_TSTRING)
    raise(L, fmt::format("{} has no {}", type.name, describe(L, 2)),
          fmt::format("pto.help('{}') lists what it has", type.name));
  const std::string name = lua_tostring(L, 2);
  const std::string near = did_you_mean(name, type.names());
  raise(L, fmt::format("{} has no '{}'{}", type.name, name, near),
        near.empty() ? fmt::format("pto.help('{}') lists what it has", type.name) : "");
}

// Upvalues: the rows by name, the type.
int index_member(lua_State* L) {
  const ObjectType& type = own_type(L, 2);
  if (type.index != nullptr && lua_isinteger(L, 2)) return type.index(L);
  lua_pushvalue(L, 2);
  switch (lua_rawget(L, lua_upvalueindex(1))) {
    case LUA_TFUNCTION: return 1;
    case LUA_TLIGHTUSERDATA: {
      const Binding& row = *static_cast<const Binding*>(lua_touserdata(L, -1));
      lua_settop(L, 1);
      return row.function(L);
    }
    default: no_such_member(L, type);
  }
}

int refuse_assignment(lua_State* L) {
  const ObjectType& type = own_type(L, 1);
  raise(L, fmt::format("{} can only be read; {} cannot be set", a_or_an(type.name), describe(L, 2)));
}

int name_as_text(lua_State* L) {
  lua_pushstring(L, own_type(L, 1).name);
  return 1;
}

// Pushes a closure with the type as its only upvalue.
void set_closure(lua_State* L, const char* field, lua_CFunction function, const ObjectType& type) {
  lua_pushlightuserdata(L, const_cast<ObjectType*>(&type));
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, field);
}

void set_index(lua_State* L, const ObjectType& type) {
  lua_createtable(L, 0, static_cast<int>(type.bindings.size()));
  for (const Binding& row : type.bindings) {
    push_row(L, row);
    lua_setfield(L, -2, row.name);
  }
  lua_pushlightuserdata(L, const_cast<ObjectType*>(&type));
  lua_pushcclosure(L, guarded<index_member>, 2);
  lua_setfield(L, -2, "__index");
}

void add_type(lua_State* L, const ObjectType& type) {
  lua_createtable(L, 0, 8);
  set_index(L, type);
  set_closure(L, "__newindex", guarded<refuse_assignment>, type);
  set_closure(L, "__tostring", type.to_text != nullptr ? type.to_text : guarded<name_as_text>, type);
  if (type.equal != nullptr) set_closure(L, "__eq", type.equal, type);
  if (type.operators != nullptr) luaL_setfuncs(L, type.operators, 0);
  lua_pushstring(L, type.name);
  lua_setfield(L, -2, "__name");
  // What getmetatable() gives a script: nothing that it could change.
  lua_pushstring(L, type.name);
  lua_setfield(L, -2, "__metatable");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &type);
}

}  // namespace

const Binding* ObjectType::find(std::string_view wanted) const {
  const auto row = std::ranges::find_if(bindings, [&](const Binding& binding) { return binding.name == wanted; });
  return row == bindings.end() ? nullptr : &*row;
}

std::vector<std::string_view> ObjectType::names() const {
  std::vector<std::string_view> all;
  for (const Binding& row : bindings) all.push_back(row.name);
  return all;
}

std::vector<Binding> listed_rows(TypeFunction type) {
  std::vector<Binding> rows;
  for (const RowsOfType& part : ListedRows::all())
    if (part.type == type) std::ranges::move(part.rows(), std::back_inserter(rows));
  return rows;
}

std::span<const ObjectType* const> object_types() {
  static const std::vector<const ObjectType*> types = [] {
    std::vector<const ObjectType*> made;
    for (const TypeFunction type : ListedType::all()) made.push_back(&type());
    return made;
  }();
  return types;
}

std::vector<FoundBinding> find_bindings(std::string_view name) {
  std::vector<FoundBinding> found;
  const std::size_t separator = name.find_last_of(".:");
  const std::string_view owner = separator == std::string_view::npos ? std::string_view{} : name.substr(0, separator);
  const std::string_view member = separator == std::string_view::npos ? name : name.substr(separator + 1);
  for (const ObjectType* type : object_types()) {
    if (name == type->name || name == type->owner) found.push_back({type, nullptr});
    const bool of_owner = owner.empty() || owner == type->name || owner == type->owner;
    const Binding* row = of_owner ? type->find(member) : nullptr;
    if (row != nullptr) found.push_back({type, row});
  }
  return found;
}

void push_metatable(lua_State* L, const ObjectType& type) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &type) == LUA_TTABLE) return;
  lua_pop(L, 1);
  add_type(L, type);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &type);
}

void push_table(lua_State* L, const ObjectType& type) {
  // One table a state, so that it equals itself; kept beside the metatable.
  const void* key = &type.bindings;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  push_metatable(L, type);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

}  // namespace ts::scripting
