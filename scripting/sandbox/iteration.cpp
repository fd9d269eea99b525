// pairs() and next() in one order, whatever the addresses: numbers ascending, then strings by their bytes, then false and
// true, then everything else as Lua has it.
#include "scripting/sandbox/iteration.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <string_view>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

namespace {

// --- keys ---

enum class Rank : std::uint8_t { Integer, Float, String, Boolean, Other };

// A key as it sorts. The bytes are those of a string that the walk's list keeps alive.
struct Key {
  Rank rank;
  union {
    lua_Integer integer;  // also of booleans
    lua_Number number;
    const char* bytes;
  };
  std::size_t size;   // of a string
  std::size_t place;  // in the walk's list, from 1: Lua's own order

  std::string_view text() const { return {bytes, size}; }
};

// A float that is a key is not an integer, or is beyond them all.
bool integer_below_float(lua_Integer i, lua_Number f) {
  if (f >= 0x1p63) return true;
  if (f < -0x1p63) return false;
  return i <= static_cast<lua_Integer>(std::floor(f));
}

bool numbers_ordered(const Key& a, const Key& b) {
  if (a.rank == b.rank) return a.rank == Rank::Integer ? a.integer < b.integer : a.number < b.number;
  return a.rank == Rank::Integer ? integer_below_float(a.integer, b.number) : !integer_below_float(b.integer, a.number);
}

bool is_number(const Key& key) { return key.rank <= Rank::Float; }

bool operator<(const Key& a, const Key& b) {
  if (is_number(a) && is_number(b)) return numbers_ordered(a, b);
  if (a.rank != b.rank) return a.rank < b.rank;
  switch (a.rank) {
    case Rank::String: return a.text() < b.text();
    case Rank::Boolean: return a.integer < b.integer;
    default: return a.place < b.place;
  }
}

Key key_at(lua_State* L, int index, std::size_t place) {
  Key key{Rank::Other, {0}, 0, place};
  int is_integer = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key.integer = lua_tointegerx(L, index, &is_integer);
      key.rank = is_integer ? Rank::Integer : Rank::Float;
      if (!is_integer) key.number = lua_tonumber(L, index);
      break;
    case LUA_TSTRING:
      key.rank = Rank::String;
      key.bytes = lua_tolstring(L, index, &key.size);
      break;
    case LUA_TBOOLEAN:
      key.rank = Rank::Boolean;
      key.integer = lua_toboolean(L, index);
      break;
    default: break;
  }
  return key;
}

// --- a walk ---

// The keys of one table at one moment, sorted. Lies in a userdata, so that its memory counts, with two values of its own:
// the table, and a list of the keys as Lua had them. A sequence, whose keys are just 1 .. count, has no list and no keys.
struct Walk {
  const void* table;
  std::size_t count;
  std::size_t given;  // how many have been given out
  bool is_sequence;

  Key* keys() { return reinterpret_cast<Key*>(this + 1); }
};
static_assert(sizeof(Walk) % alignof(Key) == 0);
constexpr int kTable = 1, kList = 2;

// Replaces the key on top of the stack by the one that Lua has after it; pops it at the end.
bool raw_next(lua_State* L, int table) {
  if (!lua_next(L, table)) return false;
  lua_pop(L, 1);
  return true;
}

void count_keys(lua_State* L, int table, Walk& walk) {
  lua_pushnil(L);
  while (raw_next(L, table)) {
    ++walk.count;
    int is_integer = 0;
    const lua_Integer key = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer || key != static_cast<lua_Integer>(walk.count)) walk.is_sequence = false;
    if (walk.count % 1024 == 0) Sandbox::charge(L, 1024);
  }
  Sandbox::charge(L, walk.count % 1024);
}

std::uint64_t sorting_steps(std::size_t count) {
  const auto n = static_cast<double>(count);
  return static_cast<std::uint64_t>(n * (4 + std::log2(n + 1)));
}

// Fills the walk's keys and the list on top of the stack. Nothing here may collect: the table must not change.
void sort_keys(lua_State* L, int table, Walk& walk) {
  const int list = lua_gettop(L);
  std::size_t filled = 0, bytes = 0;
  lua_pushnil(L);
  while (raw_next(L, table)) {
    walk.keys()[filled] = key_at(L, -1, filled + 1);
    if (walk.keys()[filled].rank == Rank::String) bytes += walk.keys()[filled].size;
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, static_cast<lua_Integer>(++filled));
  }
  walk.count = filled;
  std::sort(walk.keys(), walk.keys() + filled);
  Sandbox::charge(L, bytes / 16);
}

