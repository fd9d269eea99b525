// The error of a failed assertion.
#include "scripting/run/test_run.h"

#include <cstdlib>

#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/run/engine.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

// What a failed assertion raises.
struct AssertionError {
  std::string text;
  static const ObjectType& type();
};

int assertion_text(lua_State* L) {
  const AssertionError& error = check_self<AssertionError>(L);
  Engine::of(L).slot<TestRun>().assertion_text = error.text;
  return push_text_result(L, error.text);
}

const ObjectType& AssertionError::type() {
  static const ObjectType made{.name = "assertion error",
                               .owner = "error",
                               .help = "What a failed assertion raises.",
                               .bindings = {},
                               .to_text = guarded<assertion_text>};
  return made;
}

}  // namespace

void raise_assertion(lua_State* L, const std::string& text) {
  luaL_where(L, 1);
  const std::string where = lua_tostring(L, -1);
  lua_pop(L, 1);
  make_object<AssertionError>(L, where + text);
  lua_error(L);
  std::abort();  // lua_error does not return
}

}  // namespace ts::scripting
