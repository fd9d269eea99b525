// What recordings have for values: tiles, buffers, masks, registers and memories.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/mask.h"
#include "scripting/objects/values/memory.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

// {step=}: the state after so many steps; without it, where the recording stands.
std::uint32_t position_of(lua_State* L, Session& session, int index) {
  const OptionTable options(L, index, "options", {"step"});
  const auto step = options.integer("step", 0, session.count());
  return step ? static_cast<std::uint32_t>(*step) : session.moment().position;
}

// As the program writes them or without the %.
std::string check_name(lua_State* L, int index) {
  std::string name = check_text(L, index, "name");
  if (name.starts_with('%')) name.erase(0, 1);
  return name;
}

template <class Decls>
[[noreturn]] void no_such_name(lua_State* L, const std::string& name, const char* what, const Decls& decls) {
  std::vector<std::string_view> known;
  for (const auto& decl : decls) known.push_back(decl.name);
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  constexpr std::size_t kShown = 12;
  std::string list;
  for (std::size_t i = 0; i < std::min(kShown, known.size()); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : ", ", known[i]);
  if (known.size() > kShown) list += ", ...";
  raise(L,
        fmt::format("{}: there is no {} '{}'{}", current_binding(L)->called(), what, name, did_you_mean(name, known)),
        list.empty() ? "" : "there are " + list);
}

std::uint32_t check_tile_name(lua_State* L, Session& session, std::uint32_t position) {
  const std::string name = check_name(L, 2);
  const auto tile = session.find_tile(name, position);
  if (!tile) no_such_name(L, name, "tile", session.recording().program().tiles);
  return *tile;
}

int recording_tile(lua_State* L) {
  Session& session = own_session(L);
  const std::uint32_t position = position_of(L, session, 3);
  const std::uint32_t tile = check_tile_name(L, session, position);
  const bool is_here = lua_isnoneornil(L, 3);
  push_tile(L, own_recording(L), position, tile, session.tile_at(tile, position));
  if (is_here) to_object<TileObject>(L, -1)->micro = session.moment().micro;
  return 1;
}

int recording_mask(lua_State* L) {
  Session& session = own_session(L);
  const std::uint32_t position = position_of(L, session, 3);
  push_mask(L, own_recording(L), position, check_tile_name(L, session, position));
  return 1;
}

int recording_buffer(lua_State* L) {
  Session& session = own_session(L);
  const std::uint32_t position = position_of(L, session, 3);
  const std::string name = check_name(L, 2);
  const auto buffer = session.find_buffer(name);
  if (!buffer) no_such_name(L, name, "buffer", session.recording().program().buffers);
  push_buffer(L, own_recording(L), position, *buffer);
  return 1;
}

template <class Decls>
int push_names(lua_State* L, const Decls& decls) {
  std::vector<std::string_view> seen;
  lua_newtable(L);
  for (const auto& decl : decls) {
    if (std::ranges::find(seen, std::string_view(decl.name)) != seen.end()) continue;
    seen.push_back(decl.name);
    append(L, [&] { push_text(L, decl.name); });
  }
  return 1;
}
int recording_tiles(lua_State* L) { return push_names(L, own_session(L).recording().program().tiles); }
int recording_buffers(lua_State* L) { return push_names(L, own_session(L).recording().program().buffers); }

Space check_region(lua_State* L, int index, const Recording& recording) {
  const std::string text = check_text(L, index, "region");
  const auto space = space_from_name(text);
  if (space && recording.map().size(*space) != 0) return *space;
  std::string list;
  for (int i = 0; i < kSpaces; ++i)
    if (recording.map().size(static_cast<Space>(i)) != 0)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", name(static_cast<Space>(i)));
  raise(L,
        fmt::format("{}: region: {} has no memory '{}'", current_binding(L)->called(), name(recording.program().target),
                    text),
        "there are " + list);
}

int recording_mem(lua_State* L) {
  Session& session = own_session(L);
  const Space space = check_region(L, 2, session.recording());
  make_object<MemoryObject>(L, own_recording(L), position_of(L, session, 3), space);
  return 1;
}

// Where the recording stands, also in the middle of a step; or between steps, with {step=}.
template <void (*push)(lua_State*, OpenRecording&, const std::string&, Moment)>
int recording_register(lua_State* L) {
  const std::string name = check_text(L, 2, "name");
  Session& session = own_session(L);
  const std::uint32_t position = position_of(L, session, 3);
  push(L, *own_recording(L), name, lua_isnoneornil(L, 3) ? session.moment() : Moment{position, 0});
  return 1;
}

