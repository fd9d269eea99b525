// pto.assert and pto.test.
#include <fmt/format.h>

#include <cstring>

#include "scripting/binding/object.h"
#include "scripting/binding/show.h"
#include "scripting/objects/compare/comparison.h"
#include "scripting/objects/recording/checks.h"
#include "scripting/run/engine.h"
#include "scripting/run/open_recording.h"
#include "scripting/run/pto.h"
#include "scripting/run/test_run.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

// --- assertions ---

// "after step 41, tadd ins(...) outs(...), k.pto:23": the step that made an element.
std::string made_by(lua_State* L, const Place& place, const Difference& difference) {
  Session& session = session_of(L, *place.recording);
  const Recording& recording = session.recording();
  for (const Made& made : session.flow().makers(place.at(difference.row, difference.col), place.position)) {
    if (made.maker != Maker::Step) continue;
    return fmt::format("made by step {}, {}: {}", made.step, session.line_text(made.step),
                       recording.program().short_text(recording.step(made.step).instruction));
  }
  return "made by no step";
}

std::string tile_failure(lua_State* L, const Compared& compared) {
  const Elements &a = *compared.a.elements, &b = *compared.b.elements;
  const Comparison& result = compared.result;
  std::string text = fmt::format("{} is not {}: {} of {} elements differ", compared.a.name, compared.b.name,
                                 result.count, result.compared);
  text += fmt::format("\n  first {}", difference_text(a, b, *result.first));
  const auto same_place = [](const Difference& x, const Difference& y) { return x.row == y.row && x.col == y.col; };
  if (!same_place(*result.worst, *result.first))
    text += fmt::format("\n  worst {}", difference_text(a, b, *result.worst));
  if (!same_place(*result.worst_ulp, *result.first) && !same_place(*result.worst_ulp, *result.worst))
    text += fmt::format("\n  furthest {}", difference_text(a, b, *result.worst_ulp));
  if (compared.a.place != nullptr)
    text += fmt::format("\n  {}[{},{}] at position {} was {}", compared.a.name, result.first->row, result.first->col,
                        compared.a.place->position, made_by(L, *compared.a.place, *result.first));
  return text;
}

int assert_tile(lua_State* L) {
  const Compared compared = compare_arguments(L, "tile", "golden");
  if (compared.result.ok()) return 0;
  raise_assertion(L, tile_failure(L, compared));
}

std::string value_text(lua_State* L, int index) {
  if (lua_istable(L, index)) return shown(L, index);
  std::string text(Sandbox::push_text(L, index));
  lua_pop(L, 1);
  if (lua_type(L, index) == LUA_TSTRING) return "'" + text + "'";
  if (lua_type(L, index) == LUA_TNUMBER && !lua_isinteger(L, index)) {
    const double value = lua_tonumber(L, index);
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    text += fmt::format(" (0x{:016x})", bits);
  }
  return text;
}

std::string message_at(lua_State* L, int index) {
  if (lua_isnoneornil(L, index)) return "";
  return check_text(L, index, "message") + ": ";
}

// Tables are the same when what they hold is. `deep` bounds tables that hold themselves.
bool equal_values(lua_State* L, int a, int b, int deep) {
  if (lua_compare(L, a, b, LUA_OPEQ) != 0) return true;
  if (!lua_istable(L, a) || !lua_istable(L, b)) return false;
  if (deep == 0) raise(L, "pto.assert.equal: the tables are nested too deep to compare");
  luaL_checkstack(L, 8, nullptr);
  const auto holds_all = [&](int from, int of) {
    for (lua_pushnil(L); lua_next(L, from) != 0; lua_pop(L, 1)) {
      Sandbox::charge(L, 1);
      lua_pushvalue(L, -2);
      lua_rawget(L, of);
      const int top = lua_gettop(L);
      const bool same = equal_values(L, top - 1, top, deep - 1);
      lua_pop(L, 1);
      if (!same) return lua_pop(L, 2), false;
    }
    return true;
  };
  return holds_all(a, b) && holds_all(b, a);
}

int assert_equal(lua_State* L) {
  constexpr int kDeepest = 100;
  luaL_checkany(L, 1);
  lua_settop(L, 3);
  if (equal_values(L, 1, 2, kDeepest)) return 0;
  raise_assertion(L, fmt::format("{}{} is not {}", message_at(L, 3), value_text(L, 1), value_text(L, 2)));
}

int assert_true(lua_State* L) {
  if (lua_toboolean(L, 1) != 0) return 0;
  raise_assertion(L, fmt::format("{}{} is not true", message_at(L, 2), value_text(L, 1)));
}

