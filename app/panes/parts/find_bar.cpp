// Drawing the line, and its keys: Enter goes on, Shift+Enter back, Escape closes it.
#include "app/panes/parts/find_bar.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"

namespace ts::ui {

std::size_t next_found(const FindBar::Found& found, int by) {
  if (!found.current) return by > 0 ? 0 : found.count - 1;
  return (*found.current + found.count + static_cast<std::size_t>(by)) % found.count;
}

int FindBar::draw(const char* hint, const Found& found) {
  ImGui::PushID("find bar");
  const std::string said = !found.problem.empty() ? found.problem
                           : text_.empty()        ? ""
                           : found.count == 0     ? "nothing"
                           : found.current        ? fmt::format("{} of {}", *found.current + 1, found.count)
                                                  : fmt::format("{} found", grouped(found.count));
  const float buttons = look().px(86), room = ImGui::GetContentRegionAvail().x;
  const float words = std::min(text_width(said, look().fonts.small), std::max(0.0f, room * 0.5f));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(4));
  ImGui::SetNextItemWidth(std::max(look().px(60), room - buttons - words - look().px(28)));
  if (appearing_) give_caret();
  appearing_ = false;
  const bool entered = text_field("##find", hint, text_, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool typing = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  if (targets_wanted()) note_target("find/text", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  int go = entered ? (ImGui::GetIO().KeyShift ? -1 : 1) : 0;
  // The field gives the focus away with Enter, and the next one is to be found as well.
  if (entered) appearing_ = true;
  ImGui::SameLine(0, look().px(8));
  put_text_cut({ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + look().px(4)}, words + 1, said,
               found.problem.empty() ? look().theme->text_quiet : look().theme->finding, look().fonts.small);
  ImGui::Dummy({words, 1});
  ImGui::SameLine(0, look().px(8));
  if (ImGui::SmallButton("<")) go = -1;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("The one before   Shift+Enter");
  ImGui::SameLine(0, look().px(4));
  if (ImGui::SmallButton(">")) go = 1;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("The next one   Enter");
  if (targets_wanted()) note_target("find/next", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  ImGui::SameLine(0, look().px(4));
  if (ImGui::SmallButton("x") || (typing && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))) open_ = false;
  ImGui::PopID();
  return found.count == 0 ? 0 : go;
}

}  // namespace ts::ui
