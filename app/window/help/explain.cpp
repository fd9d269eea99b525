// Explaining.
#include "app/window/help/explain.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/draw/look.h"
#include "app/draw/markdown.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

constexpr float kCardWide = 460;

MarkdownBlock paragraph(std::string text) {
  return {.kind = MarkdownBlock::Kind::Paragraph, .line = {{.text = std::move(text)}}};
}

}  // namespace

Explanation explanation_of(const std::vector<Subject>& subjects, const std::string& pane) {
  const auto names = [&](Subject::Kind kind) {
    std::vector<std::string> found;
    for (const Subject& subject : subjects)
      if (subject.kind == kind) found.push_back(subject.name);
    return found;
  };
  if (auto marks = names(Subject::Kind::Mark); !marks.empty()) return {Explanation::Kind::Legend, std::move(marks)};
  // Of several, what was drawn last lies above the others.
  if (const auto commands = names(Subject::Kind::Command); !commands.empty())
    return {Explanation::Kind::Command, {commands.back()}};
  if (const auto pages = names(Subject::Kind::Instruction); !pages.empty())
    return {Explanation::Kind::Page, {pages.back()}};
  if (!pane.empty()) return {Explanation::Kind::Pane, {pane}};
  return {};
}

void HelpCard::open(std::string title, std::vector<MarkdownBlock> blocks, ImVec2 at) {
  open_ = appearing_ = true;
  title_ = std::move(title);
  blocks_ = std::move(blocks);
  at_ = at;
  high_ = 0;
}

void HelpCard::show_command(const std::string& name, ImVec2 at) {
  const CommandRow* row = find_any_command(name);
  if (row == nullptr) return;
  const std::string key = key_hint(name);
  std::vector<MarkdownBlock> blocks = {paragraph(row->help)};
  blocks.push_back(paragraph(key.empty() ? fmt::format("Menu {}. It has no key; View > Keys gives it one.", row->menu)
                                         : fmt::format("Menu {}, or {}.", row->menu, key)));
  open(row->title, std::move(blocks), at);
}

void HelpCard::show_pane(const Pane& pane, ImVec2 at) { open(pane.title(), read_markdown(pane.row().manual), at); }

void HelpCard::draw() {
  if (!open_) return;
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  const float wide = std::min(look().px(kCardWide), view.Size.x - look().px(20)), pad = look().px(14);
  // Until it is known how high it is, it is drawn where nobody sees it.
  const ImVec2 place{
      std::clamp(at_.x + look().px(12), view.Pos.x + look().px(8), view.Pos.x + view.Size.x - wide - look().px(8)),
      std::clamp(at_.y + look().px(12), view.Pos.y + look().px(8),
                 std::max(view.Pos.y + look().px(8), view.Pos.y + view.Size.y - high_ - look().px(8)))};
  const float most = view.Size.y - look().px(16);
  ImGui::SetNextWindowPos(place);
  ImGui::SetNextWindowSize({wide, std::clamp(high_, look().px(40), most)});
  if (appearing_) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look().px(6));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, tint(look().theme->pane));
  ImGui::PushStyleColor(ImGuiCol_Border, tint(look().theme->accent));
  ImGui::Begin("help card", nullptr,
               (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float y = at.y;
  put_text({at.x, y}, title_, look().theme->text, look().fonts.bold);
  y += line_step(look().fonts.bold) + look().px(4);
  const float bar = high_ > most ? ImGui::GetStyle().ScrollbarSize : 0;
  y += draw_markdown({at.x, y}, wide - 2 * pad - bar, blocks_);
  put_text({at.x, y + look().px(4)}, "Escape closes this", look().theme->text_quiet, look().fonts.small);
  y += look().fonts.small->FontSize + look().px(6);
  ImGui::Dummy({wide - 2 * pad, y - at.y});
  // Windows are cut to whole pixels, and a card that lost one would scroll.
  high_ = std::ceil(y - at.y + 2 * pad) + 1;
  if (targets_wanted()) note_target("help card", {ImGui::GetWindowPos(), {place.x + wide, place.y + high_}});
  const bool left = !appearing_ && !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
  if (left || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) open_ = false;
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
  appearing_ = false;
}

}  // namespace ts::ui
