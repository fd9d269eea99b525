// Runs Lua scripts of strangers: bounded in steps, memory and time, and with nothing of the host in reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <lua.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "scripting/sandbox/call_watch.h"
#include "scripting/sandbox/limits.h"

namespace ts::scripting {

class Budget;

// Owns one Lua state. Each outermost run or call starts with all of the steps; the memory is that of the state.
//
// A script that has used up a limit, or has quit, is over: whatever it does next raises again (pcall does not help, nor
// do coroutines or __close), until the outermost run or call returns.
class Sandbox {
 public:
  explicit Sandbox(const SandboxLimits& limits = {});
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // Compiles and runs source text; `name` is what messages call it.
  Outcome run(std::string_view text, const std::string& name);

  // Calls a function that lies on the stack below its arguments. The results are on the stack when the outcome is Ok;
  // otherwise function and arguments are gone. May be used by a binding while a script runs, on the binding's own `L`;
  // a binding that gets Limit or Quit leaves by `raise_if_over`.
  Outcome call(lua_State* L, int nargs, int nresults);
  Outcome call(int nargs, int nresults) { return call(state(), nargs, nresults); }

  lua_State* state() const { return state_; }
  const SandboxLimits& limits() const { return limits_; }
  bool is_over() const;

  // Takes what print() and warnings say, whole lines with their line ends. Must not throw. Empty: standard output.
  std::function<void(std::string_view)> print;

  // What print() does with a line.
  void say(std::string_view text) const;

  // --- for bindings; L is the state that the binding was called with ---

  static Sandbox& of(lua_State* L);

  // Work done for the script, as a number of steps (about 10 ns each). Raises when they are used up. Call it before the
  // work, or in between when the work is long. May collect garbage.
  static void charge(lua_State* L, std::uint64_t steps);

  // Raises the limit error when the memory would not hold `bytes` more. For one big allocation, before it is made; what
  // stays outside of Lua is weighed besides (weight.h).
  static void need_memory(lua_State* L, std::size_t bytes);
  // What is left of the memory when garbage has been collected. And the error, where that was not enough.
  static std::size_t memory_left(lua_State* L);
  [[noreturn]] static void raise_no_memory(lua_State* L, std::size_t asked);

  // Ends the whole script, as an exhausted limit does.
  [[noreturn]] static void raise_limit(lua_State* L, std::string_view text);
  [[noreturn]] static void quit(lua_State* L, int code);

  // Raises again when the script is over. For bindings that caught an error, or that go on after `call`.
  static void raise_if_over(lua_State* L);

  // Pushes the value as text, as tostring() shows it: without addresses of the host. The view lives as long as the value
  // is on the stack.
  static std::string_view push_text(lua_State* L, int index);

  using CallWatch = scripting::CallWatch;

 private:
  SandboxLimits limits_;
  std::unique_ptr<Budget> budget_;
  lua_State* state_ = nullptr;
};

// Makes a binding safe against exceptions of the standard library (bad_alloc): they become script errors.
//   lua_pushcfunction(L, guarded<tile_get>);
template <lua_CFunction F>
int guarded(lua_State* L) {
  try {
    return F(L);
  } catch (const std::exception& error) {  // Lua's own errors are of another type and pass
    lua_pushstring(L, error.what());
  }
  return lua_error(L);
}

}  // namespace ts::scripting
