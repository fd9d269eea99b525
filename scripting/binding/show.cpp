// Values on one line.
#include "scripting/binding/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

constexpr int kMostDepth = 3;
constexpr std::size_t kMostEntries = 32, kMostText = 200;

// A long text is cut.
std::string cut_text(std::string_view text) {
  if (text.size() <= kMostText) return quoted(text);
  std::string out = quoted(text.substr(0, kMostText));
  out.insert(out.size() - 1, "...");
  return out;
}

bool is_name(std::string_view text) {
  const auto good = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, good);
}

std::string shown_at(lua_State* L, int index, int depth);

std::string key_text(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return "[" + shown_at(L, index, kMostDepth) + "]";
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return is_name({text, size}) ? std::string(text, size) : "[" + cut_text({text, size}) + "]";
}

// What a table says of itself: sources, leaves and micro-steps do.
std::optional<std::string> own_text(lua_State* L, int index) {
  if (lua_checkstack(L, 2) == 0) return {};
  lua_pushliteral(L, "text");
  std::optional<std::string> text;
  if (lua_rawget(L, index) == LUA_TSTRING) text = lua_tostring(L, -1);
  lua_pop(L, 1);
  return text;
}

// A list shows its values, then come the other keys in order.
std::string table_text(lua_State* L, int index, int depth) {
  if (depth >= kMostDepth || lua_checkstack(L, 8) == 0) return "{...}";
  std::vector<std::string> entries;
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= length && entries.size() < kMostEntries; ++i) {
    lua_rawgeti(L, index, i);
    entries.push_back(shown_at(L, lua_gettop(L), depth + 1));
    lua_pop(L, 1);
  }
  std::map<std::string, std::string> named;
  lua_pushnil(L);
  while (entries.size() + named.size() <= kMostEntries && lua_next(L, index) != 0) {
    const bool in_list = lua_isinteger(L, -2) != 0 && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= length;
    if (!in_list) named[key_text(L, lua_gettop(L) - 1)] = shown_at(L, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
  }
  for (const auto& [key, value] : named) entries.push_back(key + "=" + value);
  const bool cut = entries.size() > kMostEntries || static_cast<std::size_t>(length) > kMostEntries;
  if (entries.size() > kMostEntries) entries.resize(kMostEntries);
  return fmt::format("{{{}{}}}", fmt::join(entries, ", "), cut ? ", ..." : "");
}

std::string shown_at(lua_State* L, int index, int depth) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(L, index, &size);
      return depth == 0 ? std::string(text, size) : cut_text({text, size});
    }
    case LUA_TTABLE: {
      if (const auto text = own_text(L, index)) return *text;
      if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return table_text(L, index, depth);
      lua_pop(L, 1);
      return "table";  // asking it would run the script's code
    }
    default: {
      std::string text(Sandbox::push_text(L, index));
      lua_pop(L, 1);
      return text;
    }
  }
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else if (static_cast<unsigned char>(c) < 32) out += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    else out += c;
  }
  return out + '"';
}

std::string shown(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (!lua_istable(L, index) || lua_rawlen(L, index) == 0) return shown_at(L, index, 0);
  // A list of such tables has a line for each.
  std::string lines;
  const auto length = static_cast<lua_Integer>(std::min<std::size_t>(lua_rawlen(L, index), kMostEntries));
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, index, i);
    const auto text = lua_istable(L, -1) ? own_text(L, lua_gettop(L)) : std::nullopt;
    lua_pop(L, 1);
    if (!text) return shown_at(L, index, 0);
    lines += (i == 1 ? "" : "\n") + *text;
  }
  return lines + (lua_rawlen(L, index) > kMostEntries ? "\n..." : "");
}

}  // namespace ts::scripting
