// Steps as scripts see them: what was executed, on what, where from.
#include "scripting/objects/recording/step.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/tree.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/checks.h"
#include "scripting/objects/recording/finding.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/mask.h"
#include "scripting/objects/values/tile.h"

namespace ts::scripting {
namespace {

struct StepHere {
  const StepObject& object;
  Session& session;
  const Recording& recording;
  const Bound& bound;
};
StepHere step_here(lua_State* L) {
  const StepObject& object = check_self<StepObject>(L);
  Session& session = session_of(L, *object.recording);
  const Recording& recording = session.recording();
  return {object, session, recording, recording.bound(object.step)};
}

int step_step(lua_State* L) {
  lua_pushinteger(L, check_self<StepObject>(L).step);
  return 1;
}

int step_op(lua_State* L) {
  lua_pushstring(L, step_here(L).bound.row->name);
  return 1;
}

int step_text(lua_State* L) {
  const StepHere at = step_here(L);
  push_text(L, at.recording.program().short_text(at.recording.step(at.object.step).instruction));
  return 1;
}

int step_args(lua_State* L) {
  const StepHere at = step_here(L);
  lua_newtable(L);
  for (const Operand& operand : at.bound.operands) {
    if (operand.spec == nullptr) continue;
    push_text(L, operand.spec->name);
    push_operand(L, at.object.recording, at.object.step, operand);
    lua_rawset(L, -3);
  }
  return 1;
}

int step_tile(lua_State* L) {
  const StepHere at = step_here(L);
  push_result(L, at.object.recording, at.object.step);
  return 1;
}

int step_block(lua_State* L) {
  const StepHere at = step_here(L);
  lua_pushinteger(L, at.recording.step(at.object.step).block);
  return 1;
}

int step_core(lua_State* L) {
  const StepHere at = step_here(L);
  lua_pushinteger(L, core_of(at.recording, at.object.step));
  return 1;
}

int step_core_name(lua_State* L) {
  const StepHere at = step_here(L);
  push_text(L, core_name(at.recording, core_of(at.recording, at.object.step)));
  return 1;
}

int step_pipe(lua_State* L) {
  lua_pushstring(L, name(step_here(L).bound.pipe));
  return 1;
}

int step_source(lua_State* L) {
  const StepHere at = step_here(L);
  const auto& tree = at.recording.program().tree;
  lua_newtable(L);
  set_field(L, "file", tree == nullptr ? at.recording.program().name : tree->source->name());
  set_field(L, "line", lua_Integer{at.bound.pos.line});
  set_field(L, "column", lua_Integer{at.bound.pos.column});
  return 1;
}

void put_line(lua_State* L, const SourceMap& sources, SourceLine line) {
  set_field(L, "file", sources.files()[line.file]);
  set_field(L, "line", lua_Integer{line.line});
}

int step_origin(lua_State* L) {
  const StepHere at = step_here(L);
  const SourceMap& sources = at.session.sources();
  const auto& lines = sources.lines(sources.origin_of(at.recording.step(at.object.step).instruction));
  if (lines.empty()) return 0;
  lua_newtable(L);
  put_line(L, sources, lines.front());
  lua_newtable(L);
  for (const SourceLine line : std::span(lines).subspan(1)) {
    append(L, [&] {
      lua_newtable(L);
      put_line(L, sources, line);
    });
  }
  lua_setfield(L, -2, "calls");
  return 1;
}

int step_loops(lua_State* L) {
  const StepHere at = step_here(L);
  lua_newtable(L);
  for (const LoopTurn& loop : at.recording.loops(at.object.step)) {
    if (loop.is_region()) continue;
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "line", lua_Integer{loop.pos.line});
      set_field(L, "turn", lua_Integer{loop.turn});
      set_field(L, "variable", lua_Integer{loop.variable});
    });
  }
  return 1;
}

int push_ranges(lua_State* L, const std::vector<ByteRange>& ranges) {
  lua_newtable(L);
  for (const ByteRange& range : ranges) {
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "region", name(range.space));
      set_field(L, "first", lua_Integer{range.address});
      set_field(L, "last", lua_Integer{range.address} + range.size - 1);
    });
  }
  return 1;
}

