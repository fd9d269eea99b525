// What a script passes to a binding, checked: messages name the function, the argument, what was wanted and what came.
//
// Errors are C++ exceptions in this build of Lua, so whatever is alive is destroyed on the way. Raise, never throw.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <lua.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/refusal.h"

namespace ts::scripting {

// Raises "k.lua:3: text (hint)".
[[noreturn]] void raise(lua_State* L, const Refusal& refusal);
[[noreturn]] void raise(lua_State* L, const std::string& text, const std::string& hint = "");
// "rec:seek: position: wanted an integer, got a string".
[[noreturn]] void wrong_argument(lua_State* L, int index, const char* name, const std::string& wanted);
// "a tile", "an integer".
std::string a_or_an(std::string_view noun);
// What stands there, in the same words: "nil", "a tile", "the text 'x'", "the number 7".
std::string describe(lua_State* L, int index);
// "; did you mean rows?", or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& known);

std::int64_t check_integer(lua_State* L, int index, const char* name);
// From `least` to `most`, both included.
std::int64_t check_integer(lua_State* L, int index, const char* name, std::int64_t least, std::int64_t most);
std::int64_t optional_integer(lua_State* L, int index, const char* name, std::int64_t least, std::int64_t most,
                              std::int64_t other);
// From 0 to limit - 1: rows and columns count as the ISA does.
std::uint32_t check_index(lua_State* L, int index, std::uint64_t limit, const char* name);
double check_number(lua_State* L, int index, const char* name);
std::string check_text(lua_State* L, int index, const char* name);
void check_function(lua_State* L, int index, const char* name);
void check_table(lua_State* L, int index, const char* name);
// One of a list of words; anything else is refused with the list.
std::size_t check_word(lua_State* L, int index, const char* name, std::initializer_list<const char*> words);

// A table of named options, such as {op="TADD", nth=3}. Keys that are not in `known` are refused. Nil and nothing are
// an empty table. The table stays where it is on the stack; values are read when they are asked for.
class OptionTable {
 public:
  OptionTable(lua_State* L, int index, const char* name, std::initializer_list<const char*> known);
  OptionTable(lua_State* L, int index, const char* name, const std::vector<const char*>& known);

  bool has(const char* key) const;
  // Pushes the value, nil where there is none; returns its Lua type.
  int push(const char* key) const;
  std::optional<std::int64_t> integer(const char* key, std::int64_t least, std::int64_t most) const;
  std::optional<std::uint32_t> index(const char* key, std::uint64_t limit) const;
  std::optional<double> number(const char* key) const;
  std::optional<std::string> text(const char* key) const;
  bool truth(const char* key, bool other = false) const;
  // The number of the word in `words`.
  std::optional<std::size_t> word(const char* key, std::initializer_list<const char*> words) const;
  // Pushes the function; false, with nothing pushed, where there is none.
  bool push_function(const char* key) const;
  // Raises "rec:find: nth: wanted ..., got ...".
  [[noreturn]] void wrong(const char* key, const std::string& wanted) const;
  lua_State* state() const { return L_; }
  int table() const { return index_; }

 private:
  void check_keys(const char* name, const std::vector<const char*>& known) const;

  lua_State* L_;
  int index_;  // 0: there is no table
};

}  // namespace ts::scripting
