// Lanes that a mask is for, of which it has a bit for each byte.
#pragma once

#include <cstdint>

#include "core/isa/dtype.h"

namespace ts {

// By the width that its type names, in bits: 8, 16, 32.
constexpr DType mask_lanes(std::uint32_t bits) { return bits == 8 ? DType::U8 : bits == 16 ? DType::U16 : DType::U32; }

}  // namespace ts
