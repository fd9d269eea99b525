// One Lua state: making it, calling into it, and saying how that ended.
#include "scripting/sandbox/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <new>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/compile.h"
#include "scripting/sandbox/libraries.h"
#include "scripting/sandbox/traceback.h"

namespace ts::scripting {

namespace {

// What an error value says. Tables may have a __tostring, which is called.
std::string text_of_error(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TSTRING && !luaL_getmetafield(L, index, "__tostring")) {
    if (lua_type(L, index) == LUA_TNUMBER) return std::string(Sandbox::push_text(L, index));
    return fmt::format("the error is not a text but a {} value", luaL_typename(L, index));
  }
  std::string text(Sandbox::push_text(L, index));
  if (text.ends_with("stack overflow")) text += " (calls or nesting go too deep; is there a recursion without an end?)";
  return text;
}

void push_type_name(lua_State* L, int index) {
  const int type = luaL_getmetafield(L, index, "__name");
  if (type == LUA_TSTRING) return;
  if (type != LUA_TNIL) lua_pop(L, 1);
  lua_pushstring(L, luaL_typename(L, index));
}

// The message handler of every protected call from outside: writes into the Outcome that is its upvalue.
int note_error(lua_State* L) {
  Outcome& outcome = *static_cast<Outcome*>(lua_touserdata(L, lua_upvalueindex(1)));
  if (Sandbox::of(L).is_over()) return 1;
  outcome.traceback = traceback(L, 1);
  outcome.message = text_of_error(L, 1);
  return 1;
}

struct Chunk {
  std::string_view text;
  const std::string& name;
};

// Runs inside a protected call, with the Chunk as its argument.
int compile_chunk(lua_State* L) {
  const Chunk& chunk = *static_cast<const Chunk*>(lua_touserdata(L, 1));
  lua_settop(L, 0);
  lua_pushliteral(L, "@");
  lua_pushlstring(L, chunk.name.data(), chunk.name.size());
  lua_concat(L, 2);
  if (!compile(L, chunk.text, lua_tostring(L, 1))) return lua_error(L);
  return 1;
}

// An editor's byte order mark and a "#!" line are not Lua; the line's end stays, so that lines count as in the file.
std::string_view without_preamble(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text;
}

}  // namespace

Sandbox::Sandbox(const SandboxLimits& limits) : limits_(limits), budget_(std::make_unique<Budget>(limits)) {
  state_ = lua_newstate(Budget::allocate, budget_.get());
  if (!state_) throw std::bad_alloc();
  *static_cast<Sandbox**>(lua_getextraspace(state_)) = this;  // new threads copy it
  lua_gc(state_, LUA_GCSTOP);                                 // the budget collects
  open_libraries(state_, limits.allow_io);
  budget_->setup_done();
}

Sandbox::~Sandbox() { lua_close(state_); }

Outcome Sandbox::run(std::string_view text, const std::string& name) {
  const Budget::Running running(*budget_, state_);
  Chunk chunk{without_preamble(text), name};
  lua_pushcfunction(state_, compile_chunk);
  lua_pushlightuserdata(state_, &chunk);
  Outcome outcome = call(1, 1);
  if (outcome.kind == Outcome::Kind::Error) outcome.traceback.clear();  // nothing of the script ran
  return outcome.kind == Outcome::Kind::Ok ? call(0, 0) : outcome;
}

Outcome Sandbox::call(lua_State* L, int nargs, int nresults) {
  const Budget::Running running(*budget_, L);
  Outcome outcome;
  const int function = lua_gettop(L) - nargs;
  assert(function > 0);
  if (!lua_checkstack(L, 4)) return {Outcome::Kind::Error, "stack overflow", {}, 0};
  lua_pushlightuserdata(L, &outcome);
  lua_pushcclosure(L, note_error, 1);
  lua_insert(L, function);
  const int status = lua_pcall(L, nargs, nresults, function);
  if (status == LUA_OK && !budget_->is_over()) {
    lua_remove(L, function);
    return {};
  }
  if (budget_->is_over()) {
    outcome = budget_->end();
  } else if (status == LUA_ERRMEM) {
    outcome = {Outcome::Kind::Limit, budget_->no_memory_text(), {}, 0};
  } else if (outcome.message.empty()) {  // the handler was not reached, or ran out of room
    outcome.message = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an unknown error";
  }
  if (outcome.kind == Outcome::Kind::Ok) outcome.kind = Outcome::Kind::Error;
  lua_settop(L, function - 1);
  return outcome;
}

void Sandbox::say(std::string_view text) const {
  if (print) return print(text);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// --- for bindings ---

Sandbox& Sandbox::of(lua_State* L) { return **static_cast<Sandbox**>(lua_getextraspace(L)); }
void Sandbox::charge(lua_State* L, std::uint64_t steps) { budget_of(L).charge(L, steps); }
void Sandbox::need_memory(lua_State* L, std::size_t bytes) { budget_of(L).need_memory(L, bytes); }
std::size_t Sandbox::memory_left(lua_State* L) { return budget_of(L).memory_left(L); }
void Sandbox::raise_no_memory(lua_State* L, std::size_t asked) { budget_of(L).raise_no_memory(L, asked); }
void Sandbox::raise_limit(lua_State* L, std::string_view text) { budget_of(L).raise_limit(L, std::string(text)); }
void Sandbox::quit(lua_State* L, int code) { budget_of(L).quit(L, code); }
void Sandbox::raise_if_over(lua_State* L) { budget_of(L).raise_if_over(L); }
bool Sandbox::is_over() const { return budget_->is_over(); }

std::string_view Sandbox::push_text(lua_State* L, int index) {
  luaL_checkstack(L, 4, nullptr);
  index = lua_absindex(L, index);
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
  } else {
    switch (lua_type(L, index)) {
      case LUA_TNIL:
      case LUA_TBOOLEAN:
      case LUA_TNUMBER:
      case LUA_TSTRING: luaL_tolstring(L, index, nullptr); break;
      default:  // where Lua would show an address
        push_type_name(L, index);
    }
  }
  std::size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  return {text, size};
}

}  // namespace ts::scripting
