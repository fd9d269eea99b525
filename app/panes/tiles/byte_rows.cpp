// Lines of blocks, drawn from the top of what is seen.
#include "app/panes/tiles/byte_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/scroll_bar.h"

namespace ts::ui {
namespace {

constexpr float kBar = 10;

// The element that stands at a number in memory; nothing between rows.
std::optional<GridCell> cell_of(const TilePicture& picture, std::uint64_t index) {
  if (!picture.tile) {
    const std::uint64_t cols = std::max(1u, picture.shape.cols);
    if (index >= cols * picture.shape.rows) return {};
    return GridCell{static_cast<std::uint32_t>(index / cols), static_cast<std::uint32_t>(index % cols)};
  }
  const auto [row, col] = element_at(picture.tile->type, index);
  if (row >= picture.shape.rows || col >= picture.shape.cols) return {};
  return GridCell{row, col};
}

std::uint64_t index_of(const TilePicture& picture, GridCell cell) {
  if (picture.tile) return element_index(picture.tile->type, cell.row, cell.col);
  return std::uint64_t{cell.row} * picture.shape.cols + cell.col;
}

// Which stripe an element is in: boxes, or rows (columns) of tiles without them. Neighbours differ in their ground.
std::uint64_t stripe_of(const TilePicture& picture, std::uint64_t index) {
  if (!picture.tile) return index / std::max(1u, picture.shape.cols);
  if (!picture.tile->type.boxed()) return index / std::max(1u, picture.tile->type.line_pitch());
  const Box box = box_of(picture.tile->type);
  return index / (std::uint64_t{box.rows} * box.cols);
}

std::optional<std::size_t> in_window(const TilePicture& picture, GridCell cell) {
  const Window& window = picture.window;
  if (cell.row < window.row || cell.row >= window.row + window.rows || cell.col < window.col ||
      cell.col >= window.col + window.cols)
    return {};
  return picture.elements.index(cell.row - window.row, cell.col - window.col);
}

CellLook look_of(const GridContent& content, GridCell cell, float width) {
  const TilePicture& picture = *content.picture;
  CellLook made;
  const auto at = in_window(picture, cell);
  if (!at) return made;
  const Definedness worth = picture.elements.worth.empty() ? Definedness::Written : picture.elements.worth[*at];
  const float advance = look().fonts.mono->GetCharAdvance('0');
  const auto most = static_cast<std::size_t>(std::max(0.0f, (width - look().px(4)) / advance));
  made.text = fitted_text(*picture.elements.format, picture.elements.bits[*at], worth, content.numbers, most);
  if (worth == Definedness::Never) made.marks = made.marks | Mark::Undefined;
  if (worth == Definedness::Unspecified) made.marks = made.marks | Mark::Unspecified;
  if (content.show_changes && picture.changed[*at] != 0) made.marks = made.marks | Mark::Written;
  if (!picture.is_valid(cell.row - picture.window.row, cell.col - picture.window.col))
    made.marks = made.marks | Mark::Padding;
  if (content.selected == cell) made.marks = made.marks | Mark::Selected;
  if (content.hovered == cell) made.marks = made.marks | Mark::Hovered;
  for (const GridRing& ring : content.rings)
    if (ring.cell == cell) made.marks = made.marks | Mark::Provenance;
  return made;
}

}  // namespace

ByteRows::Place ByteRows::place_in(const Rect& area, const TilePicture& picture) const {
  Place place{.picture = &picture};
  place.bits = picture.elements.format->size_bits;
  place.in_block = 8 * BLK / place.bits;
  place.elements = std::uint64_t{8} * picture.place.size / place.bits;
  place.row = look().px(22);
  place.gap = look().px(8);
  place.left = look().fonts.mono_small->GetCharAdvance('0') * 10;
  const float room = area.width() - place.left - look().px(kBar);
  const float wished = look().px(place.bits <= 8 ? 26.0f : place.bits == 64 ? 76.0f : 46.0f);
  const float block = wished * static_cast<float>(place.in_block) + place.gap;
  while (place.blocks < 8 && block * static_cast<float>(place.blocks) * 2 <= room) place.blocks *= 2;
  const float fits = room / static_cast<float>(place.blocks) - place.gap;
  place.cell = std::clamp(fits / static_cast<float>(place.in_block), look().px(6), wished * 1.4f);
  return place;
}

Rect ByteRows::rect_in_line(const Place& place, ImVec2 line, std::uint32_t number) {
  const float x = line.x + place.left + static_cast<float>(number) * place.cell +
                  static_cast<float>(number / place.in_block) * place.gap;
  return {{x, line.y}, {x + place.cell, line.y + place.row - 2}};
}

void ByteRows::draw_line(ImDrawList& out, const Place& place, const GridContent& content, std::uint64_t line,
                         ImVec2 at) {
  const Theme& theme = *look().theme;
  const TilePicture& picture = *place.picture;
  const std::string address = fmt::format("{:#07x}", picture.place.address + line * place.per_line() * place.bits / 8);
  ImFont* font = look().fonts.mono_small;
  out.AddText(font, font->FontSize, {at.x + look().px(2), at.y + (place.row - font->FontSize) / 2},
              ink(theme.text_quiet), address.c_str());
  const std::uint64_t end = std::min(place.elements, (line + 1) * place.per_line());
  for (std::uint64_t index = line * place.per_line(); index < end; ++index) {
    const Rect here = rect_in_line(place, at, static_cast<std::uint32_t>(index % place.per_line()));
    const auto cell = cell_of(picture, index);
    CellLook shown =
        cell ? look_of(content, *cell, place.cell) : CellLook{.ground = theme.pane, .marks = Mark::Padding};
    if (cell && stripe_of(picture, index) % 2 == 1) shown.ground = mix(theme.cell, theme.text_quiet, 0.14);
    draw_cell(out, here, shown);
    const bool starts = index == 0 || stripe_of(picture, index) != stripe_of(picture, index - 1);
    if (starts)
      out.AddRectFilled({here.min.x - 1, here.min.y - 1}, {here.min.x + look().px(1), here.max.y + 1},
                        ink(theme.accent));
  }
  // Blocks of 32 bytes.
  for (std::uint32_t block = 0; block < place.blocks && line * place.per_line() + block * place.in_block < end;
       ++block) {
    const float x =
        at.x + place.left + static_cast<float>(block) * (place.cell * static_cast<float>(place.in_block) + place.gap);
    out.AddRect({x - 1, at.y - 1}, {x + place.cell * static_cast<float>(place.in_block) + 1, at.y + place.row - 1},
                ink(theme.line));
  }
}

ByteRowsInput ByteRows::draw(const char* id, const Rect& area, const GridContent& content) {
  ByteRowsInput input;
  if (area.width() < 10 || area.height() < 10) return input;
  const Place place = place_in(area, *content.picture);
  const auto lines = static_cast<double>((place.elements + place.per_line() - 1) / place.per_line());
  const double seen = area.height() / place.row;
  if (reveal_) {
    const auto line = static_cast<double>(index_of(*content.picture, *reveal_) / place.per_line());
    if (line < line_ || line + 1 > line_ + seen) line_ = line - seen / 2;
    reveal_.reset();
  }
  ImGui::PushID(id);
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton("bytes", {area.width() - look().px(kBar), area.height()});
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) line_ -= std::round(3 * io.MouseWheel);
  line_ = std::floor(within_scroll(line_, std::floor(seen), lines));
  const bool clicked = ImGui::IsItemActivated();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.PushClipRect(area.min, area.max, true);
  for (int i = 0; i < static_cast<int>(seen) + 1 && line_ + i < lines; ++i)
    draw_line(out, place, content, static_cast<std::uint64_t>(line_) + static_cast<std::uint64_t>(i),
              {area.min.x, area.min.y + static_cast<float>(i) * place.row});
  out.PopClipRect();
  if (hovered) {
    const auto line = static_cast<std::uint64_t>(line_ + std::floor((io.MousePos.y - area.min.y) / place.row));
    const float x = io.MousePos.x - area.min.x - place.left,
                block = place.cell * static_cast<float>(place.in_block) + place.gap;
    const auto in_block = static_cast<std::uint32_t>(std::max(0.0f, std::fmod(std::max(0.0f, x), block) / place.cell));
    const auto which = static_cast<std::uint32_t>(std::max(0.0f, x / block));
    const std::uint64_t index = line * place.per_line() + which * place.in_block + in_block;
    if (x >= 0 && which < place.blocks && in_block < place.in_block && index < place.elements) {
      input.hovered = cell_of(*content.picture, index);
      if (!input.hovered)
        input.gap = element_place(content.picture->place.space, content.picture->place.address, place.bits, index);
      input.clicked = clicked && input.hovered;
      input.menu = ImGui::IsMouseReleased(ImGuiMouseButton_Right);
    }
  }
  scroll_bar("lines", {{area.max.x - look().px(kBar), area.min.y}, area.max}, true, line_, seen, lines);
  ImGui::PopID();
  return input;
}

}  // namespace ts::ui
