// Any instruction: its operands as grids, inputs on the left, results on the right, links to what is in focus. What
// moves no data gets a sentence.
#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/stage/drawing.h"
#include "app/stage/parts/parts.h"

namespace ts::ui {
namespace {

// Operands one above the other; scalars take a line.
void draw_column(StageStep& step, const std::vector<const StageOperand*>& operands, const Rect& area,
                 std::vector<CellGrid>& grids) {
  if (operands.empty()) return;
  const float gap = look().px(8), scalar_height = look().px(26);
  const auto scalars =
      static_cast<float>(std::ranges::count(operands, nullptr, [](const StageOperand* one) { return one->picture; }));
  const float tiles = static_cast<float>(operands.size()) - scalars;
  const float headers = static_cast<float>(operands.size()) * (header_height() + gap);
  const float each =
      tiles == 0 ? 0 : std::max(look().px(24), (area.height() - headers - scalars * scalar_height) / tiles);
  float y = area.min.y;
  for (const StageOperand* operand : operands) {
    draw_header(*operand, {{area.min.x, y}, {area.max.x, y + header_height()}});
    y += header_height();
    const float height = operand->picture != nullptr ? each : scalar_height;
    if (operand->picture != nullptr) {
      grids.push_back(place_grid(step, *operand, {{area.min.x, y}, {area.max.x, y + height}}));
      draw_grid(step, grids.back());
    } else {
      const Rect cell{{area.min.x, y}, {area.min.x + look().px(110), y + look().px(22)}};
      draw_scalar_cell(step, *operand, cell);
    }
    y += height + gap;
  }
}

std::string attribute(const StageStep& step, std::string_view name) {
  const std::vector<AttributeSpec>& specs = step.bound.row->attributes;
  for (std::size_t i = 0; i < specs.size() && i < step.bound.attributes.size(); ++i)
    if (name == specs[i].name) return std::string(value_name(specs[i].values, step.bound.attributes[i]));
  return "";
}

Rect draw_box(ImVec2 middle, const std::string& text, Color color) {
  const float wide = text_width(text, look().fonts.mono) / 2 + look().px(18), tall = look().px(19);
  const Rect box{{middle.x - wide, middle.y - tall}, {middle.x + wide, middle.y + tall}};
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(box.min, box.max, ink(look().theme->raised), look().px(6));
  canvas.AddRect(box.min, box.max, ink(color), look().px(6), 0, look().px(1.6f));
  draw_text_in(canvas, box, text, ink(look().theme->text), look().fonts.mono);
  return box;
}

// Who waits for whom: an arrow with the event's name from one to the other.
void draw_order(const StageStep& step, ImVec2 middle) {
  const Theme& theme = *look().theme;
  const std::string of = attribute(step, "src_pipe") + attribute(step, "src_op") + attribute(step, "pipe");
  const std::string for_whom = attribute(step, "dst_pipe") + attribute(step, "dst_op"),
                    event = attribute(step, "event");
  if (of.empty()) return;
  if (for_whom.empty()) {
    draw_box(middle, of, theme.accent);
    return;
  }
  const float apart = look().px(150);
  const Rect from = draw_box({middle.x - apart, middle.y}, of, theme.accent),
             to = draw_box({middle.x + apart, middle.y}, for_whom, theme.accent);
  draw_link({from.max.x + look().px(4), middle.y}, {to.min.x - look().px(4), middle.y}, theme.accent, false, 0.7f);
  const float wide = text_width(event, look().fonts.mono_small);
  put_text({(from.max.x + to.min.x - wide) / 2, middle.y - look().fonts.mono_small->FontSize - look().px(6)}, event,
           theme.text_quiet, look().fonts.mono_small);
}

std::string still_text(const StageStep& step) {
  switch (step.bound.row->effect) {
    case Effect::BindsAddress:
      return "No byte moves: from here on the tile's name stands for the bytes at this address.";
    case Effect::StartsBlock:
      return "No byte moves: a block starts on a core of its own, and what is on the chip holds nothing yet.";
    case Effect::None: break;
  }
  return "No byte moves: this step only orders the steps around it.";
}

void draw_sentence(const StageStep& step, const Rect& area) {
  const float wide = std::min(area.width(), look().px(560)), x = area.center().x - wide / 2;
  float y = area.min.y + std::max(look().px(24), area.height() * 0.3f);
  if (!step.bound.attributes.empty()) {
    draw_order(step, {area.center().x, y});
    y += look().px(44);
  }
  for (const StageOperand& operand : step.operands) {
    draw_header(operand, {{x, y}, {x + wide, y + header_height()}});
    y += header_height() + look().px(4);
  }
  const std::string text = still_text(step);
  const float room = std::min(wide, text_width(text, look().fonts.small));
  draw_note({area.center().x - room / 2, y + look().px(6)}, room + 1, text);
}

}  // namespace

void draw_general(StageStep& step, const Rect& area) {
  const bool moves_nothing = step.bound.row->effect != Effect::None || machines_for(step.bound).tag == nullptr;
  if (moves_nothing || step.operands.empty()) return draw_sentence(step, area);
  std::vector<const StageOperand*> inputs, results;
  for (const StageOperand& operand : step.operands) (operand.result ? results : inputs).push_back(&operand);
  const float between = std::min(look().px(70), area.width() * 0.1f), half = (area.width() - between) / 2;
  std::vector<CellGrid> grids;
  draw_column(step, inputs, {area.min, {area.min.x + half, area.max.y}}, grids);
  draw_column(step, results, {{area.max.x - half, area.min.y}, area.max}, grids);
  draw_focus_links(step, grids);
}

namespace {

const RegisteredDrawing kGeneralDrawing(Drawing::None, draw_general);

}  // namespace
}  // namespace ts::ui
