// Drawing the line.
#include "app/window/shell/status_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/key_hints.h"

namespace ts::ui {
namespace {

std::string stop_text(const Standing& standing, const Recording& recording) {
  const Stopped& stopped = standing.stopped;
  switch (stopped.reason) {
    case Stopped::Reason::Rule: return fmt::format("stopped by breakpoint {} at step {}", stopped.stop, stopped.step);
    case Stopped::Reason::End: return "the end of the recording";
    case Stopped::Reason::Start: return "the start of the recording";
    case Stopped::Reason::Error: return fmt::format("the program could not go on: {}", name(recording.stop_reason()));
    case Stopped::Reason::Interrupted: return "paused";
    case Stopped::Reason::Failed: return "a condition could not be answered";
    case Stopped::Reason::Done: break;
  }
  return "";
}

// What to press, for who has never seen the program; the keys are those of the table.
std::string key_hints() {
  constexpr struct {
    const char *command, *word;
  } kHints[] = {{"over", "step"},
                {"overBack", "back"},
                {"into", "into"},
                {"follow", "to the source"},
                {"explain", "what is this?"}};
  std::string text;
  for (const auto& hint : kHints)
    if (const std::string key = key_hint(hint.command); !key.empty()) text += fmt::format("{} {}     ", key, hint.word);
  return text;
}

std::string busy_text(const Busy& busy) {
  if (busy.done == 0) return fmt::format("{} ({:.0f} s)", busy.what, busy.seconds);
  if (busy.total == 0) return fmt::format("{}: {} steps, {:.0f} s", busy.what, grouped(busy.done), busy.seconds);
  return fmt::format("{}: {} of {} steps, {:.0f} s", busy.what, grouped(busy.done), grouped(busy.total), busy.seconds);
}

// How much of it is done; going to and fro where nobody knows.
void draw_busy_bar(const Busy& busy, const Rect& rect) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.AddRectFilled(rect.min, rect.max, ink(look().theme->raised), 4);
  float begin = 0, share = 0.25f;
  if (busy.total != 0) {
    share = std::min(1.0f, static_cast<float>(busy.done) / static_cast<float>(busy.total));
  } else if (look().motion.mode == Motion::Mode::Off) {
    begin = 0.375f;
  } else {
    const auto at = static_cast<float>(ImGui::GetTime() * 0.8);
    begin = std::abs(at - 2 * std::floor(at / 2) - 1) * 0.75f;
  }
  const float x = rect.min.x + begin * rect.width();
  out.AddRectFilled({x, rect.min.y}, {x + share * rect.width(), rect.max.y}, ink(look().theme->accent), 4);
}

// What there is to say about where the session stands.
std::string place_text(DebugView& view) {
  const Recording& recording = *view.recording();
  if (view.finding()) {
    const Diagnostic& said = view.findings()[*view.finding()].diagnostic;
    return fmt::format("{}: [{}] {}", name(said.severity), said.rule, said.text);
  }
  if (const std::string why = stop_text(view.standing(), recording); !why.empty()) return why;
  const std::uint32_t position = view.moment().position;
  if (position < recording.count())
    return fmt::format("next: {}{}",
                       recording.program().together() ? core_name(recording, core_of(recording, position)) + ", " : "",
                       recording.program().short_text(recording.step(position).instruction));
  if (recording.stop_reason() != StopReason::End)
    return fmt::format("the run ended here: {}", name(recording.stop_reason()));
  return "all steps have been made";
}

// Where that is, in all the ways in which places are counted.
std::string numbers_text(DebugView& view) {
  const Recording& recording = *view.recording();
  const std::uint32_t position = view.moment().position, count = recording.count();
  std::string text = fmt::format("position {}: the state after {} of {} steps, which count from 0", grouped(position),
                                 grouped(position), grouped(count));
  if (position > 0)
    text += fmt::format("\nmade last: step {}, {}", position - 1, view.questions().line_text(position - 1));
  if (position < count) text += fmt::format("\nnext: step {}, {}", position, view.questions().line_text(position));
  return text;
}

std::string hint_text(const DebugView& view) {
  std::string text;
  if (view.recording()->thinning()) text = "older snapshots are thinned: going far back is slower     ";
  if (view.standing().by_source) text += "steps are source lines     ";
  if (const auto followed = view.standing().followed)
    text += fmt::format("steps are those of {}     ", core_name(*view.recording(), *followed));
  text += key_hints();
  if (view.selected()) text += "selected " + view.name_of(*view.selected());
  return text;
}

}  // namespace

void draw_status(const Rect& area, DebugView& view, const std::string& pending, CommandQueue& queue) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  ImFont* font = look().fonts.small;
  const float y = area.min.y + (area.height() - font->FontSize) / 2;
  std::string left, right;
  if (view.recording() != nullptr) left = place_text(view), right = hint_text(view);
  if (!pending.empty()) left = pending + " and then?";
  if (const auto& busy = view.busy()) {
    left = busy_text(*busy);
    ImGui::SetCursorScreenPos({area.max.x - look().px(110), area.min.y});
    if (ImGui::SmallButton(("Cancel  " + key_hint("pause")).c_str())) queue.push("pause");
    draw_busy_bar(*busy, {{area.max.x - look().px(290), y}, {area.max.x - look().px(130), y + look().px(8)}});
    right.clear();
  }
  out.AddText(font, font->FontSize, {area.min.x + look().px(12), y}, ink(theme.text_quiet), left.c_str());
  const float wide = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, right.c_str()).x;
  const float said_end = area.min.x + font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, left.c_str()).x + look().px(12);
  const float left_end = said_end + look().px(28);
  const Rect said{area.min, {said_end, area.max.y}};
  if (view.recording() != nullptr && ImGui::IsWindowHovered() && said.holds(ImGui::GetIO().MousePos))
    ImGui::SetTooltip("%s", numbers_text(view).c_str());
  if (area.max.x - wide - look().px(12) < left_end) return;
  out.AddText(font, font->FontSize, {area.max.x - wide - look().px(12), y}, ink(theme.text_quiet), right.c_str());
}

}  // namespace ts::ui
