// The legend's window.
#include "app/window/help/legend.h"

#include <algorithm>
#include <cstring>

#include "app/draw/look.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr float kMarkWide = 64, kMarkHigh = 28, kRowGap = 4, kColumnWide = 372;

}  // namespace

void Legend::toggle() {
  open_ = appearing_ = !open_;
  shown_.clear();
}

void Legend::show(std::vector<std::string> ids) {
  open_ = reveal_ = appearing_ = true;
  shown_ = std::move(ids);
}

void Legend::draw_row(const LegendRow& row, float wide) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float mark = look().px(kMarkWide), high = look().px(kMarkHigh);
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Rect whole{at, {at.x + wide, at.y + high}};
  const bool asked = std::ranges::find(shown_, row.id) != shown_.end();
  if (asked) {
    out.AddRectFilled({whole.min.x - look().px(4), whole.min.y - look().px(2)},
                      {whole.max.x, whole.max.y + look().px(2)}, ink(look().theme->hovered), look().px(3));
    out.AddRect({whole.min.x - look().px(4), whole.min.y - look().px(2)}, {whole.max.x, whole.max.y + look().px(2)},
                ink(look().theme->accent), look().px(3), 0, look().px(1.5f));
  }
  row.draw(out, {at, {at.x + mark, at.y + high}});
  const ImVec4 clip{at.x, at.y, whole.max.x, whole.max.y};
  out.AddText(look().fonts.text, look().fonts.text->FontSize,
              {at.x + mark + look().px(12), at.y + (high - look().fonts.text->FontSize) / 2}, ink(look().theme->text),
              row.text, nullptr, 0, &clip);
  ImGui::Dummy({wide, high});
  if (targets_wanted()) note_target(std::string("legend/") + row.id, whole);
  if (asked && reveal_) {
    ImGui::SetScrollHereY();
    reveal_ = false;
  }
}

void Legend::draw() {
  if (!open_) return;
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  const int columns = std::clamp(static_cast<int>((view.Size.x - look().px(80)) / look().px(kColumnWide)), 1, 3);
  const float wide = look().px(kColumnWide) * static_cast<float>(columns) + look().px(44);
  ImGui::SetNextWindowPos({view.Pos.x + view.Size.x / 2, view.Pos.y + view.Size.y / 2}, ImGuiCond_Appearing,
                          {0.5f, 0.5f});
  ImGui::SetNextWindowSize({wide, std::min(look().px(columns == 3 ? 770 : 960), view.Size.y - look().px(40))},
                           ImGuiCond_Appearing);
  if (appearing_) ImGui::SetNextWindowFocus();
  appearing_ = false;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, tint(look().theme->pane));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look().px(8), look().px(kRowGap)});
  if (ImGui::Begin("Legend", &open_, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings) &&
      ImGui::BeginTable("rows", columns)) {
    // Groups stay whole, and the columns about as long as each other.
    const char* group = "";
    std::size_t drawn = 0;
    int column = 0;
    ImGui::TableNextColumn();
    for (const LegendRow& row : legend_rows()) {
      const bool other = std::strcmp(group, row.group) != 0;
      const double share = static_cast<double>(drawn) / static_cast<double>(legend_rows().size());
      if (other && column + 1 < columns && share >= 0.75 * (column + 1) / columns) {
        ImGui::TableNextColumn();
        ++column;
      }
      if (other) {
        if (drawn != 0) ImGui::Dummy({0, look().px(4)});
        const WithFont bold(look().fonts.bold);
        ImGui::TextUnformatted(row.group);
        group = row.group;
      }
      draw_row(row, look().px(kColumnWide) - look().px(12));
      ++drawn;
    }
    ImGui::EndTable();
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace ts::ui
