// What an instruction that takes windows of a map says of them: by numbers among its attributes, and by the map's tile; in a
// manual mode its registers say how large the map is, and what is around it.
#pragma once

#include <functional>

#include "core/catalogue/row.h"
#include "core/tile/map_windows.h"

namespace ts {

// A number among the attributes; `otherwise` where it is 0 or left out.
std::uint32_t map_number(const Bound& bound, const char* name, std::uint32_t otherwise);
// Height, width and surroundings of a map, as the attributes have them.
void read_map_sizes(MapWindows& how, const Bound& bound);
// Whether sizes and padding are those in the registers.
bool takes_registers(const Bound& bound);
// Where the register of its map stands.
std::uint32_t fmatrix_address(const Bound& bound);
// Without the registers. `src` is a tile that has a map.
MapWindows stated_windows(const Bound& bound);
// `read`: the 8 bytes of a special register.
MapWindows windows_of(const Bound& bound, const std::function<std::uint64_t(std::uint32_t address)>& read);

}  // namespace ts