int recording_aliases(lua_State* L) {
  Session& session = own_session(L);
  const Recording& recording = session.recording();
  const Space space = check_region(L, 2, recording);
  const std::int64_t end = recording.map().size(space);
  const std::int64_t first = check_integer(L, 3, "first", 0, end - 1),
                     last = check_integer(L, 4, "last", first, end - 1);
  const std::uint32_t position = session.moment().position;
  lua_newtable(L);
  for (std::uint32_t i = 0; i < recording.program().tiles.size(); ++i) {
    const TileRef tile = session.tile_at(i, position);
    const ByteRange range = tile.range();
    if (range.space != space || range.size == 0 || range.address > last ||
        std::int64_t{range.address} + range.size <= first)
      continue;
    append(L, [&] { push_tile(L, own_recording(L), position, i, tile); });
  }
  return 1;
}

const std::string kRecordingValuesStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
rec:seek(rec.count)
)";

std::vector<Binding> recording_value_rows() {
  return {
      {"tile", Kind::Method, recording_tile, "rec:tile(name: string, options?: table) -> tile",
       "The tile of this name, as it is where the recording stands, or after so many steps with {step=}. Of several "
       "with one name, the one declared last before that place.",
       kRecordingValuesStart +
           "local t = rec:tile('im')\nassert(t.rows == 4 and t.step == rec.count)\nassert(rec:tile('im', "
           "{step=0}):get(0, 0) == nil)"},
      {"tiles", Kind::Method, recording_tiles, "rec:tiles() -> string[]", "The names of all tiles.",
       kRecordingValuesStart + "for _, name in ipairs(rec:tiles()) do rec:tile(name) end"},
      {"buffer", Kind::Method, recording_buffer, "rec:buffer(name: string, options?: table) -> buffer",
       "The global buffer of this name, as rec:tile gives tiles.",
       kRecordingValuesStart + "local b = rec:buffer('iq')\nassert(b:get(25) == b:get(1, 1))"},
      {"buffers", Kind::Method, recording_buffers, "rec:buffers() -> string[]", "The names of all buffers.",
       kRecordingValuesStart + "assert(#rec:buffers() == 3)"},
      {"mask", Kind::Method, recording_mask, "rec:mask(name: string, options?: table) -> mask",
       "The bits in the tile of this name, by lanes. {step=} as for rec:tile.",
       kRecordingValuesStart + "local m = rec:mask('mask', {step=0})\nassert(rec:at(m.step).op == 'tsels')"},
      {"mem", Kind::Method, recording_mem, "rec:mem(region: string, options?: table) -> memory",
       "A memory: ub, l1, gm, ... {step=} as for rec:tile.",
       kRecordingValuesStart + "local t = rec:tile('im')\nassert(rec:mem(t.region):f32(t.offset) == t:get(0, 0))"},
      {"reg", Kind::Method, recording_register<push_register>, "rec:reg(name: string, options?: table) -> register",
       "A register where the recording stands, or after so many steps with {step=}: one that the region of vector "
       "instructions there names (%sum), v0, p4, ... of the micro-steps made so far, or a special register (VMS4_SR; "
       "A2A3: MASK, MASK_MODE, CMPMASK).",
       R"(local rec = pto.load("masked_sum", {target="a2a3"}):record()
assert(rec:reg("MASK"):u64(0) == -1)
rec:runTo{op="tadd"}
local ok, message = pcall(rec.reg, rec, "v0")
assert(not ok and message:find("between steps")))"},
      {"pred", Kind::Method, recording_register<push_predicate>, "rec:pred(name: string, options?: table) -> register",
       "The same, of masks: reg:get gives the bits of its lanes.",
       R"(local rec = pto.load("add_tail"):record()
rec:seek(rec.count - 4)
local tail = rec:pred("%tail")
assert(tail:get(10) == 1 and tail:get(11) == 0))"},
      {"aliases", Kind::Method, recording_aliases,
       "rec:aliases(region: string, first: integer, last: integer) -> tile[]",
       "The tiles that stand on any of these bytes, both ends included, where the recording stands.",
       kRecordingValuesStart +
           "local t = rec:tile('im')\nassert(rec:aliases('ub', t.offset, t.offset)[1].name == 'im')"},
  };
}

const ListedRows kRecordingValuesRows{60, {RecordingObject::type, recording_value_rows}};

}  // namespace
}  // namespace ts::scripting
