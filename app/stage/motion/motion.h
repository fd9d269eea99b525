// A step as a move: the bar below the stage that leads through it, and the values that are on their way.
#pragma once

#include <optional>
#include <string>

#include "app/stage/drawing.h"

namespace ts::ui {

// Where the move stands, as soon as it is known; nothing: the step is shown as it stands, or moves nothing.
std::optional<MoveView> move_of(StageStep& step);
// Whether there is anything to be played.
bool can_move(const StageStep& step);

// --- controls ---
MotionMode motion_mode(const StageMemory& memory);
// By its name; "": the next one. False: there is none.
bool choose_motion_mode(StageMemory& memory, const std::string& name);
bool motion_loops(const StageMemory& memory);
void set_motion_loops(StageMemory& memory, bool loops);
// How long the whole move takes at the usual speed.
double seconds_of(const StepMotion& motion, MotionMode mode);
// Plays on from where it stands, or from the beginning where it stands at the end.
void play_move(StageMemory& memory);
// To where the next element lands, or the last one did.
void walk_move(StageStep& step, int by);
// The time that passed counts; `speed` is a factor.
void let_time_pass(StageStep& step, double speed);

// The micro-operation that runs: "vsts, 17 of 64, part 3 of 8".
std::string micro_text(const MoveView& move);
float motion_bar_height();
// Without buttons it says how far the step is.
void draw_motion_bar(StageStep& step, const Rect& line, bool buttons);

// --- what is on its way ---
// How far a value has come from a source to a result, 0 to 1; of a step that stands still 1.
float way_done(const StageStep& step, const StageCell& source, const StageCell& result);
// The same of what the element in focus is made of.
float way_done_to_focus(const StageStep& step);
// Between the cells that were drawn in this frame.
void draw_travellers(StageStep& step);

}  // namespace ts::ui
