// Checking arguments, and saying what is wrong with them.
#include "scripting/binding/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/text/near.h"
#include "scripting/binding/binding.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostQuoted = 40;

std::string range_text(std::int64_t least, std::int64_t most) {
  if (most == std::numeric_limits<std::int64_t>::max())
    return least == std::numeric_limits<std::int64_t>::min() ? "an integer"
                                                             : fmt::format("an integer from {} on", least);
  return least > most ? "an integer, and there is none that fits"
                      : fmt::format("an integer from {} to {}", least, most);
}

// "rec:seek: ", or nothing where no row runs.
std::string prefix(lua_State* L) {
  const Binding* row = current_binding(L);
  return row == nullptr ? "" : fmt::format("{}: ", row->called());
}

[[noreturn]] void wrong_value(lua_State* L, int index, std::string_view name, const std::string& wanted) {
  raise(L, fmt::format("{}{}: wanted {}, got {}", prefix(L), name, wanted, describe(L, index)));
}

// Integers, and floats that are whole. Texts are not numbers here, though Lua would take them.
std::optional<std::int64_t> to_integer(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER) return {};
  int whole = 0;
  const lua_Integer value = lua_tointegerx(L, index, &whole);
  return whole != 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::int64_t integer_at(lua_State* L, int index, std::string_view name, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> value = to_integer(L, index);
  if (!value || *value < least || *value > most) wrong_value(L, index, name, range_text(least, most));
  return *value;
}

std::string text_at(lua_State* L, int index, std::string_view name) {
  if (lua_type(L, index) != LUA_TSTRING) wrong_value(L, index, name, "a text");
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return {text, size};
}

std::size_t word_at(lua_State* L, int index, std::string_view name, std::initializer_list<const char*> words) {
  if (lua_type(L, index) == LUA_TSTRING) {
    const std::string_view given = lua_tostring(L, index);
    const auto found = std::ranges::find(words, given, [](const char* word) { return std::string_view(word); });
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  wrong_value(L, index, name, fmt::format("'{}'", fmt::join(words, "', '")));
}

}  // namespace

void raise(lua_State* L, const Refusal& refusal) { raise(L, refusal.text, refusal.hint); }

void raise(lua_State* L, const std::string& text, const std::string& hint) {
  luaL_where(L, 1);
  lua_pushlstring(L, text.data(), text.size());
  if (!hint.empty()) lua_pushfstring(L, " (%s)", hint.c_str());
  lua_concat(L, hint.empty() ? 2 : 3);
  lua_error(L);
  std::abort();  // lua_error does not return, which its declaration does not say
}

void wrong_argument(lua_State* L, int index, const char* name, const std::string& wanted) {
  wrong_value(L, index, name, wanted);
}

