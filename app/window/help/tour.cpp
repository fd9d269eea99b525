// The stops, and the bubble beside them.
#include "app/window/help/tour.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/view/debug_view.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

constexpr float kTourWide = 380;

// The text with the user's keys in it.
std::string with_keys(std::string text) {
  for (std::size_t at = 0; (at = text.find("{key:", at)) != std::string::npos;) {
    const std::size_t end = text.find('}', at);
    const std::string command = text.substr(at + 5, end - at - 5), key = key_hint(command);
    text.replace(at, end - at + 1, key.empty() ? "the command " + command : key);
  }
  return text;
}

// Beside the place: right of it, else left, else below, else above, else over it.
ImVec2 beside(const Rect& place, ImVec2 size, const Rect& all, float away) {
  const float y = std::clamp(place.center().y - size.y / 3, all.min.y, std::max(all.min.y, all.max.y - size.y));
  const float x = std::clamp(place.center().x - size.x / 2, all.min.x, std::max(all.min.x, all.max.x - size.x));
  if (place.max.x + away + size.x <= all.max.x) return {place.max.x + away, y};
  if (place.min.x - away - size.x >= all.min.x) return {place.min.x - away - size.x, y};
  if (place.max.y + away + size.y <= all.max.y) return {x, place.max.y + away};
  if (place.min.y - away - size.y >= all.min.y) return {x, place.min.y - away - size.y};
  return {x, std::max(all.min.y, all.max.y - size.y - away)};
}

}  // namespace

const std::vector<TourStop>& tour_stops() {
  static const std::vector<TourStop> stops = {
      {.title = "A program, and where it stands",
       .text = "This kernel splits pairs of numbers into two tiles. TileScope has run it on an emulator and kept every "
               "step. "
               "The arrow shows where we are. {key:over} makes a step, {key:overBack} takes one back; try both.",
       .before = {{"layout", {"debug"}}, {"seek", {std::int64_t{6}}}},
       .target = "program/line 47",
       .pane = "program"},
      {.title = "What a step does",
       .text = "The stage draws the step just made: sources above, results below, each value in the colour of the "
               "source it "
               "came from. The ring is the selected element. Point at any other one to see where that came from.",
       .before = {{"focusPane", {"stage"}}, {"select", {"im", std::int64_t{1}, std::int64_t{7}}}},
       .target = "stage/im[1,7]",
       .pane = "stage"},
      {.title = "A tile, whole",
       .text = "Every tile and buffer at any step: as numbers, as heat, as bits. {key:cycleFormat} changes the format, "
               "{key:showHeat} colours it. Hatched cells were never written, so you never mistake them for data.",
       .before = {{"focusPane", {"tiles"}}, {"showTile", {"im"}}},
       .target = "tiles/im",
       .pane = "tiles"},
      {.title = "The exact value",
       .text =
           "The inspector has the selected element in every format, to the last bit, with its address, its sources and "
           "its readers. What a decimal number cuts off stands here.",
       .before = {{"focusPane", {"inspector"}}, {"select", {"im", std::int64_t{1}, std::int64_t{7}}}},
       .pane = "inspector"},
      {.title = "Where did it come from?",
       .text = "Press {key:follow}. It goes to the step that made this value; once more, to the element that it was "
               "made of. "
               "So any wrong number leads back to the input it came from.",
       .before = {{"focusPane", {"stage"}},
                  {"seek", {std::int64_t{6}}},
                  {"select", {"im", std::int64_t{1}, std::int64_t{7}}}},
       .target = "stage/im[1,7]",
       .pane = "stage",
       .press = "follow"},
      {.title = "This element came from here",
       .text = "The selection has moved to the source, and the trail below the stage keeps the way. {key:visitBack} "
               "goes back. "
               "{key:explain} explains whatever is under the mouse, {key:palette} finds every command. That is all you "
               "need.",
       .pane = "stage"},
  };
  return stops;
}

std::string Tour::title() const { return open_ ? tour_stops()[stop_].title : ""; }

void Tour::begin(CommandQueue& out) {
  if (!open_) wanted_targets_ = targets_wanted();
  want_targets(true);
  open_ = opening_ = true;
  stop_ = 0;
  high_ = 0;
  out.push("open", {kTourSample});
}

void Tour::end() {
  if (!open_) return;
  open_ = false;
  // Tests want them all the time.
  if (!wanted_targets_) want_targets(false);
}

