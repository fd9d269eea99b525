// Sources and addresses as people read them.
#pragma once

#include <string>

#include "core/record/inspector.h"

namespace ts {

// The address arithmetic of an element, spelled out: "0x100 + (1*16 + 3)*4 = 0x14c"; of a tile in boxes
// "0x0 + (2*256 + 17)*2 = 0x422", the box's number first.
std::string address_text(const TileRef& tile, std::uint32_t row, std::uint32_t col);
// "ub[0x400,0x480)", which is how stops and scripts name bytes.
std::string place_text(const ByteRange& place);
// "%sum 16x104 f32 row_major, valid 16x100, ub[0x0,0x1a00)"; of a scalar "2.5 f32 (0x40200000)".
std::string operand_text(const Program& program, const Operand& operand);
// "from %second[1,3] = 30  at 0x100 + (1*16 + 3)*4 = 0x14c"
std::string source_text(const Recording& recording, const Bound& bound, const Source& source);

}  // namespace ts
