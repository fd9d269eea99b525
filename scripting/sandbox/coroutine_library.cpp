// Coroutines: each has a hook and a count of its own, and none outlives the script's end.
#include <cstring>

#include "scripting/sandbox/budget.h"
#include "scripting/sandbox/libraries.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {

namespace {

constexpr std::uint64_t kStepsPerResume = 10;
// Lua does not count how deep the native stack is when closing a coroutine runs a __close that closes another.
constexpr int kMostNestedCloses = 4;
const char kNestedCloses = 0;  // its address is the registry's key

lua_State* check_coroutine(lua_State* L) {
  lua_State* co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "thread");
  return co;
}

void push_coroutine(lua_State* L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State* co = lua_newthread(L);
  budget_of(L).arm_new(co);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
}

int coroutine_create(lua_State* L) {
  push_coroutine(L);
  return 1;
}

// Moves the arguments over and the results (or the error) back; their number, or -1 for an error.
int resume(lua_State* L, lua_State* co, int nargs) {
  Sandbox::charge(L, kStepsPerResume);
  if (!lua_checkstack(co, nargs)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, nargs);
  budget_of(L).arm_resumed(co);
  int nresults = 0;
  int status = LUA_OK;
  {
    const Budget::Running running(budget_of(L), co);
    status = lua_resume(co, L, nargs, &nresults);
  }
  Sandbox::raise_if_over(L);
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, nresults + 1)) {
    lua_pop(co, nresults);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(co, L, nresults);
  return nresults;
}

int coroutine_resume(lua_State* L) {
  lua_State* co = check_coroutine(L);
  const int nresults = resume(L, co, lua_gettop(L) - 1);
  if (nresults < 0) {
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
  }
  lua_pushboolean(L, 1);
  lua_insert(L, -(nresults + 1));
  return nresults + 1;
}

// --- closing ---

struct NestedClose {
  explicit NestedClose(lua_State* L) : depth(depth_of(L)) {
    if (*depth >= kMostNestedCloses) luaL_error(L, "coroutines close each other too deeply");
    ++*depth;
  }
  ~NestedClose() { --*depth; }

  static int* depth_of(lua_State* L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &kNestedCloses);
    int* depth = static_cast<int*>(lua_touserdata(L, -1));
    lua_pop(L, 1);
    return depth;
  }

  int* depth;
};

// Runs what is to be closed; when that, or the coroutine before, failed, the error is on top of `co`.
int close(lua_State* L, lua_State* co) {
  Sandbox::charge(L, kStepsPerResume);
  int status = LUA_OK;
  {
    const NestedClose nested(L);
    budget_of(L).arm_resumed(co);
    const Budget::Running running(budget_of(L), co);
    status = lua_resetthread(co);
  }
  Sandbox::raise_if_over(L);
  return status;
}

// --- wrap ---

// Errors go on to the caller. Texts are told where the caller is.
int raise_from(lua_State* L, lua_State* co) {
  const int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD) {
    close(L, co);
    lua_xmove(co, L, 1);
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int call_wrapped(lua_State* L) {
  lua_State* co = lua_tothread(L, lua_upvalueindex(1));
  const int nresults = resume(L, co, lua_gettop(L));
  return nresults < 0 ? raise_from(L, co) : nresults;
}

int coroutine_wrap(lua_State* L) {
  push_coroutine(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

// --- status ---

const char* status_of(lua_State* L, lua_State* co) {
  if (L == co) return "running";
  lua_Debug frame{};
  switch (lua_status(co)) {
    case LUA_YIELD: return "suspended";
    case LUA_OK:
      if (lua_getstack(co, 0, &frame)) return "normal";  // it resumed another
      return lua_gettop(co) == 0 ? "dead" : "suspended";
    default: return "dead";
  }
}

int coroutine_status(lua_State* L) {
  lua_pushstring(L, status_of(L, check_coroutine(L)));
  return 1;
}

int coroutine_close(lua_State* L) {
  lua_State* co = check_coroutine(L);
  const char* status = status_of(L, co);
  if (std::strcmp(status, "dead") != 0 && std::strcmp(status, "suspended") != 0) {
    return luaL_error(L, "cannot close a %s coroutine", status);
  }
  if (close(L, co) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

const luaL_Reg coroutine_functions[] = {
    {"create", coroutine_create}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap},
    {"status", coroutine_status}, {"close", coroutine_close},   {nullptr, nullptr},
};

void open_coroutine(lua_State* L) {
  *static_cast<int*>(lua_newuserdatauv(L, sizeof(int), 0)) = 0;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kNestedCloses);
  push_library(L, luaopen_coroutine, {"isyieldable", "running", "yield"});
  luaL_setfuncs(L, coroutine_functions, 0);
  lua_setglobal(L, "coroutine");
}

const Listed<Library> kCoroutineLibraryListed{20, {"coroutine", open_coroutine}};

}  // namespace
}  // namespace ts::scripting
