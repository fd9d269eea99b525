// Events: pto.addEventListener, its handles, and pto.scope.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scripting/binding/object.h"
#include "scripting/run/engine.h"
#include "scripting/run/pto.h"

namespace ts::scripting {
namespace {

// A handle. The engine owns its listeners: a handle that is lost takes nothing with it.
struct ListenerObject {
  std::uint32_t id = 0;
  static const ObjectType& type();
};

const Event& check_event(lua_State* L) {
  const std::string wanted = check_text(L, 1, "event");
  std::vector<std::string_view> names;
  for (const Event* event : Listed<const Event*>::all()) {
    if (wanted == event->name) return *event;
    names.push_back(event->name);
  }
  raise(L, fmt::format("pto.addEventListener: there is no event '{}'{}", wanted, did_you_mean(wanted, names)),
        fmt::format("events are {}", fmt::join(names, ", ")));
}

int pto_add_event_listener(lua_State* L) {
  const Event& event = check_event(L);
  check_function(L, 2, "listener");
  lua_settop(L, 2);
  make_object<ListenerObject>(L, Engine::of(L).listen(event, LuaValue(L)));
  return 1;
}

int pto_scope(lua_State* L) {
  check_function(L, 1, "action");
  Engine& engine = Engine::of(L);
  engine.open_scope();
  struct Scope {
    Engine& engine;
    ~Scope() { engine.close_scope(); }
  } scope{engine};
  lua_call(L, 0, LUA_MULTRET);
  return lua_gettop(L);
}

// --- handles ---

Engine::Listener* listener(lua_State* L) { return Engine::of(L).find_listener(check_self<ListenerObject>(L).id); }

Engine::Listener& live_listener(lua_State* L) {
  Engine::Listener* found = listener(L);
  if (found == nullptr) raise(L, "the listener was removed");
  return *found;
}

int listener_enable(lua_State* L) {
  live_listener(L).enabled = true;
  return 0;
}

int listener_disable(lua_State* L) {
  live_listener(L).enabled = false;
  return 0;
}

int listener_is_enabled(lua_State* L) {
  const Engine::Listener* found = listener(L);
  lua_pushboolean(L, found != nullptr && found->enabled ? 1 : 0);
  return 1;
}

int listener_hits(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(live_listener(L).hits));
  return 1;
}

int listener_remove(lua_State* L) {
  lua_pushboolean(L, Engine::of(L).remove_listener(check_self<ListenerObject>(L).id) ? 1 : 0);
  return 1;
}

constexpr char kExample[] = R"(local rec = pto.load("row_loop"):record()
local steps = 0
local l = pto.addEventListener("step", function(stop) steps = steps + 1 end)
)";

constexpr RowMaker kRow{"listener", kExample};

std::vector<Binding> listener_rows() {
  return {
      {"addEventListener", Binding::Kind::Function, pto_add_event_listener,
       "pto.addEventListener(event: string, listener: function) -> listener",
       "Calls a function when something happens. step: a recording was moved as asked; stop: it ran and stopped, or "
       "came to an end (both with the stop); "
       "finding: one of a new recording; divergence: two runs were compared and differ (with the first difference, as "
       "pto.lockstep gives it); recordingOpened (with it); quitting: the script has ended (with its exit "
       "status).",
       R"(local opened
pto.addEventListener("recordingOpened", function(rec) opened = rec.name end)
pto.load("row_loop"):record()
assert(opened == "row_loop")
assert(not pcall(pto.addEventListener, "stpo", print)))"},
      {"scope", Binding::Kind::Function, pto_scope, "pto.scope(action: function) -> any",
       "Calls a function, then removes the breakpoints, callbacks and listeners that were added in it, also when it "
       "raised an error. Gives back what it gave "
       "back.",
       R"(local rec = pto.load("row_loop"):record()
local step = pto.scope(function()
  pto.addBreakpoint{op="tadd"}
  return rec:continue().step
end)
assert(step > 0 and rec:continue() == nil))"},
  };
}

const ObjectType& ListenerObject::type() {
  static const ObjectType made{
      .name = "listener",
      .owner = "listener",
      .help = "A handle to an event listener. Losing it changes nothing: the script keeps its listeners.",
      .bindings = {
          kRow.method("enable", listener_enable, "()", "It is called again.",
                      "l:disable()\nl:enable()\nrec:step()\nassert(steps == 1)"),
          kRow.method("disable", listener_disable, "()", "It is not called.",
                      "l:disable()\nrec:step()\nassert(steps == 0)"),
          kRow.method("isEnabled", listener_is_enabled, "() -> boolean",
                      "Whether it is called; false when it was removed.", "assert(l:isEnabled())"),
          kRow.method("hits", listener_hits, "() -> integer", "How often it was called.",
                      "rec:step()\nrec:back()\nassert(l:hits() == 2)"),
          kRow.method("remove", listener_remove, "() -> boolean", "Takes it away; false when it was gone already.",
                      "assert(l:remove())\nrec:step()\nassert(steps == 0)"),
      }};
  return made;
}

const ListedRows kRows{30, {pto_type, listener_rows}};
const ListedType kListenersType{220, ListenerObject::type};

}  // namespace
}  // namespace ts::scripting
