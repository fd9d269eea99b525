// The cores of a recording and the queues between them, at the place where it stands.
#include <fmt/format.h>

#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/step.h"

namespace ts::scripting {
namespace {

struct LaneObject {
  std::shared_ptr<OpenRecording> recording;
  CoreId core = 0;
  static const ObjectType& type();
};

struct LaneHere {
  const LaneObject& object;
  Session& session;
  CoreAtPosition now() const { return session.cores().at(object.core, session.moment().position); }
};
LaneHere lane_here(lua_State* L) {
  const LaneObject& object = check_self<LaneObject>(L);
  return {object, session_of(L, *object.recording)};
}

int push_step_or_nil(lua_State* L, const LaneHere& lane, const std::optional<std::uint32_t>& step) {
  if (step) push_step(L, lane.object.recording, *step);
  else lua_pushnil(L);
  return 1;
}

int lane_core(lua_State* L) {
  lua_pushinteger(L, check_self<LaneObject>(L).core);
  return 1;
}
int lane_name(lua_State* L) {
  const LaneHere lane = lane_here(L);
  push_text(L, core_name(lane.session.recording(), lane.object.core));
  return 1;
}
int lane_kind(lua_State* L) {
  const LaneHere lane = lane_here(L);
  const Program& program = lane.session.recording().program();
  const CoreKind kind = program.cores[program.together() ? lane.object.core % program.cores.size() : 0].kind;
  lua_pushstring(L, kind == CoreKind::Cube ? "cube" : kind == CoreKind::Vector ? "vector" : "core");
  return 1;
}
int lane_block(lua_State* L) {
  const LaneHere lane = lane_here(L);
  const Program& program = lane.session.recording().program();
  lua_pushinteger(L, static_cast<lua_Integer>(lane.object.core / (program.together() ? program.cores.size() : 1)));
  return 1;
}
int lane_state(lua_State* L) {
  constexpr const char* kWords[] = {"notBegun", "goes", "waits", "ended"};
  lua_pushstring(L, kWords[static_cast<int>(lane_here(L).now().state)]);
  return 1;
}
int lane_waits_for(lua_State* L) {
  const std::string text = lane_here(L).now().waits_for;
  if (text.empty()) lua_pushnil(L);
  else push_text(L, text);
  return 1;
}
int lane_last(lua_State* L) {
  const LaneHere lane = lane_here(L);
  return push_step_or_nil(L, lane, lane.now().last);
}
int lane_next(lua_State* L) {
  const LaneHere lane = lane_here(L);
  return push_step_or_nil(L, lane, lane.now().next);
}

// Upvalues are the lane and how many of its steps were given.
int next_step_of_lane(lua_State* L) {
  const LaneObject& object = *to_object<LaneObject>(L, lua_upvalueindex(1));
  const auto& steps = session_of(L, *object.recording).cores().steps_of(object.core);
  const auto given = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(2)));
  if (given >= steps.size()) return 0;
  lua_pushinteger(L, static_cast<lua_Integer>(given) + 1);
  lua_replace(L, lua_upvalueindex(2));
  push_step(L, object.recording, steps[given]);
  return 1;
}
int lane_steps(lua_State* L) {
  lane_here(L);  // raises when it is closed
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, guarded<next_step_of_lane>, 2);
  return 1;
}

int lane_to_text(lua_State* L) {
  const LaneHere lane = lane_here(L);
  const CoreAtPosition now = lane.now();
  push_text(L, fmt::format("{}: {}{}", core_name(lane.session.recording(), lane.object.core), name(now.state),
                           now.waits_for.empty() ? "" : " for " + now.waits_for));
  return 1;
}

int recording_lanes(lua_State* L) {
  const RecordingObject& self = check_self<RecordingObject>(L);
  const std::uint32_t cores = session_of(L, *self.recording).cores().cores();
  lua_newtable(L);
  for (CoreId core = 0; core < cores; ++core)
    append(L, [&] { make_object<LaneObject>(L, LaneObject{self.recording, core}); });
  return 1;
}

// --- queues ---

void put_steps(lua_State* L, const char* name, const std::array<std::optional<std::uint32_t>, kMostCores>& steps,
               std::size_t first_core) {
  lua_newtable(L);
  for (std::size_t core = 0; core < steps.size(); ++core) {
    if (!steps[core]) continue;
    lua_pushinteger(L, *steps[core]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(first_core + core));
  }
  lua_setfield(L, -2, name);
}

void put_counts(lua_State* L, const char* name, const QueueAtPosition& queue, std::uint32_t QueueCounts::*count,
                std::size_t first_core, std::size_t cores) {
  lua_newtable(L);
  for (std::size_t core = 0; core < cores; ++core) {
    lua_pushinteger(L, queue.counts[core].*count);
    lua_rawseti(L, -2, static_cast<lua_Integer>(first_core + core));
  }
  lua_setfield(L, -2, name);
}

