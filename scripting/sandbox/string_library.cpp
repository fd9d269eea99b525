// The string and utf8 libraries: Lua's own functions behind a look at how much they are about to do.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "scripting/sandbox/libraries.h"
#include "scripting/sandbox/pattern_functions.h"
#include "scripting/sandbox/work.h"

namespace ts::scripting {

namespace {

// The upvalue of a wrapper is Lua's own function, which does the work with the same arguments.
int call_counted(lua_State* L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return {text, size};
}

// --- charges ---

// The work is a new string, which the allocator charges.
int charge_call(lua_State* L) {
  Sandbox::charge(L, 1);
  return call_counted(L);
}

// A position as Lua counts them: from 1, from the end when negative.
lua_Integer position(lua_State* L, int index, lua_Integer missing, lua_Integer size) {
  int is_integer = 0;
  const lua_Integer given = lua_tointegerx(L, index, &is_integer);
  if (!is_integer) return missing;
  return std::clamp<lua_Integer>(given < 0 ? given + size + 1 : given, 0, size);
}

// (text, first, last): the work is the range. `kLast` is what `last` is when it is missing: -1 the end, 0 as `first`.
template <int kLast>
int charge_range(lua_State* L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    const auto size = static_cast<lua_Integer>(lua_rawlen(L, 1));
    const lua_Integer first = position(L, 2, 1, size);
    const lua_Integer last = position(L, 3, kLast < 0 ? size : first, size);
    if (last >= first) Sandbox::charge(L, static_cast<std::uint64_t>(last - first) / 2 + 1);
  }
  return call_counted(L);
}

// utf8.offset(text, n): it counts characters, at most all of them.
int charge_offset(lua_State* L) {
  if (lua_type(L, 1) == LUA_TSTRING) {
    const auto count = static_cast<lua_Unsigned>(lua_tointeger(L, 2));
    const lua_Unsigned distance = lua_tointeger(L, 2) < 0 ? 0 - count : count;
    Sandbox::charge(L, std::min<lua_Unsigned>(distance, lua_rawlen(L, 1)) + 1);
  }
  return call_counted(L);
}

// The work is all of a number's digits.
int charge_operands(lua_State* L) {
  for (int i = 1; i <= 2; ++i) {
    if (lua_type(L, i) == LUA_TSTRING) Sandbox::charge(L, lua_rawlen(L, i) / 8 + 1);
  }
  return call_counted(L);
}

void need_all_strings(lua_State* L, std::uint64_t more) {
  std::uint64_t bytes = more;
  for (int i = lua_gettop(L); i > 0; --i) {
    if (lua_type(L, i) == LUA_TSTRING) bytes += lua_rawlen(L, i);
  }
  Sandbox::need_memory(L, bytes);
  Sandbox::charge(L, 1 + steps_for_bytes(bytes));
}

// --- rep ---

int string_rep(lua_State* L) {
  std::size_t size = 0, separator_size = 0;
  const char* text = luaL_checklstring(L, 1, &size);
  const lua_Integer count = luaL_checkinteger(L, 2);
  const char* separator = luaL_optlstring(L, 3, "", &separator_size);
  const std::size_t both = size + separator_size;
  if (count <= 0 || both == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (both > static_cast<lua_Unsigned>(LUA_MAXINTEGER) / static_cast<lua_Unsigned>(count)) {
    return luaL_error(L, "resulting string too large");
  }
  const std::size_t total = both * static_cast<std::size_t>(count) - separator_size;
  Sandbox::need_memory(L, total > (~std::size_t{0} >> 1) ? total : 2 * total);  // Lua makes it in a buffer first
  Sandbox::charge(L, 1);
  luaL_Buffer result;
  char* bytes = luaL_buffinitsize(L, &result, total);
  std::memcpy(bytes, text, size);
  if (both <= total) std::memcpy(bytes + size, separator, separator_size);
  // Each copy doubles what is there.
  for (std::size_t filled = std::min(both, total); filled < total; filled *= 2) {
    std::memcpy(bytes + filled, bytes, std::min(filled, total - filled));
  }
  luaL_pushresultsize(&result, total);
  return 1;
}

// --- format, pack ---

// Replaces what a %s shows by its text, and refuses %p: it would be an address.
int string_format(lua_State* L) {
  luaL_checkstring(L, 1);
  const std::string_view format = text_at(L, 1);
  int argument = 1;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    i = std::min(format.find_first_not_of("-+# 0123456789.", i + 1), format.size());
    if (i == format.size() || format[i] == '%') continue;
    ++argument;
    if (format[i] == 'p')
      return luaL_error(L, "'%%p' is not available in scripts: it would show an address of the host");
    if (format[i] == 's' && argument <= lua_gettop(L)) {
      Sandbox::push_text(L, argument);
      lua_replace(L, argument);
    }
  }
  need_all_strings(L, 0);
  return call_counted(L);
}

// The format's numbers are sizes, to which Lua pads.
int string_pack(lua_State* L) {
  luaL_checkstring(L, 1);
  std::uint64_t padding = 0, number = 0;
  for (const char c : text_at(L, 1)) {
    number = c >= '0' && c <= '9'
                 ? std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), 1ull << 40)
                 : 0;
    padding += number;
  }
  need_all_strings(L, padding);
  return call_counted(L);
}

// --- opening ---

struct Wrapper {
  const char* name;
  lua_CFunction function;
};

// Puts wrappers around functions of the table on top of the stack.
template <std::size_t N>
void wrap(lua_State* L, const Wrapper (&wrappers)[N]) {
  for (const Wrapper& wrapper : wrappers) {
    lua_getfield(L, -1, wrapper.name);
    lua_pushcclosure(L, wrapper.function, 1);
    lua_setfield(L, -2, wrapper.name);
  }
}

// clang-format off
const Wrapper string_wrappers[] = {
    {"byte", charge_range<0>},  {"char", charge_call},     {"format", string_format}, {"lower", charge_call},
    {"pack", string_pack},      {"reverse", charge_call},  {"sub", charge_call},      {"unpack", charge_call},
    {"upper", charge_call},     {"packsize", charge_call},
};
// clang-format on

const Wrapper operator_wrappers[] = {
    {"__add", charge_operands}, {"__sub", charge_operands}, {"__mul", charge_operands},  {"__mod", charge_operands},
    {"__pow", charge_operands}, {"__div", charge_operands}, {"__idiv", charge_operands}, {"__unm", charge_operands},
};

const Wrapper utf8_wrappers[] = {
    {"char", charge_call},
    {"codepoint", charge_range<0>},
    {"len", charge_range<-1>},
    {"offset", charge_offset},
};

void open_string(lua_State* L) {
  push_library(L, luaopen_string,
               {"byte", "char", "format", "len", "lower", "pack", "packsize", "reverse", "sub", "unpack", "upper"});
  wrap(L, string_wrappers);
  lua_pushcfunction(L, string_rep);
  lua_setfield(L, -2, "rep");
  add_pattern_functions(L);
  lua_setglobal(L, "string");
  // The metatable of all strings, made by Lua's opener.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  wrap(L, operator_wrappers);
  lua_pop(L, 2);
}

void open_utf8(lua_State* L) {
  push_library(L, luaopen_utf8, {"char", "charpattern", "codepoint", "codes", "len", "offset"});
  wrap(L, utf8_wrappers);
  lua_setglobal(L, "utf8");
}

const Listed<Library> kString{40, {"string", open_string}};
const Listed<Library> kUtf8{60, {"utf8", open_utf8}};

}  // namespace
}  // namespace ts::scripting
