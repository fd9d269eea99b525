// The program: its text, or the steps that it made; and what keys mean in the two.
#include <imgui.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/program/source_list.h"
#include "app/panes/program/step_list.h"
#include "app/view/targets.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

class ProgramPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void forget() override { source_.forget(); }
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  void note_document(DebugView& view);
  void draw_switch(DebugView& view, const Rect& area);
  void draw_steps(DebugView& view, CommandQueue& out, const Rect& area);
  void run_to_cursor(bool back, CommandQueue& out);

  bool shows_steps_ = false;
  SourceList source_;
  StepList steps_;
  // Which document it was drawn with; without keeping it alive.
  std::weak_ptr<const text::Tree> tree_;
  std::weak_ptr<const Recording> recording_;
  std::uint64_t generation_ = 0;
};

}  // namespace

void ProgramPane::note_document(DebugView& view) {
  const Document& document = *view.document();
  const bool same = tree_.lock() == document.tree && recording_.lock() == document.recording;
  if (same && generation_ != 0) return;
  tree_ = document.tree;
  recording_ = document.recording;
  ++generation_;
}

void ProgramPane::draw(DebugView& view, CommandQueue& out) {
  if (view.document() == nullptr || view.document()->tree == nullptr) {
    say_empty("No program is open.", "Open one with File > Open, or drop a .pto file on the window.");
    return;
  }
  note_document(view);
  Room room(rest_of_window());
  draw_switch(view, room.top(look().fonts.text->FontSize + look().px(12)));
  const Rect area = room.rest();
  if (area.height() < look().px(30) || area.width() < look().px(60)) return;
  if (shows_steps_) draw_steps(view, out, area);
  else source_.draw(view, out, area, generation_);
}

void ProgramPane::draw_switch(DebugView& view, const Rect& area) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  Room bar(area);
  bar.left(look().px(6));
  for (const bool steps : {false, true}) {
    const char* name = steps ? "Steps" : "Source";
    const ImVec2 size = ImGui::CalcTextSize(name);
    const Rect tab = bar.left(size.x + look().px(16), look().px(2));
    ImGui::SetCursorScreenPos(tab.min);
    if (ImGui::InvisibleButton(name, {std::max(1.0f, tab.width()), std::max(1.0f, tab.height())})) shows_steps_ = steps;
    if (targets_wanted()) note_target(std::string("program/") + name, tab);
    const bool active = shows_steps_ == steps, hovered = ImGui::IsItemHovered();
    list.AddText({tab.min.x + look().px(8), tab.min.y + (tab.height() - size.y) / 2},
                 ink(active || hovered ? theme.text : theme.text_quiet), name);
    if (active)
      list.AddRectFilled({tab.min.x + look().px(6), tab.max.y - look().px(2)}, {tab.max.x - look().px(6), tab.max.y},
                         ink(theme.accent));
  }
  const std::string& name = view.document()->name;
  WithFont small(look().fonts.small);
  const float width = ImGui::CalcTextSize(name.c_str()).x;
  if (bar.rest().width() > width + look().px(10))
    list.AddText({area.max.x - width - look().px(8), area.min.y + (area.height() - ImGui::GetFontSize()) / 2},
                 ink(theme.text_quiet), name.c_str());
  list.AddLine({area.min.x, area.max.y}, area.max, ink(theme.line));
}

void ProgramPane::draw_steps(DebugView& view, CommandQueue& out, const Rect& area) {
  if (view.recording() != nullptr && view.recording()->count() > 0) {
    steps_.draw(view, out, area, generation_);
    return;
  }
  ImGui::SetCursorScreenPos({area.min.x, area.min.y + look().px(8)});
  if (view.recording() == nullptr) say_empty("Nothing ran.", "The program has errors; they are marked in its source.");
  else say_empty("The program made no step.", "Its findings say why.");
}

bool ProgramPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (command.name == "showSteps" || command.name == "showSource") {
    shows_steps_ = command.name == "showSteps";
    return true;
  }
  if (view.recording() == nullptr) return false;
  if (command.name == "find") {
    shows_steps_ = true;
    steps_.focus_filter();
    return true;
  }
  const bool to = command.name == "runTo", back = command.name == "runBackTo";
  if ((!to && !back) || !command.values.empty()) return false;
  run_to_cursor(back, out);
  return shows_steps_ ? steps_.cursor().has_value() : source_.cursor().has_value();
}

void ProgramPane::run_to_cursor(bool back, CommandQueue& out) {
  const char* command = back ? "runBackTo" : "runTo";
  if (shows_steps_ && steps_.cursor()) out.push(command, {std::int64_t{*steps_.cursor()}});
  if (!shows_steps_ && source_.cursor()) out.push(command, {"", std::int64_t{*source_.cursor()}});
}

void ProgramPane::save(nlohmann::json& settings) const { settings["steps"] = shows_steps_; }

void ProgramPane::load(const data::Fields& settings) { shows_steps_ = settings.truth("steps").value_or(false); }

namespace {

const RegisteredPane kProgramPane({
    .id = "program",
    .title = "Program",
    .help = "The program's text, and the steps that it made.",
    .order = 10,
    .places = {{"debug", "left", 1}, {"compare", "left", 1}, {"learn", "stage", 3}, {"present", "left", 1}},
    .manual =
        R"(The program's text (Source) or the steps it made (Steps), with loops folded. The arrow is where the session stands; a
red disc in the margin is a breakpoint: click beside a line to set one. Signs in the margin say what was found there, and
the sentence behind a line what is wrong with it. In the steps, the line above the list filters: `op:tsel`, `writes:t2`,
`nan`. A click on a step goes there; the right button has what else can be done.)",
    .make = make_pane<ProgramPane>,
});

}  // namespace
}  // namespace ts::ui
