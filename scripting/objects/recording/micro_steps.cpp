// The micro-steps of a step, as tables: rec:microSteps.
#include <fmt/format.h>

#include <cstring>

#include "core/debug/origins/micro_view.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

constexpr std::uint64_t kStepsAMicroStep = 100;

void push_accesses(lua_State* L, const std::vector<TraceAccess>& accesses) {
  lua_createtable(L, static_cast<int>(accesses.size()), 0);
  for (const TraceAccess& access : accesses) {
    append(L, [&] {
      lua_createtable(L, 0, 3);
      set_field(L, "region", name(access.space));
      set_field(L, "first", lua_Integer{access.address});
      set_field(L, "last", lua_Integer{access.address} + access.size - 1);
    });
  }
}

// Bytes in the order of memory.
std::string hex_of(const TraceValue& value) {
  const std::size_t size = value.kind == TraceValue::Kind::Register ? VL : VL / 8;
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) fmt::format_to(std::back_inserter(hex), "{:02x}", value.bytes[i]);
  return hex;
}

// Of a register a number for each lane, of a predicate whether each lane is on.
void push_lanes(lua_State* L, const TraceValue& value, DType type) {
  const std::uint32_t size = size_bytes(type), lanes = VL / size;
  lua_createtable(L, static_cast<int>(lanes), 0);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if (value.kind == TraceValue::Kind::Predicate) {
      lua_pushboolean(L, value.bytes[lane * size / 8] >> (lane * size % 8) & 1);
    } else {
      std::uint64_t bits = 0;
      std::memcpy(&bits, value.bytes.data() + std::size_t{lane} * size, size);
      push_scalar(L, {type, bits});
    }
    lua_rawseti(L, -2, lane + 1);
  }
}

// As elements of the tiles that a register comes from or goes to: what only moves bits knows their width alone.
void push_made(lua_State* L, const Trace& trace, const MicroIndex& index, const MicroStep& micro) {
  lua_createtable(L, static_cast<int>(micro.made.size()), 0);
  for (const std::uint32_t id : micro.made) {
    const TraceValue& value = trace.values[id];
    const DType type = index.value(id).type;
    append(L, [&] {
      lua_createtable(L, 0, 4);
      set_field(L, "name", value_name(trace, id));
      set_field(L, "type", name(type));
      set_field(L, "hex", hex_of(value));
      push_lanes(L, value, type);
      lua_setfield(L, -2, "lanes");
    });
  }
}

void push_micro_step(lua_State* L, const Trace& trace, const MicroIndex& index, const MicroStep& micro) {
  lua_createtable(L, 0, 6);
  set_field(L, "op", micro.op->name);
  set_field(L, "kind", name(micro.op->flow));
  set_field(L, "text", trace.describe(micro));
  push_accesses(L, micro.reads);
  lua_setfield(L, -2, "reads");
  push_accesses(L, micro.writes);
  lua_setfield(L, -2, "writes");
  push_made(L, trace, index, micro);
  lua_setfield(L, -2, "made");
}

int recording_micro_steps(lua_State* L) {
  const std::shared_ptr<OpenRecording> recording = check_self<RecordingObject>(L).recording;
  Session& session = session_of(L, *recording);
  if (session.count() == 0) raise(L, "rec:microSteps: the recording has no steps");
  const bool given = !lua_isnoneornil(L, 2);
  const std::uint32_t step = given ? check_index(L, 2, session.count(), "step") : session.moment().position;
  if (step >= session.count())
    raise(L, "rec:microSteps: it stands at the end, before no step", "rec:microSteps(step) takes any step");
  // A copy: a collection of garbage while it is pushed may run finalisers, and the session keeps one trace only.
  const Trace trace = machines_for(session.recording().bound(step)).run != nullptr ? session.trace(step) : Trace{};
  const MicroIndex index(trace, &session.recording().bound(step));
  weigh(L, *recording);
  Sandbox::charge(L, kStepsAMicroStep * trace.steps.size());
  lua_createtable(L, static_cast<int>(trace.steps.size()), 0);
  for (const MicroStep& micro : trace.steps) append(L, [&] { push_micro_step(L, trace, index, micro); });
  return 1;
}

constexpr RowMaker kMicroStepsRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

std::vector<Binding> micro_rows() {
  return {
      kMicroStepsRow.method(
          "microSteps", recording_micro_steps, "(step?: integer) -> table[]",
          "The micro-steps of a step, or of the one it stands before or in: each with op, text, kind, reads, writes "
          "(region, first, last), and the "
          "registers it made (name, hex).",
          R"(rec:runTo{op="tadd"}
local micro = rec:microSteps()
assert(#micro > 0 and micro[1].text:find(micro[1].op, 1, true))
for _, m in ipairs(micro) do for _, made in ipairs(m.made) do assert(#made.hex > 0) end end)"),
  };
}

const ListedRows kMicroStepsRows{42, {RecordingObject::type, micro_rows}};

}  // namespace
}  // namespace ts::scripting
