// Tiles and buffers in the hands of scripts: handles to what stood somewhere at a step.
#pragma once

#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>

#include "scripting/run/open_recording.h"
#include "scripting/objects/values/place.h"

namespace ts::scripting {

struct TileObject : Place {
  static const ObjectType& type();
};

struct BufferObject : Place {
  static const ObjectType& type();
};

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
