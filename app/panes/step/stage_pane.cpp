// The stage pane: which step is shown, its drawing, and below it the element in focus.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/stage/formula.h"
#include "app/stage/micro/micro.h"
#include "app/stage/parts/parts.h"
#include "app/stage/prediction.h"
#include "app/stage/stage_step.h"
#include "app/stage/stations.h"
#include "app/stage/whole/whole.h"
#include "app/view/key_hints.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

// Elements that the move comes to in a second, while it is played.
constexpr double kElementsASecond = 5;

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

class StagePane : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  void draw_bar(StageStep& step, const Rect& bar);
  bool draw_button(const char* id, const Rect& rect, const std::string& text, bool active, const char* help);
  void draw_play(StageStep& step, const Rect& rect);
  void toggle_play(const StageStep& step);
  void play_on(const StageStep& step);

  StageMemory memory_;
  bool toggle_asked_ = false;
  double speed_ = 1;
  double next_move_ = 0;  // when the played move comes to the next element
};

// A sentence in the middle of the pane.
void draw_nothing(const Rect& area, const std::string& text) {
  const float room = std::min(area.width() - look().px(24), look().px(460));
  draw_note(
      {area.center().x - std::min(room, text_width(text, look().fonts.small)) / 2, area.min.y + area.height() * 0.4f},
      room, text);
}

std::string nothing_text(const DebugView& view) {
  if (view.document() == nullptr) return "Open a program, and its steps are drawn here.";
  if (view.recording() == nullptr)
    return "The program cannot run. The messages below say why; correct it and open it again.";
  if (view.recording()->count() == 0) return "The program makes no steps.";
  if (view.shows_next())
    return "No step comes next: this is the end of the program. Step back, or show the step just made.";
  return "No step has been made yet: this is the start of the program. Step on, or show the step that comes next.";
}

bool StagePane::draw_button(const char* id, const Rect& rect, const std::string& text, bool active, const char* help) {
  const Theme& theme = *look().theme;
  ImGui::SetCursorScreenPos(rect.min);
  const bool pressed = ImGui::InvisibleButton(id, {std::max(1.0f, rect.width()), std::max(1.0f, rect.height())});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetTooltip("%s", help);
  const Color ground = active ? theme.accent : hovered ? theme.hovered : theme.raised;
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(rect.min, rect.max, ink(ground), look().px(4));
  draw_text_in(canvas, rect, text, ink(active ? theme.accent_text : theme.text), look().fonts.small);
  return pressed;
}

void StagePane::toggle_play(const StageStep& step) {
  if (memory_.playing) {
    memory_.playing.reset();
    return;
  }
  memory_.playing = step.focus ? number_of(step, *step.focus) : 0;
  if (*memory_.playing + 1 >= elements_of_results(step)) memory_.playing = 0;
  next_move_ = ImGui::GetTime() + 1 / (kElementsASecond * look().motion.speed * speed_);
}

void StagePane::play_on(const StageStep& step) {
  if (memory_.playing) step.view.keep_moving();
  if (!memory_.playing || ImGui::GetTime() < next_move_) return;
  next_move_ = ImGui::GetTime() + 1 / (kElementsASecond * look().motion.speed * speed_);
  const std::uint32_t next = *memory_.playing + 1;
  if (next >= elements_of_results(step)) memory_.playing.reset();
  else memory_.playing = next;
}

// Without motion the button goes from element to element, one a press.
void StagePane::draw_play(StageStep& step, const Rect& rect) {
  const Theme& theme = *look().theme;
  const bool calm = look().motion.mode != Motion::Mode::Play;
  const char* help = calm ? "Go to the next element, in the order of memory" : "Play the move, element by element";
  const bool pressed =
      draw_button("##play", rect, "", false, with_key(help, "playMove").c_str()) || std::exchange(toggle_asked_, false);
  if (pressed && calm && step.focus) {
    const std::uint32_t count = elements_of_results(step), here = number_of(step, *step.focus);
    memory_.playing = count == 0 ? 0 : (here + 1) % count;
  } else if (pressed) {
    toggle_play(step);
  }
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 middle = rect.center();
  const float side = look().px(5);
  if (memory_.playing && !calm) {
    canvas.AddRectFilled({middle.x - side, middle.y - side}, {middle.x - side * 0.3f, middle.y + side},
                         ink(theme.text));
    canvas.AddRectFilled({middle.x + side * 0.3f, middle.y - side}, {middle.x + side, middle.y + side},
                         ink(theme.text));
  } else {
    canvas.AddTriangleFilled({middle.x - side * 0.8f, middle.y - side}, {middle.x - side * 0.8f, middle.y + side},
                             {middle.x + side, middle.y}, ink(theme.text));
  }
  if (!calm) play_on(step);
}

