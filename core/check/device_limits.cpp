// The tables of what devices take.
#include "core/check/device_limits.h"

#include <algorithm>
#include <iterator>

namespace ts {
namespace {

constexpr DeviceRoom kRooms[] = {
    {Target::A2A3, Space::Ub, 184 * 1024, "tiles that end above it were seen to give NaN on a device",
     "issue 170 of pto-isa; pypto places nothing above it"},
    {Target::A5, Space::Ub, 240 * 1024, "the library is said to keep about 8 KiB at the top for itself",
     "pypto places nothing above it"},
};
constexpr DeviceStart kStarts[] = {
    {Space::L0a, 512, "the assembler's planner; the headers ask for 32"},
    {Space::L0b, 512, "the assembler's planner; the headers ask for 32"},
    {Space::L0c, 512, "the assembler's planner; the headers ask for 64"},
    {Space::Bias, 64, "the headers"},
    {Space::Fixpipe, 128, "the headers, of tiles that quantise"},
};

}  // namespace

std::span<const DeviceRoom> device_rooms() { return kRooms; }
std::span<const DeviceStart> device_starts() { return kStarts; }

const DeviceRoom* device_room(Target target, Space space) {
  const auto* found = std::ranges::find_if(
      kRooms, [&](const DeviceRoom& room) { return room.target == target && room.space == space; });
  return found == std::end(kRooms) ? nullptr : found;
}

const DeviceStart* device_start(Space space) {
  const auto* found = std::ranges::find(kStarts, space, &DeviceStart::space);
  return found == std::end(kStarts) ? nullptr : found;
}

}  // namespace ts
