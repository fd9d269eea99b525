// Bits of a mask as cells, and the bytes that they stand in.
#pragma once

#include "app/draw/rect.h"
#include "core/debug/picture/stage_rows.h"

namespace ts::ui {

// With its number in the corner. Faded where it decides nothing, and says nothing; `pointed`: the focus is about it.
void draw_mask_bit(const MaskByte& byte, std::uint32_t bit, const Rect& rect, bool pointed);
// "byte [4] = 0xb5" over (or below) the lanes of its bits.
void draw_mask_byte(const MaskByte& byte, const Rect& strip, bool below);

}  // namespace ts::ui
