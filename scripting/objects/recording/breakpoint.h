// Handles to stops. The session owns these; a handle that is lost takes nothing with it.
#pragma once

#include "scripting/run/open_recording.h"

namespace ts::scripting {

struct BreakpointObject {
  std::shared_ptr<OpenRecording> recording;
  StopId id = 0;
  static const ObjectType& type();
};

void push_breakpoint(lua_State* L, std::shared_ptr<OpenRecording> recording, StopId id);
// Reads the table at `index`, adds the stop and pushes its handle.
int add_breakpoint(lua_State* L, int index, const std::shared_ptr<OpenRecording>& recording);

}  // namespace ts::scripting
