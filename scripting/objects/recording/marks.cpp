// What a script sets in a recording, and the window and its file keep: bookmarks, notes, watches, breakpoints.
#include <fmt/format.h>

#include "scripting/binding/fields.h"
#include "scripting/binding/object.h"
#include "scripting/objects/recording/breakpoint.h"
#include "scripting/objects/values/tile.h"

namespace ts::scripting {
namespace {

// --- bookmarks ---

int recording_bookmark(lua_State* L) {
  Session& session = own_session(L);
  const std::string text = check_text(L, 2, "name");
  const auto position =
      static_cast<std::uint32_t>(optional_integer(L, 3, "position", 0, session.count(), session.moment().position));
  if (const auto refused = session.bookmark(text, position))
    raise(L, fmt::format("rec:bookmark: {}", refused->text), refused->hint);
  weigh_marks(L, *own_recording(L));
  return 0;
}

int recording_remove_bookmark(lua_State* L) {
  const std::string text = check_text(L, 2, "name");
  lua_pushboolean(L, own_session(L).remove_bookmark(text) ? 1 : 0);
  return 1;
}

int recording_bookmarks(lua_State* L) {
  lua_newtable(L);
  for (const auto& bookmark : own_session(L).bookmarks()) {
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "name", bookmark.first);
      set_field(L, "position", lua_Integer{bookmark.second});
    });
  }
  return 1;
}

// --- notes ---

// The name of the tile or buffer that stands at "tile".
std::optional<std::string> tile_name(const OptionTable& options) {
  if (!options.has("tile")) return {};
  lua_State* L = options.state();
  options.push("tile");
  const Place* place = to_place(L, -1);
  std::string name = place != nullptr ? place->name : "";
  if (place == nullptr && lua_type(L, -1) == LUA_TSTRING) name = lua_tostring(L, -1);
  if (name.empty()) options.wrong("tile", "a tile, a buffer, or the name of one");
  lua_pop(L, 1);
  return name.starts_with('%') ? name.substr(1) : name;
}

int recording_note(lua_State* L) {
  const OptionTable options(L, 2, "note", {"text", "step", "tile", "row", "col"});
  Note note;
  const auto text = options.text("text");
  if (!text) options.wrong("text", "what it says; an empty text takes a note away");
  note.text = *text;
  if (const auto step = options.index("step", ~0u)) note.step = *step;
  if (const auto name = tile_name(options)) {
    const auto row = options.index("row", ~0u), col = options.index("col", ~0u);
    if (!row || !col) options.wrong(row ? "col" : "row", "row and col, which say the element");
    note.element = NotedElement{*name, *row, *col};
  }
  if (const auto refused = own_session(L).note(std::move(note)))
    raise(L, fmt::format("rec:note: {}", refused->text), refused->hint);
  weigh_marks(L, *own_recording(L));
  return 0;
}

int recording_notes(lua_State* L) {
  lua_newtable(L);
  for (const Note& note : own_session(L).notes()) {
    append(L, [&] {
      lua_newtable(L);
      set_field(L, "text", note.text);
      if (note.step) set_field(L, "step", lua_Integer{*note.step});
      if (!note.element) return;
      set_field(L, "tile", note.element->owner);
      set_field(L, "row", lua_Integer{note.element->row});
      set_field(L, "col", lua_Integer{note.element->col});
    });
  }
  return 1;
}

// --- watches ---

int recording_watch(lua_State* L) {
  std::string text = check_text(L, 2, "text");
  if (text.empty()) raise(L, "rec:watch: the text is empty");
  if (const auto refused = own_session(L).watch(std::move(text)))
    raise(L, fmt::format("rec:watch: {}", refused->text), refused->hint);
  weigh_marks(L, *own_recording(L));
  return 0;
}

