// string.find, match, gmatch and gsub, on the matcher that charges its work.
#include "scripting/sandbox/pattern_functions.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "scripting/sandbox/patterns.h"

namespace ts::scripting {

namespace {

std::string_view check_text(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(L, index, &size);
  return {text, size};
}

// Where a search starts, from 0: the argument counts from 1, from the end when it is negative. May be behind the end.
std::size_t start_argument(lua_State* L, int index, std::size_t size) {
  const lua_Integer start = luaL_optinteger(L, index, 1);
  if (start > 0) return static_cast<std::size_t>(start) - 1;
  if (start == 0 || start < -static_cast<lua_Integer>(size)) return 0;
  return size - static_cast<std::size_t>(-start);
}

// A pattern's "^", which is taken off it.
bool take_anchor(std::string_view& pattern) {
  if (!pattern.starts_with('^')) return false;
  pattern.remove_prefix(1);
  return true;
}

// --- find, match ---

bool is_plain(std::string_view pattern) { return pattern.find_first_of("^$*+?.([%-") == pattern.npos; }

// Finds the text itself. Takes time in proportion to the distance, however much the two resemble each other.
int find_plain(lua_State* L, std::string_view subject, std::string_view wanted, std::size_t start) {
  const void* place = wanted.empty()
                          ? subject.data() + start
                          : memmem(subject.data() + start, subject.size() - start, wanted.data(), wanted.size());
  if (!place) {
    Sandbox::charge(L, 1 + steps_for_bytes(subject.size() - start));
    luaL_pushfail(L);
    return 1;
  }
  const auto found = static_cast<std::size_t>(static_cast<const char*>(place) - subject.data());
  Sandbox::charge(L, 1 + steps_for_bytes(found - start + wanted.size()));
  lua_pushinteger(L, static_cast<lua_Integer>(found) + 1);
  lua_pushinteger(L, static_cast<lua_Integer>(found + wanted.size()));
  return 2;
}

enum class Wanted : bool { Place, Captures };

int search(lua_State* L, Wanted wanted) {
  const std::string_view subject = check_text(L, 1);
  std::string_view pattern = check_text(L, 2);
  std::size_t start = start_argument(L, 3, subject.size());
  if (start > subject.size()) return luaL_pushfail(L), 1;
  if (wanted == Wanted::Place && (lua_toboolean(L, 4) || is_plain(pattern)))
    return find_plain(L, subject, pattern, start);
  const bool anchored = take_anchor(pattern);
  Matcher matcher(L, subject, pattern);
  do {
    const std::size_t end = matcher.match(start);
    if (end == Matcher::kNoMatch) continue;
    if (wanted == Wanted::Captures) return matcher.push_captures(start, end);
    lua_pushinteger(L, static_cast<lua_Integer>(start) + 1);
    lua_pushinteger(L, static_cast<lua_Integer>(end));
    return 2 + (matcher.captures() == 0 ? 0 : matcher.push_captures(start, end));
  } while (start++ < subject.size() && !anchored);
  luaL_pushfail(L);
  return 1;
}

int string_find(lua_State* L) { return search(L, Wanted::Place); }
int string_match(lua_State* L) { return search(L, Wanted::Captures); }

// --- gmatch ---

// Upvalues: subject, pattern, where to go on, where the last match ended (-1: nowhere).
int next_match(lua_State* L) {
  const std::string_view subject = check_text(L, lua_upvalueindex(1)), pattern = check_text(L, lua_upvalueindex(2));
  const lua_Integer last_end = lua_tointeger(L, lua_upvalueindex(4));
  Matcher matcher(L, subject, pattern);
  for (auto start = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3))); start <= subject.size(); ++start) {
    const std::size_t end = matcher.match(start);
    if (end == Matcher::kNoMatch || static_cast<lua_Integer>(end) == last_end) continue;
    lua_pushinteger(L, static_cast<lua_Integer>(end));
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return matcher.push_captures(start, end);
  }
  return 0;
}

