// Two recordings in the hands of scripts, side by side.
#include "scripting/objects/compare/run_comparison.h"

#include <fmt/format.h>

#include "core/debug/compare/lock_step.h"
#include "core/debug/compare/padding_cause.h"
#include "core/record/operand_place.h"
#include "scripting/binding/object.h"
#include "scripting/objects/compare/comparison.h"
#include "scripting/objects/program/program.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/pto.h"
#include "scripting/run/recording_memory.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

const Event kDivergence{40, "divergence"};

// --- differences as tables ---

const Operand& operand_of(const Session& session, std::uint32_t step, int number) {
  return session.recording().bound(step).operands[static_cast<std::size_t>(number)];
}

void push_run_difference(lua_State* L, Session& a, Session& b, const ResultDifference& difference) {
  const Bound& bound = a.recording().bound(difference.step_a);
  const Difference& first = *difference.comparison.first;
  const auto format = [](const Session& session, std::uint32_t step, int number) -> const ElementFormat& {
    return element_format(element_type(operand_of(session, step, number)));
  };
  const std::string text = difference_text(a, b, difference);
  lua_createtable(L, 0, 16);
  set_integer(L, "step", difference.step_a);
  set_integer(L, "stepB", difference.step_b);
  set_field(L, "op", bound.row->name);
  set_integer(L, "line", bound.pos.line);
  set_field(L, "tile", difference.name);
  set_integer(L, "row", first.row);
  set_integer(L, "col", first.col);
  set_element(L, "a", format(a, difference.step_a, difference.operand_a), first.a);
  set_element(L, "b",
              difference.place_b ? format(a, difference.step_a, difference.operand_a)
                                 : format(b, difference.step_b, difference.operand_b),
              first.b);
  set_integer(L, "aBits", first.a);
  set_integer(L, "bBits", first.b);
  set_number(L, "abs", first.absolute);
  if (first.ulps) set_integer(L, "ulp", *first.ulps);
  set_integer(L, "count", difference.comparison.count);
  set_truth(L, "inherited", difference.inherited);
  set_field(L, "text", text);
}

void push_parting(lua_State* L, const Session& a, const Parting& parting) {
  lua_createtable(L, 0, 6);
  set_integer(L, "step", parting.step_a);
  set_integer(L, "stepB", parting.step_b);
  set_field(L, "text", parting.text);
  if (parting.step_a >= a.count()) return;
  set_field(L, "op", a.recording().bound(parting.step_a).row->name);
  set_integer(L, "line", a.recording().bound(parting.step_a).pos.line);
}

void tell(lua_State* L, Session& a, Session& b, const ResultDifference& difference) {
  Engine& engine = Engine::of(L);
  if (!engine.anybody_listens(kDivergence)) return;
  const Engine::Calling calling(L);
  engine.tell(kDivergence, [&](lua_State* to) { push_run_difference(to, a, b, difference); });
}

// --- comparing ---

// `rec` compared with `other`: the sessions in the order of the comparison.
struct Sides {
  std::shared_ptr<Session> made;
  Session *a, *b;
};
Sides sides_of(Session& session) {
  const Reference& reference = session.reference();
  Sides sides{std::make_shared<Session>(reference.other), nullptr, nullptr};
  const bool first = reference.side == Side::A;
  sides.a = first ? &session : sides.made.get();
  sides.b = first ? sides.made.get() : &session;
  return sides;
}

