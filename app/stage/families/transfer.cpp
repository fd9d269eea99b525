// Transfers: rows of a buffer in global memory beside the tile that they go to, or come from; a thin line leads from
// every row's first element to where it lands.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/parts.h"

namespace ts::ui {
namespace {

// Where the rows of the result in sight came from: by the first element of each that the step wrote. The lines keep to
// the room between the grids, so that they cross no values.
void draw_row_lines(StageStep& step, const CellGrid& from, const CellGrid& to) {
  const float numbers = row_number_width(step.operand(to.operand)->picture->elements.rows), end = to.origin.x - numbers;
  for (std::uint32_t row = to.rows.first; row < to.rows.end(); ++row) {
    for (std::uint32_t col = to.cols.first; col < to.cols.end(); ++col) {
      const std::vector<Source>& sources = step.sources_of({to.operand, row, col});
      if (sources.empty()) continue;
      const auto source = step.cell_of(sources.front());
      if (!source || !from.rows.holds(source->row)) break;
      const float y = from.rect_of(source->row, from.cols.first).center().y;
      draw_link({from.area().max.x + look().px(10), y}, {end, to.rect_of(row, col).center().y},
                step.operand(from.operand)->color, false, 0.25f);
      break;
    }
  }
}

// Grids above each other show whole rows; that is better where there are few.
bool stands_above(const Rect& area, const StageOperand& input, const StageOperand& result) {
  const float rows =
      static_cast<float>(input.picture->elements.rows) + static_cast<float>(result.picture->elements.rows);
  const float cols = static_cast<float>(std::max(input.picture->elements.cols, result.picture->elements.cols));
  const bool rows_fit = rows * look().px(22) + 2 * header_height() + look().px(60) < area.height();
  return rows_fit && cols * look().px(44) > area.width() / 2 - look().px(80);
}

// What became of the padding in sight: transfers make up some of it, and leave the rest alone.
std::string padding_note(StageStep& step, const StageOperand& result, const CellGrid& grid) {
  std::size_t padding = 0, written = 0, unspecified = 0;
  for (std::uint32_t row = grid.rows.first; row < grid.rows.end(); ++row) {
    for (std::uint32_t col = grid.cols.first; col < grid.cols.end(); ++col) {
      if (result.picture->is_valid(row, col)) continue;
      ++padding;
      if (step.sources_of({grid.operand, row, col}).empty()) continue;
      ++written;
      unspecified += result.picture->elements.worth_at(row, col) == Definedness::Unspecified ? 1 : 0;
    }
  }
  if (padding == 0) return "";
  if (written == 0) return "Hatched is padding: the transfer leaves it as it was.";
  return fmt::format("Hatched is padding. The transfer wrote {} elements of it in sight{}.", written,
                     unspecified == 0 ? "" : ", with values that nobody promises");
}

void draw_transfer(StageStep& step, const Rect& area) {
  const StageOperand *input = step.find(Role::In), *result = step.find(Role::Out);
  if (input == nullptr || result == nullptr || input->picture == nullptr || result->picture == nullptr)
    return draw_general(step, area);
  const float note_height = look().fonts.small->FontSize + look().px(8), header = header_height();
  const Rect body{area.min, {area.max.x, area.max.y - note_height}};
  const bool above = stands_above(body, *input, *result);
  const float between = std::clamp(area.width() * 0.09f, look().px(36), look().px(90)),
              half = (area.width() - between) / 2;
  const auto in_rows = static_cast<float>(input->picture->elements.rows),
             all_rows = in_rows + static_cast<float>(result->picture->elements.rows);
  const float part =
      above ? std::min((body.height() - look().px(20)) * in_rows / all_rows, in_rows * look().px(28) + look().px(50))
            : 0;
  const Rect first =
      above ? Rect{body.min, {body.max.x, body.min.y + part}} : Rect{body.min, {body.min.x + half, body.max.y}};
  const Rect second = above ? Rect{{body.min.x, first.max.y + look().px(20)}, body.max}
                            : Rect{{body.max.x - half, body.min.y}, body.max};
  draw_header(*input, {first.min, {first.max.x, first.min.y + header}});
  draw_header(*result, {second.min, {second.max.x, second.min.y + header}});
  const std::vector<CellGrid> grids{place_grid(step, *input, {{first.min.x, first.min.y + header}, first.max}),
                                    place_grid(step, *result, {{second.min.x, second.min.y + header}, second.max})};
  for (const CellGrid& grid : grids) draw_grid(step, grid);
  if (!above) draw_row_lines(step, grids[0], grids[1]);
  draw_focus_links(step, grids);
  put_text_cut({second.min.x, body.max.y + look().px(4)}, second.width(), padding_note(step, *result, grids[1]),
               look().theme->text_quiet, look().fonts.small);
}

const RegisteredDrawing kTransferDrawing(Drawing::Transfer, draw_transfer);

}  // namespace
}  // namespace ts::ui
