// Data for inputs that nobody gave: the same for a seed, a name and a type, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/isa/dtype.h"

namespace ts::data {

// Small numbers that people can read and that differ from their neighbours: floats are multiples of 1/8 in [-8, 8), integers
// lie in [-100, 100) or [0, 200) and fit the type.
std::vector<std::byte> seeded(std::uint64_t seed, std::string_view name, DType dtype, std::uint64_t elements);

}  // namespace ts::data
