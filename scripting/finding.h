// What was found in a step, in the hands of scripts.
#pragma once

#include <memory>

#include "scripting/open_recording.h"

namespace ts::scripting {

struct FindingObject {
  std::shared_ptr<OpenRecording> recording;
  std::size_t index = 0;  // in the recording's findings
  static const ObjectType& type();
};

void push_finding(lua_State* L, std::shared_ptr<OpenRecording> recording, std::size_t index);

// rec:findings{...}: pushes an iterator.
int recording_findings(lua_State* L);

}  // namespace ts::scripting
