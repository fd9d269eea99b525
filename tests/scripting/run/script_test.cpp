// How scripts end: exit statuses, what is put off, callbacks that fail.
#include "scripting/run/script.h"

#include <doctest/doctest.h>

#include "scripting/run/engine.h"
#include "scripting/run/test_run.h"
#include "tests/support/scripting/run_script.h"

namespace ts::test {

TEST_CASE("lua script: exit statuses") {
  CHECK(run_script("").status == 0);
  CHECK(run_script("error('no')").status == 3);
  CHECK(run_script("local x = ").status == 3);
  CHECK(run_script("pto.quit()").status == 0);
  CHECK(run_script("pto.quit(7) error('not reached')").status == 7);
  CHECK(run_script("pcall(pto.quit, 2) error('not reached')").status == 2);
  ScriptRun run;
  scripting::Script script(script_host(run));
  CHECK(script.run_file("nowhere.lua") == 4);
  CHECK(run.complained.find("nowhere.lua") != std::string::npos);
}

TEST_CASE("lua script: a limit is status 5") {
  scripting::SandboxLimits limits;
  limits.steps = 10'000;
  CHECK(run_script("while true do end", limits).status == 5);
}

TEST_CASE("lua script: errors are told with their place and traceback") {
  const ScriptRun run = run_script("local function f() error('broken') end\nf()");
  CHECK(run.complained.starts_with("test.lua:1: broken\n"));
  CHECK(run.complained.find("test.lua:2") != std::string::npos);
}

TEST_CASE("lua script: an assertion is status 1, unless it is caught") {
  ScriptRun run;
  scripting::Script script(script_host(run));
  lua_pushcfunction(script.sandbox().state(), [](lua_State* L) -> int { scripting::raise_assertion(L, "2 is not 3"); });
  lua_setglobal(script.sandbox().state(), "fail");
  CHECK(script.run("pcall(fail)", "test.lua") == 0);
  CHECK(script.run("\nfail()", "test.lua") == 1);
  CHECK(run.complained.starts_with("test.lua:2: 2 is not 3\n"));
  CHECK(script.run("pcall(fail) error('another')", "test.lua") == 3);
  CHECK(script.run("local ok, e = pcall(fail) error(e)", "test.lua") == 1);
  script.engine().slot<scripting::TestRun>().failed = true;
  CHECK(script.run("pto.quit(0)", "test.lua") == 1);
}

TEST_CASE("lua script: what is put off runs in order, behind the script") {
  const ScriptRun run = run_script(R"(
pto.nextTick(function() print("second") pto.nextTick(function() print("fourth") end) end)
pto.nextTick(function() print("third") end)
print("first"))");
  CHECK(run.printed == "first\nsecond\nthird\nfourth\n");
  CHECK(run_script("pto.nextTick(function() error('late') end)").status == 3);
  CHECK(run_script("pto.nextTick(function() pto.quit(9) end)").status == 9);
}

}  // namespace ts::test
