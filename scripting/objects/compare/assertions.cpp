// pto.compare, pto.assert and pto.test.
#include "scripting/objects/compare/assertions.h"

#include <fmt/format.h>

#include <limits>
#include <set>

#include "core/debug/picture/difference_picture.h"
#include "scripting/objects/recording/checks.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/engine.h"
#include "scripting/run/new_file.h"
#include "scripting/binding/object.h"
#include "scripting/run/open_recording.h"
#include "scripting/objects/values/operand.h"
#include "scripting/objects/rows.h"
#include "scripting/binding/show.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

// --- comparing ---

constexpr std::initializer_list<const char*> kCompareOptions = {"abs", "rel", "ulp", "nan", "region"};

double tolerance(const OptionTable& options, const char* key) {
  const double value = options.number(key).value_or(0);
  if (!(value >= 0)) options.wrong(key, "a number from 0 on");
  return value;
}

}  // namespace

CompareOptions tolerances(const OptionTable& options) {
  CompareOptions made;
  made.abs = tolerance(options, "abs");
  made.rel = tolerance(options, "rel");
  made.ulp =
      static_cast<std::uint64_t>(options.integer("ulp", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
  return made;
}

CompareOptions compare_options(const OptionTable& options) {
  CompareOptions made = tolerances(options);
  made.nan_equal = options.word("nan", {"equal", "differ"}).value_or(0) == 0;
  made.region = region_of(options);
  return made;
}

namespace {

// Arguments 1 and 2, and the options in 3.
struct Compared {
  ElementsArgument a, b;
  CompareOptions options;
  Comparison result;
};
Compared compare_arguments(lua_State* L, const char* a, const char* b) {
  Compared compared{check_elements(L, 1, a), check_elements(L, 2, b), compare_options(OptionTable(L, 3, "options", kCompareOptions)), {}};
  Sandbox::charge(L, compared.a.elements->bits.size());
  const auto comparing = Comparing::make(*compared.a.elements, *compared.b.elements, compared.options);
  if (const auto* refusal = std::get_if<Refusal>(&comparing))
    raise(L, {fmt::format("{} and {}: {}", compared.a.name, compared.b.name, refusal->text), refusal->hint});
  compared.result = std::get<Comparing>(comparing).all();
  return compared;
}

int pto_compare(lua_State* L) {
  Compared compared = compare_arguments(L, "a", "b");
  make_object<ComparisonObject>(L, compared.a.elements, compared.b.elements, compared.options, compared.result);
  weigh_object(L, bytes_of_elements(compared.a.elements->bits.size() + compared.b.elements->bits.size()));
  return 1;
}

int push_difference(lua_State* L, const ComparisonObject& comparison, const std::optional<Difference>& difference) {
  if (!difference) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 10);
  set_integer(L, "row", difference->row);
  set_integer(L, "col", difference->col);
  set_element(L, "a", *comparison.a->format, difference->a);
  set_element(L, "b", *comparison.b->format, difference->b);
  set_integer(L, "aBits", difference->a);
  set_integer(L, "bBits", difference->b);
  set_truth(L, "undefined", difference->undefined);
  set_number(L, "abs", difference->absolute);
  if (difference->ulps) set_integer(L, "ulp", *difference->ulps);
  set_field(L, "text", difference_text(*comparison.a, *comparison.b, *difference));
  return 1;
}

template <std::optional<Difference> Comparison::*kWhich>
int comparison_difference(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  return push_difference(L, comparison, comparison.result.*kWhich);
}

template <std::uint64_t Comparison::*kCount>
int comparison_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<ComparisonObject>(L).result.*kCount));
  return 1;
}

int comparison_ok(lua_State* L) {
  lua_pushboolean(L, check_self<ComparisonObject>(L).result.ok() ? 1 : 0);
  return 1;
}