void Tour::go(std::size_t stop, CommandQueue& out) {
  if (stop >= tour_stops().size()) return end();
  stop_ = stop;
  for (const Command& command : tour_stops()[stop_].before) out.push(command.name, command.values);
}

void Tour::lead_on(CommandQueue& out) {
  if (const std::string asked = tour_stops()[stop_].press; !asked.empty()) out.push(asked);
  else go(stop_ + 1, out);
}

bool Tour::press(const Chord& chord, CommandQueue& out) {
  if (!open_ || chord.ctrl || chord.alt || chord.shift) return false;
  switch (chord.key) {
    case GLFW_KEY_ESCAPE: end(); return true;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_RIGHT:
      if (!opening_) lead_on(out);
      return true;
    case GLFW_KEY_LEFT:
      if (stop_ > 0) go(stop_ - 1, out);
      return true;
    default: return false;
  }
}

void Tour::carried_out(const std::string& command, CommandQueue& out) {
  if (!open_ || opening_) return;
  const std::string_view wanted = tour_stops()[stop_].press;
  if (!wanted.empty() && command == wanted) go(stop_ + 1, out);
}

void Tour::draw(const DebugView& view, const std::vector<std::pair<std::string, Rect>>& panes, CommandQueue& out) {
  if (!open_) return;
  if (opening_) {
    const Document* document = view.document();
    if (document == nullptr || document->name != fmt::format("{}.pto", kTourSample) || view.recording() == nullptr)
      return;
    opening_ = false;
    go(0, out);
  }
  const TourStop& stop = tour_stops()[stop_];
  const Theme& theme = *look().theme;
  const ImGuiViewport& port = *ImGui::GetMainViewport();
  const Rect all{{port.Pos.x + look().px(8), port.Pos.y + look().px(8)},
                 {port.Pos.x + port.Size.x - look().px(8), port.Pos.y + port.Size.y - look().px(8)}};
  Rect place{};
  for (const auto& [pane, rect] : panes)
    if (pane == stop.pane) place = rect;
  if (const auto found = targets().find(stop.target); found != targets().end() && found->second.width() > 1)
    place = found->second;
  ImDrawList& above = *ImGui::GetForegroundDrawList();
  if (place.width() > 0) {
    const float away = look().px(3);
    above.AddRect({place.min.x - away, place.min.y - away}, {place.max.x + away, place.max.y + away}, ink(theme.window),
                  look().px(5), 0, look().px(5));
    above.AddRect({place.min.x - away, place.min.y - away}, {place.max.x + away, place.max.y + away}, ink(theme.accent),
                  look().px(5), 0, look().px(3));
  }
  const float wide = std::min(look().px(kTourWide), all.width()), pad = look().px(14);
  // A pane that fills most of the window has no room beside it: there the bubble stands in its corner.
  const ImVec2 at = beside(place, {wide, std::max(high_, look().px(140))}, all, look().px(14));
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({wide, std::max(high_, look().px(60))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, look().px(2));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, look().px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, tint(theme.pane));
  ImGui::PushStyleColor(ImGuiCol_Border, tint(theme.accent));
  ImGui::Begin("tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  float y = from.y;
  const std::string count = fmt::format("{} of {}", stop_ + 1, tour_stops().size());
  put_text({from.x + wide - 2 * pad - text_width(count, look().fonts.small), y}, count, theme.text_quiet,
           look().fonts.small);
  put_text({from.x, y}, stop.title, theme.text, look().fonts.bold);
  y += line_step(look().fonts.bold) + look().px(4);
  y += put_text_wrapped({from.x, y}, wide - 2 * pad, with_keys(stop.text), theme.text, look().fonts.text) +
       look().px(10);
  ImGui::SetCursorScreenPos({from.x, y});
  const bool last = stop_ + 1 == tour_stops().size();
  const auto noted = [](const char* name) {
    if (targets_wanted()) note_target(name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  };
  if (ImGui::Button(last ? "Done  Enter" : "Next  Enter")) lead_on(out);
  noted("tour/next");
  if (stop_ > 0) {
    ImGui::SameLine();
    if (ImGui::Button("Back")) go(stop_ - 1, out);
    noted("tour/back");
  }
  ImGui::SameLine();
  if (ImGui::Button("Leave  Esc")) end();
  noted("tour/leave");
  high_ = ImGui::GetItemRectMax().y - from.y + 2 * pad;
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
}

}  // namespace ts::ui
