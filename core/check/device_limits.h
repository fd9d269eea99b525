// What devices are known to take less of than the headers and the assembler allow. Each row says who says so; none of
// them is certain.
#pragma once

#include <cstdint>
#include <span>

#include "core/isa/target.h"

namespace ts {

// Bytes of a memory from here on are not safe to use.
struct DeviceRoom {
  Target target;
  Space space;
  std::uint32_t bytes;
  const char* what;    // "devices were seen to give NaN there"
  const char* source;  // "pto-isa issue 170"
};
// Tiles in a memory begin at multiples of this.
struct DeviceStart {
  Space space;
  std::uint32_t bytes;
  const char* source;
};
std::span<const DeviceRoom> device_rooms();
std::span<const DeviceStart> device_starts();

// Null: nothing is known.
const DeviceRoom* device_room(Target target, Space space);
const DeviceStart* device_start(Space space);

}  // namespace ts
