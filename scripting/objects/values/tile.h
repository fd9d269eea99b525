// Tiles and buffers in the hands of scripts: handles to what stood somewhere at a step.
#pragma once

#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>

#include "scripting/binding/object.h"
#include "scripting/objects/values/place.h"
#include "scripting/run/open_recording.h"

namespace ts::scripting {

// How the rows of one of the two read.
struct PlaceWords {
  std::string owner, cell, start;  // `cell`: its parameters; `start`: what comes before each example
  std::string signature(const char* name, const std::string& rest) const { return owner + ":" + name + rest; }
  std::string field(const char* name, const char* type) const { return owner + "." + name + " -> " + type; }
};

struct TileObject : Place {
  static const ObjectType& type();
  static PlaceWords words();
};

struct BufferObject : Place {
  static const ObjectType& type();
  static PlaceWords words();
};

// A method that both have; self is argument 1.
template <class T, int (*kMethod)(lua_State*, const Place&)>
int of_place(lua_State* L) {
  return kMethod(L, check_self<T>(L));
}

// The tile as it is at the position. `tile` is where the steps around the position see it, or as a step was given it.
void push_tile(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id,
               const TileRef& tile);
void push_buffer(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id);

// The tile or buffer that stands at a place of the stack; nothing: neither.
struct NamedBytes {
  std::string name;
  std::optional<TileRef> tile;  // nothing: a buffer
  ByteRange bytes;
};
std::optional<NamedBytes> to_named_bytes(lua_State* L, int index);
// The same for its elements.
const Place* to_place(lua_State* L, int index);

}  // namespace ts::scripting
