// What makes a run stop: a list, and a line to add to it.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/panes/lists/stop_editor.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/followed_row.h"
#include "app/panes/parts/list_row.h"
#include "app/panes/parts/text_field.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/debug/session/condition.h"
#include "core/debug/session/stop_text.h"
#include "core/isa/refusal.h"

namespace ts::ui {
namespace {

class BreakpointsPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;

 private:
  void draw_stop_row(const DebugView& view, const StopEntry& stop, CommandQueue& out);
  void draw_adding(DebugView& view, CommandQueue& out);

  StopEditor editor_;
  std::string text_;
  std::optional<Refusal> refused_;
  bool again_ = false;  // the line keeps the cursor
};

// Three of them: there is more behind.
void draw_dots(ImDrawList& list, const Rect& rect) {
  const float step = rect.width() / 4;
  for (int i = -1; i <= 1; ++i)
    list.AddCircleFilled({rect.center().x + static_cast<float>(i) * step, rect.center().y}, look().px(1.5f),
                         ink(look().theme->text_quiet));
}

// Where the sign before the row's text was drawn.
Rect edit_place(const ListRow& row) {
  const float side = row.rect().height() * 0.8f;
  const float end = row.left() - look().px(4);
  return {{end - side, row.rect().min.y}, {end, row.rect().max.y}};
}

}  // namespace

void BreakpointsPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr) {
    say_empty("Nothing runs that could stop.", "Open a program that runs; then set breakpoints here or in its margin.");
    return;
  }
  draw_adding(view, out);
  editor_.draw(view, out);
  const std::vector<StopEntry>& stops = view.standing().stops;
  const std::vector<FollowedMark>& followed = view.standing().followed_marks;
  const std::vector<std::size_t> gone = gone_of(followed, true);
  if (stops.empty() && gone.empty()) {
    say_empty("No breakpoints.",
              fmt::format("Type one above, click beside a line or step, or press {}. {} runs to the next one.",
                          key_hint("toggleBreakpoint"), with_key("Continue", "continue"))
                  .c_str());
    return;
  }
  ImGui::BeginChild("stops", {0, 0});
  ImGuiListClipper rows;
  rows.Begin(static_cast<int>(stops.size() + gone.size()), list_row_height());
  while (rows.Step())
    for (int i = rows.DisplayStart; i < rows.DisplayEnd; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (at < stops.size()) draw_stop_row(view, stops[at], out);
      else draw_gone_row(followed, gone[at - stops.size()], -1 - i, out);
    }
  ImGui::EndChild();
}

void BreakpointsPane::draw_stop_row(const DebugView& view, const StopEntry& stop, CommandQueue& out) {
  const Theme& theme = *look().theme;
  const std::int64_t id = stop.id;
  ListRow row(static_cast<int>(stop.id));
  if (row.sign(
          [&](ImDrawList& list, const Rect& rect) {
            draw_stop(list, rect, !stop.enabled ? StopSign::Off : stop.rule.log.empty() ? StopSign::On : StopSign::Log);
          },
          stop.enabled ? "On. Click to turn it off." : "Off. Click to turn it on."))
    out.push("enableStop", {id, std::int64_t{stop.enabled ? 0 : 1}});
  const bool edit = row.sign(draw_dots, "Its condition, hits that pass by, and what it says.");
  if (targets_wanted()) note_target(fmt::format("breakpoints/edit {}", stop.id), edit_place(row));
  if (edit) editor_.open(stop);
  if (row.remove("Remove")) out.push("removeStop", {id});
  row.note(stop.hits == 1 ? "1 hit" : fmt::format("{} hits", stop.hits));
  row.text(describe(stop.rule), stop.enabled ? theme.text : theme.text_quiet);
  if (stop.rule.ignore > 0) row.more(fmt::format("ignores {}", stop.rule.ignore));
  if (stop.rule.once) row.more("once");
  put_followed(row, view.standing().followed_marks, stop, out);
  if (!stop.rule.log.empty()) row.more(fmt::format("says \"{}\"", stop.rule.log));
  if (row.clicked()) {
    if (stop.rule.step) out.push("seek", {std::int64_t{*stop.rule.step}});
    else if (stop.rule.line) out.push("runTo", {"", std::int64_t{*stop.rule.line}});
  }
}

// What cannot be read is said here; whether it can ever stop anything, the session says.
void BreakpointsPane::draw_adding(DebugView& view, CommandQueue& out) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + look().px(6));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look().px(4));
  ImGui::SetNextItemWidth(std::max(look().px(80), ImGui::GetContentRegionAvail().x - look().px(8)));
  if (again_) give_caret();
  again_ = false;
  const std::string before = text_;
  bool entered = false;
  {
    WithFont mono(look().fonts.mono);
    entered = text_field("##stop", "stop at: tsel, line 40 when t2[1,5] > 3, step 12, writes:t2, nan", text_,
                         ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (targets_wanted()) note_target("breakpoints/add", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (text_ != before && !entered) refused_.reset();
  again_ = entered;
  if (entered && !text_.empty()) {
    const auto read = read_stop(split_condition(text_).first, view.questions());
    if (const auto* refusal = std::get_if<Refusal>(&read)) {
      refused_ = *refusal;
    } else {
      refused_.reset();
      out.push("addStop", {text_});
      text_.clear();
    }
  }
  if (refused_) say_refused(*refused_);
  ImGui::Dummy({1, look().px(2)});
}

namespace {

const RegisteredPane kBreakpointsPane({
    .id = "breakpoints",
    .title = "Breakpoints",
    .help = "What makes a run stop, and how often it was hit.",
    .order = 30,
    .places = {{"debug", "lists", 4}, {"compare", "lists", 4}},
    .manual =
        R"(All places where a run stops, with how often each was hit. Type one into the line: `tsel`, `line 40`, `step 12`,
`writes:t2`, `nan`, each of them on one core, `tsel on AIV0`, and with a condition: `line 40 when t2[1,5] > 3`. The dots
of one open a card with its condition (Tab completes, and the selected element goes in by a click), how many hits pass by
first, and what it says instead of stopping. The sign before one turns it off and on, the cross takes it away. One that
could never fire is refused. When the text is edited they stay with their operations, between sessions too: a row says
from where one was moved, which one is doubtful because its operation was changed (a click on the sign says that it is
right), and which are gone with their operations, from where they come back with them.)",
    .make = make_pane<BreakpointsPane>,
});

}  // namespace
}  // namespace ts::ui
