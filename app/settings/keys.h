// Keys by their names in the table of commands: "Ctrl+Shift+F11", "Alt+Down", "B", ",".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ts::ui {

struct Chord {
  int key = 0;  // GLFW's number
  bool ctrl = false, shift = false, alt = false;
  bool operator==(const Chord&) const = default;
  // A key that types: it acts only while no text field has the focus.
  bool types() const;
};

// Nothing: no such key.
std::optional<Chord> chord_from_name(std::string_view name);
std::string name_of(const Chord& chord);
// Of GLFW's key callback.
Chord chord_of(int key, int mods);

}  // namespace ts::ui
