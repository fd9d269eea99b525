// Drawn above all panes.
#include "app/window/shell/presenter.h"

#include <GLFW/glfw3.h>

#include <cmath>

#include "app/draw/look.h"

namespace ts::ui {
namespace {

constexpr double kTrailSeconds = 0.6;
// So far apart, in pixels, are the points of a line.
constexpr float kLeastStep = 2;
constexpr std::size_t kMostPoints = 20'000;

bool is_far(ImVec2 one, ImVec2 other) { return std::hypot(one.x - other.x, one.y - other.y) >= kLeastStep; }

}  // namespace

bool Presenter::press(const Chord& chord, CommandQueue& queue) {
  if (chord == Chord{.key = GLFW_KEY_PAGE_DOWN}) {
    queue.push("step");
    return true;
  }
  if (chord == Chord{.key = GLFW_KEY_PAGE_UP}) {
    queue.push("back");
    return true;
  }
  const bool wipes = chord == Chord{.key = GLFW_KEY_ESCAPE} && (draws_ || !lines_.empty());
  if (wipes) leave();
  return wipes;
}

void Presenter::leave() {
  lines_.clear();
  trail_.clear();
  draws_ = false;
}

void Presenter::draw() {
  if (draws_) take_mouse();
  else draw_trail();
  draw_lines();
}

// The pen has the mouse for itself: panes see nothing of it.
void Presenter::take_mouse() {
  trail_.clear();
  const ImGuiViewport& view = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(view.Pos);
  ImGui::SetNextWindowSize(view.Size);
  ImGui::Begin("pen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  ImGui::InvisibleButton("paper", view.Size);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated()) lines_.push_back({mouse});
  else if (ImGui::IsItemActive() && !lines_.empty() && lines_.back().size() < kMostPoints &&
           is_far(lines_.back().back(), mouse))
    lines_.back().push_back(mouse);
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImGui::GetForegroundDrawList()->AddCircleFilled(mouse, look().px(4), ink(look().theme->finding));
  ImGui::End();
}

void Presenter::draw_trail() {
  const double now = ImGui::GetTime();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = ImGui::IsMousePosValid(&mouse);
  const bool moved = inside && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0);
  if (moved) trail_.push_back({mouse, now});
  while (!trail_.empty() && now - trail_.front().when > kTrailSeconds) trail_.pop_front();
  ImDrawList& out = *ImGui::GetForegroundDrawList();
  for (std::size_t i = 1; i < trail_.size(); ++i) {
    const double young = 1 - (now - trail_[i].when) / kTrailSeconds;
    out.AddLine(trail_[i - 1].at, trail_[i].at, ink(with_alpha(look().theme->finding, 0.75 * young)),
                look().px(2 + 5 * static_cast<float>(young)));
  }
  if (!trail_.empty()) out.AddCircleFilled(trail_.back().at, look().px(6), ink(with_alpha(look().theme->finding, 0.8)));
}

void Presenter::draw_lines() {
  for (const std::vector<ImVec2>& line : lines_)
    ImGui::GetForegroundDrawList()->AddPolyline(line.data(), static_cast<int>(line.size()), ink(look().theme->finding),
                                                0, look().px(4));
}

}  // namespace ts::ui
