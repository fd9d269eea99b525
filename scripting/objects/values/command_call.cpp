// Arguments of commands.
#include "scripting/objects/values/command_call.h"

#include <fmt/format.h>

#include "scripting/binding/arguments.h"
#include "scripting/objects/values/tile.h"

namespace ts::scripting {
namespace {

using Type = CommandParameter::Type;

const char* type_text(Type type) {
  switch (type) {
    case Type::Integer: return "integer";
    case Type::Number: return "number";
    case Type::Text: return "string";
    case Type::Tile: return "tile | string";
    case Type::Flag: return "boolean";
    case Type::Any: return "number | string";
  }
  return "any";
}

const char* example_of(Type type) {
  switch (type) {
    case Type::Integer:
    case Type::Number:
    case Type::Any: return "0";
    case Type::Text:
    case Type::Tile: return "\"t\"";
    case Type::Flag: return "true";
  }
  return "nil";
}

std::string check_tile_name(lua_State* L, int index, const char* name) {
  if (const Place* place = to_place(L, index)) return place->name;
  const std::string text = check_text(L, index, name);
  return text.starts_with('%') ? text.substr(1) : text;
}

std::int64_t check_flag(lua_State* L, int index, const char* name) {
  if (lua_isboolean(L, index)) return lua_toboolean(L, index);
  if (lua_isinteger(L, index) == 0) wrong_argument(L, index, name, "true or false");
  return check_integer(L, index, name, 0, 1);
}

CommandValue check_value(lua_State* L, int index, const CommandParameter& parameter) {
  switch (parameter.type) {
    case Type::Integer: return check_integer(L, index, parameter.name);
    case Type::Number:
      if (lua_isnumber(L, index) == 0) wrong_argument(L, index, parameter.name, "a number");
      return std::string(lua_tostring(L, index));
    case Type::Text: return check_text(L, index, parameter.name);
    case Type::Tile: return check_tile_name(L, index, parameter.name);
    case Type::Flag: return check_flag(L, index, parameter.name);
    case Type::Any: break;
  }
  if (lua_isinteger(L, index) != 0) return static_cast<std::int64_t>(lua_tointeger(L, index));
  if (lua_type(L, index) == LUA_TNUMBER) return fmt::format("{}", lua_tonumber(L, index));
  return check_text(L, index, parameter.name);
}

}  // namespace

std::vector<CommandValue> check_command_values(lua_State* L, int index, const CommandRow& row) {
  std::vector<CommandValue> values;
  for (const CommandParameter& parameter : row.parameters) {
    const int at = index + static_cast<int>(values.size());
    if (lua_isnoneornil(L, at) && !parameter.is_required()) break;
    values.push_back(check_value(L, at, parameter));
  }
  return values;
}

std::string parameters_text(const CommandRow& row) {
  std::string out;
  for (const CommandParameter& parameter : row.parameters)
    out += fmt::format("{}{}{}: {}", out.empty() ? "" : ", ", parameter.name, parameter.is_required() ? "" : "?",
                       type_text(parameter.type));
  return "(" + out + ")";
}

std::string example_arguments(const CommandRow& row) {
  std::string out;
  for (const CommandParameter& parameter : row.parameters)
    if (parameter.is_required()) out += fmt::format("{}{}", out.empty() ? "" : ", ", example_of(parameter.type));
  return out;
}

}  // namespace ts::scripting