int step_reads(lua_State* L) {
  const StepHere at = step_here(L);
  const std::vector<ByteRange> ranges = read_ranges(at.session, at.object.step);
  weigh(L, *at.object.recording);
  return push_ranges(L, ranges);
}

int step_writes(lua_State* L) {
  const StepHere at = step_here(L);
  return push_ranges(L, write_ranges(at.recording, at.object.step));
}

int step_findings(lua_State* L) {
  const StepHere at = step_here(L);
  const auto list = findings_of(L, at.object.recording);
  const auto found = at.session.findings_of(at.object.step);
  const auto first = static_cast<std::size_t>(found.data() - list->data());
  lua_newtable(L);
  for (std::size_t i = 0; i < found.size(); ++i)
    append(L, [&] { push_finding(L, at.object.recording, list, first + i); });
  return 1;
}

int step_to_text(lua_State* L) {
  const StepHere at = step_here(L);
  push_text(L, fmt::format("step {}: {}", at.object.step,
                           at.recording.program().short_text(at.recording.step(at.object.step).instruction)));
  return 1;
}

int step_equal(lua_State* L) {
  const StepObject &a = check_object<StepObject>(L, 1, "left"), *b = to_object<StepObject>(L, 2);
  lua_pushboolean(L, b != nullptr && a.recording == b->recording && a.step == b->step ? 1 : 0);
  return 1;
}

// Sorted, with what touches joined.
std::vector<ByteRange> joined_ranges(const MemoryMap& map, std::vector<std::pair<Flat, Flat>> runs) {
  std::ranges::sort(runs);
  std::vector<std::pair<Flat, Flat>> merged;
  for (const auto& [begin, end] : runs) {
    if (!merged.empty() && begin <= merged.back().second) merged.back().second = std::max(merged.back().second, end);
    else merged.emplace_back(begin, end);
  }
  std::vector<ByteRange> ranges;
  for (const auto& [begin, end] : merged) ranges.push_back(map.locate(begin, end - begin));
  return ranges;
}

}  // namespace

void push_step(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t step) {
  make_object<StepObject>(L, std::move(recording), step);
}

void push_operand(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step,
                  const Operand& operand) {
  const bool made = operand.spec->role == Role::Out || operand.spec->role == Role::Tmp;
  const std::uint32_t position = made ? step + 1 : step;
  switch (operand.spec->kind) {
    case OperandKind::Tile:
      if (operand.spec->role == Role::Mask) return push_mask_of_step(L, recording, step, operand);
      return push_tile(L, recording, position, operand.id, operand.tile);
    case OperandKind::Global: return push_buffer(L, recording, position, operand.id);
    case OperandKind::Scalar: return push_scalar(L, operand.scalar);
  }
}

void push_result(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step) {
  for (const Operand& operand : recording_of(L, *recording).bound(step).operands)
    if (operand.spec != nullptr && operand.spec->role == Role::Out && operand.spec->kind == OperandKind::Tile)
      return push_operand(L, recording, step, operand);
  lua_pushnil(L);
}

std::vector<ByteRange> read_ranges(Session& session, std::uint32_t step) {
  std::vector<std::pair<Flat, Flat>> runs;
  const MemoryMap& map = session.recording().map();
  if (machines_for(session.recording().bound(step)).run == nullptr) return {};
  for (const MicroStep& micro : session.trace(step).steps)
    for (const TraceAccess& read : micro.reads)
      runs.emplace_back(map.flat(read.place()), map.flat(read.place()) + read.size);
  return joined_ranges(map, std::move(runs));
}

std::vector<ByteRange> write_ranges(const Recording& recording, std::uint32_t step) {
  std::vector<std::pair<Flat, Flat>> runs;
  for (const WritePattern& pattern : recording.writes(step))
    for_runs(pattern, [&](Flat base, std::uint32_t size) { runs.emplace_back(base, base + size); });
  return joined_ranges(recording.map(), std::move(runs));
}

