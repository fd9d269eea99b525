// The table library. Every loop charges its work, because lengths come from __len and elements from __index.
#include <algorithm>
#include <climits>
#include <utility>

#include "scripting/sandbox/libraries.h"
#include "scripting/sandbox/work.h"

namespace ts::scripting {

namespace {

constexpr std::uint64_t kStepsPerTurn = 3;

// A table, or something that behaves like one in the ways that are needed.
enum Needs : unsigned { Read = 1, Write = 2, Length = 4 };

bool has_metafield(lua_State* L, int index, const char* name) {
  if (luaL_getmetafield(L, index, name) == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

void check_table(lua_State* L, int index, unsigned needs) {
  if (lua_istable(L, index)) return;
  const bool good = (!(needs & Read) || has_metafield(L, index, "__index")) &&
                    (!(needs & Write) || has_metafield(L, index, "__newindex")) &&
                    (!(needs & Length) || has_metafield(L, index, "__len"));
  if (!good) luaL_checktype(L, index, LUA_TTABLE);
}

lua_Integer checked_length(lua_State* L, int index, unsigned needs) {
  check_table(L, index, needs | Length);
  return luaL_len(L, index);
}

// a + b, as Lua's integers wrap.
lua_Integer wrapped_sum(lua_Integer a, lua_Integer b) {
  return static_cast<lua_Integer>(static_cast<lua_Unsigned>(a) + static_cast<lua_Unsigned>(b));
}

// table[to] = table[from]
void copy_element(lua_State* L, int from_table, lua_Integer from, int to_table, lua_Integer to) {
  lua_geti(L, from_table, from);
  lua_seti(L, to_table, to);
}

// --- insert, remove, move ---

int table_insert(lua_State* L) {
  const lua_Integer end = wrapped_sum(checked_length(L, 1, Read | Write), 1);  // the first empty element
  const int count = lua_gettop(L);
  if (count != 2 && count != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  lua_Integer position = end;
  Work work(L);
  if (count == 3) {
    position = luaL_checkinteger(L, 2);
    // One comparison for both ends, and for an `end` that wrapped.
    const bool good = static_cast<lua_Unsigned>(position) - 1u < static_cast<lua_Unsigned>(end);
    luaL_argcheck(L, good, 2, "position out of bounds");
    for (lua_Integer i = end; i > position; --i) {
      copy_element(L, 1, i - 1, 1, i);
      work.add(kStepsPerTurn);
    }
  }
  lua_seti(L, 1, position);
  work.settle();
  return 0;
}

int table_remove(lua_State* L) {
  const lua_Integer size = checked_length(L, 1, Read | Write);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size) {
    const bool good = static_cast<lua_Unsigned>(position) - 1u <= static_cast<lua_Unsigned>(size);  // 1 .. size + 1
    luaL_argcheck(L, good, 2, "position out of bounds");
  }
  lua_geti(L, 1, position);
  Work work(L);
  for (; position < size; ++position) {
    copy_element(L, 1, position + 1, 1, position);
    work.add(kStepsPerTurn);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  work.settle();
  return 1;
}

// table.move(a, from, end, to, b)
int table_move(lua_State* L) {
  const lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  const int target = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, Read);
  check_table(L, target, Write);
  lua_settop(L, 5);
  lua_pushvalue(L, target);  // the result
  if (end < from) return 1;
  luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
  const lua_Integer count = end - from + 1;
  luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
  // Where the two ranges overlap, the end that would be overwritten goes first.
  const bool forwards = to > end || to <= from || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
  Work work(L);
  for (lua_Integer i = 0; i < count; ++i) {
    const lua_Integer at = forwards ? i : count - 1 - i;
    copy_element(L, 1, from + at, target, to + at);
    work.add(kStepsPerTurn);
  }
  work.settle();
  return 1;
}

// --- concat, unpack ---

void add_element(lua_State* L, luaL_Buffer& text, lua_Integer i, Work& work) {
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1)) {
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
               static_cast<LUAI_UACINT>(i));
  }
  const std::size_t size = lua_rawlen(L, -1);
  luaL_addvalue(&text);
  work.add(kStepsPerTurn + steps_for_bytes(size));
}

int table_concat(lua_State* L) {
  const lua_Integer size = checked_length(L, 1, Read);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(L, 2, "", &separator_size);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  const lua_Integer last = luaL_optinteger(L, 4, size);
  Work work(L);
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (; i < last; ++i) {
    add_element(L, text, i, work);
    luaL_addlstring(&text, separator, separator_size);
    work.add(steps_for_bytes(separator_size));
  }
  if (i == last) add_element(L, text, i, work);
  work.settle();
  luaL_pushresult(&text);
  return 1;
}

int table_unpack(lua_State* L) {
  lua_Integer i = luaL_optinteger(L, 2, 1);
  const lua_Integer end = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  if (i > end) return 0;
  const lua_Unsigned count = static_cast<lua_Unsigned>(end) - static_cast<lua_Unsigned>(i);
  if (count >= INT_MAX || !lua_checkstack(L, static_cast<int>(count) + 1)) {
    return luaL_error(L, "too many results to unpack");
  }
  Sandbox::charge(L, count + 1);
  for (; i < end; ++i) lua_geti(L, 1, i);
  lua_geti(L, 1, end);
  return static_cast<int>(count) + 1;
}

// --- sort ---

// Sorts by merging, between two lists of its own: the number of comparisons is bounded and the result well defined
// whatever the comparison says, equal elements keep their order, and an error leaves the table as it was.
class Sorter {
 public:
  Sorter(lua_State* L, lua_Integer count) : L_(L), count_(count), work_(L) {}

