// Sums on their way through the fixpipe, and whatever else has stations.
#include "app/stage/stations.h"

#include <algorithm>

#include "app/draw/canvas.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/parts/row_parts.h"

namespace ts::ui {
namespace {

// Row and column of the focus as the instruction counts them. Of a view the stage counts in its buffer: there it is where
// its source stands.
std::optional<StageCell> counted_focus(const StageStep& step) {
  const StageOperand* focused = step.operand(step.focus->operand);
  if (focused == nullptr || !focused->result) return {};
  if (focused->operand->spec->kind == OperandKind::Tile) return step.focus;
  for (const StageCell& cell : step.source_cells) {
    const StageOperand* source = step.operand(cell.operand);
    if (source != nullptr && source->operand->spec->name == "src") return cell;
  }
  return {};
}

// Kept as long as the focus rests.
const std::vector<Station>& stations_of(StageStep& step) {
  static const std::vector<Station> none;
  if (!step.focus || step.bound.row->stations == nullptr) return none;
  auto& kept = step.memory.stations;
  if (!kept || kept->first != *step.focus) {
    const auto cell = counted_focus(step);
    kept.emplace(*step.focus, std::vector<Station>());
    if (cell) kept->second = step.bound.row->stations(step.bound, flow_of(step).flow.before(), cell->row, cell->col);
  }
  return kept->second;
}

float name_line() { return line_step(look().fonts.small); }
float cell_height() { return look().px(24); }

void draw_arrow(ImVec2 from, ImVec2 to) {
  const float side = look().px(4);
  const ImU32 color = ink(look().theme->text_quiet);
  canvas().AddLine(from, {to.x - side, to.y}, color, look().px(1.5f));
  canvas().AddTriangleFilled({to.x - side, to.y - side}, {to.x - side, to.y + side}, to, color);
}

}  // namespace

float stations_height(StageStep& step) {
  return stations_of(step).empty() ? 0 : name_line() + cell_height() + look().px(8);
}

void draw_stations(StageStep& step, const Rect& area) {
  const std::vector<Station>& stations = stations_of(step);
  if (stations.empty()) return;
  const auto count = static_cast<float>(stations.size());
  const float gap = look().px(18), width = std::min((area.width() - gap * (count - 1)) / count, look().px(132)),
              top = area.min.y + name_line() + look().px(2);
  if (width < look().px(30)) return;
  for (std::size_t i = 0; i < stations.size(); ++i) {
    const Station& station = stations[i];
    const float x = area.min.x + static_cast<float>(i) * (width + gap);
    const Rect cell{{x, top}, {x + width, top + cell_height()}};
    put_text_cut({x, area.min.y}, width + gap - look().px(4), station.name, look().theme->text_quiet,
                 look().fonts.small);
    CellLook value{.text = value_text(element_format(station.dtype), station.bits, Definedness::Written, cell.width())};
    const StageOperand* at_end = i == 0 ? step.find(Role::In) : step.operand(step.focus->operand);
    if ((i == 0 || i + 1 == stations.size()) && at_end != nullptr)
      value.source = at_end->color, value.edge_right = i != 0;
    draw_cell(canvas(), cell, value);
    if (i != 0) draw_arrow({x - gap + look().px(3), cell.center().y}, {x - look().px(3), cell.center().y});
  }
}

}  // namespace ts::ui
