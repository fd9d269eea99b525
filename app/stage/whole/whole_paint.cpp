// The colours of maps by origin: an element has that of where it came from, in every map.
#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/parts/hues.h"
#include "app/stage/whole/whole.h"

namespace ts::ui {
namespace {

constexpr std::uint32_t kHues = 12, kShades = 8;

std::int32_t packed(Color color) { return color.r << 16 | color.g << 8 | color.b; }

// Inputs whose values reach results.
std::size_t values_of(const StageStep& step) {
  return static_cast<std::size_t>(std::ranges::count_if(
      step.operands, [](const StageOperand& one) { return one.letter != 0 && one.picture != nullptr; }));
}

}  // namespace

Color origin_color(const StageStep& step, const StageOperand& source, std::uint32_t row, std::uint32_t col,
                   bool alone) {
  if (source.picture == nullptr) return source.color;
  const Elements& elements = source.picture->elements;
  const bool by_rows = elements.rows > 1;
  const std::uint32_t at = by_rows ? row : col, all = std::max(1u, by_rows ? elements.rows : elements.cols);
  // Of one operand its rows are told apart; of several first of all the operands.
  if (alone) return row_hue(all <= 2 * kHues ? at : static_cast<std::uint32_t>(std::uint64_t{at} * kHues / all));
  const auto shade = static_cast<double>(std::uint64_t{at} * kShades / all) / kShades;
  return mix(source.color,
             step.view.recording() != nullptr && look().theme->dark ? look().theme->pane : look().theme->text,
             0.55 * shade);
}

bool moves_elements(const WholeFlow& flow) {
  std::size_t moved = 0, all = 0;
  for (const WholeOrigins& origins : flow.results)
    for (const std::int8_t from : origins.from) {
      moved += from >= 0 ? 1 : 0;
      all += from != WholeOrigins::kNothing ? 1 : 0;
    }
  return moved * 2 > all;
}

void paint_origins(const StageStep& step, const StageOperand& operand, const WholeFlow& flow, OperandMap& map) {
  const TilePicture& picture = *operand.picture;
  if (map.colors_of == picture.number && !map.colors.empty()) return;
  map.colors_of = picture.number;
  ++map.colors_number;
  map.colors.assign(std::size_t{picture.shape.rows} * picture.shape.cols, -1);
  const bool alone = values_of(step) <= 1;
  const auto origins = std::ranges::find(flow.results, operand.index, &WholeOrigins::operand);
  const bool given = !operand.result;
  if (!given && origins == flow.results.end()) return;
  for (std::uint32_t row = 0; row < picture.shape.rows; ++row)
    for (std::uint32_t col = 0; col < picture.shape.cols; ++col) {
      const std::size_t at = std::size_t{row} * picture.shape.cols + col;
      if (given) {
        if (operand.letter != 0 && picture.is_valid(row, col))
          map.colors[at] = packed(origin_color(step, operand, row, col, alone));
        continue;
      }
      if (at >= origins->from.size()) continue;
      const std::int8_t from = origins->from[at];
      if (from == WholeOrigins::kSeveral) map.colors[at] = packed(mix(look().theme->cell, look().theme->text, 0.35));
      if (from < 0) continue;
      const StageOperand* source = step.operand(from);
      if (source != nullptr)
        map.colors[at] = packed(origin_color(step, *source, origins->row[at], origins->col[at], alone));
    }
}

}  // namespace ts::ui
