// Filling of what lies outside a valid region: the valid elements are copied, and the pad value rains into the others.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/families/shower.h"
#include "app/stage/parts/row_parts.h"
#include "app/stage/parts/tinted_grid.h"

namespace ts::ui {
namespace {

const char* name_of(PadKind pad) {
  switch (pad) {
    case PadKind::Null: return "no value";
    case PadKind::Zero: return "zero";
    case PadKind::Max: return "max";
    case PadKind::Min: return "min";
    case PadKind::Custom: break;
  }
  return "a value of its own";
}

class PadDrawing {
 public:
  PadDrawing(StageStep& step, const StageOperand& src, const StageOperand& dst)
      : step_(step), src_(src), dst_(dst), in_place_(src.operand->tile.range() == dst.operand->tile.range()) {}
  void draw(const Rect& area);

 private:
  enum class Fate { Copied, Filled, Left };
  Fate fate_of(const StageCell& cell);
  std::string value_text() const;
  void draw_value(const Rect& cell) const;
  void draw_source(const Rect& area, std::vector<CellGrid>& grids);
  void draw_result(const CellGrid& grid);
  std::string note() const;

  StageStep& step_;
  const StageOperand &src_, &dst_;
  bool in_place_;                      // both stand in the same bytes
  std::size_t counts_[3] = {0, 0, 0};  // of the result's elements in sight, by fate
};

// Filled: written, and made of nothing.
PadDrawing::Fate PadDrawing::fate_of(const StageCell& cell) {
  if (!step_.sources_of(cell).empty()) return Fate::Copied;
  const bool written = step_.view.flow(step_.step).wrote(place_of(step_.program(), step_.bound, cell));
  return written ? Fate::Filled : Fate::Left;
}

// "max = 3.4028235e38"
std::string PadDrawing::value_text() const {
  const TileType& type = dst_.operand->tile.type;
  return fmt::format("{} = {}", name_of(type.pad), short_text(element_format(type.dtype), type.pad_bits()));
}

// In the colour of what is filled.
void PadDrawing::draw_value(const Rect& cell) const {
  CellLook value{.text = value_text(), .ground = {}};
  tint_cell(value, look().theme->src1, 'p');
  draw_cell(*ImGui::GetWindowDrawList(), cell, value);
}

void PadDrawing::draw_source(const Rect& area, std::vector<CellGrid>& grids) {
  grids.push_back(place_grid(step_, src_, area));
  draw_grid(step_, grids.back());
  const TileRef& tile = src_.operand->tile;
  frame_region(grids.back(), tile.valid_rows, tile.valid_cols, src_.color, false);
}

void PadDrawing::draw_result(const CellGrid& grid) {
  const Theme& theme = *look().theme;
  draw_tinted_grid(step_, grid, [&](const StageCell& cell, CellLook& cell_look) {
    const Fate fate = fate_of(cell);
    ++counts_[static_cast<int>(fate)];
    if (fate == Fate::Left) return;
    // What is written is shown, also where it is padding of the result.
    cell_look.marks = static_cast<Mark>(static_cast<int>(cell_look.marks) & ~static_cast<int>(Mark::Padding));
    if (fate == Fate::Filled) return tint_cell(cell_look, theme.src1, 'p');
    cell_look.source = src_.color;
    cell_look.letter = src_.letter;
  });
  const TileRef &from = src_.operand->tile, &tile = dst_.operand->tile;
  frame_region(grid, tile.valid_rows, tile.valid_cols, theme.written, true);
  frame_region(grid, from.valid_rows, from.valid_cols, src_.color, false);
}

std::string PadDrawing::note() const {
  const TileRef &from = src_.operand->tile, &to = dst_.operand->tile;
  const std::string hex = hex_text(element_format(to.type.dtype), to.type.pad_bits());
  std::string text = fmt::format("In sight: {} elements copied, {} filled with {} ({}), {} left as they were.",
                                 counts_[0], counts_[1], name_of(to.type.pad), hex, counts_[2]);
  if (in_place_) text += " Source and result stand in the same bytes.";
  return text + fmt::format(" Valid: {}x{} of {}, and {}x{} of {} (dashed).", from.valid_rows, from.valid_cols,
                            src_.title, to.valid_rows, to.valid_cols, dst_.title);
}

void PadDrawing::draw(const Rect& area) {
  const float line = look().fonts.small->FontSize + look().px(4), gap = std::min(look().px(56), area.width() * 0.07f);
  // In place there is only one tile to be seen; a narrow source leaves room for the result.
  const float narrow = row_number_width(src_.operand->tile.rows()) +
                       static_cast<float>(src_.operand->tile.cols()) * look().px(56),
              half = std::min((area.width() - gap) / 2, narrow),
              left = in_place_ ? area.min.x : area.min.x + half + gap;
  float y = area.min.y + header_height();
  if (!in_place_) draw_header(src_, {area.min, {area.min.x + half, y}});
  draw_header(dst_, {{left, area.min.y}, {area.max.x, y}});
  const float wide = text_width(value_text(), look().fonts.mono) + look().px(28);
  const Rect value{{left, y}, {left + wide, y + look().px(24)}};
  y = value.max.y + std::clamp(area.height() * 0.06f, look().px(8), look().px(26));
  const float bottom = area.max.y - 2 * line - look().px(6);
  std::vector<CellGrid> grids;
  if (!in_place_) draw_source({{area.min.x, y}, {area.min.x + half, bottom}}, grids);
  grids.push_back(place_grid(step_, dst_, {{left, y}, {area.max.x, bottom}}));
  const CellGrid grid = grids.back();
  draw_result(grid);
  std::vector<std::uint32_t> cols;
  for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col)
    for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row)
      if (fate_of({dst_.index, row, col}) == Fate::Filled) {
        cols.push_back(col);
        break;
      }
  draw_shower(step_, grid, cols, {value.max.x, value.center().y}, look().theme->src1);
  draw_value(value);
  draw_focus_links(step_, grids);
  float end = 0;
  for (const CellGrid& one : grids) end = std::max(end, one.area().max.y + look().px(14));
  draw_note({area.min.x, std::min(end, bottom + look().px(4))}, area.width(), note());
}

void draw_pad(StageStep& step, const Rect& area) {
  const StageOperand *src = step.find(Role::In), *dst = step.find(Role::Out);
  if (src == nullptr || dst == nullptr || src->picture == nullptr || dst->picture == nullptr)
    return draw_general(step, area);
  PadDrawing(step, *src, *dst).draw(area);
}

const RegisteredDrawing kPadDrawing(Drawing::Pad, draw_pad);

}  // namespace
}  // namespace ts::ui
