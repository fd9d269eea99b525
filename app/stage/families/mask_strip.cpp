// Drawing bits of masks.
#include "app/stage/families/mask_strip.h"

#include <fmt/format.h>

#include "app/draw/canvas.h"
#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/text.h"

namespace ts::ui {
void draw_mask_bit(const MaskByte& byte, std::uint32_t bit, const Rect& rect, bool pointed) {
  const Theme& theme = *look().theme;
  const bool read = (byte.read >> bit & 1) != 0, set = (byte.bits >> bit & 1) != 0,
             written = byte.worth == Definedness::Written;
  CellLook cell;
  cell.text = byte.worth == Definedness::Never ? ".." : std::string(set ? "1" : "0") + (written ? "" : "?");
  cell.ground = set && read && written ? mix(theme.cell, theme.mask, 0.55) : theme.cell;
  if (byte.worth == Definedness::Never) cell.marks = cell.marks | Mark::Undefined;
  if (byte.worth == Definedness::Unspecified) cell.marks = cell.marks | Mark::Unspecified;
  if (!read) cell.marks = cell.marks | Mark::Faded;
  if (pointed) cell.marks = cell.marks | Mark::Provenance;
  canvas().AddRectFilled({rect.min.x - 1, rect.min.y - 1}, {rect.max.x + 1, rect.max.y + 1}, ink(theme.grid));
  draw_cell(canvas(), rect, cell);
  // A bit is so small that its number stands in the corner.
  if (rect.width() < look().px(26) || rect.height() < look().px(18)) return;
  ImFont* font = look().fonts.mono_small;
  canvas().AddText(font, font->FontSize * 0.8f, {rect.min.x + look().px(3), rect.min.y},
                   ink(with_alpha(theme.text_quiet, read ? 1 : 0.5)), std::to_string(bit).c_str());
}

void draw_mask_byte(const MaskByte& byte, const Rect& strip, bool below) {
  const Theme& theme = *look().theme;
  const float line = look().px(2);
  canvas().AddRectFilled(strip.min, strip.max, ink(mix(theme.pane, theme.mask, byte.read != 0 ? 0.22 : 0.08)), line);
  const float y = below ? strip.max.y - line : strip.min.y;
  canvas().AddRectFilled({strip.min.x, y}, {strip.max.x, y + line}, ink(byte.read != 0 ? theme.mask : theme.line));
  const std::string value = byte.worth == Definedness::Never ? ".." : fmt::format("0x{:02x}", byte.bits);
  const std::string all = fmt::format("byte [{}] = {}", byte.offset, value),
                    some = fmt::format("[{}] {}", byte.offset, value);
  draw_text_in(canvas(), strip, text_width(all, look().fonts.mono_small) < strip.width() - look().px(6) ? all : some,
               ink(byte.read != 0 ? theme.text : theme.text_quiet), look().fonts.mono_small);
}

}  // namespace ts::ui
