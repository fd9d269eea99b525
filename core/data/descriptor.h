// The system's descriptors of files.
#pragma once

#include <cstddef>
#include <span>

namespace ts::data {

// All of it, however often the system has to be asked. False: errno says why not.
bool write_fully(int descriptor, std::span<const std::byte> from);

}  // namespace ts::data
