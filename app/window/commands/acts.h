// What the window's rows do, and words for their parameters.
#pragma once

#include "core/debug/session/commands.h"

namespace ts::ui {

class Desk;
class Shell;

// One of these stands in a row's `act`.
using DeskAct = void (*)(Desk&, const Command&);
using ShellAct = void (*)(Shell&, const Command&);
// The desk does it, and a pane comes to the front. Where arguments are missing, the window asks for them first.
struct AskedAct {
  bool (*asks)(Shell&, const Command&);  // false: there is nothing to ask
  DeskAct act;
  const char* front = "";
};
// The pane with the focus does it, else the one that can. `front`: which comes to the front then.
struct PaneAct {
  bool front = false;
};

inline constexpr auto kInteger = CommandParameter::Type::Integer, kNumber = CommandParameter::Type::Number,
                      kText = CommandParameter::Type::Text, kTile = CommandParameter::Type::Tile,
                      kFlag = CommandParameter::Type::Flag, kAny = CommandParameter::Type::Any;
inline constexpr auto kMaybe = CommandParameter::Given::Sometimes;

}  // namespace ts::ui
