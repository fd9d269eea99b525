// The list of a step's micro-operations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/stage/micro/micro_parts.h"

namespace ts::ui {
namespace {

enum class Progress { Made, Next, ToCome };

// A full dot: made. An arrow: comes next. A ring: to come.
void draw_progress(ImVec2 middle, Progress progress) {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const float side = look().px(4);
  if (progress == Progress::Made) out.AddCircleFilled(middle, side * 0.7f, ink(theme.good));
  else if (progress == Progress::ToCome) out.AddCircle(middle, side * 0.7f, ink(theme.text_quiet), 0, 1.2f);
  else
    out.AddTriangleFilled({middle.x - side, middle.y - side}, {middle.x - side, middle.y + side},
                          {middle.x + side, middle.y}, ink(theme.accent));
}

void draw_row(const Trace& trace, std::uint32_t row, std::uint32_t here, bool shown, const Rect& rect) {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsWindowHovered() && rect.holds(ImGui::GetIO().MousePos);
  if (shown) out.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.accent, 0.22)), look().px(3));
  else if (hovered) out.AddRectFilled(rect.min, rect.max, ink(theme.hovered), look().px(3));
  const Progress progress = row < here ? Progress::Made : row == here ? Progress::Next : Progress::ToCome;
  draw_progress({rect.min.x + look().px(9), rect.center().y}, progress);
  ImFont* font = look().fonts.mono_small;
  const float y = rect.center().y - font->FontSize / 2;
  const std::string number = fmt::format("{}", row);
  const float numbers = look().px(24) + text_width(fmt::format("{}", trace.steps.size()), font);
  put_text({rect.min.x + numbers - text_width(number, font), y}, number, theme.text_quiet, font);
  float end = rect.max.x - look().px(4);
  if (is_emulator_step(trace.steps[row])) {
    end -= text_width("emulator", look().fonts.small) + look().px(4);
    put_text({end, y}, "emulator", theme.scratch, look().fonts.small);
  }
  const float x = rect.min.x + numbers + look().px(8);
  put_text_cut({x, y}, end - x - look().px(4), trace.describe(trace.steps[row]),
               row < here                   ? theme.text
               : progress == Progress::Next ? theme.text
                                            : theme.text_quiet,
               font);
}

void take_row(const MicroList& list, const Trace& trace, std::uint32_t row, const Rect& rect, CommandQueue& out) {
  ImGui::PushID(static_cast<int>(row));
  if (ImGui::InvisibleButton("row", {std::max(1.0f, rect.width()), rect.height()}))
    out.push("seek", {std::int64_t{list.step}, std::int64_t{row}});
  if (ImGui::IsItemHovered()) {
    const WithFont small(look().fonts.small);
    ImGui::SetTooltip("%s\n%s", trace.describe(trace.steps[row]).c_str(), trace.steps[row].op->summary);
  }
  ImGui::PopID();
}

// Where the session stands is kept in sight.
void follow(const MicroList& list, float row_height, float room) {
  ImGuiStorage& kept = *ImGui::GetStateStorage();  // of this list's window
  int& step = *kept.GetIntRef(ImGui::GetID("step"), -1);
  int& made = *kept.GetIntRef(ImGui::GetID("made"), -1);
  const int step_now = static_cast<int>(list.step), made_now = static_cast<int>(list.made);
  if (step == step_now && made == made_now) return;
  step = step_now;
  made = made_now;
  const float wanted = static_cast<float>(list.made) * row_height, seen = ImGui::GetScrollY();
  if (wanted < seen + 2 * row_height || wanted > seen + room - 3 * row_height)
    ImGui::SetScrollY(std::max(0.0f, wanted - room / 3));
}

}  // namespace

float micro_row_height() { return std::floor(look().fonts.mono_small->FontSize + look().px(6)); }

void draw_micro_list(const MicroList& list, const Trace& trace, CommandQueue& out, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild(list.id, {area.width(), area.height()});
  follow(list, micro_row_height(), area.height());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper rows;
  rows.Begin(static_cast<int>(trace.steps.size()), micro_row_height());
  while (rows.Step()) {
    for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const Rect rect{at, {at.x + ImGui::GetContentRegionAvail().x, at.y + micro_row_height()}};
      const auto row = static_cast<std::uint32_t>(i);
      take_row(list, trace, row, rect, out);
      draw_row(trace, row, list.made, list.shown == row, rect);
    }
  }
  rows.End();
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace ts::ui
