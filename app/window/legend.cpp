// The legend: every mark beside what it means.
#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/window/shell.h"

namespace ts::ui {
namespace {

struct LegendRow {
  CellLook cell;
  const char* text;
};

CellLook marked(const char* text, Mark marks) {
  CellLook cell;
  cell.text = text;
  cell.marks = marks;
  return cell;
}

CellLook of_source(char letter, Color color, bool right) {
  CellLook cell = marked("1.5", Mark::None);
  cell.source = color;
  cell.letter = letter;
  cell.edge_right = right;
  return cell;
}

void draw_rows(std::initializer_list<LegendRow> rows) {
  const float wide = look().px(64), high = look().px(30);
  for (const LegendRow& row : rows) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_cell(*ImGui::GetWindowDrawList(), {at, {at.x + wide, at.y + high}}, row.cell);
    ImGui::Dummy({wide, high});
    ImGui::SameLine(0, look().px(12));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (high - ImGui::GetTextLineHeight()) / 2);
    ImGui::TextUnformatted(row.text);
  }
}

}  // namespace

void draw_legend(bool& open) {
  if (!open) return;
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({view.Pos.x + view.Size.x / 2, view.Pos.y + view.Size.y / 2}, ImGuiCond_Appearing,
                          {0.5f, 0.5f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, tint(look().theme->pane));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  if (ImGui::Begin(
          "Legend", &open,
          ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    const Theme& theme = *look().theme;
    draw_rows({{of_source('a', theme.src0, false), "value of the first source"},
               {of_source('b', theme.src1, true), "value of the second source"},
               {marked("2.5", Mark::Written), "written by this step"},
               {marked("2.5", Mark::Read), "read by this step"},
               {marked("..", Mark::Undefined), "never written: nobody promises what is there"},
               {marked("7?", Mark::Unspecified), "unspecified: written, but no document promises the value"},
               {marked("", Mark::Padding), "outside the valid region"},
               {marked("3", Mark::Faded), "not taken: the other source was chosen"},
               {marked("3", Mark::Finding), "something is wrong here"},
               {marked("3", Mark::Different), "differs from what it is compared with"},
               {marked("3", Mark::Selected), "selected"},
               {marked("3", Mark::Provenance), "a source of the element under the mouse"},
               {marked("NaN", Mark::None), "not a number; infinities are +inf and -inf"}});
  }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace ts::ui