int pto_compare_runs(lua_State* L) {
  const auto a = check_object<RecordingObject>(L, 1, "a").recording;
  const auto b = check_object<RecordingObject>(L, 2, "b").recording;
  const OptionTable options(L, 3, "options", {"abs", "rel", "ulp", "nan", "region", "most"});
  const auto most = static_cast<std::size_t>(options.integer("most", 1, 1'000'000).value_or(10'000));
  Session &session_a = session_of(L, *a), &session_b = session_of(L, *b);
  const auto differences = compare_with(L, session_a, session_b, compare_options(options), most);
  if (!differences->differences.empty()) tell(L, session_a, session_b, differences->differences.front());
  Sandbox::raise_if_over(L);
  make_object<RunComparisonObject>(L, a, b, differences);
  weigh(L, *a);
  weigh(L, *b);
  return 1;
}

// --- lock step ---

constexpr std::initializer_list<const char*> kRunKeys = {"inputs", "size", "entry", "seed", "blocks", "options"};

std::shared_ptr<const LoadedProgram> check_program_argument(lua_State* L, const OptionTable& options) {
  const auto* object = to_object<ProgramObject>(L, 1);
  if (object == nullptr) {
    if (lua_type(L, 1) != LUA_TSTRING) wrong_argument(L, 1, "program", "a program, or the name of one");
    return load_program(L, lua_tostring(L, 1), options);
  }
  for (const char* key : kRunKeys)
    if (options.has(key))
      raise(L, fmt::format("pto.lockstep: {} is said when a program is loaded", key),
            "give it to pto.load, or the program by its name");
  return object->loaded;
}

// Whether the first is a5.
bool check_targets(lua_State* L) {
  if (lua_isnoneornil(L, 2)) return false;
  check_table(L, 2, "targets");
  std::string named[2];
  for (int i = 0; i < 2; ++i) {
    lua_rawgeti(L, 2, i + 1);
    if (lua_type(L, -1) == LUA_TSTRING) named[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  const bool a5_first = named[0] == "a5" && named[1] == "a2a3";
  if ((!a5_first && (named[0] != "a2a3" || named[1] != "a5")) || lua_rawlen(L, 2) != 2)
    raise(L, "pto.lockstep: targets: wanted {\"a2a3\", \"a5\"}", "a is the first of them, b the second");
  return a5_first;
}

BothTargets record_both(lua_State* L, const LoadedProgram& loaded) {
  OpenRequest request = loaded.request;
  constexpr int kBoth = 2;
  const RecordingMemory memory(L, loaded.program, Engine::of(L).host().budget_bytes, kBoth);
  RecordOptions record = memory.options();
  Sandbox::CallWatch watch(L);
  request.limits.go_on = record.limits.go_on = [&](std::uint64_t) { return watch.go_on(); };
  auto recorded = record_on_both(loaded.program.tree, loaded.entry, std::move(request), record);
  if (watch.is_late()) watch.raise("recording the program on both targets");
  if (const auto* refusal = std::get_if<Refusal>(&recorded)) raise(L, "pto.lockstep: " + refusal->text, refusal->hint);
  auto both = std::get<BothTargets>(std::move(recorded));
  return {memory.weigh(L, std::move(both.a)), memory.weigh(L, std::move(both.b))};
}

void set_recording(lua_State* L, const char* key, const std::shared_ptr<Session>& session) {
  push_recording(L, open_session(L, session));
  lua_setfield(L, -2, key);
}

int pto_lockstep(lua_State* L) {
  lua_settop(L, 3);
  std::vector<const char*> keys(kRunKeys);
  keys.insert(keys.end(), {"abs", "rel", "ulp", "nan", "region"});
  const OptionTable options(L, 3, "options", keys);
  const bool a5_first = check_targets(L);
  const CompareOptions compare = compare_options(options);
  BothTargets both = record_both(L, *check_program_argument(L, options));
  if (a5_first) std::swap(both.a, both.b);
  const auto a = std::make_shared<Session>(both.a), b = std::make_shared<Session>(both.b);
  const auto differences = compare_with(L, *a, *b, compare, 1);
  if (differences->same()) return lua_pushnil(L), 1;
  if (differences->differences.empty()) {
    push_parting(L, *a, *differences->parted);
  } else {
    push_run_difference(L, *a, *b, differences->differences.front());
    tell(L, *a, *b, differences->differences.front());
    Sandbox::raise_if_over(L);
  }
  set_recording(L, "recB", b);
  set_recording(L, "recA", a);
  return 1;
}

// --- what a comparison answers ---

int runs_ok(lua_State* L) {
  lua_pushboolean(L, check_self<RunComparisonObject>(L).differences->same() ? 1 : 0);
  return 1;
}

int runs_compared(lua_State* L) {
  lua_pushinteger(L, check_self<RunComparisonObject>(L).differences->compared);
  return 1;
}

int runs_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<RunComparisonObject>(L).differences->differences.size()));
  return 1;
}

int runs_causes(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<RunComparisonObject>(L).differences->causes()));
  return 1;
}

int runs_complete(lua_State* L) {
  lua_pushboolean(L, check_self<RunComparisonObject>(L).differences->complete ? 1 : 0);
  return 1;
}

int push_numbered(lua_State* L, const RunComparisonObject& object, std::size_t index) {
  const auto& all = object.differences->differences;
  if (index >= all.size()) return lua_pushnil(L), 1;
  push_run_difference(L, session_of(L, *object.a), session_of(L, *object.b), all[index]);
  return 1;
}

