// What scripts can listen to.
#pragma once

#include "scripting/sandbox/listed.h"

namespace ts::scripting {

// Stands as a static object in the file that tells it (Engine::tell), and lists itself for pto.addEventListener.
struct Event {
  Event(int place, const char* its_name) : name(its_name), listed(place, this) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  const char* name;
  Listed<const Event*> listed;
};

}  // namespace ts::scripting
