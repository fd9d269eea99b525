// The table `gui`: asks the window. Without one every call checks its arguments, does nothing, and gives back false, so
// that a script runs either way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/debug/session/commands.h"
#include "scripting/binding/object.h"
#include "scripting/gui/gui_live.h"
#include "scripting/objects/values/command_call.h"
#include "scripting/objects/values/tile.h"
#include "scripting/run/engine.h"
#include "scripting/run/new_file.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {
namespace {

constexpr std::size_t kMostTitleBytes = 60;

std::string called(lua_State* L) { return std::string(current_binding(L)->called()); }

// The window, for a call that asks it for something; null: there is none.
GuiHost* window(lua_State* L) {
  check_may_move(L);
  return Engine::of(L).host().gui.get();
}

int answer(lua_State* L, bool done) {
  lua_pushboolean(L, done ? 1 : 0);
  return 1;
}

int gui_available(lua_State* L) { return answer(L, Engine::of(L).host().gui != nullptr); }

// --- tiles and elements ---

// What stands there may be a tile or buffer, or its name.
std::string check_owner_name(lua_State* L, int index) {
  if (const Place* place = to_place(L, index)) return place->name;
  if (lua_type(L, index) == LUA_TSTRING) {
    const std::string text = lua_tostring(L, index);
    return text.starts_with('%') ? text.substr(1) : text;
  }
  wrong_argument(L, index, "tile", "a tile, a buffer, or the name of one");
}

// The same of the recording that the window shows.
GuiOwner check_owner(lua_State* L, int index, const OpenRecording& shown) {
  Session& session = *shown.session;
  if (const Place* place = to_place(L, index)) {
    if (place->recording.get() != &shown)
      raise(L, fmt::format("{}: {} is of another recording than the window shows", called(L), place->name),
            "pto.current() is the one that is shown");
    return {place->is_buffer, place->id};
  }
  const std::string name = check_owner_name(L, index);
  if (const auto tile = session.find_tile(name, session.moment().position)) return {false, *tile};
  if (const auto buffer = session.find_buffer(name)) return {true, *buffer};
  raise(L, fmt::format("{}: the program has no tile or buffer '{}'", called(L), name));
}

struct CellOf {
  GuiOwner owner;
  Place place;
  std::uint32_t row = 0, col = 0;
};

// A tile, a row and a column from the index on.
CellOf check_cell_of(lua_State* L, int index) {
  const auto shown = shown_recording(L);
  const GuiOwner owner = check_owner(L, index, *shown);
  Place place = place_of(shown, owner);
  const std::uint32_t row = check_index(L, index + 1, place.rows, "row"),
                      col = check_index(L, index + 2, place.cols, "col");
  return {owner, std::move(place), row, col};
}

void check_cell_shape(lua_State* L, int index) {
  check_owner_name(L, index);
  check_index(L, index + 1, std::uint64_t{1} << 32, "row");
  check_index(L, index + 2, std::uint64_t{1} << 32, "col");
}

// --- going and pointing ---

int gui_jump(lua_State* L) {
  const std::int64_t position = check_integer(L, 1, "position", 0, ~0u);
  if (window(L) == nullptr) return answer(L, false);
  const auto shown = shown_recording(L);
  const std::uint32_t count = shown->session->count();
  check_integer(L, 1, "position", 0, count);
  move_session(L, shown, "going there", [&](Session& session) {
    session.seek({static_cast<std::uint32_t>(position), 0});
    return 0;
  });
  return answer(L, true);
}

int gui_select(lua_State* L) {
  check_cell_shape(L, 1);
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  const CellOf cell = check_cell_of(L, 1);
  gui->select(cell.owner.is_buffer, cell.owner.id, cell.row, cell.col);
  return answer(L, true);
}

int gui_note(lua_State* L) {
  check_cell_shape(L, 1);
  const std::string text = check_text(L, 4, "text");
  if (window(L) == nullptr) return answer(L, false);
  const CellOf cell = check_cell_of(L, 1);
  const auto refused = cell.place.recording->session->note(
      {.text = text, .step = {}, .element = NotedElement{cell.place.name, cell.row, cell.col}});
  if (refused) raise(L, fmt::format("gui.note: {}", refused->text), refused->hint);
  return answer(L, true);
}

// --- how tiles are shown ---

ShowWish check_wish(lua_State* L, int index) {
  const OptionTable options(L, index, "options", {"as", "format", "range"});
  constexpr const char* kAs[] = {"numbers", "heat"};
  ShowWish wish{.as = "", .format = options.text("format").value_or("")};
  if (const auto as = options.word("as", {"numbers", "heat"})) wish.as = kAs[*as];
  if (options.has("range")) {
    options.push("range");
    if (lua_istable(L, -1) && lua_rawlen(L, -1) == 2) {
      lua_rawgeti(L, -1, 1);
      lua_rawgeti(L, -2, 2);
      if (lua_isnumber(L, -2) != 0) wish.low = lua_tonumber(L, -2);
      if (lua_isnumber(L, -1) != 0) wish.high = lua_tonumber(L, -1);
      lua_pop(L, 2);
    }
    lua_pop(L, 1);
    if (!wish.low || !wish.high || !std::isfinite(*wish.low) || !std::isfinite(*wish.high) || *wish.low >= *wish.high)
      options.wrong("range", "a list of the lowest and the highest value, such as {-1, 1}");
  }
  return wish;
}

bool is_own_format(const std::string& name) {
  constexpr std::string_view kFormats[] = {"", "decimal", "hex", "bits", "exact"};
  for (const std::string_view format : kFormats)
    if (name == format) return true;
  return false;
}

int gui_show(lua_State* L) {
  const std::string name = check_owner_name(L, 1);
  ShowWish wish = check_wish(L, 2);
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  const auto shown = shown_recording(L);
  const GuiOwner owner = check_owner(L, 1, *shown);
  GuiLive& live = Engine::of(L).slot<GuiLive>();
  if (!is_own_format(wish.format)) {
    if (!live.has_format(wish.format))
      raise(L, fmt::format("gui.show: format: there is no format '{}'", wish.format),
            "formats are decimal, hex, bits, exact, and those of gui.visualizer");
    const Place place = place_of(shown, owner);
    if (std::uint64_t{place.rows} * place.cols > GuiLive::kMostCells)
      raise(L, fmt::format("gui.show: {} has more than {} elements", name, GuiLive::kMostCells),
            "formats of scripts are for smaller ones");
    live.show_as(owner, std::exchange(wish.format, "decimal"));
  } else if (!wish.format.empty()) {
    live.show_as(owner, "");
  }
  gui->show(name, wish);
  return answer(L, true);
}

// What gets a function, or false to take away what has the name.
bool takes_away(lua_State* L, int index, const char* name) {
  if (lua_isnoneornil(L, index) || (lua_isboolean(L, index) && lua_toboolean(L, index) == 0)) return true;
  check_function(L, index, name);
  return false;
}

std::string check_title(lua_State* L, const char* name) {
  std::string title = check_text(L, 1, name);
  if (title.empty() || title.size() > kMostTitleBytes)
    raise(L, fmt::format("{}: {}: wanted 1 to {} bytes, got {}", called(L), name, kMostTitleBytes, title.size()));
  for (const char c : title)
    if (static_cast<unsigned char>(c) < 0x20) raise(L, fmt::format("{}: {} has control characters", called(L), name));
  return title;
}

LuaValue function_at(lua_State* L, int index) {
  lua_pushvalue(L, index);
  return LuaValue(L);
}

int put_or_raise(lua_State* L, bool put, std::size_t most) {
  if (!put) raise(L, fmt::format("{}: there are {} already, and no more fit", called(L), most), "false takes one away");
  return answer(L, true);
}

int gui_panel(lua_State* L) {
  const std::string title = check_title(L, "title");
  const bool away = takes_away(L, 2, "draw");
  if (window(L) == nullptr) return answer(L, false);
  GuiLive& live = Engine::of(L).slot<GuiLive>();
  if (away) return answer(L, live.remove_panel(title));
  return put_or_raise(L, live.set_panel(title, function_at(L, 2)), GuiLive::kMostPanels);
}

int gui_visualizer(lua_State* L) {
  const std::string name = check_title(L, "name");
  if (is_own_format(name)) raise(L, fmt::format("gui.visualizer: {} is a format of the window", name));
  check_function(L, 2, "text");
  if (window(L) == nullptr) return answer(L, false);
  return put_or_raise(L, Engine::of(L).slot<GuiLive>().set_format(name, function_at(L, 2)), GuiLive::kMostFormats);
}

int gui_overlay(lua_State* L) {
  const std::string name = check_owner_name(L, 1);
  const bool away = takes_away(L, 2, "color");
  if (window(L) == nullptr) return answer(L, false);
  const auto shown = shown_recording(L);
  const GuiOwner owner = check_owner(L, 1, *shown);
  GuiLive& live = Engine::of(L).slot<GuiLive>();
  if (away) return answer(L, live.remove_overlay(owner));
  const Place place = place_of(shown, owner);
  if (std::uint64_t{place.rows} * place.cols > GuiLive::kMostCells)
    raise(L, fmt::format("gui.overlay: {} has more than {} elements", name, GuiLive::kMostCells),
          "overlays are for smaller ones");
  return put_or_raise(L, live.set_overlay(owner, function_at(L, 2)), GuiLive::kMostOverlays);
}

// --- the window itself ---

int gui_layout(lua_State* L) {
  std::string name = check_text(L, 1, "name");
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  gui->command("layout", {name});
  return answer(L, true);
}

int gui_screenshot(lua_State* L) {
  const OptionTable options(L, 2, "options", {"scale"});
  const double scale = options.number("scale").value_or(1);
  if (!(scale >= 0.5 && scale <= 4)) options.wrong("scale", "a number from 0.5 to 4");
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  const NewFile file = check_new_file(L, {".png"}, 1);
  // The window writes it: that it fits is known afterwards.
  data::Room& room = *file.rules.room;
  if (const auto error = room.too_large(file.path, 1)) raise_error(L, *error);
  const data::Error error = gui->screenshot(file.path, scale);
  if (!error.text.empty()) raise_error(L, error);
  room.left -= std::min(room.left, data::size_of(file.path));
  return answer(L, true);
}

int gui_animate(lua_State* L) {
  const OptionTable options(L, 1, "options", {"from", "speed"});
  const auto from = options.integer("from", 0, ~0u - 1);
  const double speed = options.number("speed").value_or(1);
  if (!(speed >= 0.25 && speed <= 4)) options.wrong("speed", "a number from 0.25 to 4");
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  if (from) {
    const auto shown = shown_recording(L);
    const std::uint32_t count = shown->session->count();
    if (*from >= count) options.wrong("from", fmt::format("a step, from 0 to {}", std::int64_t{count} - 1));
    move_session(L, shown, "going there", [&](Session& session) {
      session.seek({static_cast<std::uint32_t>(*from) + 1, 0});
      return 0;
    });
    gui->command("showNext", {std::int64_t{0}});
  }
  gui->command("playMove", {static_cast<std::int64_t>(std::lround(speed * 100))});
  return answer(L, true);
}

// --- a function for each command of the window ---

int gui_command(lua_State* L) {
  const CommandRow& row = *find_registered_command(current_binding(L)->name);
  std::vector<GuiValue> values = check_command_values(L, 1, row);
  GuiHost* gui = window(L);
  if (gui == nullptr) return answer(L, false);
  gui->command(row.name, std::move(values));
  return answer(L, true);
}

Binding call(const char* name, lua_CFunction function, std::string signature, std::string help, std::string example) {
  return {name, Binding::Kind::Function, function, std::move(signature), std::move(help), std::move(example)};
}

std::vector<Binding> written_rows() {
  return {
      {"available", Binding::Kind::Field, gui_available, "gui.available -> boolean", "Whether there is a window.",
       R"(if not gui.available then assert(gui.jump(0) == false) end)"},
      call("show", gui_show, "gui.show(tile, options?: table) -> boolean",
           "Shows a tile or buffer in the Tiles pane. as: numbers, heat; format: decimal, hex, bits, exact, or one of "
           "gui.visualizer; range: the lowest and highest value of the heat.",
           R"(assert(gui.show("t", {as="heat", range={-1, 1}}) == gui.available)
assert(not pcall(gui.show, "t", {as="cold"})))"),
      call("jump", gui_jump, "gui.jump(position: integer) -> boolean",
           "Goes to a position, as a click in the list of steps does.", R"(assert(gui.jump(0) == gui.available))"),
      call("select", gui_select, "gui.select(tile, row: integer, col: integer) -> boolean", "Selects an element.",
           R"(assert(gui.select("t", 0, 0) == gui.available))"),
      call("panel", gui_panel, "gui.panel(title: string, draw: function | false) -> boolean",
           "A pane of the script's own. The function is called with `ui` whenever the session stands elsewhere, and "
           "says what the pane holds; where ui.button gives back true it may move the recording and ask the window for "
           "things. An error is shown in the pane, and a function that takes too many steps is called no more. False "
           "takes the pane away.",
           R"(assert(gui.panel("Norms", function(ui) ui.text("none yet") end) == gui.available))"),
      call("visualizer", gui_visualizer, "gui.visualizer(name: string, text: function) -> boolean",
           "A number format of the script's own, for gui.show: the function gets a cell and gives back its text.",
           R"(assert(gui.visualizer("half", function(cell) return cell.value / 2 end) == gui.available)
gui.show("t", {format="half"}))"),
      call(
          "overlay", gui_overlay, "gui.overlay(tile, color: function | false) -> boolean",
          "Colours the cells of a tile or buffer: the function gets row and column and gives back a colour "
          "(\"#RRGGBB\", 0xRRGGBB, a name such as \"orange\", or nil) and, if it likes, a short mark. False takes the "
          "colours away.",
          R"(assert(gui.overlay("t", function(row, col) return row == col and "orange" or nil, "d" end) == gui.available))"),
      call("note", gui_note, "gui.note(tile, row: integer, col: integer, text: string) -> boolean",
           "A note at an element; rec:note writes one also without a window.",
           R"(assert(gui.note("t", 0, 0, "first bad value") == gui.available))"),
      call("layout", gui_layout, "gui.layout(name: string) -> boolean",
           "Switches the layout: Learn, Debug, Compare, Present.", R"(assert(gui.layout("Debug") == gui.available))"),
      call(
          "screenshot", gui_screenshot, "gui.screenshot(path: string, options?: table) -> boolean",
          "Writes a picture of the window, as it is after all that was asked before, into a new .png below the current "
          "folder. scale: 1 is the window's own size.",
          R"(if not gui.available then assert(gui.screenshot("step.png") == false) end)"),
      call("animate", gui_animate, "gui.animate{from=, speed=} -> boolean",
           "Plays the move of a step on the stage; without a number, of the step that is shown. speed: 0.25 to 4.",
           R"(assert(gui.animate{from=0, speed=0.5} == gui.available))"),
  };
}

std::vector<Binding> command_rows() {
  const std::vector<Binding> written = written_rows();
  std::vector<Binding> rows;
  for (const CommandRow* row : registered_commands()) {
    const bool is_written = std::ranges::any_of(
        written, [&](const Binding& binding) { return std::string_view(binding.name) == row->name; });
    if (is_written || !is_called_by_gui(*row)) continue;
    rows.push_back(
        {row->name, Binding::Kind::Function, gui_command,
         fmt::format("gui.{}{} -> boolean", row->name, parameters_text(*row)),
         fmt::format("The command \"{}\": {}", row->title, row->help),
         fmt::format("if not gui.available then assert(gui.{}({}) == false) end", row->name, example_arguments(*row))});
  }
  return rows;
}

const ObjectType& gui_type() {
  static const ObjectType made{
      .name = "gui",
      .owner = "gui",
      .help =
          "The window, where there is one: functions of its own, and one of the name of each of its commands. They "
          "are done in their order, once the script lets the window draw. Without a window each checks its "
          "arguments, does nothing, and gives back false.",
      .bindings = listed_rows(gui_type),
      .is_table = true};
  return made;
}

const ListedRows kWritten{10, {gui_type, written_rows}};
const ListedRows kCommands{20, {gui_type, command_rows}};
const ListedType kGuiType{240, gui_type};

}  // namespace
}  // namespace ts::scripting