int runs_at(lua_State* L) {
  const lua_Integer wanted = lua_tointeger(L, 2);
  if (wanted < 1) return 0;
  return push_numbered(L, check_self<RunComparisonObject>(L), static_cast<std::size_t>(wanted - 1));
}

int runs_first(lua_State* L) { return push_numbered(L, check_self<RunComparisonObject>(L), 0); }

// The comparison does not keep its tolerances: exact ones find the same step.
int runs_padding(lua_State* L) {
  const RunComparisonObject& object = check_self<RunComparisonObject>(L);
  Session &a = session_of(L, *object.a), &b = session_of(L, *object.b);
  std::optional<ResultDifference> cause;
  {
    Sandbox::CallWatch watch(L);
    cause = padding_cause(a, b, *object.differences, {}, [&](std::uint32_t) { return watch.go_on(); });
    if (watch.is_late()) watch.raise("comparing padding");
  }
  if (cause) push_run_difference(L, a, b, *cause);
  else lua_pushnil(L);
  return 1;
}

int runs_parted(lua_State* L) {
  const RunComparisonObject& object = check_self<RunComparisonObject>(L);
  if (object.differences->parted) push_parting(L, session_of(L, *object.a), *object.differences->parted);
  else lua_pushnil(L);
  return 1;
}

template <std::vector<StepRange> RunDifferences::*kRanges>
int runs_only(lua_State* L) {
  lua_Integer steps = 0;
  for (const StepRange& range : (*check_self<RunComparisonObject>(L).differences).*kRanges)
    steps += range.end - range.first;
  lua_pushinteger(L, steps);
  return 1;
}

int runs_text(lua_State* L) {
  const RunDifferences& found = *check_self<RunComparisonObject>(L).differences;
  std::string text = fmt::format("{} pairs of steps compared, ", found.compared);
  text += found.differences.empty()
              ? "no result differs"
              : fmt::format("{} results differ, {} of them causes", found.differences.size(), found.causes());
  if (found.parted) text += "; they part: " + found.parted->text;
  return push_text_result(L, text);
}

const std::string kRunComparisonStart = R"(local prog = pto.load("row_loop")
local a = prog:record()
local b = a:fork{step=a:find{op="tadd"}().step, tile="x_even", row=0, col=0, value=1000}
local d = pto.compareRuns(a, b)
)";

std::vector<Binding> run_comparison_rows() {
  return {
      {"compareRuns", Kind::Function, pto_compare_runs,
       "pto.compareRuns(a: recording, b: recording, options?: table) -> runComparison",
       "Compares what the steps of two recordings left that correspond: of one program step by step, of an edited one "
       "those of the same instruction in the same turn of its loops. Options: abs, rel, ulp, nan and region, as "
       "pto.compare has them, and most (how many results are listed, 10000). From then on nextDifference and "
       "differs=true go by it.",
       R"(local prog = pto.load("masked_sum", {target="a5"})
assert(pto.compareRuns(prog:record(), prog:record()).ok))"},
      {"lockstep", Kind::Function, pto_lockstep,
       "pto.lockstep(program: program | string, targets?: string[], options?: table) -> table | nil",
       "Runs a program on both targets with the same inputs, and gives back the first result that differs, as a "
       "comparison of runs has it, with both recordings as recA and recB; nil when they leave the same. Where the two "
       "do "
       "not run the same steps, only step, stepB, op, line and text. Options: those of pto.compare, and, where the "
       "program is given by its name, inputs, size, entry, seed, blocks and options. Raises where a target does not "
       "take "
       "the program.",
       R"(assert(pto.lockstep("masked_sum", {"a2a3", "a5"}, {seed=7}) == nil)
local x = pto.lockstep("bug_transposed_domain")
assert(x.op == "ttrans" or x.op == "tstore")
assert(x.a ~= x.b and x.recA.target == "a2a3"))"},
  };
}

const ListedRows kRunComparisonRows{60, {pto_type, run_comparison_rows}};
const ListedType kRunComparisonType{170, RunComparisonObject::type};

}  // namespace

