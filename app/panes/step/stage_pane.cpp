// The stage pane: which step is shown, its drawing, and below it the element in focus.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/panes/step/twin_stage.h"
#include "app/stage/formula.h"
#include "app/stage/micro/micro.h"
#include "app/stage/motion/motion.h"
#include "app/stage/parts/parts.h"
#include "app/stage/parts/slice_bar.h"
#include "app/stage/prediction.h"
#include "app/stage/stage_step.h"
#include "app/stage/stations.h"
#include "app/stage/whole/whole.h"
#include "app/view/key_hints.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

// While the program is played: how long a step is shown that moves nothing, and how many frames the next one may take.
constexpr double kStillSeconds = 0.6;
constexpr int kFramesToMove = 60;
// Lower panes have no bar: the picture needs the room.
constexpr float kLeastForBar = 200, kLeastForWords = 190;
constexpr const char *kCaptions = "captions", *kTwin = "twin";

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
  void forget() override { twin_.forget(); }

 private:
  void draw_picture(StageStep& step, const Rect& area);
  void choose_twin(const Command& command, const DebugView& view, CommandQueue& out);
  void draw_bar(StageStep& step, const Rect& bar);
  bool draw_button(const char* id, const Rect& rect, const std::string& text, bool active, const char* help);
  void choose_captions(const std::string& what);
  bool has_captions(const char* which) const {
    const auto kept = memory_.modes.find(kCaptions);
    return (kept == memory_.modes.end() ? "" : kept->second) == std::string_view(which);
  }
  void draw_around(StageStep& step, Room& room);
  void set_progress(double wanted);
  void take_wishes(StageStep& step);
  void play_program(DebugView& view, CommandQueue& out, StageStep* step);

  StageMemory memory_;
  TwinStage twin_;  // the other recording's step, where it is wanted
  // --- asked for by commands, and not done yet ---
  bool toggle_asked_ = false;
  std::optional<double> wanted_progress_;  // below 0: as a whole again
  int wanted_walk_ = 0;
  double speed_ = 1;
  struct {
    bool plays = false;
    std::optional<std::uint32_t> asked_at;  // the position from which the next step was asked for
    int waited = 0;                         // frames
    double shown_since = 0;                 // a step that moves nothing
  } program_;
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

// Below 0: as a whole again.
void StagePane::set_progress(double wanted) {
  memory_.plays = false;
  if (wanted < 0) memory_.progress.reset();
  else memory_.progress = wanted;
}

// What was asked for by commands, when the step is there.
void StagePane::take_wishes(StageStep& step) {
  if (wanted_progress_) set_progress(*wanted_progress_);
  if (!step.is_new) wanted_progress_.reset();
  if (const int by = std::exchange(wanted_walk_, 0); by != 0) walk_move(step, by);
  if (!std::exchange(toggle_asked_, false)) return;
  if (look().motion.mode != Motion::Mode::Play) walk_move(step, 1);
  else if (memory_.plays) memory_.plays = program_.plays = false;
  else play_move(memory_);
}

// The whole program: when the move of a step has ended, on to the next one, until a stop is met or something else led
// elsewhere.
void StagePane::play_program(DebugView& view, CommandQueue& out, StageStep* step) {
  if (!program_.plays) return;
  view.keep_moving();
  if (view.busy() || !out.empty()) return;
  const std::uint32_t position = view.moment().position;
  if (program_.asked_at) {
    const bool stopped = view.standing().stopped.reason != Stopped::Reason::Done || view.in_step();
    const bool moved = position != *program_.asked_at;
    if (!moved && !stopped && ++program_.waited < kFramesToMove) return;
    program_.asked_at.reset();
    if (stopped || !moved) program_.plays = false;
    program_.shown_since = ImGui::GetTime();
    if (step != nullptr && can_move(*step) && (program_.plays || moved)) play_move(memory_);
    return;
  }
  if (memory_.plays) return;
  // What moves nothing is seen for a moment.
  const bool moves = step != nullptr && can_move(*step);
  if (!moves && ImGui::GetTime() < program_.shown_since + kStillSeconds) return;
  program_.asked_at = position;
  program_.waited = 0;
  out.push("advance");
}

// "STEP 5, next: TDEINTERLEAVE  A5" on the left, what can be switched on the right.
void StagePane::draw_bar(StageStep& step, const Rect& bar) {
  const Theme& theme = *look().theme;
  const bool inside = step.view.in_step();
  const float gap = look().px(4), each = look().px(84);
  Room room(bar);
  const bool shows_next = step.view.shows_next(), buttons = !inside && has_captions("");
  const Rect made = buttons ? room.right(each, gap) : bar, next = buttons ? room.right(each, look().px(8)) : bar;
  if (buttons && draw_button("##made", made, "just made", !shows_next, "Show the step that was made last"))
    step.out.push("showNext", {std::int64_t{0}});
  if (buttons && draw_button("##next", next, "comes next", shows_next, "Show the step that comes next"))
    step.out.push("showNext", {std::int64_t{1}});
  const char* when = inside ? "in it" : shows_next ? "next" : "just made";
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
  // At once where the step is known already: a picture at a progress takes one frame.
  if (wanted_progress_) set_progress(*wanted_progress_);
  std::optional<StageStep> step = stage_step(view, out, memory_);
  play_program(view, out, step ? &*step : nullptr);
  if (!step) return draw_nothing(whole, nothing_text(view));
  const float gap = look().px(6);
  Room room(whole);
  const bool words = !has_captions("off") && whole.height() >= look().px(kLeastForWords);
  if (words) draw_bar(*step, room.top(look().px(26), gap));
  if (view.in_step()) {
    draw_micro_step(*step, room.rest());
    return;
  }
  // What a lesson asks for is not drawn.
  if (view.hidden_step() == step->step) return draw_prediction(*step, *view.lesson(), room.rest());
  take_wishes(*step);
  let_time_pass(*step, speed_);
  follow_slices(*step);
  if (words) draw_around(*step, room);
  draw_picture(*step, room.rest());
}