std::string a_or_an(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string describe(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNONE: return "nothing";
    case LUA_TNIL: return "nil";
    case LUA_TBOOLEAN: return lua_toboolean(L, index) != 0 ? "true" : "false";
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) return fmt::format("the number {}", lua_tointeger(L, index));
      return fmt::format("the number {}", lua_tonumber(L, index));
    case LUA_TSTRING: {
      const std::string_view text = lua_tostring(L, index);
      return text.size() <= kMostQuoted ? fmt::format("the text '{}'", text)
                                        : fmt::format("the text '{}...'", text.substr(0, kMostQuoted));
    }
    default: break;
  }
  if (luaL_getmetafield(L, index, "__name") == LUA_TSTRING) {
    std::string name = a_or_an(lua_tostring(L, -1));
    lua_pop(L, 1);
    return name;
  }
  return a_or_an(luaL_typename(L, index));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known) {
  const std::vector<std::string> near = text::near_names(name, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or "));
}

std::int64_t check_integer(lua_State* L, int index, const char* name) {
  return integer_at(L, index, name, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

std::int64_t check_integer(lua_State* L, int index, const char* name, std::int64_t least, std::int64_t most) {
  return integer_at(L, index, name, least, most);
}

std::int64_t optional_integer(lua_State* L, int index, const char* name, std::int64_t least, std::int64_t most,
                              std::int64_t other) {
  return lua_isnoneornil(L, index) ? other : integer_at(L, index, name, least, most);
}

std::uint32_t check_index(lua_State* L, int index, std::uint64_t limit, const char* name) {
  return static_cast<std::uint32_t>(integer_at(L, index, name, 0, static_cast<std::int64_t>(limit) - 1));
}

double check_number(lua_State* L, int index, const char* name) {
  if (lua_type(L, index) != LUA_TNUMBER) wrong_value(L, index, name, "a number");
  return lua_tonumber(L, index);
}

std::string check_text(lua_State* L, int index, const char* name) { return text_at(L, index, name); }

void check_function(lua_State* L, int index, const char* name) {
  if (!lua_isfunction(L, index)) wrong_value(L, index, name, "a function");
}

void check_table(lua_State* L, int index, const char* name) {
  if (!lua_istable(L, index)) wrong_value(L, index, name, "a table");
}

std::size_t check_word(lua_State* L, int index, const char* name, std::initializer_list<const char*> words) {
  return word_at(L, index, name, words);
}

OptionTable::OptionTable(lua_State* L, int index, const char* name, std::initializer_list<const char*> known)
    : OptionTable(L, index, name, std::vector<const char*>(known)) {}

OptionTable::OptionTable(lua_State* L, int index, const char* name, const std::vector<const char*>& known)
    : L_(L), index_(lua_isnoneornil(L, index) ? 0 : lua_absindex(L, index)) {
  if (index_ == 0) return;
  check_table(L, index_, name);
  check_keys(name, known);
}

void OptionTable::check_keys(const char* name, const std::vector<const char*>& known) const {
  const std::vector<std::string_view> names(known.begin(), known.end());
  // The first by name: the order of a table is nobody's business.
  std::optional<std::string> unknown;
  for (lua_pushnil(L_); lua_next(L_, index_) != 0; lua_pop(L_, 1)) {
    if (lua_type(L_, -2) != LUA_TSTRING)
      raise(L_, fmt::format("{}{} has no {}", prefix(L_), name, describe(L_, -2)),
            fmt::format("it may have {}", fmt::join(names, ", ")));
    const std::string key = lua_tostring(L_, -2);
    if (std::ranges::find(names, key) == names.end() && (!unknown || key < *unknown)) unknown = key;
  }
  if (unknown)
    raise(L_, fmt::format("{}{} has no '{}'{}", prefix(L_), name, *unknown, did_you_mean(*unknown, names)),
          fmt::format("it may have {}", fmt::join(names, ", ")));
}

int OptionTable::push(const char* key) const {
  if (index_ != 0) return lua_getfield(L_, index_, key);
  lua_pushnil(L_);
  return LUA_TNIL;
}

bool OptionTable::has(const char* key) const {
  const bool there = push(key) != LUA_TNIL;
  lua_pop(L_, 1);
  return there;
}

std::optional<std::int64_t> OptionTable::integer(const char* key, std::int64_t least, std::int64_t most) const {
  std::optional<std::int64_t> value;
  if (push(key) != LUA_TNIL) value = integer_at(L_, -1, key, least, most);
  lua_pop(L_, 1);
  return value;
}

std::optional<std::uint32_t> OptionTable::index(const char* key, std::uint64_t limit) const {
  const auto value = integer(key, 0, static_cast<std::int64_t>(limit) - 1);
  return value ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<double> OptionTable::number(const char* key) const {
  std::optional<double> value;
  if (push(key) != LUA_TNIL) value = check_number(L_, -1, key);
  lua_pop(L_, 1);
  return value;
}

std::optional<std::string> OptionTable::text(const char* key) const {
  std::optional<std::string> value;
  if (push(key) != LUA_TNIL) value = text_at(L_, -1, key);
  lua_pop(L_, 1);
  return value;
}

bool OptionTable::truth(const char* key, bool other) const {
  const int type = push(key);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN) wrong_value(L_, -1, key, "true or false");
  const bool value = type == LUA_TNIL ? other : lua_toboolean(L_, -1) != 0;
  lua_pop(L_, 1);
  return value;
}

std::optional<std::size_t> OptionTable::word(const char* key, std::initializer_list<const char*> words) const {
  std::optional<std::size_t> value;
  if (push(key) != LUA_TNIL) value = word_at(L_, -1, key, words);
  lua_pop(L_, 1);
  return value;
}

bool OptionTable::push_function(const char* key) const {
  if (push(key) == LUA_TNIL) {
    lua_pop(L_, 1);
    return false;
  }
  check_function(L_, -1, key);
  return true;
}

void OptionTable::wrong(const char* key, const std::string& wanted) const {
  push(key);
  wrong_value(L_, -1, key, wanted);
}

}  // namespace ts::scripting