// "STEP 5, next: TDEINTERLEAVE  A5" on the left, what can be switched on the right.
void StagePane::draw_bar(StageStep& step, const Rect& bar) {
  const Theme& theme = *look().theme;
  const bool inside = step.view.in_step();
  const float gap = look().px(4), each = look().px(84);
  Room room(bar);
  const Rect play = room.right(look().px(28), gap), made = room.right(each, gap), next = room.right(each, look().px(8));
  if (!inside && step.focus) draw_play(step, play);
  if (!inside && draw_button("##made", made, "just made", step.made, "Show the step that was made last"))
    step.out.push("showNext", {std::int64_t{0}});
  if (!inside && draw_button("##next", next, "comes next", !step.made, "Show the step that comes next"))
    step.out.push("showNext", {std::int64_t{1}});
  const char* when = inside ? "in it" : step.made ? "just made" : "next";
  const Recording& recording = *step.view.recording();
  const std::string who =
      recording.program().together() ? core_name(recording, core_of(recording, step.step)) + ", " : std::string();
  const std::string title = fmt::format("STEP {}, {}{}: {}", step.step, who, when, upper(step.bound.row->name));
  TextLine line({bar.min.x, bar.center().y - look().fonts.bold->FontSize / 2}, room.rest().max.x);
  line.put(title, theme.text, look().fonts.bold, look().px(8));
  line.put(step.bound.target == Target::A5 ? "A5" : "A2A3", theme.accent, look().fonts.bold, look().px(12));
  line.down(look().px(1));
  if (line.room() > look().px(120)) line.put(step.bound.row->summary, theme.text_quiet, look().fonts.small);
}

void StagePane::draw(DebugView& view, CommandQueue& out) {
  const Rect whole = rest_of_window().shrunk(look().px(6));
  std::optional<StageStep> step = stage_step(view, out, memory_);
  if (!step) return draw_nothing(whole, nothing_text(view));
  const float gap = look().px(6), trail = look().fonts.mono_small->FontSize + look().px(4);
  Room room(whole);
  draw_bar(*step, room.top(look().px(26), gap));
  if (view.in_step()) {
    draw_micro_step(*step, room.rest());
    return;
  }
  // What a lesson asks for is not drawn.
  if (view.hidden_step() == step->step) return draw_prediction(*step, *view.lesson(), room.rest());
  if (view.trail().size() > 1) draw_trail(*step, room.bottom(trail, gap / 2));
  const float formula = std::min(formula_height(*step), room.rest().height() * 0.4f);
  draw_formula(*step, room.bottom(formula, formula > 0 ? gap : 0));
  const float stations = stations_height(*step);
  if (stations > 0 && room.rest().height() > 4 * stations) draw_stations(*step, room.bottom(stations, gap));
  ImGui::PushClipRect(room.rest().min, room.rest().max, true);
  draw_stage_step(*step, room.rest());
  ImGui::PopClipRect();
}

// playMove(speed): in hundredths; with one it is played from the beginning, whatever is played now.
bool StagePane::act(const Command& command, DebugView&, CommandQueue&) {
  if (command.name != "playMove") return false;
  if (!command.values.empty()) memory_.playing.reset();
  speed_ = std::clamp(static_cast<double>(command.number(0, 100)) / 100, 0.25, 4.0);
  toggle_asked_ = true;
  return true;
}

// How the user wants drawings to show their steps.
void StagePane::save(nlohmann::json& settings) const {
  for (const auto& [drawing, mode] : memory_.modes)
    if (!mode.empty()) settings["modes"][drawing] = mode;
}
void StagePane::load(const data::Fields& settings) {
  constexpr std::size_t kMostModes = 100;
  const data::Fields modes = settings.below("modes");
  for (const auto& [drawing, saved] : modes.all().items())
    if (const auto mode = modes.text(drawing); mode && memory_.modes.size() < kMostModes)
      memory_.modes[drawing] = *mode;
}

const RegisteredPane kStagePane({
    .id = "stage",
    .title = "Stage",
    .help = "The step that comes next or was just made: its operands, and where every element came from.",
    .order = 110,
    .places = {{"debug", "middle", 1}, {"compare", "tile", 2}, {"learn", "stage", 1}, {"present", "right", 1}},
    .manual =
        R"(The step just made, or the one that comes next: its operands, and how every element got where it is. Point at an element
of a result to see its sources light up; click selects it. Play moves through the elements in the order of memory. In
the middle of a step it shows one micro-operation with its registers.

Sums and searches show the tree of their joins below the tiles, in the order of the target; an element that was searched
for has a flag. Values that are spread run through pipes, and pad values rain into what is filled. Comparisons show every
bit in its byte, faded where it answers for nothing. Quantising is a number line: all elements that share a scale, and
around the one in focus the codes, the value of each, and how far the rounding went. Where indices choose rows or elements
of a table in global memory, one outside of it has a mark that says what became of it, and so have those that want one
place. Scratch has a dashed frame, and is drawn where the step writes it.

Tiles that are too large for that are drawn whole, each as a map, and *close up* goes to the picture above. Bands lead from
parts of the inputs to the parts of results that were made of them, as the data flow says. Maps are coloured by value, by
origin (an element has the colour of where it came from) or by what changed; NaN, undefined and changed elements are marked
at every size. A lens below each map has the numbers around the pointer or the selection, and follows in every operand that
feeds it; drag in a map to select where you let go. Ctrl and the wheel zoom around the pointer, the middle button moves the
part, *Fit*, *1:1*, *this row* and *all rows* say how much is in sight. A range of values that a few far ones would spoil
is that of the others, and says ≤ and ≥.)",
    .make = make_pane<StagePane>,
});

}  // namespace
}  // namespace ts::ui
