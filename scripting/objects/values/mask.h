// Masks of packed bits in the hands of scripts: lanes instead of bytes.
#pragma once

#include <lua.hpp>
#include <memory>
#include <optional>

#include "scripting/binding/object_type.h"
#include "scripting/objects/values/place.h"

namespace ts::scripting {

struct MaskObject {
  Place place;                        // the tile that holds the bits
  std::optional<std::uint32_t> step;  // that reads it: the lanes and the packing rule are that step's
  std::uint32_t rows = 0, cols = 0;   // lanes
  static const ObjectType& type();
};

// The mask that a step reads, as it was before the step.
void push_mask_of_step(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t step,
                       const Operand& operand);
// The mask in this tile at a position; the step is the next one that reads it as a mask, or else the last one.
void push_mask(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t position, std::uint32_t id);
// 0 or 1.
int mask_bit_of(lua_State* L, const MaskObject& mask, std::uint32_t row, std::uint32_t col);
// The step that push_mask would find.
std::optional<std::uint32_t> mask_reader(const Recording& recording, std::uint32_t id, std::uint32_t position);

}  // namespace ts::scripting
