// Why a session stands where it stands, in the hands of scripts.
#pragma once

#include <memory>

#include "scripting/run/open_recording.h"

namespace ts::scripting {

struct StopObject {
  std::shared_ptr<OpenRecording> recording;
  Stopped stop;
  std::uint32_t position = 0;  // where the session stood then
  static const ObjectType& type();
};

void push_stop(lua_State* L, std::shared_ptr<OpenRecording> recording, const Stopped& stop);
// The same for what a call gives back: nil at the recording's start, and at the end of a program that came to its own.
int push_stop_or_nil(lua_State* L, const std::shared_ptr<OpenRecording>& recording, const Stopped& stop);

}  // namespace ts::scripting
