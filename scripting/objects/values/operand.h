// What comparisons and watch expressions take: tiles, buffers, arrays, and what they hold.
#pragma once

#include <lua.hpp>
#include <memory>
#include <string>

#include "core/debug/elements/elements.h"
#include "scripting/objects/values/place.h"

namespace ts::scripting {

struct ElementsArgument {
  std::shared_ptr<const Elements> elements;
  std::string name;
  const Place* place = nullptr;  // of a tile or buffer
};

bool has_elements(lua_State* L, int index);
// Raises when neither a tile, a buffer nor an array stands there.
ElementsArgument check_elements(lua_State* L, int index, const char* name);

}  // namespace ts::scripting
