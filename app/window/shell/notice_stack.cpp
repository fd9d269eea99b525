// Drawing messages.
#include "app/window/shell/notice_stack.h"

#include <imgui.h>

#include <algorithm>

#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/view/targets.h"
#include "core/data/utf8.h"

namespace ts::ui {
namespace {

constexpr double kNoticeSeconds = 6, kErrorSeconds = 15;
constexpr std::size_t kMostShown = 4;
constexpr std::size_t kMostBytes = 600;  // of a text: names of strangers may have any length

std::string shortened(std::string text) {
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && data::continues_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

void draw_ground(const Notice& notice) {
  const Rect box{
      ImGui::GetWindowPos(),
      {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), ImGui::GetWindowPos().y + ImGui::GetWindowHeight()}};
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.PushClipRectFullScreen();
  const Color edge = notice.is_error ? look().theme->finding : look().theme->accent;
  out.AddRectFilled(box.min, box.max, ink(look().theme->raised), look().px(6));
  out.AddRect(box.min, box.max, ink(edge), look().px(6), 0, look().px(1.5f));
  out.PopClipRect();
}

void draw_text(const Notice& notice) {
  ImGui::PushTextWrapPos(0);
  if (notice.is_error) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetTextLineHeight();
    draw_icon(*ImGui::GetWindowDrawList(), Icon::Finding, {at, {at.x + side, at.y + side}}, ink(look().theme->finding));
    ImGui::Indent(side + look().px(6));
  }
  ImGui::TextUnformatted(notice.text.c_str());
  if (!notice.hint.empty()) ImGui::TextDisabled("%s", notice.hint.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace

void NoticeStack::draw(const Rect& area, std::vector<Notice> told) {
  const double now = ImGui::GetTime();
  for (Notice& notice : told) {
    notice.text = shortened(std::move(notice.text));
    notice.hint = shortened(std::move(notice.hint));
    shown_.push_back({std::move(notice), now + (notice.is_error ? kErrorSeconds : kNoticeSeconds)});
  }
  std::erase_if(shown_, [&](const Shown& shown) { return shown.until < now; });
  if (shown_.size() > kMostShown) shown_.erase(shown_.begin(), shown_.end() - kMostShown);
  float bottom = area.max.y - look().px(10);
  const float wide = std::min(look().px(420), area.width() - look().px(20));
  for (std::size_t i = shown_.size(); i-- > 0;) {
    ImGui::SetNextWindowPos({area.max.x - look().px(10), bottom}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSize({wide, 0});
    ImGui::Begin(("notice" + std::to_string(i)).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    draw_ground(shown_[i].notice);
    draw_text(shown_[i].notice);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) shown_[i].until = 0;
    if (targets_wanted()) {
      const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
      note_target("notice/" + std::to_string(i), {at, {at.x + size.x, at.y + size.y}});
    }
    bottom -= ImGui::GetWindowHeight() + look().px(6);
    ImGui::End();
  }
}

std::vector<std::string> NoticeStack::texts() const {
  std::vector<std::string> texts;
  for (const Shown& shown : shown_) texts.push_back(shown.notice.text);
  return texts;
}

}  // namespace ts::ui
