// What stands outside of Lua and counts as the script's memory.
#include "scripting/sandbox/weight.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::test {
namespace {

using scripting::Outcome;
using scripting::Sandbox;
using scripting::Weight;
using Kind = Outcome::Kind;

constexpr std::size_t kMiB = std::size_t{1} << 20;

// What a script holds by its hold(): in a list, or in userdata that garbage collection lets go.
std::vector<Weight>& kept() {
  static std::vector<Weight> list;
  return list;
}

int keep(lua_State* L) {
  kept().emplace_back(L, static_cast<std::size_t>(luaL_checkinteger(L, 1)));
  return 0;
}

int collect_weight(lua_State* L) {
  std::destroy_at(static_cast<Weight*>(lua_touserdata(L, 1)));
  return 0;
}

int make(lua_State* L) {
  void* place = lua_newuserdatauv(L, sizeof(Weight), 0);
  auto* weight = new (place) Weight;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, collect_weight);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  weight->set(L, static_cast<std::size_t>(luaL_checkinteger(L, 1)));
  return 1;
}

void add_functions(Sandbox& sandbox) {
  lua_register(sandbox.state(), "keep", keep);
  lua_register(sandbox.state(), "make", make);
}

}  // namespace

TEST_CASE("weight: what is kept outside counts with what Lua has, and the limit's error says how much") {
  kept().clear();
  Sandbox sandbox({.memory_bytes = 8 * kMiB});
  add_functions(sandbox);
  CHECK(int(sandbox.run("keep(5 << 20) local s = ('x'):rep(1 << 20)", "a.lua").kind) == int(Kind::Ok));
  const Outcome strings = sandbox.run("local s = ('x'):rep(4 << 20)", "a.lua");
  CHECK(int(strings.kind) == int(Kind::Limit));
  CHECK(strings.message.find("its limit of 8 MiB: programs, recordings and arrays that it holds take 5120 KiB") !=
        std::string::npos);
  CHECK(strings.message.find(" more were asked for; rec:close()") != std::string::npos);
  CHECK(strings.message.find("--script-mem") != std::string::npos);
  const Outcome more = sandbox.run("pcall(keep, 4 << 20) print('alive')", "a.lua");
  CHECK(int(more.kind) == int(Kind::Limit));
  kept().clear();
  CHECK(int(sandbox.run("keep(7 << 20)", "a.lua").kind) == int(Kind::Ok));
  kept().clear();
}

TEST_CASE("weight: garbage is collected before a script is told that it has too much") {
  Sandbox sandbox({.memory_bytes = 8 * kMiB});
  add_functions(sandbox);
  CHECK(int(sandbox.run("for i = 1, 1000 do make(3 << 20) end", "a.lua").kind) == int(Kind::Ok));
  CHECK(int(sandbox.run("local all = {} for i = 1, 1000 do all[i] = make(1 << 20) end", "a.lua").kind) ==
        int(Kind::Limit));
  CHECK(int(sandbox.run("make(7 << 20)", "a.lua").kind) == int(Kind::Ok));
}

TEST_CASE("weight: grows and shrinks with what it is of, and moves") {
  Sandbox sandbox;
  lua_State* L = sandbox.state();
  const std::size_t before = scripting::budget_of(L).used_bytes();
  const auto more = [&] { return scripting::budget_of(L).used_bytes() - before; };
  {
    Weight one(L, 100);
    CHECK(more() == 100);
    one.set(L, 1000);
    CHECK(more() == 1000);
    one.set(L, 10);
    CHECK(more() == 10);
    Weight other = std::move(one);
    CHECK(more() == 10);
    CHECK(other.bytes() == 10);
    other = Weight(L, 7);
    CHECK(more() == 7);
  }
  CHECK(more() == 0);
  std::shared_ptr<const int> shared = scripting::weighed(L, std::make_shared<const int>(7), 50), copy = shared;
  shared.reset();
  CHECK(*copy == 7);
  CHECK(more() == 50);
  copy.reset();
  CHECK(more() == 0);
}

TEST_CASE("weight: may outlive the script") {
  auto sandbox = std::make_unique<Sandbox>();
  std::optional<Weight> weight(std::in_place, sandbox->state(), 100);
  sandbox.reset();
  weight.reset();
}

}  // namespace ts::test
