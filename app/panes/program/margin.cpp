// Signs in the margin, and what they say.
#include "app/panes/program/margin.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/look.h"

namespace ts::ui {
namespace {

constexpr std::size_t kMostMessages = 6;

}  // namespace

Margin::Margin(const Rect& row) {
  const float side = row.height() * kSigns / 3;
  const auto place = [&](int index) {
    const float x = row.min.x + side * static_cast<float>(index);
    return Rect{{x, row.min.y}, {x + side, row.max.y}};
  };
  stop = place(0);
  found = place(1);
  here = place(2);
  end = row.min.x + row.height() * kSigns;
}

std::optional<StopSign> stop_sign(std::span<const StopEntry> stops,
                                  const std::function<bool(const StopRule&)>& is_here) {
  std::optional<StopSign> sign;
  for (const StopEntry& entry : stops) {
    const bool before_step = !entry.rule.watch && !entry.rule.nan && !entry.rule.inf && !entry.rule.finding;
    if (!before_step || !is_here(entry.rule)) continue;
    if (!entry.enabled) sign = sign.value_or(StopSign::Off);
    else if (!entry.rule.log.empty()) sign = sign == StopSign::On ? StopSign::On : StopSign::Log;
    else sign = StopSign::On;
  }
  return sign;
}

bool has_note(std::span<const Note> notes, const std::function<bool(std::uint32_t step)>& is_here, std::string* text) {
  bool any = false;
  for (const Note& note : notes) {
    if (!note.step || !is_here(*note.step)) continue;
    any = true;
    if (text != nullptr && text->size() < 1000)
      *text += (text->empty() ? "" : "\n") + note_place(note) + ": " + note.text;
  }
  return any;
}

void draw_margin_note(const Margin& margin, const std::string& text, bool beside) {
  // Beside another sign it is smaller, and below it.
  Rect rect = margin.found;
  if (beside) rect = {{rect.min.x, rect.center().y}, rect.max};
  draw_note_sign(*ImGui::GetWindowDrawList(), rect);
  if (rect.holds(ImGui::GetIO().MousePos) && ImGui::IsWindowHovered()) ImGui::SetTooltip("%s", text.c_str());
}

void MessageList::add(const Diagnostic& diagnostic, std::optional<std::uint32_t> step) {
  const auto same = std::ranges::find_if(messages_, [&](const Message& message) {
    return message.diagnostic->rule == diagnostic.rule && message.diagnostic->pos == diagnostic.pos;
  });
  if (same == messages_.end()) {
    messages_.push_back({&diagnostic, step, step, 1});
    return;
  }
  if (!same->first_step) same->first_step = step;
  if (step) same->last_step = step;
  ++same->times;
}

void MessageList::tooltip() const {
  if (messages_.empty()) return;
  const Theme& theme = *look().theme;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(look().px(460));
  for (std::size_t i = 0; i < std::min(messages_.size(), kMostMessages); ++i) {
    const Message& message = messages_[i];
    const Diagnostic& told = *message.diagnostic;
    if (i > 0) ImGui::Separator();
    std::string title = fmt::format("{} {}", name(told.severity), told.rule);
    if (message.first_step && message.first_step == message.last_step)
      title += fmt::format("  step {}", *message.first_step);
    else if (message.first_step) title += fmt::format("  steps {} to {}", *message.first_step, *message.last_step);
    ImGui::TextColored(tint(color_of(told.severity)), "%s", title.c_str());
    ImGui::TextUnformatted(told.text.c_str());
    if (!told.expected.empty()) ImGui::TextColored(tint(theme.text_quiet), "expected %s", told.expected.c_str());
    if (!told.hint.empty()) ImGui::TextColored(tint(theme.text_quiet), "%s", told.hint.c_str());
  }
  if (messages_.size() > kMostMessages)
    ImGui::TextColored(tint(theme.text_quiet), "and %zu more", messages_.size() - kMostMessages);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace ts::ui
