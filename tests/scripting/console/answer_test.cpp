// What programs that drive the window get for a piece of Lua.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scripting/console/console.h"
#include "scripting/run/script.h"

namespace ts::test {
namespace {

using Json = nlohmann::json;

struct Answering {
  scripting::Script script{scripting::ScriptHost{}};
  scripting::Console console{script};
  scripting::Console::Answer ask(const std::string& lua) {
    const int before = lua_gettop(script.sandbox().state());
    scripting::Console::Answer answer = console.answer(lua);
    CHECK(lua_gettop(script.sandbox().state()) == before);
    return answer;
  }
  Json values(const std::string& lua) {
    const scripting::Console::Answer answer = ask(lua);
    CHECK_MESSAGE(answer.ok, answer.error);
    return Json::parse(answer.values);
  }
};

}  // namespace

TEST_CASE("console answer: values as JSON") {
  Answering f;
  CHECK(f.values("").dump() == "[]");
  CHECK(f.values("1, 2.5, 'x', true, nil").dump() == R"([1,2.5,"x",true,null])");
  CHECK(f.values("local a = 3 return a").dump() == "[3]");
  CHECK(f.values("a = 4").dump() == "[]");
  CHECK(f.values("a").dump() == "[4]");
  CHECK(f.values("1/0, -1/0, math.maxinteger").dump() == R"(["inf","-inf",9223372036854775807])");
  CHECK(f.values("0/0")[0] == "nan");
  CHECK(f.values("{1, {2, 3}}, {a = {b = 1}}, {}").dump() == R"([[1,[2,3]],{"a":{"b":1}},{}])");
  CHECK(f.values("{[7] = 'seven', x = 1}").dump() == R"([{"7":"seven","x":1}])");
  CHECK(f.values("'\\xff\\n\"'")[0].is_string());
}

TEST_CASE("console answer: what has no end is cut, and no request breaks the next one") {
  Answering f;
  const Json endless = f.values("local t = {} t.t = t return t");
  CHECK(endless.dump().size() < 10'000);
  CHECK(f.values("local t = {} for i = 1, 300000 do t[i] = i end return t")[0].size() <= 100'000);
  CHECK(f.values("local t = {} for i = 1, 300000 do t['k' .. i] = i end return t, 5").size() == 2);
  for (const char* wrong :
       {"oops(", "error('no')", "nothing.x", "while true do end", "pto.quit(0)", "local x <close> = 1"}) {
    CAPTURE(wrong);
    const scripting::Console::Answer answer = f.ask(wrong);
    CHECK_FALSE(answer.ok);
    CHECK_FALSE(answer.error.empty());
  }
  CHECK(f.values("1 + 1").dump() == "[2]");
  // Nothing of the machine is there that scripts may not have.
  CHECK(f.values("io, os and os.execute, require, debug, load and 1").dump().find("function") == std::string::npos);
}

}  // namespace ts::test