int comparison_next(lua_State* L) {
  ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const auto comparing = std::get<Comparing>(Comparing::make(*comparison.a, *comparison.b, comparison.options));
  Sandbox::charge(L, (comparing.count() - std::min(comparing.count(), comparison.next)) / 8);
  const auto found = comparing.next(comparison.next);
  comparison.next = found ? comparing.index_of(*found) + 1 : comparing.count();
  return push_difference(L, comparison, found);
}

int comparison_image(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const std::string path = check_new_file(L, {".png"});
  const OptionTable options(L, 3, "options", {"scale"});
  const auto scale = static_cast<std::uint32_t>(options.integer("scale", 1, 64).value_or(0));
  Sandbox::charge(L, comparison.a->bits.size());
  const auto drawn = difference_picture(*comparison.a, *comparison.b, comparison.options, scale);
  if (const auto* refusal = std::get_if<Refusal>(&drawn))
    raise(L, "comparison:image: " + refusal->text, refusal->hint);
  const auto& picture = std::get<data::Picture>(drawn);
  data::FileWriter file(path, data::Replace::No);
  const std::vector<std::byte> bytes = data::format_png(picture);
  file.write(bytes);
  if (const data::Error error = file.finish(); !error.text.empty())
    raise_error(L, error);
  return 0;
}

int comparison_text(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const Comparison& result = comparison.result;
  std::string text = result.ok() ? fmt::format("all {} elements agree", result.compared)
                                 : fmt::format("{} of {} elements differ", result.count, result.compared);
  if (result.first) text += ", first " + difference_text(*comparison.a, *comparison.b, *result.first);
  return push_text_result(L, text);
}

// --- assertions ---

// "after step 41, tadd ins(...) outs(...), k.pto:23": the step that made an element.
std::string made_by(lua_State* L, const Place& place, const Difference& difference) {
  Session& session = session_of(L, *place.recording);
  const Recording& recording = session.recording();
  for (const Made& made : session.flow().makers(place.at(difference.row, difference.col), place.position)) {
    if (made.maker != Maker::Step) continue;
    const Bound& bound = recording.bound(made.step);
    return fmt::format("made by step {}, line {}: {}", made.step, bound.pos.line,
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

int pto_assert(lua_State* L) {
  push_table(L, assert_type());
  return 1;
}

// --- tests ---

int pto_test(lua_State* L) {
  const std::string name = check_text(L, 1, "name");
  check_function(L, 2, "body");
  Engine& engine = Engine::of(L);
  lua_settop(L, 2);
  engine.assertion_text.clear();
  const Outcome outcome = Sandbox::of(L).call(L, 0, 0);
  if (outcome.kind == Outcome::Kind::Limit || outcome.kind == Outcome::Kind::Quit) Sandbox::raise_if_over(L);
  TestResult result{name, TestResult::Kind::Passed};
  if (outcome.kind == Outcome::Kind::Error) {
    const bool asserted = !outcome.message.empty() && outcome.message == engine.assertion_text;
    result.kind = asserted ? TestResult::Kind::Failed : TestResult::Kind::Error;
    result.message =
        asserted || outcome.traceback.empty() ? outcome.message : outcome.message + "\n" + outcome.traceback;
    engine.assertion_failed = true;
  }
  engine.tests.add(std::move(result));
  std::string line = engine.tests.tap(engine.tests.results().size() - 1);
  line.pop_back();
  engine.print(line);
  lua_pushboolean(L, outcome.kind == Outcome::Kind::Ok ? 1 : 0);
  return 1;
}

const std::string kStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
local t = rec:tile("im", {step=rec.count})
)";
const std::string kCompareStart =
    R"(local d = pto.compare(pto.array("f32", 1, 3, {1, 2, 3}), pto.array("f32", 1, 3, {1, 2.5, 4}))
)";

}  // namespace

