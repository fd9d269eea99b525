// A short sum over a file's bytes, which says whether it is still the same: nothing that a stranger could not forge.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ts::data {

// "crc32:cbf43926", as Python's zlib.crc32 has it.
std::string checksum_of(std::span<const std::byte> bytes);

}  // namespace ts::data