int recording_unwatch(lua_State* L) {
  const std::string text = check_text(L, 2, "text");
  if (!own_session(L).unwatch(text))
    raise(L, fmt::format("rec:unwatch: '{}' is not watched", text), "rec:watches() lists what is");
  return 0;
}

int recording_watches(lua_State* L) {
  lua_newtable(L);
  for (const std::string& text : own_session(L).watches()) append(L, [&] { push_text(L, text); });
  return 1;
}

// --- breakpoints ---

int recording_add_breakpoint(lua_State* L) { return add_breakpoint(L, 2, own_recording(L)); }

int recording_breakpoints(lua_State* L) {
  std::vector<StopId> ids;
  for (const StopEntry& stop : own_session(L).stops()) ids.push_back(stop.id);
  lua_newtable(L);
  for (const StopId id : ids) append(L, [&] { push_breakpoint(L, own_recording(L), id); });
  return 1;
}

constexpr RowMaker kMarksRow{"rec", "local rec = pto.load(\"row_loop\"):record()\n"};

std::vector<Binding> mark_rows() {
  return {
      kMarksRow.method("addBreakpoint", recording_add_breakpoint,
                       "{step=, op=, line=, core=, writes=, changes=, reads=, ...} -> breakpoint",
                       "As pto.addBreakpoint, of this recording.", R"(local b = rec:addBreakpoint{op="tadd"}
assert(rec:continue().bp == b)
local cores = pto.load("scores_softmax"):record()
cores:addBreakpoint{op="tpop_from_aic", core="AIV1"}
assert(cores:continue().at.coreName == "AIV1"))"),
      kMarksRow.method("breakpoints", recording_breakpoints, "() -> breakpoint[]",
                       "All breakpoints, in the order they were set.", R"(local b = rec:addBreakpoint{op="tadd"}
assert(rec:breakpoints()[1] == b))"),
      kMarksRow.method("bookmark", recording_bookmark, "(name: string, position?: integer)",
                       "Keeps a position, or the one it stands at, under a name.", R"(rec:bookmark("before the sum", 7)
assert(rec:bookmarks()[1].position == 7))"),
      kMarksRow.method("removeBookmark", recording_remove_bookmark, "(name: string) -> boolean",
                       "Takes a bookmark away; false when there was none.", R"(rec:bookmark("here")
assert(rec:removeBookmark("here") and #rec:bookmarks() == 0))"),
      kMarksRow.method("bookmarks", recording_bookmarks, "() -> {name: string, position: integer}[]",
                       "All bookmarks, by name.", "assert(#rec:bookmarks() == 0)"),
      kMarksRow.method(
          "note", recording_note, "{text=, step=, tile=, row=, col=}",
          "Writes a note about a step, an element of a tile or buffer, or both: in place of the one before. An "
          "empty text takes it away.",
          R"(rec:note{text="the first sum", step=5}
rec:note{text="wrong here", tile="x_even", row=0, col=3}
assert(rec:notes()[1].step == 5)
rec:note{text="", step=5}
assert(#rec:notes() == 1))"),
      kMarksRow.method(
          "notes", recording_notes, "() -> table[]",
          "All notes, in the order they were written: text, and step, or tile, row and col, or all of them.",
          "assert(#rec:notes() == 0)"),
      kMarksRow.method("watch", recording_watch, "(text: string)",
                       "Adds an expression to the list that is looked at whenever it stops.", R"(rec:watch("rec.pos")
assert(rec:watches()[1] == "rec.pos"))"),
      kMarksRow.method("unwatch", recording_unwatch, "(text: string)", "Takes it off the list.", R"(rec:watch("rec.pos")
rec:unwatch("rec.pos")
assert(#rec:watches() == 0))"),
      kMarksRow.method("watches", recording_watches, "() -> string[]", "The list.", "assert(#rec:watches() == 0)"),
  };
}

const ListedRows kMarksRows{90, {RecordingObject::type, mark_rows}};

}  // namespace

}  // namespace ts::scripting
