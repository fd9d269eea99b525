// The engine of a script.
#include "scripting/run/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "scripting/binding/arguments.h"

namespace ts::scripting {
namespace {

const char kEngineKey = 0;

struct OutCall {
  const LuaValue& function;
  const std::function<void(lua_State*)>& push;
};

int make_out_call(lua_State* L) {
  const OutCall& call = *static_cast<const OutCall*>(lua_touserdata(L, 1));
  call.function.push(L);
  call.push(L);
  lua_call(L, 1, 1);
  return 1;
}

}  // namespace

Engine::Engine(Sandbox& sandbox, ScriptHost host)
    : disk{.left = sandbox.limits().disk_bytes, .hint = "--script-disk BYTES allows more"},
      sandbox_(sandbox),
      host_(std::move(host)) {
  lua_State* L = sandbox.state();
  lua_pushlightuserdata(L, this);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kEngineKey);
}

Engine::~Engine() {
  while (!slots_.empty()) slots_.pop_back();
  lua_State* L = sandbox_.state();
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kEngineKey);
}

Engine& Engine::of(lua_State* L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kEngineKey);
  auto* engine = static_cast<Engine*>(lua_touserdata(L, -1));
  lua_pop(L, 1);
  if (engine == nullptr) raise(L, "the script has ended");
  return *engine;
}

void Engine::print(std::string_view line) { sandbox_.say(fmt::format("{}\n", line)); }

void Engine::complain(std::string_view line) {
  const std::string whole = fmt::format("{}\n", line);
  if (host_.complain) host_.complain(whole);
  else fmt::print(stderr, "{}", whole);
}

bool Engine::call_back(lua_State* L, int arguments, int results) {
  const Outcome outcome = sandbox_.call(L, arguments, results);
  if (outcome.kind == Outcome::Kind::Ok) return true;
  if (outcome.kind != Outcome::Kind::Error) return false;
  failed_ = true;
  complain(fmt::format("a callback failed: {}", outcome.message));
  if (!outcome.traceback.empty()) complain(outcome.traceback);
  return false;
}

bool Engine::call_out(const LuaValue& function, const std::function<void(lua_State*)>& push) {
  lua_State* L = calling();
  if (lua_checkstack(L, 4) == 0) return false;
  const OutCall call{function, push};
  lua_pushcfunction(L, guarded<make_out_call>);
  lua_pushlightuserdata(L, const_cast<OutCall*>(&call));
  return call_back(L, 1, 1);
}

std::uint32_t Engine::listen(const Event& event, LuaValue function) {
  listeners_.push_back(std::make_shared<Listener>(Listener{next_listener_, &event, std::move(function)}));
  const std::uint32_t id = next_listener_++;
  added([this, id] { remove_listener(id); });
  return id;
}

Engine::Listener* Engine::find_listener(std::uint32_t id) {
  const auto found = std::ranges::find(listeners_, id, [](const auto& listener) { return listener->id; });
  return found == listeners_.end() ? nullptr : found->get();
}

bool Engine::remove_listener(std::uint32_t id) {
  return std::erase_if(listeners_, [&](const auto& listener) { return listener->id == id; }) != 0;
}

bool Engine::anybody_listens(const Event& event) const {
  return std::ranges::any_of(listeners_,
                             [&](const auto& listener) { return listener->event == &event && listener->enabled; });
}

void Engine::tell(const Event& event, const std::function<void(lua_State*)>& push) {
  // A listener may add and remove listeners: those of now are told, and no other.
  const auto listeners = listeners_;
  lua_State* L = calling();
  for (const auto& listener : listeners) {
    if (listener->event != &event || !listener->enabled || find_listener(listener->id) == nullptr) continue;
    ++listener->hits;
    if (call_out(listener->function, push)) lua_pop(L, 1);
    else if (sandbox_.is_over()) return;
  }
}

Outcome Engine::run_ticks() {
  lua_State* L = sandbox_.state();
  while (!ticks_.empty()) {
    ticks_.front().push(L);
    ticks_.pop_front();
    Outcome outcome = sandbox_.call(0, 0);
    if (outcome.kind != Outcome::Kind::Ok) return outcome;
  }
  return {};
}

void Engine::added(Removal removal) {
  if (!scopes_.empty()) scopes_.back().push_back(std::move(removal));
}

void Engine::close_scope() {
  const std::vector<Removal> removals = std::move(scopes_.back());
  scopes_.pop_back();
  for (auto removal = removals.rbegin(); removal != removals.rend(); ++removal) (*removal)();
}

}  // namespace ts::scripting