// The step; where both are wanted, that of this recording and that of the other one beside each other.
void StagePane::draw_picture(StageStep& step, const Rect& area) {
  Rect mine = area;
  std::optional<Rect> other;
  if (memory_.modes[kTwin] == "on" && TwinStage::is_possible(step.view)) {
    const float gap = look().px(14);
    Room room(area);
    const bool sideways = area.width() > area.height();
    Room own(sideways ? room.left((area.width() - gap) / 2, gap) : room.top((area.height() - gap) / 2, gap));
    other = room.rest();
    draw_twin_title(step, own.top(header_height(), look().px(4)));
    mine = own.rest();
  }
  ImGui::PushClipRect(mine.min, mine.max, true);
  draw_stage_step(step, mine);
  draw_travellers(step);
  ImGui::PopClipRect();
  if (other) twin_.draw(step.view, memory_, *other);
}

// stageBeside(on): what is compared comes beside the step; where nothing is compared, first the other target.
void StagePane::choose_twin(const Command& command, const DebugView& view, CommandQueue& out) {
  std::string& kept = memory_.modes[kTwin];
  kept = (command.values.empty() ? kept != "on" : command.number(0) != 0) ? "on" : "";
  if (kept.empty()) twin_.forget();
  else if (!TwinStage::is_possible(view) && view.comparing_with().empty()) {
    out.push("compareTargets");
    out.push("focusPane", {std::string("stage")});  // which the list of what differs may stand before
  }
}

// What stands below the picture.
void StagePane::draw_around(StageStep& step, Room& room) {
  const float gap = look().px(6), trail = look().fonts.mono_small->FontSize + look().px(4), tall = room.rest().height();
  if (step.view.trail().size() > 1) draw_trail(step, room.bottom(trail, gap / 2));
  const float formula = std::min(formula_height(step), room.rest().height() * 0.4f);
  draw_formula(step, room.bottom(formula, formula > 0 ? gap : 0));
  const float stations = stations_height(step);
  if (stations > 0 && room.rest().height() > 4 * stations) draw_stations(step, room.bottom(stations, gap));
  if (const float slices = slice_bar_height(step); slices > 0 && tall > look().px(kLeastForBar))
    draw_slice_bar(step, room.top(slices, gap));
  if (can_move(step) && tall > look().px(kLeastForBar))
    draw_motion_bar(step, room.bottom(motion_bar_height(), gap), has_captions(""));
}

// playMove(speed): in hundredths; with one it is played from the beginning, whatever is played now.
bool StagePane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (command.name == "playMove") {
    if (!command.values.empty()) {
      memory_.plays = false;
      memory_.progress.reset();
    }
    speed_ = std::clamp(static_cast<double>(command.number(0, 100)) / 100, 0.25, 4.0);
    toggle_asked_ = true;
  } else if (command.name == "playProgram" && look().motion.mode != Motion::Mode::Play) {
    out.push("advance");
  } else if (command.name == "playProgram") {
    program_.plays = !program_.plays;
    program_.asked_at.reset();
    program_.shown_since = ImGui::GetTime();
    memory_.plays = false;
    if (program_.plays && view.shown_step()) play_move(memory_);
  } else if (command.name == "progress") {
    const double wanted = command.values.empty() ? -1 : std::strtod(command.text(0).c_str(), nullptr);
    wanted_progress_ = command.values.empty() ? -1 : std::clamp(wanted, 0.0, 1.0);
  } else if (command.name == "progressOn" || command.name == "progressBack") {
    wanted_walk_ = command.name == "progressOn" ? 1 : -1;
  } else if (command.name == "motionPieces") {
    choose_motion_mode(memory_, command.text(0));
  } else if (command.name == "stageBeside") {
    choose_twin(command, view, out);
  } else if (command.name == "captions") {
    choose_captions(command.text(0));
  } else if (command.name == "motionLoop") {
    set_motion_loops(memory_, command.values.empty() ? !motion_loops(memory_) : command.number(0) != 0);
  } else {
    return false;
  }
  return true;
}

// Without a word: all, or nothing.
void StagePane::choose_captions(const std::string& what) {
  std::string& kept = memory_.modes[kCaptions];
  if (what.empty()) kept = kept.empty() ? "off" : "";
  else if (what == "all" || what == "words" || what == "off") kept = what == "all" ? "" : what;
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
of a result to see its sources light up; click selects it. In the middle of a step it shows one micro-operation with its
registers.

The bar below plays the step, and pulling its track goes anywhere in it: values leave their cells when they are read, travel
along their links, and land when they are written; what is not written yet shows what it held before. The order is that of
the target's micro-operations, one of which the bar names; *row by row* and *at once* show the same in larger pieces. Space
plays, `.` and `,` go from landing to landing, Shift+Space plays the whole program and ends at the next stop; with motion off
it makes one step.

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
is that of the others, and says ≤ and ≥. Below the maps of a reduction stands the tree of the result in focus.

Of an operand with more than two dimensions a line above the picture chooses the slice that is shown, or all of them; it
follows the focus.

*Both targets on one clock*, in the Compare menu, draws the step as the other target makes it beside this one: the bar below
leads through both.)",
    .make = make_pane<StagePane>,
});

}  // namespace
}  // namespace ts::ui
