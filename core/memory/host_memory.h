// What the host can still give: less than what is installed, where somebody set a limit or others have it.
#pragma once

#include <cstddef>

namespace ts {

// Bytes that this process may still take: by the memory that is free, its own limits (ulimit), and those of its control
// groups (containers, systemd).
std::size_t spare_host_bytes();
std::size_t installed_host_bytes();
// What its own limit (ulimit -v) leaves it to reserve, used or not.
std::size_t address_space_left();

// `wanted`, or as much less of it as can be reserved now with half as much again for everything else; 0 where nothing
// can.
std::size_t reservable_bytes(std::size_t wanted);

}  // namespace ts
