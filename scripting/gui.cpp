// The table `gui`: asks the window. Without one every call gives back false, so that a script runs either way.
#include "scripting/engine.h"
#include "scripting/object.h"
#include "scripting/rows.h"

namespace ts::scripting {
namespace {

int gui_available(lua_State* L) {
  lua_pushboolean(L, Engine::of(L).host().gui ? 1 : 0);
  return 1;
}

int gui_call(lua_State* L) {
  const auto& window = Engine::of(L).host().gui;
  if (window) return window(L, current_binding(L)->name);
  lua_pushboolean(L, 0);
  return 1;
}

Binding call(const char* name, std::string signature, std::string help, std::string example) {
  return {name, Binding::Kind::Function, gui_call, std::move(signature), std::move(help), std::move(example)};
}

}  // namespace

const ObjectType& gui_type() {
  static const ObjectType made{
      .name = "gui",
      .owner = "gui",
      .help = "The window, where there is one. Without a window each call does nothing and gives back false.",
      .bindings =
          {
              {"available", Binding::Kind::Field, gui_available, "gui.available -> boolean",
               "Whether there is a window.", R"(if not gui.available then assert(gui.jump(0) == false) end)"},
              call("show", "gui.show(tile, options?: table) -> boolean", "Shows a tile; options: as, format, range.",
                   R"(assert(gui.show("t", {as="heat"}) == gui.available))"),
              call("jump", "gui.jump(position: integer) -> boolean",
                   "Goes to a position, as a click in the list of steps does.",
                   R"(assert(gui.jump(0) == gui.available))"),
              call("select", "gui.select(tile, row: integer, col: integer) -> boolean", "Selects an element.",
                   R"(assert(gui.select("t", 0, 0) == gui.available))"),
              call("panel", "gui.panel(title: string, draw: function) -> boolean",
                   "A pane of the script's own; the function draws it.",
                   R"(assert(gui.panel("Norms", function(ui) end) == gui.available))"),
              call("visualizer", "gui.visualizer(name: string, draw: function) -> boolean", "A way to show a cell.",
                   R"(assert(gui.visualizer("complex64", function(cell) end) == gui.available))"),
              call("overlay", "gui.overlay(tile, color: function) -> boolean",
                   "Colours and marks on the cells of a tile.",
                   R"(assert(gui.overlay("t", function(row, col) end) == gui.available))"),
              call("note", "gui.note(tile, row: integer, col: integer, text: string) -> boolean",
                   "A note at an element.", R"(assert(gui.note("t", 0, 0, "first bad value") == gui.available))"),
              call("layout", "gui.layout(name: string) -> boolean",
                   "Switches the layout: Learn, Debug, Compare, Present.",
                   R"(assert(gui.layout("Learn") == gui.available))"),
              call("screenshot", "gui.screenshot(path: string, options?: table) -> boolean",
                   "Writes a picture of the window; options: scale.",
                   R"(if not gui.available then assert(gui.screenshot("step.png") == false) end)"),
              call("animate", "gui.animate{from=, speed=} -> boolean", "Plays the move of a step.",
                   R"(assert(gui.animate{from=0, speed=0.5} == gui.available))"),
          },
      .is_table = true};
  return made;
}

}  // namespace ts::scripting
