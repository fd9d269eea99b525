// How the tests and assertions of a script went: kept in a slot of its engine, and told by its exit status.
#pragma once

#include <lua.hpp>
#include <string>

#include "scripting/run/test_report.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {

struct TestRun {
  TestReport report;    // the results of pto.test
  Weight weight;        // of these results
  bool failed = false;  // a test, or an assertion that nobody caught: exit status 1
  // The text that an assertion error was last shown as, by which the outcome of a run is told from an error of another
  // kind.
  std::string assertion_text;
};

// Raises what pto.assert raises: an object that tostring() shows as "k.lua:3: text". Uncaught it makes the status 1.
[[noreturn]] void raise_assertion(lua_State* L, const std::string& text);

}  // namespace ts::scripting
