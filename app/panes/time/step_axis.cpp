// Steps along the x axis.
#include "app/panes/time/step_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/parts/empty.h"

namespace ts::ui {
namespace {

constexpr double kSecondsUntilLost = 1.0;
// From here on a step can be pointed at.
constexpr float kWideStep = 10;
constexpr double kZoomATurn = 0.8;

}  // namespace

// --- going there ---

void Scrub::go_on(const DebugView& view, CommandQueue& out) {
  const bool there = asked_ && view.moment() == Moment{*asked_, 0};
  const bool lost = asked_ && !view.busy() && ImGui::GetTime() - asked_at_ > kSecondsUntilLost;
  if (there || lost) asked_.reset();
  if (asked_ || !wanted_) return;
  if (view.moment() != Moment{*wanted_, 0}) {
    out.push("seek", {static_cast<std::int64_t>(*wanted_)});
    asked_ = wanted_;
    asked_at_ = ImGui::GetTime();
  }
  wanted_.reset();
}

void StepAxis::begin(const DebugView& view, float first_px, float last_px) {
  const Recording& recording = *view.recording();
  axis_.set_pixels(first_px, last_px);
  count_ = recording.count();
  axis_.set_whole(0, std::max(1u, count_));
  if (opening_ != view.opening()) axis_.show_all();
  const Moment moment = view.moment();
  if (moment != seen_ && !dragged_) axis_.reveal(moment.position);
  opening_ = view.opening();
  seen_ = moment;
  dragged_ = scrub_.target().has_value();
  now_ = scrub_.target() ? *scrub_.target() : moment.position + (moment.micro > 0 ? 0.5 : 0.0);
}

std::uint32_t StepAxis::first() const { return static_cast<std::uint32_t>(std::max(0.0, std::floor(axis_.low()))); }

std::uint32_t StepAxis::end_step() const {
  return std::min(count_, static_cast<std::uint32_t>(std::max(0.0, std::ceil(axis_.high()))));
}

std::uint32_t StepAxis::step_at(float px) const {
  const double at = std::clamp(std::floor(axis_.at(px)), 0.0, std::max(0.0, count_ - 1.0));
  return static_cast<std::uint32_t>(at);
}

std::uint32_t StepAxis::position_at(float px) const {
  const double at = axis_.at(px);
  const bool wide = axis_.px_per() >= look().px(kWideStep);
  const double position = wide ? std::floor(at) + 1 : std::round(at);
  return static_cast<std::uint32_t>(std::clamp(position, 0.0, static_cast<double>(count_)));
}

void StepAxis::take_wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    if (io.KeyShift) axis_.pan(-io.MouseWheel * (axis_.high() - axis_.low()) / 8);
    else axis_.zoom(io.MousePos.x, std::pow(kZoomATurn, io.MouseWheel));
  }
  if (ImGui::IsItemHovered() && io.MouseWheelH != 0) axis_.pan(-io.MouseWheelH * (axis_.high() - axis_.low()) / 8);
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Middle)) {
    axis_.pan(-io.MouseDelta.x * axis_.per_px());
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
}

void StepAxis::take_keys(const DebugView& view, CommandQueue& out) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) return;
  const double screen = axis_.high() - axis_.low();
  for (const ImWchar typed : io.InputQueueCharacters) {
    if (typed == ',') out.push("overBack");
    if (typed == '.') out.push("over");
    if (typed != '<' && typed != '>') continue;
    const double by = typed == '>' ? screen : -screen;
    axis_.pan(by);
    scrub_.want(static_cast<std::uint32_t>(std::clamp(std::round(view.moment().position + by), 0.0, double(count_))));
  }
}

// --- drawing ---

void StepAxis::draw_ruler(ImDrawList& out, const Rect& area) const {
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.mono_small;
  const std::string longest = grouped(static_cast<std::uint64_t>(axis_.high()));
  const float room = text_width(longest, font) + look().px(18);
  const double every = round_step(room * axis_.per_px());
  const float label = text_width("step", font) + look().px(12);
  out.AddText(font, font->FontSize, {area.min.x - label, area.min.y}, ink(theme.text_quiet), "step");
  out.PushClipRect(area.min, {area.max.x + look().px(8), area.max.y}, true);
  for (double at = std::ceil(axis_.low() / every) * every; at <= axis_.high(); at += every) {
    const float x = std::floor(px(at));
    out.AddLine({x, area.max.y - look().px(4)}, {x, area.max.y}, ink(theme.text_quiet), 1);
    out.AddText(font, font->FontSize, {x + look().px(3), area.min.y}, ink(theme.text_quiet),
                grouped(static_cast<std::uint64_t>(at)).c_str());
  }
  out.PopClipRect();
}

void StepAxis::draw_now(ImDrawList& out, const Rect& ruler, float bottom) const {
  const Theme& theme = *look().theme;
  const float x = px(now_);
  if (x < ruler.min.x - 1 || x > ruler.max.x + 1) return;
  ImFont* font = look().fonts.mono_small;
  const std::string text = grouped(static_cast<std::uint64_t>(now_)) + (now_ > std::floor(now_) ? "+" : "");
  const float wide = text_width(text, font) + look().px(8);
  const float left = std::clamp(x - wide / 2, ruler.min.x - look().px(8), ruler.max.x + look().px(8) - wide);
  const float foot = ruler.min.y + font->FontSize + look().px(1);
  out.AddLine({x, foot}, {x, bottom}, ink(theme.accent), look().px(1.5f));
  out.AddRectFilled({left, ruler.min.y - look().px(1)}, {left + wide, foot}, ink(theme.accent), look().px(3));
  const float tip = look().px(4);
  out.AddTriangleFilled({x - tip, foot - 1}, {x + tip, foot - 1}, {x, foot + tip}, ink(theme.accent));
  out.AddText(font, font->FontSize, {std::floor(left + look().px(4)), ruler.min.y}, ink(theme.accent_text),
              text.c_str());
}

void StepAxis::explain_ruler() {
  if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return;
  ImGui::SetTooltip("%s\nDrag: go there. Wheel: zoom. Shift and wheel, or middle button: move.", kAxisSentence);
}

bool say_nothing_to_show(const DebugView& view, const char* what) {
  if (view.document() == nullptr) {
    say_empty("Nothing is open.", fmt::format("Open a program, and {} stand here.", what).c_str());
  } else if (view.recording() == nullptr) {
    say_empty("This program cannot run.", "What was found in its text says why: see the program.");
  } else if (view.recording()->count() == 0) {
    say_empty("This program has no steps.", "Nothing of it was executed.");
  } else {
    return false;
  }
  return true;
}

}  // namespace ts::ui
