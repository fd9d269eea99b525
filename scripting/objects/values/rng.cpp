// Random numbers for scripts.
#include "scripting/objects/values/rng.h"

#include <fmt/format.h>

#include "scripting/binding/object.h"
#include "scripting/run/pto.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

int rng_int(lua_State* L) {
  Rng& rng = check_self<Rng>(L);
  const std::int64_t least = check_integer(L, 2, "least"), most = check_integer(L, 3, "most");
  if (least > most) raise(L, fmt::format("rng:int: no integer lies from {} to {}", least, most));
  const std::uint64_t span =
      static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;  // 0: all of them
  std::uint64_t drawn = rng.next();
  // The last, incomplete round of numbers would make some more likely than others.
  if (span != 0) {
    const std::uint64_t incomplete = (0 - span) % span;
    while (drawn < incomplete) drawn = rng.next();
    drawn %= span;
  }
  lua_pushinteger(L, static_cast<lua_Integer>(static_cast<std::uint64_t>(least) + drawn));
  return 1;
}

int rng_real(lua_State* L) {
  lua_pushnumber(L, static_cast<double>(check_self<Rng>(L).next() >> 11) * 0x1p-53);
  return 1;
}

int pto_rng(lua_State* L) {
  make_object<Rng>(L, static_cast<std::uint64_t>(check_integer(L, 1, "seed")));
  return 1;
}

std::vector<Binding> rng_rows() {
  return {
      {"rng", Binding::Kind::Function, pto_rng, "pto.rng(seed: integer) -> rng",
       "A source of random numbers that are the same whenever the script runs.",
       R"(local rng = pto.rng(1)
assert(rng:int(1, 6) <= 6))"},
  };
}

const ListedRows kRngRows{73, {pto_type, rng_rows}};
const ListedType kRngType{230, Rng::type};

}  // namespace

std::uint64_t Rng::next() {
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

const ObjectType& Rng::type() {
  static const ObjectType made{
      .name = "rng",
      .owner = "rng",
      .help = "A source of random numbers. The same seed gives the same numbers on every machine.",
      .bindings = {
          {"int", Binding::Kind::Method, rng_int, "rng:int(least: integer, most: integer) -> integer",
           "An integer from least to most, both included, each as likely as the others.",
           R"(local rng = pto.rng(7)
for _ = 1, 100 do
  local n = rng:int(-3, 3)
  assert(n >= -3 and n <= 3)
end)"},
          {"real", Binding::Kind::Method, rng_real, "rng:real() -> number", "A number from 0 on, below 1.",
           R"(local a, b = pto.rng(7), pto.rng(7)
local x = a:real()
assert(x >= 0 and x < 1)
assert(b:real() == x)  -- the same seed, the same numbers)"},
      }};
  return made;
}

}  // namespace ts::scripting