const ObjectType& ComparisonObject::type() {
  static const ObjectType made{
      .name = "comparison",
      .owner = "comparison",
      .help =
          "What pto.compare found. A difference has row, col, a, b, aBits, bBits, abs, ulp, undefined and text; ulp is "
          "nil when no number of elements lies between the two.",
      .bindings =
          {
              {"ok", Kind::Field, comparison_ok, "comparison.ok -> boolean", "Whether no element differs.",
               kCompareStart + "assert(not d.ok)"},
              {"count", Kind::Field, comparison_count<&Comparison::count>, "comparison.count -> integer",
               "How many elements differ.", kCompareStart + "assert(d.count == 2)"},
              {"compared", Kind::Field, comparison_count<&Comparison::compared>, "comparison.compared -> integer",
               "How many elements were compared.", kCompareStart + "assert(d.compared == 3)"},
              {"undefined", Kind::Field, comparison_count<&Comparison::undefined>, "comparison.undefined -> integer",
               "How many elements were not compared because neither side has a value there.",
               kCompareStart + "assert(d.undefined == 0)"},
              {"first", Kind::Field, comparison_difference<&Comparison::first>, "comparison.first -> table | nil",
               "The first difference, row by row.", kCompareStart + "assert(d.first.col == 1 and d.first.b == 2.5)"},
              {"worst", Kind::Field, comparison_difference<&Comparison::worst>, "comparison.worst -> table | nil",
               "The largest absolute difference.", kCompareStart + "assert(d.worst.col == 2 and d.worst.abs == 1)"},
              {"worstUlp", Kind::Field, comparison_difference<&Comparison::worst_ulp>,
               "comparison.worstUlp -> table | nil", "The difference with the most elements in between.",
               kCompareStart + "assert(d.worstUlp.ulp >= d.first.ulp)"},
              {"next", Kind::Method, comparison_next, "comparison:next() -> table | nil",
               "The differences one by one; nil behind the last.",
               kCompareStart + "assert(d:next().col == 1 and d:next().col == 2 and d:next() == nil)"},
              {"image", Kind::Method, comparison_image,
               "comparison:image(path: string, options?: table)",
               "Draws all elements into a new PNG file below the current folder: the same plain grey, those within the "
               "tolerances blue with a dot, those that differ yellow with a cross, without a value hatched. scale is the "
               "pixels for the side of an element.",
               kCompareStart + "d:image('differences.png', {scale=10})"},
          },
      .to_text = guarded<comparison_text>};
  return made;
}

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
               kStart + "pto.assert.tile(t, t:array())\nlocal ok, message = pcall(pto.assert.tile, t, pto.array('f32', "
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
               kStart + "pto.assert.noFindings(rec)"},
          },
      .is_table = true};
  return made;
}

std::vector<Binding> assertion_rows() {
  return {
      {"assert", Kind::Field, pto_assert, "pto.assert -> pto.assert",
       "The assertions: tile, equal, isTrue, noFindings.", "pto.assert.equal(1, 1)"},
      {"compare", Kind::Function, pto_compare, "pto.compare(a, b, options?: table) -> comparison",
       "Compares two tiles, buffers or arrays element by element. Options: abs, rel, ulp (one of them is enough), nan, "
       "region. b may have another type; then ulp counts elements of a's.",
       R"(local d = pto.compare(pto.array("f16", 1, 2, {0.1, 2}), pto.array("f64", 1, 2, {0.1, 2}))
assert(d.ok and d.count == 0)
assert(pto.compare(pto.array("i8", 1, 1, {5}), pto.array("i8", 1, 1, {7}), {ulp=2}).ok))"},
      {"test", Kind::Function, pto_test, "pto.test(name: string, body: function) -> boolean",
       "Runs a function as a test: a failed assertion or an error in it is told and counted, and the script goes on. "
       "When one failed, the exit status is 1.",
       R"(local passed = pto.test("two and two", function() pto.assert.equal(2 + 2, 4) end)
assert(passed))"},
  };
}

}  // namespace ts::scripting