namespace {

// What examples begin with.
constexpr char kStepExample[] = R"(local rec = pto.load("row_loop"):record()
)";

constexpr RowMaker kStepRow{"step", kStepExample};

const ListedType kStepType{40, StepObject::type};

}  // namespace

const ObjectType& StepObject::type() {
  static const ObjectType made{
      .name = "step",
      .owner = "step",
      .help = "One executed instruction. Step s leads from position s to position s + 1.",
      .bindings =
          {
              kStepRow.field("step", step_step, "integer", "Its number, counted from 0; also the position before it.",
                             "assert(rec:at(42).step == 42)"),
              kStepRow.field("op", step_op, "string", "The instruction's name, in lower case and without pto.",
                             R"(for s in rec:find{op="TADD"} do assert(s.op == "tadd") end)"),
              kStepRow.field("text", step_text, "string", "The instruction in one line, without types.",
                             R"lua(assert(rec:find{op="tadd"}().text:find("tadd")))lua"),
              kStepRow.field("args", step_args, "table<string, tile | buffer | number>",
                             "Its operands by their names: results as the step left them, the others as it found them.",
                             R"(local s = rec:find{op="tadd"}()
for name, tile in pairs(s.args) do assert(name == "dst" or name == "src0" or name == "src1") end)"),
              kStepRow.field("tile", step_tile, "tile | nil", "The first tile that it makes, as it left it.",
                             R"(local t = rec:find{op="tadd"}().tile)"),
              kStepRow.field(
                  "core", step_core, "integer",
                  "The number of the core that ran it. Of kernels with a cube core and vector cores all have "
                  "a number; else blocks run one after the other, each on a core of its own.",
                  "assert(rec:at(0).core == 0)"),
              kStepRow.field("coreName", step_core_name, "string",
                             "What that core is called: AIC, AIV0, AIV1, of several blocks with the block's number.",
                             R"(local rec = pto.load("scores_softmax"):record()
assert(rec:at(0).coreName == "AIC"))"),
              kStepRow.field("block", step_block, "integer", "The block of the launch it belongs to.",
                             "assert(rec:at(0).block == 0)"),
              kStepRow.field("pipe", step_pipe, "string", "The queue it stands in: S, V, M, MTE1, MTE2, MTE3, FIX.",
                             R"(assert(rec:find{op="tload"}().pipe == "MTE2"))"),
              kStepRow.field("source", step_source, "{file: string, line: integer, column: integer}",
                             "Where it stands in the program's text.",
                             R"(local source = rec:find{op="tadd"}().source
assert(source.file:find("row_loop") and source.line > 0))"),
              kStepRow.field("origin", step_origin,
                             "{file: string, line: integer, calls: {file: string, line: integer}[]} | nil",
                             "The line that it came from, where the program's text says so (loc), and the lines that "
                             "called that one, innermost first.",
                             R"(local origin = rec:find{op="tadd"}().origin
assert(origin == nil)  -- written by hand)"),
              kStepRow.field(
                  "loops", step_loops, "{line: integer, turn: integer, variable: integer}[]",
                  "The loops around it, outermost first: where each stands, how many turns came before, and its "
                  "variable.",
                  R"(local last
for s in rec:find{op="tadd"} do last = s.loops[1] end
assert(last.turn == 3 and last.variable == 48))"),
              kStepRow.field(
                  "reads", step_reads, "{region: string, first: integer, last: integer}[]",
                  "The bytes that it reads, as its micro-operations tell; first and last are both part of them.",
                  R"(local range = rec:find{op="tadd"}().reads[1]
assert(range.region == "ub" and range.last > range.first))"),
              kStepRow.field("writes", step_writes, "{region: string, first: integer, last: integer}[]",
                             "The bytes that it writes, as reads tells them.",
                             R"(assert(rec:find{op="tstore"}().writes[1].region == "gm"))"),
              kStepRow.field("findings", step_findings, "finding[]", "What was found in it.",
                             "assert(#rec:at(0).findings == 0)"),
          },
      .to_text = guarded<step_to_text>,
      .equal = guarded<step_equal>};
  return made;
}

}  // namespace ts::scripting
