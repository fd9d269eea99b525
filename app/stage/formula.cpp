// The element in focus as text: name, value, exact bits, its sources with their addresses, and the trail.
#include "app/stage/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/draw/look.h"
#include "app/stage/parts/parts.h"
#include "app/stage/stage_step.h"
#include "core/debug/origins/source_text.h"
#include "core/record/operand_place.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostSources = 4;

float source_step() { return look().fonts.mono_small->FontSize + look().px(4); }

std::string written_name(const StageStep& step, const StageCell& cell) {
  const Operand& operand = step.bound.operands[static_cast<std::size_t>(cell.operand)];
  return fmt::format("{}[{},{}]", step.program().operand_name(operand), cell.row, cell.col);
}

std::string where(const StageStep& step, const StageCell& cell) {
  const Operand& operand = step.bound.operands[static_cast<std::size_t>(cell.operand)];
  if (operand.spec->kind == OperandKind::Tile) return address_text(operand.tile, cell.row, cell.col);
  return fmt::format("gm 0x{:x}", place_of(step.program(), step.bound, cell).address);
}

std::string worth_text(Definedness worth) {
  switch (worth) {
    case Definedness::Never: return "never written";
    case Definedness::Unspecified: return "unspecified";
    default: return "";
  }
}

// What the step that comes next will have made of the focus.
std::string value_after(const StageStep& step) {
  const ByteRange place = place_of(step.program(), step.bound, *step.focus);
  std::uint64_t bits = 0;
  const Definedness worth =
      step.view.questions().peek(step.step + 1, place, std::as_writable_bytes(std::span(&bits, 1)).first(place.size));
  const ElementFormat& format = *step.operand(step.focus->operand)->picture->elements.format;
  const std::string note = worth_text(worth);
  return fmt::format("{} ({}){}", short_text(format, bits), hex_text(format, bits), note.empty() ? "" : ", " + note);
}

// "30   0x41f00000   0 10000011 11100000000000000000000": the bits are exact, also where the decimals are not all
// there.
void put_value(const StageStep& step, ImVec2 at, float room) {
  const Theme& theme = *look().theme;
  const StageOperand& operand = *step.operand(step.focus->operand);
  const Elements& elements = operand.picture->elements;
  const std::uint64_t bits = elements.at(step.focus->row, step.focus->col);
  const Definedness worth = elements.worth_at(step.focus->row, step.focus->col);
  ImFont *mono = look().fonts.mono, *small = look().fonts.mono_small;
  const float end = at.x + room;
  const auto put = [&](const std::string& text, Color color, ImFont* font, float gap) {
    if (at.x >= end) return;
    at.x +=
        put_text_cut({at.x, at.y + mono->FontSize - font->FontSize}, end - at.x, text, color, font) + look().px(gap);
  };
  put(written_name(step, *step.focus), theme.text, mono, 6);
  put(name(element_type(*operand.operand)), theme.text_quiet, small, 12);
  const bool coming = operand.result && !step.made;
  put(coming ? "holds" : "=", theme.text_quiet, small, 6);
  if (worth != Definedness::Never) {
    put(short_text(*elements.format, bits), theme.text, mono, 12);
    put(hex_text(*elements.format, bits), theme.text, small, 12);
    put(bit_text(*elements.format, bits), theme.text_quiet, small, 12);
  }
  if (const std::string note = worth_text(worth); !note.empty())
    put(coming ? "what was " + note : note, coming ? theme.text_quiet : theme.finding, small, 12);
  if (coming && !step.sources.empty()) put("becomes " + value_after(step), theme.accent, small, 12);
  if (!operand.picture->is_valid(step.focus->row, step.focus->col))
    put("padding, outside the valid region", theme.text_quiet, small, 12);
  put("at " + where(step, *step.focus), theme.text_quiet, small, 0);
}

