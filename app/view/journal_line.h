// What was done in the window, as a line of Lua.
#pragma once

#include <cstdint>
#include <string>

#include "core/debug/session/moment.h"

namespace ts::ui {

struct JournalLine {
  enum class Kind : std::uint8_t {
    Opened,   // a program: a script begins with the newest of these
    Move,     // rec:over(), rec:seek(5)
    Set,      // a breakpoint, a watch, a bookmark, a note
    Window,   // gui.select("t2", 1, 5), gui.theme("light")
    Typed,    // into the console
    Comment,  // what no script can do again
  };
  Kind kind = Kind::Move;
  std::string lua;
  std::uint32_t times = 1;
  Moment moment = {};    // where the session stood afterwards
  std::string key = {};  // a line that follows one of the same key takes its place; empty: it never does
};

}  // namespace ts::ui