int assert_no_findings(lua_State* L) {
  const RecordingObject& object = check_object<RecordingObject>(L, 1, "rec");
  const OptionTable options(L, 2, "options", {"severity"});
  const auto least = options.word("severity", {"error", "warning", "note"}).value_or(1);
  const auto list = findings_of(L, object.recording);
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t count = 0;
  for (const Finding& finding : *list) {
    const Diagnostic& found = finding.diagnostic;
    const std::size_t severity = found.severity == Severity::Error ? 0 : found.severity == Severity::Warning ? 1 : 2;
    if (severity > least || ++count > kShown) continue;
    text += fmt::format("\n  step {}, line {}: {} {}: {}", finding.step, found.pos.line, found.rule, found.operand,
                        found.text);
  }
  if (count == 0) return 0;
  if (count > kShown) text += fmt::format("\n  and {} more", count - kShown);
  raise_assertion(L, fmt::format("{} finding{}{}", count, count == 1 ? "" : "s", text));
}

const std::string kAssertionsStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:tile("im", {step=rec.count})
)";
const ObjectType& assert_type() {
  static const ObjectType made{
      .name = "pto.assert",
      .owner = "pto.assert",
      .help =
          "Assertions. One that fails ends its pto.test, or the script, with a message that says what was found where.",
      .bindings =
          {
              {"tile", Kind::Function, assert_tile, "pto.assert.tile(tile, golden, options?: table)",
               "Fails when an element differs by more than the options abs, rel and ulp let pass; nan is 'equal' (the "
               "default) or 'differ', region 'valid' (the default) or 'all'. Both may be tiles, buffers or arrays.",
               kAssertionsStart +
                   "pto.assert.tile(t, t:array())\nlocal ok, message = pcall(pto.assert.tile, t, pto.array('f32', "
                   "t.validRows, t.validCols))\nassert(not ok and tostring(message):find('made by step'))"},
              {"equal", Kind::Function, assert_equal, "pto.assert.equal(a, b, message?: string)",
               "Fails when two values differ; tables are compared by what they hold.",
               R"(pto.assert.equal({1, {2}}, {1, {2}})
local ok, message = pcall(pto.assert.equal, 1, 2)
assert(not ok and tostring(message):find("1 is not 2")))"},
              {"isTrue", Kind::Function, assert_true, "pto.assert.isTrue(value, message?: string)",
               "Fails when the value is false or nil.", "pto.assert.isTrue(1 < 2, 'order')"},
              {"noFindings", Kind::Function, assert_no_findings,
               "pto.assert.noFindings(rec: recording, options?: table)",
               "Fails when something was found while the program ran: errors and warnings, or with {severity='error'} "
               "or 'note' fewer or more.",
               kAssertionsStart + "pto.assert.noFindings(rec)"},
          },
      .is_table = true};
  return made;
}

int pto_assert(lua_State* L) {
  push_table(L, assert_type());
  return 1;
}

// --- tests ---

int pto_test(lua_State* L) {
  const std::string name = check_text(L, 1, "name");
  check_function(L, 2, "body");
  Engine& engine = Engine::of(L);
  TestRun& tests = engine.slot<TestRun>();
  lua_settop(L, 2);
  tests.assertion_text.clear();
  const Outcome outcome = Sandbox::of(L).call(L, 0, 0);
  if (outcome.kind == Outcome::Kind::Limit || outcome.kind == Outcome::Kind::Quit) Sandbox::raise_if_over(L);
  TestResult result{name, TestResult::Kind::Passed};
  if (outcome.kind == Outcome::Kind::Error) {
    const bool asserted = !outcome.message.empty() && outcome.message == tests.assertion_text;
    result.kind = asserted ? TestResult::Kind::Failed : TestResult::Kind::Error;
    result.message =
        asserted || outcome.traceback.empty() ? outcome.message : outcome.message + "\n" + outcome.traceback;
    tests.failed = true;
  }
  constexpr std::size_t kResultBytes = sizeof(TestResult) + 32;
  tests.weight.set(L, tests.weight.bytes() + kResultBytes + result.name.size() + result.message.size());
  tests.report.add(std::move(result));
  std::string line = tests.report.tap(tests.report.results().size() - 1);
  line.pop_back();
  engine.print(line);
  lua_pushboolean(L, outcome.kind == Outcome::Kind::Ok ? 1 : 0);
  return 1;
}

std::vector<Binding> assert_rows() {
  return {
      {"assert", Kind::Field, pto_assert, "pto.assert -> pto.assert",
       "The assertions: tile, equal, isTrue, noFindings.", "pto.assert.equal(1, 1)"},
  };
}
std::vector<Binding> test_rows() {
  return {
      {"test", Kind::Function, pto_test, "pto.test(name: string, body: function) -> boolean",
       "Runs a function as a test: a failed assertion or an error in it is told and counted, and the script goes on. "
       "When one failed, the exit status is 1.",
       R"(local passed = pto.test("two and two", function() pto.assert.equal(2 + 2, 4) end)
assert(passed))"},
  };
}

const ListedRows kAssertRow{51, {pto_type, assert_rows}};
const ListedRows kTestRow{53, {pto_type, test_rows}};
const ListedType kAssertionsType{190, assert_type};

}  // namespace
}  // namespace ts::scripting