std::shared_ptr<const RunDifferences> compare_with(lua_State* L, Session& a, Session& b,
                                                   const CompareOptions& tolerances, std::size_t most) {
  constexpr std::size_t kDifferenceBytes = sizeof(ResultDifference) + 64;  // with its name
  Sandbox::need_memory(L, most / 16 * kDifferenceBytes);
  std::shared_ptr<const RunDifferences> differences;
  {
    Sandbox::CallWatch watch(L);
    differences = std::make_shared<const RunDifferences>(
        compare_runs(a, b, {tolerances, most}, [&](std::uint32_t) { return watch.go_on(); }));
    if (watch.is_late()) watch.raise("comparing the runs");
  }
  differences = weighed(L, differences, differences->differences.size() * kDifferenceBytes);
  a.set_reference({differences, b.shared_recording(), Side::A});
  b.set_reference({differences, a.shared_recording(), Side::B});
  return differences;
}

void push_difference_at(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step) {
  Session& session = session_of(L, *recording);
  const ResultDifference* difference = step < session.count() ? session.reference().of_step(step) : nullptr;
  if (difference == nullptr) return lua_pushnil(L);
  const Sides sides = sides_of(session);
  push_run_difference(L, *sides.a, *sides.b, *difference);
}

void tell_divergence(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop) {
  if (stop.reason != Stopped::Reason::Rule) return;
  Session& session = session_of(L, *recording);
  const ResultDifference* difference = session.reference().of_step(stop.step);
  if (difference == nullptr) return;
  const Sides sides = sides_of(session);
  tell(L, *sides.a, *sides.b, *difference);
  Sandbox::raise_if_over(L);
}

const ObjectType& RunComparisonObject::type() {
  static const luaL_Reg operators[] = {{"__len", guarded<runs_count>}, {nullptr, nullptr}};
  static const ObjectType made{
      .name = "runComparison",
      .owner = "runComparison",
      .help =
          "What pto.compareRuns found, as a list: d[1] is the first result that differs. Each has step, stepB, op, "
          "line, "
          "tile (or the buffer's name), row, col, a, b, aBits, bBits, abs and ulp of its first element, count, "
          "inherited "
          "(something that the step read was different already) and text, which names the operands. Of a buffer row is "
          "0, col counts through all elements.",
      .bindings =
          {
              {"ok", Kind::Field, runs_ok, "runComparison.ok -> boolean",
               "Whether nothing differs, and both run the same steps.", kRunComparisonStart + "assert(not d.ok)"},
              {"count", Kind::Field, runs_count, "runComparison.count -> integer",
               "How many results differ; the same as #d.",
               kRunComparisonStart + "assert(d.count == #d)\nfor i, one in ipairs(d) do assert(one.count > 0) end"},
              {"causes", Kind::Field, runs_causes, "runComparison.causes -> integer",
               "How many of them are not inherited. An edit is no step, so what it changed has no cause.",
               kRunComparisonStart + "assert(d.causes == 0 and d[1].inherited)"},
              {"compared", Kind::Field, runs_compared, "runComparison.compared -> integer",
               "How many pairs of steps were compared.", kRunComparisonStart + "assert(d.compared == a.count)"},
              {"complete", Kind::Field, runs_complete, "runComparison.complete -> boolean",
               "False when there may be more than were listed.", kRunComparisonStart + "assert(d.complete)"},
              {"first", Kind::Field, runs_first, "runComparison.first -> table | nil", "The first of them.",
               kRunComparisonStart + "assert(d.first.tile == d[1].tile)"},
              {"parted", Kind::Field, runs_parted, "runComparison.parted -> table | nil",
               "Where the two no longer run the same steps, with step, stepB and text.",
               kRunComparisonStart + "assert(d.parted == nil)"},
              {"padding", Kind::Field, runs_padding, "runComparison.padding -> table | nil",
               "The first result that differs in padding only, where no valid result says what made the two differ.",
               kRunComparisonStart + "assert(d.padding == nil)"},
              {"onlyA", Kind::Field, runs_only<&RunDifferences::only_a>, "runComparison.onlyA -> integer",
               "Of an edited program: steps of the first that have no partner.",
               kRunComparisonStart + "assert(d.onlyA == 0)"},
              {"onlyB", Kind::Field, runs_only<&RunDifferences::only_b>, "runComparison.onlyB -> integer",
               "The same of the second.", kRunComparisonStart + "assert(d.onlyB == 0)"},
          },
      .index = guarded<runs_at>,
      .to_text = guarded<runs_text>,
      .operators = operators};
  return made;
}

}  // namespace ts::scripting
