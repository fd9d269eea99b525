// Drawing the tabs.
#include "app/window/forks/fork_tabs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "app/panes/parts/text_field.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr float kPad = 9, kGap = 4, kLongest = 260;

}  // namespace

float ForkTabs::height() { return look().px(26); }

void ForkTabs::draw_name(CommandQueue& out) {
  ImGui::SetNextItemWidth(look().px(kLongest));
  if (std::exchange(caret_, false)) give_caret();
  const bool entered = text_field("##fork name", "a name", name_, ImGuiInputTextFlags_EnterReturnsTrue);
  if (targets_wanted()) note_target("forks/name", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (entered) out.push("renameFork", {renamed_, name_});
  if (entered || ImGui::IsItemDeactivated()) renamed_.clear();
}

// Gives where the next one begins.
float ForkTabs::draw_tab(const Rect& area, float x, const KeptFork* fork, const DebugView& view, CommandQueue& out) {
  const Theme& theme = *look().theme;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const std::string name = fork == nullptr ? "" : fork->name;
  const std::string shown = cut_text(fork == nullptr ? "The run" : name, look().px(kLongest), look().fonts.text);
  const bool active = name == view.fork();
  const float pad = look().px(kPad), cross = fork == nullptr ? 0 : look().px(12);
  const float wide = text_width(shown, look().fonts.text) + 2 * pad + (cross == 0 ? 0 : cross + pad / 2);
  const Rect tab{{x, area.min.y}, {x + wide, area.max.y}};
  ImGui::SetCursorScreenPos(tab.min);
  const std::string id = "##fork " + name;
  const bool clicked = ImGui::InvisibleButton(id.c_str(), {wide - cross - pad / 2, area.height()});
  const bool hovered = ImGui::IsItemHovered();
  if (targets_wanted()) note_target("forks/" + (fork == nullptr ? "run" : name), tab);
  canvas.AddRectFilled(tab.min, tab.max,
                       ink(active    ? theme.pane
                           : hovered ? theme.hovered
                                     : theme.window),
                       look().px(4), ImDrawFlags_RoundCornersTop);
  if (active) canvas.AddLine(tab.min, {tab.max.x, tab.min.y}, ink(theme.accent), look().px(2));
  put_text({x + pad, area.center().y - look().fonts.text->FontSize / 2}, shown, active ? theme.text : theme.text_quiet,
           look().fonts.text);
  if (hovered)
    ImGui::SetTooltip(
        "%s",
        (fork == nullptr ? std::string("The program as it ran, with nothing changed by hand")
                         : fmt::format("{}\na double click renames it", fmt::join(fork->edits, "\n")).substr(0, 600))
            .c_str());
  if (hovered && fork != nullptr && ImGui::IsMouseDoubleClicked(0)) {
    renamed_ = name_ = name;
    caret_ = true;
  } else if (clicked) {
    out.push("showFork", {name});
  }
  if (fork == nullptr) return tab.max.x + look().px(kGap);
  const Rect sign{{tab.max.x - pad - cross, area.center().y - cross / 2},
                  {tab.max.x - pad, area.center().y + cross / 2}};
  ImGui::SetCursorScreenPos(sign.min);
  if (ImGui::InvisibleButton((id + " close").c_str(), {cross, cross})) out.push("closeFork", {name});
  if (targets_wanted()) note_target("forks/close " + name, sign);
  const bool over = ImGui::IsItemHovered();
  if (over) ImGui::SetTooltip("Close this fork; the run itself stays");
  draw_cross(canvas, sign, ink(over ? theme.text : theme.text_quiet));
  return tab.max.x + look().px(kGap);
}

void ForkTabs::draw(const Rect& area, const DebugView& view, CommandQueue& out) {
  const ImVec2 before = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(area.min);
  ImGui::BeginChild("forks", {area.width(), area.height()}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  float x = draw_tab(area, area.min.x, nullptr, view, out);
  for (const KeptFork& fork : view.standing().forks) {
    if (x > area.max.x) break;  // the commands reach those that have no room
    if (!renamed_.empty() && renamed_ == fork.name) {
      ImGui::SetCursorScreenPos({x, area.min.y});
      draw_name(out);
      x = ImGui::GetItemRectMax().x + look().px(kGap);
      continue;
    }
    x = draw_tab(area, x, &fork, view, out);
  }
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(before);
}

}  // namespace ts::ui