int string_gmatch(lua_State* L) {
  const std::string_view subject = check_text(L, 1);
  check_text(L, 2);
  const std::size_t start = start_argument(L, 3, subject.size());
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(std::min(start, subject.size() + 1)));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

// --- gsub ---

constexpr int kReplacement = 3;

struct Match {
  std::size_t start, end;
  std::string_view text;
};

// Adds the replacement text, with its %0 .. %9 and %%.
void add_template(lua_State* L, luaL_Buffer& result, Matcher& matcher, const Match& match) {
  std::string_view text = check_text(L, kReplacement);
  for (std::size_t escape; (escape = text.find('%')) != text.npos; text.remove_prefix(escape + 2)) {
    luaL_addlstring(&result, text.data(), escape);
    const char what = escape + 1 < text.size() ? text[escape + 1] : '\0';
    if (what == '%') {
      luaL_addchar(&result, '%');
    } else if (what == '0') {
      luaL_addlstring(&result, match.text.data(), match.text.size());
    } else if (what >= '1' && what <= '9') {
      matcher.push_capture(what - '1', match.start, match.end);
      luaL_addvalue(&result);
    } else {
      luaL_error(L, "invalid use of '%%' in replacement string");
    }
  }
  luaL_addlstring(&result, text.data(), text.size());
}

// Adds what a function or a table has for the match. False: the match stays as it is.
bool add_looked_up(lua_State* L, luaL_Buffer& result, Matcher& matcher, const Match& match) {
  if (lua_type(L, kReplacement) == LUA_TFUNCTION) {
    lua_pushvalue(L, kReplacement);
    lua_call(L, matcher.push_captures(match.start, match.end), 1);
  } else {
    matcher.push_capture(0, match.start, match.end);
    lua_gettable(L, kReplacement);
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(&result, match.text.data(), match.text.size());
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(&result);
  return true;
}

bool add_replacement(lua_State* L, luaL_Buffer& result, Matcher& matcher, const Match& match) {
  const int type = lua_type(L, kReplacement);
  if (type == LUA_TFUNCTION || type == LUA_TTABLE) return add_looked_up(L, result, matcher, match);
  add_template(L, result, matcher, match);
  return true;
}

int string_gsub(lua_State* L) {
  const std::string_view subject = check_text(L, 1);
  std::string_view pattern = check_text(L, 2);
  const int type = lua_type(L, kReplacement);
  const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(subject.size()) + 1);
  const bool good = type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE;
  luaL_argexpected(L, good, kReplacement, "string/function/table");
  const bool anchored = take_anchor(pattern);
  Matcher matcher(L, subject, pattern);
  luaL_Buffer result;
  luaL_buffinit(L, &result);
  std::size_t at = 0, last_end = Matcher::kNoMatch;
  lua_Integer count = 0;
  bool changed = false;
  while (count < most) {
    const std::size_t end = matcher.match(at);
    if (end != Matcher::kNoMatch && end != last_end) {
      ++count;
      changed = add_replacement(L, result, matcher, {at, end, subject.substr(at, end - at)}) || changed;
      at = last_end = end;
    } else if (at < subject.size()) {
      luaL_addchar(&result, subject[at++]);
    } else {
      break;
    }
    if (anchored) break;
  }
  if (changed) {
    luaL_addlstring(&result, subject.data() + at, subject.size() - at);
    luaL_pushresult(&result);
  } else {
    lua_pushvalue(L, 1);  // the same string, and no new one
  }
  lua_pushinteger(L, count);
  return 2;
}

const luaL_Reg functions[] = {{"find", string_find},
                              {"match", string_match},
                              {"gmatch", string_gmatch},
                              {"gsub", string_gsub},
                              {nullptr, nullptr}};

}  // namespace

void add_pattern_functions(lua_State* L) { luaL_setfuncs(L, functions, 0); }

}  // namespace ts::scripting
