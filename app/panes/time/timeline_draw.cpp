// Drawing the timeline.
#include "app/panes/time/timeline_draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "app/draw/cells.h"
#include "app/draw/look.h"
#include "app/draw/shapes.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "core/text/highlight.h"

namespace ts::ui {
namespace {

// Narrower than this, steps are merged.
constexpr float kNarrowestSpan = 3;

}  // namespace

Color pipe_color(Pipe pipe) {
  const Theme& theme = *look().theme;
  const auto calm = [&](Color color) { return mix(theme.pane, color, theme.dark ? 0.62 : 0.55); };
  switch (pipe) {
    case Pipe::Mte2: return calm(theme.src0);
    case Pipe::V: return calm(theme.written);
    case Pipe::Mte3: return calm(theme.src1);
    case Pipe::M: return calm(theme.mask);
    case Pipe::Mte1: return calm(theme.read);
    case Pipe::Fix: return calm(mix(theme.mask, theme.src1, 0.5));
    case Pipe::S:
    case Pipe::None: break;
  }
  return calm(theme.scratch);
}

const char* pipe_words(Pipe pipe) {
  switch (pipe) {
    case Pipe::S: return "scalar unit";
    case Pipe::V: return "vector unit";
    case Pipe::M: return "matrix unit";
    case Pipe::Mte1: return "moves from L1 on";
    case Pipe::Mte2: return "loads from global memory";
    case Pipe::Mte3: return "stores to global memory";
    case Pipe::Fix: return "results of the matrix unit";
    case Pipe::None: break;
  }
  return "no pipe: places tiles, begins blocks";
}

std::uint32_t TimelineLayout::lanes_seen() const {
  const auto room = static_cast<std::uint32_t>(std::max(0.0f, lanes.height() / std::max(1.0f, lane_height)));
  return std::min(lane_count - first_lane, std::max(1u, room));
}

Rect TimelineLayout::lane(std::uint32_t number) const {
  const float top = lanes.min.y + static_cast<float>(number - first_lane) * lane_height;
  return {{lanes.min.x, top}, {lanes.max.x, top + lane_height}};
}

StepLane TimelineFrame::lane(std::uint32_t number) const {
  return layout.by_core ? lanes.rows()[number] : StepLane{lanes.pipes()[number]};
}

std::uint32_t TimelineFrame::column_steps() const {
  const double steps = look().px(kNarrowestSpan) * axis.axis().per_px();
  return steps <= 1 ? 1 : std::bit_ceil(static_cast<std::uint32_t>(std::ceil(steps)));
}

// --- lanes ---

namespace {

// A step that can be seen: its box, its name where there is room.
void draw_step(const TimelineFrame& frame, const Rect& box, const LaneColumn& column, Color color) {
  const Theme& theme = *look().theme;
  const std::uint32_t step = column.span.first;
  frame.out.AddRectFilled(box.min, box.max, ink(color), box.width() > look().px(8) ? look().px(2) : 0);
  if (box.width() > look().px(30)) {
    const std::uint32_t instruction = frame.recording.step(step).instruction;
    const Program& program = frame.recording.program();
    const bool wide = box.width() > look().px(150);
    draw_text_in(frame.out, box, wide ? program.short_text(instruction) : program.instructions[instruction].row->name,
                 ink(text_on(color)), look().fonts.mono_small);
  }
  if (column.finding) {
    frame.out.AddRect(box.min, box.max, ink(theme.finding), 0, 0, 1.5f);
    if (box.width() > look().px(9)) frame.out.AddRect(box.shrunk(3).min, box.shrunk(3).max, ink(theme.finding));
  }
  if (frame.shown == step) frame.out.AddRect(box.min, box.max, ink(theme.select), 0, 0, 2);
  else if (frame.hovered == step) frame.out.AddRect(box.min, box.max, ink(theme.select), 0, 0, 1);
}

// Steps that are merged: a bar as high as the lane's share of them. What was found in them stays to be seen.
void draw_merged(const TimelineFrame& frame, const Rect& lane, const LaneColumn& column, Color color) {
  const float x = frame.axis.px(column.span.first), end = std::max(x + 1, frame.axis.px(column.span.end));
  const float share = static_cast<float>(column.steps) / static_cast<float>(column.span.end - column.span.first);
  const float high = std::max(look().px(3), share * lane.height());
  frame.out.AddRectFilled({x, lane.max.y - high}, {end, lane.max.y}, ink(color));
  if (!column.finding) return;
  const float wide = std::max(end - x, look().px(kNarrowestSpan));
  frame.out.AddRectFilled({x, lane.min.y}, {x + wide, lane.max.y}, ink(look().theme->finding));
}

void draw_lane(const TimelineFrame& frame, const StepLane& lane, const Rect& rect) {
  const Color color = pipe_color(lane.pipe), later = mix(look().theme->pane, color, 0.5);
  const Rect inner{{rect.min.x, rect.min.y + look().px(2)}, {rect.max.x, rect.max.y - look().px(2)}};
  const StepSpan view{frame.axis.first(), frame.axis.end_step()};
  const std::uint32_t width = frame.column_steps();
  const float gap = frame.axis.axis().px_per() > look().px(5) ? 1.0f : 0.0f;
  if (view.first >= view.end) return;
  frame.lanes.for_columns(lane, view, width, [&](const LaneColumn& column) {
    const Color now = frame.axis.made(column.span.first) ? color : later;
    if (width > 1) return draw_merged(frame, inner, column, now);
    const float x = frame.axis.px(column.span.first), end = frame.axis.px(column.span.end);
    draw_step(frame, {{x + gap / 2, inner.min.y}, {end - gap / 2, inner.max.y}}, column, now);
  });
}

void draw_lane_label(const TimelineFrame& frame, std::uint32_t number, const Rect& rect) {
  const Theme& theme = *look().theme;
  const StepLane lane = frame.lane(number);
  ImFont* font = look().fonts.small;
  const float y = rect.center().y - font->FontSize / 2;
  const std::string label = lane.pipe == Pipe::None ? "other" : name(lane.pipe);
  const float swatch = look().px(3);
  put_text({rect.min.x - text_width(label, font) - look().px(12), y}, label, theme.text, font);
  frame.out.AddRectFilled({rect.min.x - look().px(7), rect.min.y + look().px(3)},
                          {rect.min.x - look().px(7) + swatch, rect.max.y - look().px(3)}, ink(pipe_color(lane.pipe)));
  if (!frame.layout.by_core) return;
  const bool first_of_core = number == frame.layout.first_lane || frame.lane(number - 1).core != lane.core;
  if (!first_of_core) return;
  put_text({frame.layout.all.min.x + look().px(8), y}, frame.lanes.core_name(*lane.core), theme.text_quiet, font);
}

}  // namespace

void draw_lanes(const TimelineFrame& frame) {
  const Theme& theme = *look().theme;
  const TimelineLayout& layout = frame.layout;
  for (std::uint32_t i = layout.first_lane; i < layout.first_lane + layout.lanes_seen(); ++i) {
    const Rect rect = layout.lane(i);
    draw_lane_label(frame, i, rect);
    frame.out.AddLine({rect.min.x, rect.max.y}, {rect.max.x, rect.max.y}, ink(theme.line), 1);
    frame.out.PushClipRect(rect.min, {rect.max.x, rect.max.y + 1}, true);
    draw_lane(frame, frame.lane(i), rect);
    frame.out.PopClipRect();
  }
}

namespace {

// Of those that are seen.
struct CoreRows {
  std::uint32_t core = 0;
  Rect rect;
};
std::vector<CoreRows> cores_seen(const TimelineFrame& frame) {
  std::vector<CoreRows> out;
  const TimelineLayout& layout = frame.layout;
  for (std::uint32_t i = layout.first_lane; i < layout.first_lane + layout.lanes_seen(); ++i) {
    const std::optional<std::uint32_t> core = frame.lane(i).core;
    if (!core) continue;
    if (out.empty() || out.back().core != *core) out.push_back({*core, layout.lane(i)});
    else out.back().rect.max.y = layout.lane(i).max.y;
  }
  return out;
}

// Steps of other cores between two steps of this one are drawn where it waited for them.
void draw_waiting_of(const TimelineFrame& frame, const CoreRows& rows) {
  const CoreHistory& cores = frame.session->cores();
  const std::vector<std::uint32_t>& steps = cores.steps_of(static_cast<CoreId>(rows.core));
  const float least = look().px(kNarrowestSpan);
  const std::uint32_t end = std::min(frame.axis.end_step(), frame.lanes.count());
  auto next = std::ranges::lower_bound(steps, frame.axis.first());
  std::uint32_t from = next == steps.begin() ? 0 : *std::prev(next) + 1;
  while (from < end) {
    const std::uint32_t to = next == steps.end() ? frame.lanes.count() : *next;
    const float x = frame.axis.px(from);
    const float wide = frame.axis.px(to) - x < least
                           ? 0
                           : frame.axis.px(cores.waits_until(static_cast<CoreId>(rows.core), from, to)) - x;
    if (wide >= least)
      hatch(frame.out, {{x, rows.rect.min.y + look().px(2)}, {x + wide, rows.rect.max.y - look().px(2)}},
            ink(mix(look().theme->pane, look().theme->finding, 0.45)), look().px(6), true);
    if (next == steps.end()) return;
    // Gaps narrower than the next pixels are passed over.
    next = std::lower_bound(next + 1, steps.end(), frame.axis.step_at(frame.axis.px(*next) + least));
    from = *std::prev(next) + 1;
  }
}

// The middle of a step's box; nothing: its lane is not seen.
std::optional<ImVec2> middle_of(const TimelineFrame& frame, std::uint32_t step) {
  const TimelineLayout& layout = frame.layout;
  const std::uint32_t core = frame.lanes.core_of(step);
  for (std::uint32_t i = layout.first_lane; i < layout.first_lane + layout.lanes_seen(); ++i) {
    const StepLane lane = frame.lane(i);
    if (lane.core == core && lane.pipe == frame.recording.bound(step).pipe)
      return ImVec2{frame.axis.px(step + 0.5), layout.lane(i).center().y};
  }
  return {};
}

void draw_arrow(const TimelineFrame& frame, ImVec2 from, ImVec2 to) {
  const ImU32 color = ink(look().theme->select);
  frame.out.AddLine(from, to, color, 1.5f);
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(1.0f, std::hypot(dx, dy)), tip = look().px(7);
  const ImVec2 along{dx / length * tip, dy / length * tip}, across{-along.y / 2, along.x / 2};
  frame.out.AddTriangleFilled(to, {to.x - along.x + across.x, to.y - along.y + across.y},
                              {to.x - along.x - across.x, to.y - along.y - across.y}, color);
}

}  // namespace

void draw_waiting(const TimelineFrame& frame) {
  if (!frame.layout.by_core || !frame.recording.program().together()) return;
  frame.out.PushClipRect(frame.layout.lanes.min, frame.layout.lanes.max, true);
  for (const CoreRows& rows : cores_seen(frame)) draw_waiting_of(frame, rows);
  frame.out.PopClipRect();
}

void draw_queue_arrows(const TimelineFrame& frame) {
  if (!frame.layout.by_core || frame.recording.program().queues.empty()) return;
  const QueueHistory& queues = frame.session->queues();
  frame.out.PushClipRect(frame.layout.lanes.min, frame.layout.lanes.max, true);
  for (const std::optional<std::uint32_t>& step : {frame.shown, frame.hovered}) {
    if (!step || *step >= frame.lanes.count() || queues.use_of(*step) == nullptr) continue;
    const bool pushes = queues.use_of(*step)->act == QueueAct::Push;
    const std::optional<ImVec2> here = middle_of(frame, *step);
    for (const std::uint32_t partner : queues.partners_of(*step)) {
      const std::optional<ImVec2> there = middle_of(frame, partner);
      if (here && there) pushes ? draw_arrow(frame, *here, *there) : draw_arrow(frame, *there, *here);
    }
  }
  frame.out.PopClipRect();
}

void draw_cores(const TimelineFrame& frame) {
  const Theme& theme = *look().theme;
  const Rect& rect = frame.layout.cores;
  const auto turns = frame.lanes.turns();
  ImFont* font = look().fonts.small;
  frame.out.PushClipRect(rect.min, rect.max, true);
  const auto ends_behind = [](std::uint32_t step) {
    return [step](const CoreTurn& turn) { return turn.span.end <= step; };
  };
  auto turn = std::ranges::partition_point(turns, ends_behind(frame.axis.first()));
  while (turn != turns.end() && turn->span.first < frame.axis.end_step()) {
    const float x = frame.axis.px(turn->span.first), end = frame.axis.px(turn->span.end);
    const std::uint32_t number = turn->core;
    frame.out.AddRectFilled({x, rect.min.y + 1}, {std::max(x + 1, end - 1), rect.max.y - 1},
                            ink(number % 2 == 0 ? theme.raised : theme.hovered), look().px(2));
    const std::string label = frame.lanes.core_name(number);
    if (end - x > text_width(label, font) + look().px(8))
      put_text({std::max(x, rect.min.x) + look().px(4), rect.center().y - font->FontSize / 2}, label, theme.text_quiet,
               font);
    // Cores that are narrower than the next pixels are passed over.
    const std::uint32_t behind =
        std::max(turn->span.end - 1, frame.axis.step_at(std::max(x, rect.min.x) + look().px(kNarrowestSpan)));
    turn = std::partition_point(turn + 1, turns.end(), ends_behind(behind));
  }
  frame.out.PopClipRect();
}

// --- loops ---

namespace {

float loop_row_height() { return look().px(14); }

void draw_turns(const TimelineFrame& frame, std::size_t depth, StepSpan loop, const Rect& row, Color color) {
  const float wide = frame.axis.px(loop.end) - frame.axis.px(loop.first);
  const std::uint32_t turns = frame.lanes.turns(depth, loop);
  if (turns < 2 || wide / static_cast<float>(turns) < look().px(5)) return;
  std::uint32_t step = std::max(loop.first, frame.axis.first());
  for (int ticks = 0; ticks < 2000 && step < std::min(loop.end, frame.axis.end_step()); ++ticks) {
    step = frame.lanes.next_turn(depth, step);
    if (step == loop.end) return;
    const float x = std::floor(frame.axis.px(step));
    frame.out.AddLine({x, row.min.y + look().px(3)}, {x, row.min.y + look().px(7)}, ink(color), 1);
  }
}

// A line with feet at both ends, like a bracket lying on its side, and what loop it is.
void draw_bracket(const TimelineFrame& frame, std::size_t depth, StepSpan loop, const Rect& row) {
  const Theme& theme = *look().theme;
  const Color color = mix(theme.pane, theme.text_quiet, 0.8);
  const float x = std::floor(frame.axis.px(loop.first)) + 1, end = std::floor(frame.axis.px(loop.end)) - 1;
  const float y = row.min.y + look().px(3);
  frame.out.AddLine({x, y}, {std::max(end, x + 1), y}, ink(color), 1);
  if (end - x < look().px(kNarrowestSpan)) return;
  frame.out.AddLine({x, y}, {x, y + look().px(7)}, ink(color), 1);
  frame.out.AddLine({end, y}, {end, y + look().px(7)}, ink(color), 1);
  draw_turns(frame, depth, loop, row, color);
  ImFont* font = look().fonts.small;
  const LoopTurn& turn = frame.lanes.turn_at(depth, loop.first);
  const std::uint32_t number = text::line_of_loop(frame.recording.program().tree.get(), turn.pos);
  const std::string label = turn.is_region()
                                ? fmt::format("vecscope, line {}", number)
                                : fmt::format("line {} \xC3\x97{}", number, frame.lanes.turns(depth, loop));
  const float left = std::max(x, row.min.x), right = std::min(end, row.max.x), wide = text_width(label, font);
  if (right - left < wide + look().px(20)) return;
  const float at = (left + right - wide) / 2;
  frame.out.AddRectFilled({at - look().px(5), row.min.y}, {at + wide + look().px(5), row.max.y}, ink(theme.pane));
  put_text({at, row.center().y - font->FontSize / 2}, label, theme.text_quiet, font);
}

// Calls f(loop) for those of a depth that are seen; of many in a few pixels, for one.
template <class F>
void for_seen_loops(const TimelineFrame& frame, std::size_t depth, F f) {
  const auto loops = frame.lanes.loops(depth);
  const auto behind = [&](auto from, std::uint32_t step) {
    return std::partition_point(from, loops.end(), [&](const LoopIndex::Loop& loop) { return loop.end <= step; });
  };
  auto loop = behind(loops.begin(), frame.axis.first());
  while (loop != loops.end() && loop->first < frame.axis.end_step()) {
    f(loop->span());
    const float x = std::max(frame.axis.px(loop->first), frame.layout.lanes.min.x);
    const std::uint32_t next = std::max(loop->end, frame.axis.step_at(x + look().px(kNarrowestSpan)));
    loop = behind(loop + 1, next);
  }
}

Rect loop_row(const TimelineLayout& layout, std::size_t depth) {
  const float top = layout.loops.min.y + static_cast<float>(depth) * loop_row_height();
  return {{layout.loops.min.x, top}, {layout.loops.max.x, top + loop_row_height()}};
}

std::size_t loop_rows(const TimelineFrame& frame) {
  return std::min(frame.lanes.depths(),
                  static_cast<std::size_t>(frame.layout.loops.height() / loop_row_height() + 0.01f));
}

}  // namespace

void draw_loops(const TimelineFrame& frame) {
  ImFont* font = look().fonts.small;
  const std::size_t rows = loop_rows(frame);
  for (std::size_t depth = 0; depth < rows; ++depth) {
    const Rect row = loop_row(frame.layout, depth);
    const std::string label = depth == 0 ? "loops" : "";
    put_text({row.min.x - text_width(label, font) - look().px(12), row.center().y - font->FontSize / 2}, label,
             look().theme->text_quiet, font);
    frame.out.PushClipRect(row.min, row.max, true);
    for_seen_loops(frame, depth, [&](StepSpan loop) { draw_bracket(frame, depth, loop, row); });
    frame.out.PopClipRect();
  }
}

std::optional<LoopAt> loop_at(const TimelineFrame& frame, ImVec2 point) {
  if (!frame.layout.loops.holds(point)) return {};
  const auto depth = static_cast<std::size_t>((point.y - frame.layout.loops.min.y) / loop_row_height());
  if (depth >= loop_rows(frame)) return {};
  const std::uint32_t step = frame.axis.step_at(point.x);
  const auto loops = frame.lanes.loops(depth);
  const auto loop = std::ranges::partition_point(loops, [&](const LoopIndex::Loop& one) { return one.end <= step; });
  if (loop == loops.end() || loop->first > step) return {};
  return LoopAt{depth, loop->span()};
}

// --- marks ---

namespace {

// Calls f(x, span of steps) for marks of ascending steps; those within a few pixels are one.
template <class Next, class F>
void for_marks(const TimelineFrame& frame, float apart, Next next, F f) {
  for (auto at = next(frame.axis.first()); at && *at <= frame.axis.end_step();) {
    const double middle = *at + (frame.axis.axis().px_per() >= kNarrowestSpan ? 0.5 : 0.0);
    // What could not be made any more stands at the end.
    const float x = frame.axis.px(std::min(middle, static_cast<double>(frame.lanes.count())));
    const auto end = static_cast<std::uint32_t>(std::max(0.0, frame.axis.axis().at(x + apart)));
    const StepSpan span{*at, std::max(*at + 1, end)};
    f(x, span);
    at = next(span.end);
  }
}

}  // namespace

namespace {

Rect mark_rect(float x, float foot) {
  const float side = look().px(11);
  return {{x - side / 2, foot - side}, {x + side / 2, foot}};
}

}  // namespace

void draw_finding_marks(const TimelineFrame& frame) {
  const Rect& rect = frame.layout.marks;
  const float side = look().px(11);
  frame.out.PushClipRect({rect.min.x - side, rect.min.y}, {rect.max.x + side, rect.max.y}, true);
  for_marks(
      frame, side, [&](std::uint32_t from) { return next_of(frame.lanes.findings(), from); },
      [&](float x, StepSpan span) {
        draw_severity(frame.out, mark_rect(x, rect.max.y), frame.lanes.worst_of(span).value_or(Severity::Note));
      });
  frame.out.PopClipRect();
}

void draw_stop_marks(const TimelineFrame& frame, const StepSet& stops) {
  const Rect& rect = frame.layout.marks;
  const float side = look().px(9);
  frame.out.PushClipRect({rect.min.x - side, rect.min.y}, {rect.max.x + side, rect.max.y}, true);
  for_marks(
      frame, side, [&](std::uint32_t from) { return stops.next(from); },
      [&](float x, StepSpan) {
        draw_stop(frame.out, mark_rect(x, rect.min.y + side).shrunk(look().px(1)), StopSign::On);
      });
  frame.out.PopClipRect();
}

// A line under steps that left a NaN, and the word where it begins.
void draw_nan_marks(const TimelineFrame& frame, std::span<const std::uint32_t> steps) {
  const Theme& theme = *look().theme;
  const Rect& rect = frame.layout.marks;
  ImFont* font = look().fonts.mono_small;
  const float word = text_width("NaN", font);
  float free_from = rect.min.x;
  frame.out.PushClipRect(rect.min, rect.max, true);
  for_marks(
      frame, look().px(kNarrowestSpan), [&](std::uint32_t from) { return next_of(steps, from); },
      [&](float, StepSpan span) {
        const float x = frame.axis.px(span.first),
                    end = std::max(frame.axis.px(span.first + 1.0), x + look().px(kNarrowestSpan));
        frame.out.AddRectFilled({x, rect.max.y - look().px(3)}, {end, rect.max.y - look().px(1)},
                                ink(theme.difference));
        // Of marks that stand close together the first one has the word.
        if (x >= free_from) {
          put_text({x, rect.max.y - look().px(4) - font->FontSize}, "NaN", theme.difference, font);
          free_from = x + word;
        }
        free_from = std::max(free_from, end + look().px(40));
      });
  frame.out.PopClipRect();
}

void draw_bookmarks(const TimelineFrame& frame, const std::map<std::string, std::uint32_t>& bookmarks) {
  const Theme& theme = *look().theme;
  const Rect& rect = frame.layout.marks;
  ImFont* font = look().fonts.small;
  frame.out.PushClipRect(rect.min, {rect.max.x, frame.layout.lanes.max.y}, true);
  for (const auto& [title, position] : bookmarks) {
    const float x = std::floor(frame.axis.px(position)) + 0.5f;
    if (x < rect.min.x || x > rect.max.x) continue;
    frame.out.AddLine({x, rect.max.y}, {x, frame.layout.lanes.max.y}, ink(with_alpha(theme.good, 0.5)), 1);
    flag_mark(frame.out, {x, rect.max.y}, rect.height() - 1, ink(theme.good));
    put_text({x + rect.height() * 0.7f, rect.min.y}, title, theme.text, font);
  }
  frame.out.PopClipRect();
}

void draw_notes(const TimelineFrame& frame, const std::vector<Note>& notes) {
  const Rect& rect = frame.layout.marks;
  frame.out.PushClipRect(rect.min, {rect.max.x, frame.layout.lanes.max.y}, true);
  float free_from = rect.min.x - 100;
  const float side = std::min(rect.height(), look().px(12));
  for (const Note& note : notes) {
    if (!note.step) continue;
    const float x = std::floor(frame.axis.px(*note.step + 0.5));
    if (x < rect.min.x || x > rect.max.x) continue;
    const Rect place{{x - side / 2, rect.max.y - side}, {x + side / 2, rect.max.y}};
    // Of many at one place one is drawn.
    if (std::abs(x - free_from) >= 2) draw_note_sign(frame.out, place);
    free_from = x;
    if (place.holds(ImGui::GetMousePos()) && ImGui::IsWindowHovered())
      ImGui::SetTooltip("%s: %s", note_place(note).c_str(), note.text.c_str());
  }
  frame.out.PopClipRect();
}

// --- the overview ---

void draw_overview(const TimelineFrame& frame) {
  const Theme& theme = *look().theme;
  const Rect& rect = frame.layout.overview;
  Axis whole;
  whole.set_whole(0, frame.lanes.count());
  whole.set_pixels(rect.min.x, rect.max.x);
  whole.show_all();
  const double steps = look().px(2) * whole.per_px();
  const std::uint32_t width = steps <= 1 ? 1 : std::bit_ceil(static_cast<std::uint32_t>(std::ceil(steps)));
  const float high = rect.height() / static_cast<float>(frame.lanes.pipes().size());
  frame.out.AddRectFilled(rect.min, rect.max, ink(theme.window));
  float top = rect.min.y;
  for (const Pipe pipe : frame.lanes.pipes()) {
    const Color color = mix(theme.window, pipe_color(pipe), 0.75);
    frame.lanes.for_columns({pipe}, {0, frame.lanes.count()}, width, [&](const LaneColumn& column) {
      const float x = whole.px(column.span.first), end = std::max(x + 1, whole.px(column.span.end));
      frame.out.AddRectFilled({x, top}, {end, top + high - 1}, ink(column.finding ? theme.finding : color));
    });
    top += high;
  }
  const float from = whole.px(frame.axis.axis().low()), to = whole.px(frame.axis.axis().high()),
              now = whole.px(frame.axis.now());
  frame.out.AddRectFilled(rect.min, {from, rect.max.y}, ink(with_alpha(theme.window, 0.6)));
  frame.out.AddRectFilled({to, rect.min.y}, rect.max, ink(with_alpha(theme.window, 0.6)));
  frame.out.AddRect({from, rect.min.y - 1}, {std::max(to, from + 3), rect.max.y + 1}, ink(theme.text_quiet), 2, 0,
                    1.5f);
  frame.out.AddLine({now, rect.min.y - 2}, {now, rect.max.y + 2}, ink(theme.accent), look().px(1.5f));
}

}  // namespace ts::ui
