// What was found in a step, in the hands of scripts.
#pragma once

#include <memory>

#include "scripting/run/open_recording.h"

namespace ts::scripting {

struct FindingObject {
  std::shared_ptr<OpenRecording> recording;
  std::shared_ptr<const std::vector<Finding>> list;
  std::size_t index = 0;
  static const ObjectType& type();
};

void push_finding(lua_State* L, std::shared_ptr<OpenRecording> recording,
                  std::shared_ptr<const std::vector<Finding>> list, std::size_t index);

}  // namespace ts::scripting
