// Giving tiles their addresses.
#pragma once

#include <vector>

#include "core/program/tile_lives.h"

namespace ts {

// Places the tiles that have no address yet (`placed` is false), each as low as it goes: around those that have one, and
// around those that are needed when it is. Tiles that only serve as scratch which the target never touches come last, and
// get no bytes of their own when there is no room. `never_touched[i]`: is one of those. Without room: E-PLACE, with what
// stands there.
void place_tiles(Program& program, const TileLives& lives, const std::vector<char>& placed,
                 const std::vector<char>& never_touched, Diagnostics& out);

}  // namespace ts
