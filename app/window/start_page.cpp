// What is shown while nothing is open: what the program is for, and where to begin.
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/files/files.h"
#include "app/window/shell.h"

namespace ts::ui {
namespace {

// A card with a title and a sentence; true when it was clicked.
bool card(const std::string& id, const std::string& title, const std::string& text, ImVec2 size) {
  const Theme& theme = *look().theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), size);
  const bool hovered = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Rect box{at, {at.x + size.x, at.y + size.y}};
  out.AddRectFilled(box.min, box.max, ink(hovered ? theme.hovered : theme.pane), look().px(6));
  if (hovered) out.AddRect(box.min, box.max, ink(theme.accent), look().px(6));
  const float pad = look().px(10), small = look().fonts.small->FontSize;
  out.AddText(look().fonts.bold, look().fonts.bold->FontSize, {at.x + pad, at.y + pad}, ink(theme.text), title.c_str());
  const ImVec4 clip{box.min.x, box.min.y, box.max.x - pad, box.max.y - look().px(4)};
  out.AddText(look().fonts.small, small, {at.x + pad, at.y + pad + look().px(22)}, ink(theme.text_quiet), text.c_str(),
              nullptr, size.x - 2 * pad, &clip);
  return pressed;
}

void draw_samples(Shell& shell, float wide) {
  const int columns = std::max(1, static_cast<int>(wide / look().px(300)));
  const float gap = look().px(8), each = (wide - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  // Made once: the samples come with the program.
  static const std::vector<Sample> all = samples();
  int column = 0;
  for (const Sample& sample : all) {
    if (column > 0) ImGui::SameLine(0, gap);
    if (card(std::string(sample.name), std::string(sample.name), sample.summary, {each, look().px(78)}))
      shell.open(std::string(sample.name));
    column = (column + 1) % columns;
  }
}

}  // namespace

void draw_start_page(Shell& shell, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("start", {area.width(), area.height()});
  const float margin = std::max(look().px(24), (area.width() - look().px(1240)) / 2), wide = area.width() - 2 * margin;
  ImGui::SetCursorPos({margin, look().px(36)});
  ImGui::BeginGroup();
  {
    const WithFont heading(look().fonts.heading);
    ImGui::TextUnformatted("See what your tile kernel does");
  }
  ImGui::PushTextWrapPos(margin + wide);
  ImGui::TextDisabled(
      "TileScope runs PTO tile programs on emulators of A2A3 and A5 and keeps every step: go forwards and backwards, "
      "look at every tile, mask and address, and follow any value back to where it came from.");
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, look().px(10)});
  if (ImGui::Button("Open a program...   Ctrl+O")) shell.chooser().open();
  ImGui::SameLine();
  ImGui::TextDisabled("or drop a .pto file here");
  if (!shell.recent().empty()) {
    ImGui::Dummy({0, look().px(10)});
    ImGui::TextDisabled("Recent");
    const std::vector<std::string> recent = shell.recent();
    for (const std::string& path : recent)
      if (ImGui::Selectable(path.c_str(), false, 0, {wide, 0})) shell.open(path);
  }
  ImGui::Dummy({0, look().px(14)});
  ImGui::TextDisabled("Samples: each shows one thing; those called bug_ have a planted bug to find");
  ImGui::Dummy({0, look().px(4)});
  draw_samples(shell, wide);
  ImGui::EndGroup();
  ImGui::EndChild();
}

}  // namespace ts::ui