void push_slots(lua_State* L, const QueueAtPosition& queue, std::size_t first_core) {
  constexpr const char* kWords[] = {"free", "filling", "full", "popped"};
  lua_newtable(L);
  for (const QueueSlot& slot : queue.slots)
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "state", kWords[static_cast<int>(slot.state)]);
      if (slot.entry) set_field(L, "entry", lua_Integer{*slot.entry});
      put_steps(L, "pushed", slot.pushed, first_core);
      put_steps(L, "popped", slot.popped, first_core);
      put_steps(L, "freed", slot.freed, first_core);
    });
}

void push_queue(lua_State* L, const Program& program, const QueueAtPosition& queue) {
  const QueueDecl& decl = program.queues[queue.queue];
  const std::size_t cores = program.cores.size(), first_core = queue.block * cores;
  lua_newtable(L);
  set_field(L, "id", lua_Integer{decl.id});
  set_field(L, "to", decl.to_vector ? "vector" : "cube");
  set_field(L, "block", lua_Integer{queue.block});
  set_field(L, "slotBytes", lua_Integer{decl.slot_bytes});
  put_counts(L, "pushed", queue, &QueueCounts::pushed, first_core, cores);
  put_counts(L, "popped", queue, &QueueCounts::popped, first_core, cores);
  put_counts(L, "freed", queue, &QueueCounts::freed, first_core, cores);
  push_slots(L, queue, first_core);
  lua_setfield(L, -2, "slots");
}

int recording_queues(lua_State* L) {
  Session& session = session_of(L, *check_self<RecordingObject>(L).recording);
  const Program& program = session.recording().program();
  lua_newtable(L);
  for (std::uint32_t block = 0; !program.queues.empty() && block < program.blocks; ++block)
    for (std::uint32_t queue = 0; queue < program.queues.size(); ++queue)
      append(L, [&] { push_queue(L, program, session.queues().at(queue, block, session.moment().position)); });
  return 1;
}

constexpr char kLaneExample[] = R"(local rec = pto.load("scores_softmax"):record()
local lane = rec:lanes()[1]
)";
constexpr RowMaker kLaneRow{"lane", kLaneExample};
constexpr RowMaker kQueueRow{"rec", "local rec = pto.load(\"scores_softmax\"):record()\n"};

std::vector<Binding> lane_rows() {
  return {
      kQueueRow.method("lanes", recording_lanes, "() -> lane[]",
                       "Its cores, in the order of their numbers: of a kernel with a cube core and vector cores all of "
                       "them, else one of each block.",
                       R"(assert(rec:lanes()[1].name == "AIC"))"),
      kQueueRow.method(
          "queues", recording_queues,
          "() -> {id: integer, to: string, block: integer, slotBytes: integer, pushed: table, popped: "
          "table, freed: table, slots: table[]}[]",
          "The queues between its cores as they stand at rec.pos. pushed, popped and freed count entries, by "
          "the number of the core. A slot has a state (free, filling, full, popped), the newest entry in "
          "it, and the steps that pushed, popped and freed that one, again by core.",
          R"(rec:seek(rec.count)
local q = rec:queues()[1]
assert(q.to == "vector" and q.slots[1].state == "free" and q.pushed[0] == q.popped[1]))"),
  };
}

const ListedRows kLanes{35, {RecordingObject::type, lane_rows}};
const ListedType kLaneType{41, LaneObject::type};

}  // namespace

const ObjectType& LaneObject::type() {
  static const ObjectType made{
      .name = "lane",
      .owner = "lane",
      .help = "A core of a recording, at the place where the recording stands.",
      .bindings =
          {
              kLaneRow.field("core", lane_core, "integer", "Its number, as step.core has it.",
                             "assert(lane.core == 0)"),
              kLaneRow.field("name", lane_name, "string", "AIC, AIV0, AIV1; of several blocks with the block's number.",
                             R"(assert(lane.name == "AIC"))"),
              kLaneRow.field("kind", lane_kind, "string", "cube, vector, or core: one that does both sides' work.",
                             R"(assert(lane.kind == "cube"))"),
              kLaneRow.field("block", lane_block, "integer", "The block that it belongs to.",
                             "assert(lane.block == 0)"),
              kLaneRow.field("state", lane_state, "string", "notBegun, goes, waits, or ended.",
                             R"(rec:seek(rec.count)
assert(lane.state == "ended"))"),
              kLaneRow.field("waitsFor", lane_waits_for, "string | nil", "What it waits for, where it does.",
                             R"(rec:seek(0)
assert(rec:lanes()[2].waitsFor == "entry 0 of pipe 0"))"),
              kLaneRow.field("last", lane_last, "step | nil", "The last step that it made.",
                             R"(rec:seek(rec.count)
assert(lane.last.core == 0))"),
              kLaneRow.field("next", lane_next, "step | nil", "The step that it makes next.",
                             R"(rec:seek(0)
assert(lane.next.core == 0))"),
              kLaneRow.method("steps", lane_steps, "() -> fun(): step", "All its steps, in their order.",
                              R"(for s in lane:steps() do assert(s.coreName == "AIC") end)"),
          },
      .to_text = guarded<lane_to_text>};
  return made;
}

}  // namespace ts::scripting
