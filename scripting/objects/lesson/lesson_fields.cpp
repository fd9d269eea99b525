// Reading the tables of a lesson.
#include "scripting/objects/lesson/lesson_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "scripting/binding/arguments.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

// A lesson of more is no lesson, and its page no page.
constexpr std::size_t kMostTextBytes = std::size_t{64} << 10;
constexpr lua_Integer kMostEntries = 500;

}  // namespace

Fields::Fields(lua_State* L, int index, std::string path, std::vector<const char*> known, bool list)
    : L_(L), index_(lua_absindex(L, index)), path_(std::move(path)) {
  if (!lua_istable(L_, index_))
    raise(L_, fmt::format("pto.lesson: {}wanted a table, got {}",
                          path_.empty() || path_.ends_with(": ") ? path_ : path_ + ": ", describe(L_, index_)));
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::optional<std::string> unknown;
  for (lua_pushnil(L_); lua_next(L_, index_) != 0; lua_pop(L_, 1)) {
    if (list && lua_type(L_, -2) == LUA_TNUMBER) continue;
    const std::string key = lua_type(L_, -2) == LUA_TSTRING ? std::string(lua_tostring(L_, -2)) : describe(L_, -2);
    if (std::ranges::find(names, key) == names.end() && (!unknown || key < *unknown)) unknown = key;
  }
  if (unknown)
    refuse(fmt::format("there is no '{}'{}", *unknown, did_you_mean(*unknown, names)),
           fmt::format("it may have {}", fmt::join(names, ", ")));
}

bool Fields::has(const char* key) const {
  const bool there = push(key) != LUA_TNIL;
  lua_pop(L_, 1);
  return there;
}

int Fields::push(const char* key) const {
  luaL_checkstack(L_, 4, nullptr);
  return lua_getfield(L_, index_, key);
}

std::string Fields::text_at(int index, const char* key) const {
  if (lua_type(L_, index) != LUA_TSTRING)
    raise(L_, fmt::format("pto.lesson: {}: wanted a text, got {}", path(key), describe(L_, index)));
  std::size_t size = 0;
  const char* text = lua_tolstring(L_, index, &size);
  if (size > kMostTextBytes)
    raise(L_, fmt::format("pto.lesson: {}: a text of {} bytes is too long", path(key), size), "at most 64 KiB");
  return {text, size};
}

std::uint32_t Fields::number_at(int index, const char* key) const {
  constexpr lua_Integer kMost = lua_Integer{1} << 31;
  if (!lua_isinteger(L_, index) || lua_tointeger(L_, index) < 0 || lua_tointeger(L_, index) > kMost)
    raise(L_, fmt::format("pto.lesson: {}: wanted a whole number from 0 on, got {}", path(key), describe(L_, index)));
  return static_cast<std::uint32_t>(lua_tointeger(L_, index));
}

std::optional<std::string> Fields::text(const char* key) const {
  std::optional<std::string> value;
  if (push(key) != LUA_TNIL) value = text_at(-1, key);
  lua_pop(L_, 1);
  return value;
}

std::optional<std::uint32_t> Fields::number(const char* key) const {
  std::optional<std::uint32_t> value;
  if (push(key) != LUA_TNIL) value = number_at(-1, key);
  lua_pop(L_, 1);
  return value;
}

bool Fields::truth(const char* key) const {
  const int type = push(key);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN) {
    lua_pop(L_, 1);
    wrong(key, "true or false");
  }
  const bool value = lua_toboolean(L_, -1) != 0;
  lua_pop(L_, 1);
  return value;
}

void Fields::each(const char* key, const std::function<void(lua_Integer)>& each) const {
  if (push(key) != LUA_TTABLE) {
    lua_pop(L_, 1);
    wrong(key, "a list");
  }
  const auto count = static_cast<lua_Integer>(lua_rawlen(L_, -1));
  if (count > kMostEntries)
    raise(L_, fmt::format("pto.lesson: {}: {} entries are too many", path(key), count), "at most 500");
  Sandbox::charge(L_, static_cast<std::uint64_t>(count) * 20);
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(L_, -1, i);
    each(i);
    lua_pop(L_, 1);
  }
  lua_pop(L_, 1);
}

std::vector<std::string> Fields::texts(const char* key) const {
  std::vector<std::string> all;
  const int type = push(key);
  lua_pop(L_, 1);
  if (type == LUA_TNIL) return all;
  if (type == LUA_TSTRING) return {*text(key)};
  each(key, [&](lua_Integer) { all.push_back(text_at(-1, key)); });
  return all;
}

std::vector<std::uint32_t> Fields::numbers(const char* key) const {
  std::vector<std::uint32_t> all;
  const int type = push(key);
  lua_pop(L_, 1);
  if (type == LUA_TNIL) return all;
  if (type == LUA_TNUMBER) return {*number(key)};
  each(key, [&](lua_Integer) { all.push_back(number_at(-1, key)); });
  return all;
}

void Fields::wrong(const char* key, const std::string& wanted) const {
  push(key);
  raise(L_, fmt::format("pto.lesson: {}: wanted {}, got {}", path(key), wanted, describe(L_, -1)));
}

void Fields::refuse(const std::string& text, const std::string& hint) const {
  const std::string where = path_.ends_with(": ") ? path_.substr(0, path_.size() - 2) : path_;
  raise(L_, where.empty() ? fmt::format("pto.lesson: {}", text) : fmt::format("pto.lesson: {}: {}", where, text), hint);
}

}  // namespace ts::scripting
