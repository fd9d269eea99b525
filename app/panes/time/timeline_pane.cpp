// The timeline's layout and what the mouse and the keys do in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/time/timeline_draw.h"
#include "core/data/fields.h"
#include "core/debug/origins/nan_steps.h"
#include "core/text/highlight.h"

namespace ts::ui {
namespace {

class TimelinePane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override {
    const Rect all = rest_of_window();
    if (say_nothing_to_show(view, "its steps")) return;
    const Made* made = lanes_of(view);
    if (made == nullptr || !made->lanes) return say_empty("Sorting the steps into lanes ...", "");
    if (all.width() < look().px(160) || all.height() < look().px(40)) return;
    draw_steps(view, out, *made->lanes, all);
  }

  void save(nlohmann::json& settings) const override { settings["byCore"] = by_core_; }
  void load(const data::Fields& settings) override { by_core_ = settings.truth("byCore").value_or(true); }
  void forget() override {
    made_ = {};
    shown_.reset();
    nan_ = {};
    nan_recording_.reset();
    stops_ = {};
  }

 private:
  struct Made {
    std::shared_ptr<const Recording> recording;  // the lanes look into it
    std::optional<StepLanes> lanes;
  };
  // Those with the findings before, while they are made with new ones.
  const Made* lanes_of(DebugView& view) {
    const auto recording = view.document()->recording;
    const auto* made =
        made_.get(view.answerer(), fmt::format("lanes {}", view.findings_number()),
                  [recording, findings = view.shared_findings()](Session&, const std::function<bool()>& go_on) {
                    return std::make_shared<const Made>(Made{recording, StepLanes::make(*recording, *findings, go_on)});
                  });
    if (made != nullptr) shown_ = *made;
    if (shown_ != nullptr && shown_->recording != recording) shown_ = nullptr;
    return shown_.get();
  }

  // Where stops stand; of the same stops as long as nobody changes them.
  const StepSet* stops_of(DebugView& view) {
    const auto recording = view.document()->recording;
    std::vector<StopPlace> places;
    std::string key = std::string("lanes");
    for (const StopEntry& stop : view.standing().stops) {
      const StopPlace place{stop.rule.step, stop.rule.line, stop.rule.op};
      if (!stop.enabled || place.anywhere()) continue;
      places.push_back(place);
      key += fmt::format(" {}/{}/{}", place.step.value_or(~0u), place.line.value_or(0), place.op);
    }
    if (places.empty()) return nullptr;
    const MadeStops* made = stops_.get(view.answerer(), key, [=](Session&, const std::function<bool()>& go_on) {
      return MadeStops{recording, steps_with_stops(*recording, places, go_on)};
    });
    return made != nullptr && made->steps ? &*made->steps : nullptr;
  }

  // A piece at a time: other panes' questions come in between. It ends after a while, and the header says how far it
  // got.
  void look_for_nan(DebugView& view) {
    static constexpr std::chrono::milliseconds kPiece{40};
    constexpr std::uint32_t kMostPieces = 500;
    const auto recording = view.document()->recording;
    if (nan_recording_ != recording) {
      nan_recording_ = recording;
      nan_steps_.clear();
      nan_end_ = nan_pieces_ = 0;
    }
    if (nan_end_ >= recording->count() || nan_pieces_ >= kMostPieces) return;
    const std::string key = fmt::format("{}", nan_end_);
    const NanSteps* piece = nan_.get(
        view.answerer(), key, [recording, first = nan_end_](Session& session, const std::function<bool()>& go_on) {
          if (&session.recording() != recording.get()) return NanSteps{first, recording->count(), {}};
          return nan_steps(session, first, kPiece, go_on);
        });
    if (piece == nullptr) return;
    nan_steps_.insert(nan_steps_.end(), piece->steps.begin(), piece->steps.end());
    nan_end_ = piece->end;
    ++nan_pieces_;
  }

