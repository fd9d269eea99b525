// Saying that there is nothing.
#include "app/panes/parts/empty.h"

#include <imgui.h>

#include "app/draw/look.h"

namespace ts::ui {

void say_empty(const char* what, const char* advice) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x + look().px(12), at.y + look().px(10)});
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - look().px(12));
  ImGui::TextUnformatted(what);
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  ImGui::TextUnformatted(advice);
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
}

void begin_actions() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x + look().px(12), at.y + look().px(4)});
}

}  // namespace ts::ui