void put_source(const StageStep& step, const Source& source, ImVec2 at, float room) {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const StageOperand* operand = step.operand(source.operand);
  const float side = font->FontSize * 0.7f, top = at.y + (font->FontSize - side) / 2;
  const Color color = operand != nullptr ? operand->color : theme.text_quiet;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  if (source.decided) canvas.AddRect({at.x, top}, {at.x + side, top + side}, ink(color), 0, 0, look().px(1.5f));
  else canvas.AddRectFilled({at.x, top}, {at.x + side, top + side}, ink(color));
  const bool odd = source.definedness != Definedness::Written;
  put_text_cut({at.x + side + look().px(6), at.y}, room - side - look().px(6),
               source_text(*step.view.recording(), step.bound, source), odd ? theme.finding : theme.text, font);
}

std::string no_source_text(const StageStep& step) {
  if (step.view.flow(step.step).wrote(place_of(step.program(), step.bound, *step.focus)))
    return "this step writes a value of its own here: it is made of no element";
  const StageOperand& operand = *step.operand(step.focus->operand);
  if (!operand.picture->is_valid(step.focus->row, step.focus->col)) return "this step leaves the padding as it was";
  return "this step does not write this element";
}

}  // namespace

float formula_height(const StageStep& step) {
  if (!step.focus) return 0;
  const std::size_t lines = std::clamp<std::size_t>(step.sources.size(), 1, kMostSources + 1);
  return look().fonts.mono->FontSize + look().px(14) + static_cast<float>(lines) * source_step();
}

void draw_formula(StageStep& step, const Rect& area) {
  if (!step.focus) return;
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(area.min, area.max, ink(theme.raised), look().px(4));
  canvas.PushClipRect(area.min, area.max, true);
  const float x = area.min.x + look().px(10), room = area.width() - look().px(20);
  float y = area.min.y + look().px(6);
  const std::string count =
      fmt::format("element {} of {}", number_of(step, *step.focus) + 1, elements_of_results(step));
  const float count_width = text_width(count, look().fonts.small);
  put_value(step, {x, y}, room - count_width - look().px(16));
  put_text({x + room - count_width, y}, count, theme.text_quiet, look().fonts.small);
  y += look().fonts.mono->FontSize + look().px(5);
  if (step.sources.empty()) put_text_cut({x, y}, room, no_source_text(step), theme.text_quiet, look().fonts.small);
  const auto fits = static_cast<std::size_t>(std::max(1.0f, (area.max.y - y) / source_step()));
  const std::size_t most = step.sources.size() <= std::min(fits, kMostSources + 1)
                               ? step.sources.size()
                               : std::min(fits, kMostSources + 1) - 1;
  for (std::size_t i = 0; i < most; ++i, y += source_step()) put_source(step, step.sources[i], {x, y}, room);
  if (most < step.sources.size())
    put_text_cut({x, y}, room, fmt::format("and {} more sources", step.sources.size() - most), theme.text_quiet,
                 look().fonts.small);
  canvas.PopClipRect();
}

void draw_trail(StageStep& step, const Rect& line) {
  const Theme& theme = *look().theme;
  const std::vector<TrailStop>& trail = step.view.trail();
  ImFont* font = look().fonts.mono_small;
  float x = line.min.x;
  for (std::size_t i = 0; i < trail.size(); ++i) {
    const std::string made = trail[i].step ? fmt::format("@{}", *trail[i].step) : "";
    const std::string text = step.view.name_of(trail[i].element) + made;
    const float width = text_width(text, font);
    if (x + width > line.max.x) return put_text({x, line.min.y}, "…", theme.text_quiet, font);
    ImGui::SetCursorScreenPos({x, line.min.y});
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("##stop", {width, line.height()}))
      step.out.push("trailTo", {static_cast<std::int64_t>(i)});
    const bool last = i + 1 == trail.size();
    put_text({x, line.min.y}, text, ImGui::IsItemHovered() ? theme.accent : last ? theme.text : theme.text_quiet, font);
    ImGui::PopID();
    x += width + look().px(6);
    if (last) break;
    // An arrow back: this came from the next.
    const float y = line.min.y + font->FontSize / 2, side = look().px(4);
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.AddLine({x, y}, {x + look().px(14), y}, ink(theme.text_quiet), look().px(1.2f));
    canvas.AddTriangleFilled({x, y}, {x + side * 1.5f, y - side}, {x + side * 1.5f, y + side}, ink(theme.text_quiet));
    x += look().px(20);
  }
}

}  // namespace ts::ui
