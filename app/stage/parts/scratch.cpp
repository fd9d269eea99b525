// Scratch tiles.
#include "app/stage/parts/scratch.h"

#include <fmt/format.h>

#include "app/draw/look.h"
#include "app/draw/shapes.h"

namespace ts::ui {
namespace {

constexpr float kHeight = 20;  // of its cells

}  // namespace

bool writes_to(const StageStep& step, const StageOperand& operand) {
  const Recording& recording = *step.view.recording();
  const ByteRange place = operand.operand->tile.range();
  const Flat begin = recording.map().flat(place), end = begin + place.size;
  for (const WritePattern& pattern : recording.writes(step.step)) {
    const Flat last = pattern.base + (pattern.count - 1) * pattern.stride + pattern.size;
    if (pattern.base < end && begin < last) return true;
  }
  return false;
}

const StageOperand* used_scratch(StageStep& step) {
  for (StageOperand& operand : step.operands) {
    if (operand.operand->spec->role != Role::Tmp || operand.picture == nullptr || !writes_to(step, operand)) continue;
    if (step.made) operand.picture = &step.view.picture(operand.operand->tile, {step.step + 1, 0});
    return &operand;
  }
  return nullptr;
}

std::string unused_scratch_text(const StageStep& step) {
  const StageOperand* tmp = step.find(Role::Tmp);
  if (tmp == nullptr || tmp->picture == nullptr || writes_to(step, *tmp)) return "";
  return fmt::format("{} is not used on {}.", tmp->title, step.bound.target == Target::A5 ? "A5" : "A2A3");
}

void draw_scratch_frame(const CellGrid& grid) {
  const Rect cells = grid.area();
  const float gap = look().px(2);
  dashed_rect(*ImGui::GetWindowDrawList(),
              {{cells.min.x - gap, cells.min.y - gap}, {cells.max.x + gap / 2, cells.max.y + gap / 2}},
              ink(look().theme->scratch), look().px(5), 1.5f);
}

float scratch_row_height() { return header_height() + look().px(kHeight + 14); }

void draw_scratch_row(StageStep& step, const StageOperand& tmp, std::uint32_t row, const Rect& area) {
  const float top = area.min.y + header_height();
  draw_header(tmp, {area.min, {area.max.x, top}});
  const std::uint32_t rows = tmp.operand->tile.rows();
  const GridWish wish{.least_width = 44,
                      .most_width = 72,
                      .most_height = kHeight,
                      .numbers = false,
                      .only_row = std::min(row, std::max(rows, 1u) - 1)};
  const Rect room{{area.min.x + look().px(3), top}, {area.max.x - look().px(3), top + look().px(kHeight + 8)}};
  const CellGrid grid = place_grid(step, tmp, room, wish);
  draw_grid(step, grid, wish);
  if (grid.cols.count != 0) draw_scratch_frame(grid);
}

}  // namespace ts::ui