// Pushes a new walk over the table.
Walk& push_walk(lua_State* L, int table) {
  Walk plan{lua_topointer(L, table), 0, 0, true};
  count_keys(L, table, plan);
  if (!plan.is_sequence) {
    Sandbox::charge(L, sorting_steps(plan.count));
    Sandbox::need_memory(L, plan.count * (sizeof(Key) + 2 * sizeof(void*)));
  }
  const std::size_t key_bytes = plan.is_sequence ? 0 : plan.count * sizeof(Key);
  Walk& walk = *new (lua_newuserdatauv(L, sizeof(Walk) + key_bytes, 2)) Walk(plan);
  lua_pushvalue(L, table);
  lua_setiuservalue(L, -2, kTable);
  if (walk.is_sequence) return walk;
  lua_createtable(L, static_cast<int>(walk.count), 0);
  sort_keys(L, table, walk);
  lua_setiuservalue(L, -2, kList);
  return walk;
}

void push_key(lua_State* L, int walk_index, Walk& walk, std::size_t i) {
  if (walk.is_sequence) return lua_pushinteger(L, static_cast<lua_Integer>(i) + 1);
  lua_getiuservalue(L, walk_index, kList);
  lua_rawgeti(L, -1, static_cast<lua_Integer>(walk.keys()[i].place));
  lua_remove(L, -2);
}

// How many keys of the walk are up to `key`, which lies at `index`. It need not be in the table any more.
std::size_t keys_up_to(lua_State* L, int index, int walk_index, Walk& walk) {
  Key key = key_at(L, index, 0);
  if (key.rank == Rank::Float && std::isnan(key.number)) luaL_error(L, "invalid key to 'next'");
  if (walk.is_sequence) {
    if (key.rank == Rank::Integer)
      return static_cast<std::size_t>(std::clamp<lua_Integer>(key.integer, 0, static_cast<lua_Integer>(walk.count)));
    if (key.rank == Rank::Float)
      return static_cast<std::size_t>(std::clamp(std::floor(key.number), 0.0, static_cast<double>(walk.count)));
  } else if (key.rank != Rank::Other) {
    return static_cast<std::size_t>(std::upper_bound(walk.keys(), walk.keys() + walk.count, key) - walk.keys());
  }
  // A table or a function has no order of its own; it has to be there.
  for (std::size_t i = 0; i < walk.count; ++i) {
    push_key(L, walk_index, walk, i);
    const bool found = lua_rawequal(L, -1, index);
    lua_pop(L, 1);
    if (found) return i + 1;
  }
  return static_cast<std::size_t>(luaL_error(L, "invalid key to 'next'"));
}

// --- next and pairs ---

constexpr int kWalkUpvalue = 1;

bool continues(lua_State* L, Walk* walk) {
  if (!walk || walk->table != lua_topointer(L, 1) || walk->given == 0) return false;
  push_key(L, lua_upvalueindex(kWalkUpvalue), *walk, walk->given - 1);
  const bool same = lua_rawequal(L, -1, 2);
  lua_pop(L, 1);
  return same;
}

// Goes on with the walk of the last call, as a loop does, or makes a new one.
Walk& walk_for(lua_State* L) {
  constexpr int slot = lua_upvalueindex(kWalkUpvalue);
  auto* last = static_cast<Walk*>(lua_touserdata(L, slot));
  if (!lua_isnil(L, 2) && continues(L, last)) return *last;
  Walk& walk = push_walk(L, 1);
  if (!lua_isnil(L, 2)) walk.given = keys_up_to(L, 2, lua_gettop(L), walk);
  lua_replace(L, slot);
  return walk;
}

// next(table, key): the next key that still has a value, and the value.
int step(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  Walk& walk = walk_for(L);
  while (walk.given < walk.count) {
    if (walk.given % 256 == 0) Sandbox::charge(L, 256);
    push_key(L, lua_upvalueindex(kWalkUpvalue), walk, walk.given++);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) return 2;
    lua_pop(L, 2);
  }
  lua_pushnil(L);
  lua_copy(L, -1, lua_upvalueindex(kWalkUpvalue));  // what it walked over can be collected
  return 1;
}

void push_step(lua_State* L) {
  lua_pushnil(L);
  lua_pushcclosure(L, step, 1);
}

int return_three(lua_State*, int, lua_KContext) { return 3; }

int base_pairs(lua_State* L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, return_three);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  push_step(L);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

}  // namespace

void add_iteration(lua_State* L) {
  push_step(L);
  lua_setfield(L, -2, "next");
  lua_pushcfunction(L, base_pairs);
  lua_setfield(L, -2, "pairs");
}

}  // namespace ts::scripting
