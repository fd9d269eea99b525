// Tiles and buffers as text, as they stand at a position: what log points and `tilescope run --print` say.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/debug/origins/questions.h"

namespace ts {

// With the valid shape that the tile has at the step it is of.
TileType type_now(const TileRef& tile);
// A line that says what it is, and its elements: "%acc: vec 4x8 f32 row_major at ub 0x400, after step 3 (tadd, line 12)".
// Nothing: the program has none of that name.
std::optional<std::string> printed_at(Questions& questions, const std::string& name, std::uint32_t position,
                                      std::uint64_t most_elements = std::uint64_t{1} << 20);

}  // namespace ts
