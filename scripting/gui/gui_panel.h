// What panels are drawn with: the table `ui`, which is there while the function of a panel is called.
#pragma once

#include <cstddef>
#include <lua.hpp>
#include <string>

#include "scripting/binding/object_type.h"
#include "scripting/run/gui_items.h"

namespace ts::scripting {

// The panel that is being drawn: a slot of the script's engine.
struct DrawnPanel {
  static constexpr std::size_t kMostBytes = 4u << 20;  // that a panel may hold

  Panel* panel = nullptr;  // null: none is drawn
  std::string pressed;     // the button of it that was pressed; empty: none
  std::size_t held_bytes = 0;

  // Raises when the panel would hold too much.
  void hold(lua_State* L, std::size_t bytes);
};

const ObjectType& ui_type();

}  // namespace ts::scripting
