// What is shown while nothing is open: what the program is for, and where to begin.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>

#include "app/draw/focus.h"
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/files/files.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/commands/window_commands.h"
#include "app/window/shell/shell.h"

namespace ts::ui {
namespace {

void noted(const std::string& name) {
  if (targets_wanted()) note_target("start/" + name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

// A card with a title and a sentence; true when it was clicked.
bool card(const std::string& id, const std::string& title, const std::string& text, ImVec2 size) {
  const Theme& theme = *look().theme;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id.c_str(), size);
  noted(id);
  const bool hovered = ImGui::IsItemHovered() || last_item_has_focus();
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Rect box{at, {at.x + size.x, at.y + size.y}};
  out.AddRectFilled(box.min, box.max, ink(hovered ? theme.hovered : theme.pane), look().px(6));
  out.AddRect(box.min, box.max, ink(hovered ? theme.accent : theme.line), look().px(6));
  const float pad = look().px(10), small = look().fonts.small->FontSize;
  out.AddText(look().fonts.bold, look().fonts.bold->FontSize, {at.x + pad, at.y + pad}, ink(theme.text), title.c_str());
  const ImVec4 clip{box.min.x, box.min.y, box.max.x - pad, box.max.y - look().px(4)};
  out.AddText(look().fonts.small, small, {at.x + pad, at.y + pad + look().px(22)}, ink(theme.text_quiet), text.c_str(),
              nullptr, size.x - 2 * pad, &clip);
  return pressed;
}

// What samples stand under, in the order in which the first of each comes.
std::vector<std::string_view> groups_of(const std::vector<Sample>& samples) {
  std::vector<std::string_view> groups;
  for (const Sample& sample : samples)
    if (std::ranges::find(groups, sample.group) == groups.end()) groups.push_back(sample.group);
  return groups;
}

void draw_samples(Shell& shell, float wide) {
  const int columns = std::max(1, static_cast<int>(wide / look().px(290)));
  const float gap = look().px(8), each = (wide - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  // Made once: the samples come with the program.
  static const std::vector<Sample> all = samples();
  for (const std::string_view group : groups_of(all)) {
    ImGui::Dummy({0, look().px(4)});
    {
      const WithFont bold(look().fonts.bold);
      ImGui::TextUnformatted(group.empty() ? "More" : std::string(group).c_str());
    }
    int column = -1;
    for (const Sample& sample : all) {
      if (sample.group != group) continue;
      column = (column + 1) % columns;
      if (column > 0) ImGui::SameLine(0, gap);
      if (card(std::string(sample.name), std::string(sample.name), sample.summary, {each, look().px(82)}))
        shell.open(std::string(sample.name));
    }
  }
}

// A button for a command, where there is such a command.
void command_button(Shell& shell, const char* command, const char* words, bool main) {
  if (find_any_command(command) == nullptr) return;
  const std::string key = key_hint(command), text = key.empty() ? words : std::string(words) + "   " + key;
  const Theme& theme = *look().theme;
  if (main) {
    ImGui::PushStyleColor(ImGuiCol_Button, tint(theme.accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, tint(mix(theme.accent, theme.text, 0.2)));
    ImGui::PushStyleColor(ImGuiCol_Text, tint(theme.accent_text));
  }
  if (ImGui::Button((text + "##" + command).c_str(), {0, look().px(32)})) shell.queue().push(command);
  noted(command);
  if (main) ImGui::PopStyleColor(3);
  ImGui::SameLine();
}

}  // namespace

void draw_start_page(Shell& shell, const Rect& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("start", {area.width(), area.height()});
  // Keys have a place to go to.
  if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
  const float margin = std::max(look().px(24), (area.width() - look().px(1240)) / 2), wide = area.width() - 2 * margin;
  ImGui::SetCursorPos({margin, look().px(32)});
  ImGui::BeginGroup();
  {
    const WithFont heading(look().fonts.heading);
    ImGui::TextUnformatted("See what your tile kernel does");
  }
  ImGui::PushTextWrapPos(margin + wide);
  ImGui::TextUnformatted(
      "TileScope runs PTO tile programs on emulators of A2A3 and A5 and keeps every step: go forwards and backwards, "
      "look at every tile, mask and address.\nWhen a number is wrong, follow it back to where it came from.");
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, look().px(8)});
  if (const UnfinishedRun* run = shell.desk().cut_off()) {
    const std::string name = std::filesystem::path(run->run.program.value("name", "")).filename();
    const std::string words = fmt::format("Open what was recorded of {}: {} steps", name, run->steps);
    ImGui::TextUnformatted("TileScope ended while it recorded a run. What there was is made again.");
    command_button(shell, "openCutOff", words.c_str(), true);
    ImGui::NewLine();
    ImGui::Dummy({0, look().px(4)});
  }
  command_button(shell, "tour", "Show me, in two minutes   Enter", shell.desk().cut_off() == nullptr);
  command_button(shell, "open", "Open a program...", false);
  if (shell.can_reopen()) command_button(shell, "reopen", "Go on where I was", false);
  // Where the program has lessons.
  command_button(shell, "lessons", "Lessons", false);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (look().px(32) - ImGui::GetTextLineHeight()) / 2 -
                       ImGui::GetStyle().FramePadding.y);
  ImGui::TextDisabled("or drop a .pto or .cpp file here");
  if (!shell.recent().empty()) {
    ImGui::Dummy({0, look().px(8)});
    {
      const WithFont bold(look().fonts.bold);
      ImGui::TextUnformatted("Recent");
    }
    const std::vector<std::string> recent = shell.recent();
    constexpr std::size_t kMostShown = 5;
    for (std::size_t i = 0; i < std::min(recent.size(), kMostShown); ++i)
      if (ImGui::Selectable(recent[i].c_str(), false, 0, {wide, 0})) shell.open(recent[i]);
  }
  ImGui::Dummy({0, look().px(6)});
  draw_samples(shell, wide);
  ImGui::EndGroup();
  ImGui::EndChild();
}

}  // namespace ts::ui