  TimelineLayout layout_in(const Rect& all, const StepLanes& lanes) {
    TimelineLayout layout;
    layout.all = all;
    const bool cores = lanes.cores() > 1;
    layout.by_core = cores && by_core_;
    layout.lane_count = static_cast<std::uint32_t>(layout.by_core ? lanes.rows().size() : lanes.pipes().size());
    Room room(all);
    room.left(look().px(layout.by_core ? 112 : 62));
    room.right(look().px(10));
    const bool roomy = all.height() > look().px(120);
    layout.header = room.top(roomy ? look().px(20) : 0);
    layout.ruler = room.top(look().px(15));
    layout.marks = room.top(look().px(17));
    layout.cores = room.top(cores && !layout.by_core ? look().px(15) : 0);
    Room overview(room.bottom(roomy ? look().px(24) : 0));
    overview.top(look().px(6));
    overview.bottom(look().px(4));
    layout.overview = overview.rest();
    const float most_loops = static_cast<float>(lanes.depths()) * look().px(14);
    // Rows of several cores matter more than loops, which each of them has of its own.
    const float least_lanes =
        std::min(layout.by_core ? 12.0f : 3.0f, static_cast<float>(layout.lane_count)) * look().px(16);
    const float loops = roomy ? std::clamp(room.rest().height() - least_lanes, 0.0f, most_loops) : 0;
    const float high = std::max(look().px(12), room.rest().height() - loops);
    layout.lane_height = std::clamp(high / static_cast<float>(layout.lane_count), look().px(15), look().px(52));
    const float seen =
        std::min(static_cast<float>(layout.lane_count), std::max(1.0f, std::floor(high / layout.lane_height)));
    layout.lanes = room.top(std::min(high, seen * layout.lane_height));
    layout.loops = room.top(loops);
    first_lane_ =
        std::min(first_lane_, layout.lane_count - std::min(layout.lane_count, static_cast<std::uint32_t>(seen)));
    layout.first_lane = first_lane_;
    return layout;
  }

  void draw_steps(DebugView& view, CommandQueue& out, const StepLanes& lanes, const Rect& all) {
    const TimelineLayout layout = layout_in(all, lanes);
    axis_.begin(view, layout.lanes.min.x, layout.lanes.max.x);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto hovered = hovered_step(layout);
    const std::string line = hovered ? view.questions().line_text(*hovered) : "";
    const TimelineFrame frame{lanes, *view.recording(), view.findings(), axis_, layout,
                              list,  view.shown_step(), hovered,         line,  &view.questions()};
    take_mouse(frame, out);
    axis_.take_keys(view, out);
    draw_header(frame);
    axis_.draw_ruler(list, layout.ruler);
    if (layout.cores.height() > 0) draw_cores(frame);
    draw_waiting(frame);
    draw_lanes(frame);
    draw_queue_arrows(frame);
    draw_loops(frame);
    draw_bookmarks(frame, view.standing().bookmarks);
    draw_notes(frame, view.notes());
    look_for_nan(view);
    draw_nan_marks(frame, nan_steps_);
    draw_finding_marks(frame);
    if (const StepSet* stops = stops_of(view)) draw_stop_marks(frame, *stops);
    axis_.draw_now(list, layout.ruler, layout.loops.max.y);
    if (layout.overview.height() > 0) draw_below(frame);
    axis_.end(view, out);
  }

  std::optional<std::uint32_t> hovered_step(const TimelineLayout& layout) const {
    const ImVec2 mouse = ImGui::GetMousePos();
    if (!ImGui::IsWindowHovered() || !Rect{layout.ruler.min, layout.lanes.max}.holds(mouse)) return {};
    return axis_.step_at(mouse.x);
  }