  void sort() {
    read();
    for (lua_Integer width = 1; width < count_; width *= 2) {
      for (lua_Integer first = 1; first <= count_; first += 2 * width) merge(first, width);
      std::swap(from_, to_);
    }
    write();
  }

 private:
  static constexpr int kTable = 1, kComparison = 2;

  void read() {
    lua_newtable(L_);
    lua_newtable(L_);
    for (lua_Integer i = 1; i <= count_; ++i) {
      lua_geti(L_, kTable, i);
      lua_rawseti(L_, from_, i);
      work_.add(kStepsPerTurn);
    }
  }

  void write() {
    for (lua_Integer i = 1; i <= count_; ++i) {
      lua_rawgeti(L_, from_, i);
      lua_seti(L_, kTable, i);
      work_.add(kStepsPerTurn);
    }
    work_.settle();
  }

  // Merges two neighbouring runs of `width` elements; the second may be short, or not there.
  void merge(lua_Integer first, lua_Integer width) {
    lua_Integer left = first, right = first + width;
    const lua_Integer left_end = std::min(right, count_ + 1), right_end = std::min(right + width, count_ + 1);
    for (lua_Integer i = first; i < right_end; ++i) {
      const bool takes_right = left == left_end || (right < right_end && is_less(right, left));
      lua_rawgeti(L_, from_, takes_right ? right++ : left++);
      lua_rawseti(L_, to_, i);
      work_.add(kStepsPerTurn);
    }
  }

  bool is_less(lua_Integer a, lua_Integer b) {
    const bool has_comparison = !lua_isnil(L_, kComparison);
    if (has_comparison) lua_pushvalue(L_, kComparison);
    lua_rawgeti(L_, from_, a);
    lua_rawgeti(L_, from_, b);
    bool less = false;
    if (has_comparison) {
      lua_call(L_, 2, 1);
      less = lua_toboolean(L_, -1);
      lua_pop(L_, 1);
    } else {
      less = lua_compare(L_, -2, -1, LUA_OPLT);
      lua_pop(L_, 2);
    }
    return less;
  }

  lua_State* L_;
  lua_Integer count_;
  Work work_;
  int from_ = 3, to_ = 4;  // where the two lists lie
};

int table_sort(lua_State* L) {
  const lua_Integer count = checked_length(L, 1, Read | Write);
  if (count < 2) return 0;
  luaL_argcheck(L, count < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, 8, nullptr);
  Sorter(L, count).sort();
  return 0;
}

const luaL_Reg table_functions[] = {
    {"insert", table_insert}, {"remove", table_remove}, {"move", table_move}, {"concat", table_concat},
    {"unpack", table_unpack}, {"sort", table_sort},     {nullptr, nullptr},
};

void open_table(lua_State* L) {
  push_library(L, luaopen_table, {"pack"});
  luaL_setfuncs(L, table_functions, 0);
  lua_setglobal(L, "table");
}

const Listed<Library> kTableLibraryListed{50, {"table", open_table}};

}  // namespace
}  // namespace ts::scripting
