// Numbers as the bits of an f32.
#pragma once

#include <bit>
#include <cstdint>

namespace ts::test {

inline std::uint64_t f32(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace ts::test