  void take_mouse(const TimelineFrame& frame, CommandQueue& out) {
    const TimelineLayout& layout = frame.layout;
    const ImVec2 mouse = ImGui::GetMousePos();
    ImGui::SetCursorScreenPos({layout.all.min.x, layout.ruler.min.y});
    const ImVec2 size{layout.all.width(), std::max(1.0f, layout.loops.max.y - layout.ruler.min.y)};
    ImGui::InvisibleButton(
        "steps", size,
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
    const bool over_labels = mouse.x < layout.lanes.min.x;
    if (ImGui::IsItemHovered() && over_labels && ImGui::GetIO().MouseWheel != 0) scroll_lanes(layout);
    else axis_.take_wheel();
    const auto loop = loop_at(frame, mouse);
    if (loop && ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) show_loop(loop->loop);
    else if (ImGui::IsItemActivated() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) scrubbing_ = !loop && !over_labels;
    if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left) && scrubbing_) axis_.scrub(mouse.x);
    if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right) && frame.hovered)
      out.push("toggleStepBreakpoint", {static_cast<std::int64_t>(*frame.hovered)});
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) explain(frame, loop);
  }

  void scroll_lanes(const TimelineLayout& layout) {
    const int by = ImGui::GetIO().MouseWheel > 0 ? -1 : 1;
    const int most = static_cast<int>(layout.lane_count - layout.lanes_seen());
    first_lane_ = static_cast<std::uint32_t>(std::clamp(static_cast<int>(first_lane_) + by, 0, std::max(0, most)));
  }

  void show_loop(StepSpan loop) {
    const double margin = (loop.end - loop.first) * 0.05 + 0.5;
    axis_.axis().show(loop.first - margin, loop.end + margin);
  }

  // --- texts ---

  void draw_header(const TimelineFrame& frame) {
    const Rect& rect = frame.layout.header;
    if (rect.height() <= 0) return;
    ImFont* font = look().fonts.small;
    const std::uint32_t first = frame.axis.first(), end = frame.axis.end_step(), column = frame.column_steps();
    std::string text =
        fmt::format("Steps {} to {} of {}", grouped(first), grouped(end - 1), grouped(frame.lanes.count()));
    text += column == 1 ? ", a box each"
                        : fmt::format(", {} to a column: as high as the pipe's share of them", grouped(column));
    if (nan_end_ < frame.lanes.count()) text += fmt::format("; looked for NaN up to step {}", grouped(nan_end_));
    const ImVec2 at{frame.layout.all.min.x + look().px(8), rect.min.y + (rect.height() - font->FontSize) / 2};
    frame.out.PushClipRect(frame.layout.all.min, {rect.max.x, rect.max.y}, true);
    frame.out.AddText(font, font->FontSize, at, ink(look().theme->text_quiet), text.c_str());
    frame.out.PopClipRect();
    if (frame.lanes.cores() > 1) draw_core_switch(frame);
  }

  void draw_core_switch(const TimelineFrame& frame) {
    const WithFont small(look().fonts.small);
    const char* label = by_core_ ? "Cores together" : "A lane for each core";
    ImGui::SetCursorScreenPos(
        {frame.layout.header.max.x - ImGui::CalcTextSize(label).x - look().px(12), frame.layout.header.min.y});
    if (ImGui::SmallButton(label)) by_core_ = !by_core_;
  }

  // Zoomed in: all of it, small. Else what the axis means.
  void draw_below(const TimelineFrame& frame) {
    const Rect& rect = frame.layout.overview;
    if (frame.axis.axis().shows_all()) {
      ImFont* font = look().fonts.small;
      frame.out.PushClipRect(rect.min, frame.layout.all.max, true);
      frame.out.AddText(font, font->FontSize, {rect.min.x, rect.center().y - font->FontSize / 2},
                        ink(look().theme->text_quiet), kAxisSentence);
      frame.out.PopClipRect();
      return;
    }
    draw_overview(frame);
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::InvisibleButton("overview", {rect.width(), rect.height()});
    if (!ImGui::IsItemActive()) return;
    const double share = (ImGui::GetMousePos().x - rect.min.x) / rect.width(),
                 seen = axis_.axis().high() - axis_.axis().low();
    const double middle = share * frame.lanes.count();
    axis_.axis().show(middle - seen / 2, middle + seen / 2);
  }

  void explain(const TimelineFrame& frame, const std::optional<LoopAt>& loop) {
    if (loop) return explain_loop(frame, *loop);
    if (!frame.hovered) return explain_lane(frame);
    const std::uint32_t step = *frame.hovered;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(look().px(460));
    const Bound& bound = frame.recording.bound(step);
    ImGui::Text("Step %s", grouped(step).c_str());
    {
      const WithFont mono(look().fonts.mono);
      ImGui::TextUnformatted(frame.recording.program().short_text(frame.recording.step(step).instruction).c_str());
    }
    quiet(fmt::format("{}, {} ({}), {}", frame.hovered_line, bound.pipe == Pipe::None ? "no pipe" : name(bound.pipe),
                      pipe_words(bound.pipe), frame.lanes.core_name(frame.lanes.core_of(step))));
    for (const LoopTurn& turn : frame.recording.loops(step))
      quiet(turn.is_region() ? fmt::format("in the vecscope at line {}", turn.pos.line)
                             : fmt::format("turn {} of the loop at line {}", turn.turn + 1,
                                           text::line_of_loop(frame.recording.program().tree.get(), turn.pos)));
    if (frame.column_steps() > 1) quiet(fmt::format("one of {} steps under the mouse", grouped(frame.column_steps())));
    explain_findings(frame, step);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }

  static void quiet(const std::string& text) { ImGui::TextColored(tint(look().theme->text_quiet), "%s", text.c_str()); }

  // Those of the steps that a few pixels stand for.
  static void explain_findings(const TimelineFrame& frame, std::uint32_t step) {
    constexpr int kMost = 3;
    const std::vector<Finding>& all = frame.findings;
    const std::uint32_t width = frame.column_steps(), first = step / width * width;
    // With the last step stands what is said of the one that could not be made.
    const std::uint32_t end = step + 1 == frame.lanes.count() ? step + 2 : first + width;
    auto at = std::ranges::lower_bound(all, first, {}, &Finding::step);
    for (int told = 0; at != all.end() && at->step < end; ++at, ++told) {
      if (told == kMost) return quiet("and more");
      ImGui::TextColored(tint(look().theme->finding), "step %s: %s", grouped(at->step).c_str(),
                         at->diagnostic.format().c_str());
    }
  }

  static void explain_loop(const TimelineFrame& frame, const LoopAt& at) {
    ImGui::BeginTooltip();
    const LoopTurn& turn = frame.lanes.turn_at(at.depth, at.loop.first);
    if (turn.is_region()) ImGui::Text("The vecscope at line %u", turn.pos.line);
    else
      ImGui::Text("Loop at line %u, %s turns", text::line_of_loop(frame.recording.program().tree.get(), turn.pos),
                  grouped(frame.lanes.turns(at.depth, at.loop)).c_str());
    quiet(
        fmt::format("steps {} to {}; double-click to see only them", grouped(at.loop.first), grouped(at.loop.end - 1)));
    ImGui::EndTooltip();
  }

  static void explain_lane(const TimelineFrame& frame) {
    const ImVec2 mouse = ImGui::GetMousePos();
    if (mouse.y < frame.layout.lanes.min.y || mouse.y >= frame.layout.lanes.max.y ||
        mouse.x >= frame.layout.lanes.min.x)
      return;
    const auto row = static_cast<std::uint32_t>((mouse.y - frame.layout.lanes.min.y) / frame.layout.lane_height);
    if (row >= frame.layout.lanes_seen()) return;
    const StepLane lane = frame.lane(frame.layout.first_lane + row);
    const StepSpan all{0, frame.lanes.count()};
    const std::uint32_t steps = frame.lanes.steps_in(lane, all);
    ImGui::BeginTooltip();
    ImGui::Text("%s: %s", lane.pipe == Pipe::None ? "other" : name(lane.pipe), pipe_words(lane.pipe));
    quiet(fmt::format("{} of {} steps", grouped(steps), grouped(all.end)));
    ImGui::EndTooltip();
  }

  struct MadeStops {
    std::shared_ptr<const Recording> recording;
    std::optional<StepSet> steps;
  };
  Later<std::shared_ptr<const Made>> made_;
  std::shared_ptr<const Made> shown_;
  Later<NanSteps> nan_;
  std::shared_ptr<const Recording> nan_recording_;
  std::vector<std::uint32_t> nan_steps_;
  std::uint32_t nan_end_ = 0, nan_pieces_ = 0;
  Later<MadeStops> stops_;
  StepAxis axis_;
  std::uint32_t first_lane_ = 0;
  bool by_core_ = true, scrubbing_ = false;
};

const RegisteredPane kTimelinePane({
    .id = "timeline",
    .title = "Timeline",
    .help = "All steps by core and pipe: drag to go anywhere, with findings, stops and bookmarks.",
    .order = 190,
    .places = {{"debug", "below left", 1}},
    .manual =
        R"(All steps by pipe, from left to right. Click or drag to go there, the wheel zooms. Marks above are findings, breakpoints,
steps that left a NaN, and bookmarks; brackets below are loops. The narrow strip is the whole recording. Of a kernel with
several cores each has lanes of its own: they are hatched while it waits for another core, and an arrow leads from the
shown push to its pops, or from a pop back to its push.)",
    .make = make_pane<TimelinePane>,
});

}  // namespace
}  // namespace ts::ui
