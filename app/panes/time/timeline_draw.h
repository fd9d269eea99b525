// What the timeline draws: lanes, marks, loops, the overview. Nothing here takes longer for more steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "app/panes/time/step_axis.h"
#include "app/theme/color.h"
#include "core/debug/session/step_lanes.h"

namespace ts::ui {

// Calm, so that marks stand out. Lanes have their pipe's name beside them.
Color pipe_color(Pipe pipe);
// What its instructions do, in a few words.
const char* pipe_words(Pipe pipe);

// Where everything stands in the pane.
struct TimelineLayout {
  Rect all, header, ruler, marks, cores, lanes, loops, overview;
  float lane_height = 0;
  bool by_core = false;
  std::uint32_t lane_count = 0, first_lane = 0;

  std::uint32_t lanes_seen() const;
  Rect lane(std::uint32_t number) const;  // of one that is seen
};

struct TimelineFrame {
  const StepLanes& lanes;
  const Recording& recording;
  const std::vector<Finding>& findings;
  const StepAxis& axis;
  const TimelineLayout& layout;
  ImDrawList& out;
  std::optional<std::uint32_t> shown, hovered;  // steps
  std::string hovered_line = {};                // where that stands
  Session* session = nullptr;                   // that knows of cores and queues

  StepLane lane(std::uint32_t number) const;
  // Steps that one column stands for: 1 where each can be seen.
  std::uint32_t column_steps() const;
};

void draw_lanes(const TimelineFrame& frame);
// Where lanes are those of cores: hatches while a core waits, and from the shown or pointed push to its pops, or back.
void draw_waiting(const TimelineFrame& frame);
void draw_queue_arrows(const TimelineFrame& frame);
// Which core the steps ran on, where lanes do not say so.
void draw_cores(const TimelineFrame& frame);
void draw_loops(const TimelineFrame& frame);
// The loop whose bracket is at a point, and how deep it stands.
struct LoopAt {
  std::size_t depth = 0;
  StepSpan loop;
};
std::optional<LoopAt> loop_at(const TimelineFrame& frame, ImVec2 point);
void draw_finding_marks(const TimelineFrame& frame);
void draw_stop_marks(const TimelineFrame& frame, const StepSet& stops);
// Ascending steps that left a NaN.
void draw_nan_marks(const TimelineFrame& frame, std::span<const std::uint32_t> steps);
// Pages at the steps that notes are about.
void draw_notes(const TimelineFrame& frame, const std::vector<Note>& notes);
void draw_bookmarks(const TimelineFrame& frame, const std::map<std::string, std::uint32_t>& bookmarks);
// The whole recording, small, and which part of it is seen.
void draw_overview(const TimelineFrame& frame);

}  // namespace ts::ui
