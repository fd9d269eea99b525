// The history of bytes as a list: what has not been read has not been looked for, and no row is a table before it is
// asked.
#include <fmt/format.h>

#include <cstring>

#include "core/debug/origins/history.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"
#include "scripting/sandbox/weight.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

struct HistoryObject {
  Place place;
  std::uint32_t row = 0, col = 0;
  History history;
  Weight weight = {};
  static const ObjectType& type();
};

constexpr std::uint32_t kStepsAtOnce = 16384;

// Looks on until there are so many rows, or no more steps.
void look_for(lua_State* L, HistoryObject& list, std::uint64_t rows) {
  session_of(L, *list.place.recording);
  if (list.history.rows().size() >= rows || list.history.complete()) return;
  const std::size_t row_bytes = sizeof(HistoryRow) + 2 * list.history.range().size;
  Sandbox::CallWatch watch(L);
  for (bool more = true; more && list.history.rows().size() < rows;) {
    more = list.history.look_on(kStepsAtOnce);
    list.weight.set(L, list.history.rows().size() * row_bytes);
    if (watch.is_late()) watch.raise("looking through the history");
  }
}

const char* maker_name(Maker maker) {
  switch (maker) {
    case Maker::Step: return "step";
    case Maker::Edit: return "edit";
    case Maker::Block: return "block";
    case Maker::Input: return "input";
    case Maker::Nobody: break;
  }
  return "nobody";
}

std::uint64_t bits_of(std::span<const std::byte> bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  return bits;
}

void set_value(lua_State* L, const char* value, const char* bits_key, const HistoryObject& list, std::uint64_t bits,
               Definedness worth) {
  set_integer(L, bits_key, bits);
  if (worth != Definedness::Never) set_element(L, value, *list.place.format, bits);
}

int history_at(lua_State* L) {
  HistoryObject& list = check_self<HistoryObject>(L);
  const lua_Integer wanted = lua_tointeger(L, 2);
  if (wanted < 1) return 0;
  look_for(L, list, static_cast<std::uint64_t>(wanted));
  if (static_cast<std::uint64_t>(wanted) > list.history.rows().size()) return 0;
  const auto index = static_cast<std::size_t>(wanted - 1);
  const HistoryRow row = list.history.rows()[index];
  const Recording& recording = session_of(L, *list.place.recording).recording();
  const std::uint64_t before = bits_of(list.history.before(index)), after = bits_of(list.history.after(index));
  lua_createtable(L, 0, 9);
  set_integer(L, "step", row.step);
  set_field(L, "maker", maker_name(row.maker));
  if (row.maker != Maker::Edit) {
    set_field(L, "op", recording.bound(row.step).row->name);
    set_integer(L, "core", recording.step(row.step).block);
  }
  set_value(L, "before", "beforeBits", list, before, row.defined_before);
  set_value(L, "after", "afterBits", list, after, row.defined_after);
  set_truth(L, "changed", before != after || row.defined_before != row.defined_after);
  return 1;
}

int history_count(lua_State* L) {
  HistoryObject& list = check_self<HistoryObject>(L);
  look_for(L, list, ~std::uint64_t{0});
  lua_pushinteger(L, static_cast<lua_Integer>(list.history.rows().size()));
  return 1;
}

int history_text(lua_State* L) {
  const HistoryObject& list = check_self<HistoryObject>(L);
  const std::string text = fmt::format("history of {}[{},{}]: {}{} changes", list.place.name, list.row, list.col,
                                       list.history.rows().size(), list.history.complete() ? "" : " or more");
  return push_text_result(L, text);
}

const ObjectType& HistoryObject::type() {
  static const luaL_Reg operators[] = {{"__len", guarded<history_count>}, {nullptr, nullptr}};
  static const ObjectType made{
      .name = "history",
      .owner = "history",
      .help =
          "Every change of an element's bytes, in the order of time, as a list: history[1] is the first. A row has "
          "step, maker ('step', 'edit' or 'block'), op, core, before, beforeBits, after, afterBits and changed. It "
          "looks only as far as it is read.",
      .bindings = {{"count", Kind::Field, history_count, "history.count -> integer",
                    "How many changes there are; the same as #history. Looks through all steps.",
                    R"(local rec = pto.load("complex_split", {target="a5"}):record()
local h = rec:tile("sum"):history(0, 0)
assert(h.count == #h and #h >= 1)
for i, change in ipairs(h) do assert(change.after and change.step < rec.count) end)"}},
      .index = guarded<history_at>,
      .to_text = guarded<history_text>,
      .operators = operators};
  return made;
}

int place_history(lua_State* L, const Place& place) {
  const CellArguments cell = check_cell(L, place);
  Session& session = session_of(L, *place.recording);
  make_object<HistoryObject>(L, place, cell.row, cell.col, session.history(place.at(cell.row, cell.col)));
  return 1;
}

template <class T>
std::vector<Binding> history_rows() {
  const PlaceWords w = T::words();
  return {
      {"history", Kind::Method, of_place<T, place_history>, w.signature("history", w.cell + " -> history"),
       "Every change of the element's bytes over the whole recording, as a list that is found as it is read.",
       w.start + "local h = t:history(0, 0)\nassert(h[#h].after == t:get(0, 0))"},
  };
}

const ListedRows kTile{40, {TileObject::type, history_rows<TileObject>}};
const ListedRows kBuffer{40, {BufferObject::type, history_rows<BufferObject>}};
const ListedType kHistoryListType{130, HistoryObject::type};

}  // namespace
}  // namespace ts::scripting
