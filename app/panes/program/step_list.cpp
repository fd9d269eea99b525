// Drawing the rows of steps.
#include "app/panes/program/step_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/subjects.h"
#include "app/panes/program/source_list.h"
#include "app/view/targets.h"
#include "core/debug/session/step_text.h"
#include "core/text/highlight.h"

namespace ts::ui {
namespace {

float step_row_height() { return std::floor(look().fonts.mono->FontSize * 1.45f); }

// Draws words one behind the other.
class Line {
 public:
  Line(float x, const Rect& row) : x_(x), row_(row) {}

  void put(const std::string& text, Color color, ImFont* font = look().fonts.mono) {
    const float y = std::floor(row_.min.y + (row_.height() - font->FontSize) / 2);
    ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::floor(x_), y}, ink(color), text.c_str());
    x_ += font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
  }
  void gap(float width) { x_ += look().px(width); }
  void from() {
    gap(7);
    draw_from(*ImGui::GetWindowDrawList(), {{x_, row_.min.y}, {x_ + look().px(12), row_.max.y}},
              ink(look().theme->text_quiet));
    gap(19);
  }

 private:
  float x_;
  Rect row_;
};

std::uint32_t first_finding(const std::vector<Finding>& all, std::uint32_t step) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(all, step, {}, &Finding::step) - all.begin());
}

// The worst of the findings of steps [first, end); of many the first ones are looked at.
std::optional<Severity> worst_of(const std::vector<Finding>& all, const StepRow& what) {
  constexpr std::uint32_t kMost = 64;
  std::optional<Severity> worst;
  const std::uint32_t begin = first_finding(all, what.first);
  for (std::uint32_t i = begin; i < std::min<std::size_t>(all.size(), begin + kMost) && all[i].step < what.end; ++i)
    worst = std::max(worst.value_or(Severity::Note), all[i].diagnostic.severity);
  return worst;
}

bool stops_before(const StopRule& rule, const Recording& recording, std::uint32_t step) {
  if (rule.step && *rule.step != step) return false;
  const Bound& bound = recording.bound(step);
  if (rule.line && *rule.line != bound.pos.line) return false;
  return (rule.op.empty() || rule.op == bound.row->name) && (rule.step || rule.line || !rule.op.empty());
}

}  // namespace

void StepList::start() {
  rows_.reset();
  titles_.clear();
  cursor_.reset();
  cursor_row_.reset();
  followed_ = {~0u, 0};
  scroll_.to_start();
  read_filter_.clear();
  query_.reset();
  wrong_.reset();
}

void StepList::draw(DebugView& view, CommandQueue& out, const Rect& area, std::uint64_t generation) {
  if (generation != generation_) start();
  generation_ = generation;
  Room room(area);
  draw_filter(view, room.top(look().fonts.text->FontSize + look().px(14)));
  if (wrong_) room.top(look().fonts.text->FontSize * 2 + look().px(14));
  const Rect list = room.rest();
  if (!rows_) {
    const auto* index = index_.get(view.answerer(), fmt::format("{}", generation),
                                   [](Session& session, const std::function<bool()>& go_on) {
                                     return std::make_shared<const LoopIndex>(session.recording(), go_on);
                                   });
    if (index != nullptr && (*index)->complete()) rows_.emplace(*index);
  }
  if (rows_ || filters()) {
    draw_rows(view, out, list);
    draw_menu(view, out);
    return;
  }
  ImGui::SetCursorScreenPos({list.min.x + look().px(8), list.min.y + look().px(8)});
  ImGui::TextColored(tint(look().theme->text_quiet), "Finding the loops of %u steps...", view.recording()->count());
}

// --- rows ----------------------------------------------------------------------------------------------------------

std::uint32_t StepList::row_count() const {
  return filters() ? static_cast<std::uint32_t>(hits_.size()) : rows_->count();
}

StepRow StepList::row_at(std::uint32_t row) const {
  return filters() ? StepRow{.first = hits_[row], .end = hits_[row] + 1} : rows_->at(row);
}

std::optional<std::uint32_t> StepList::row_of(std::uint32_t step) const {
  if (!filters()) return rows_->row_of(step);
  const auto at = std::ranges::lower_bound(hits_, step);
  if (at == hits_.end() || *at != step) return {};
  return static_cast<std::uint32_t>(at - hits_.begin());
}

// Unfolds what is around the shown step. The row stays where it is on the screen, while others come and go above it.
void StepList::follow(const DebugView& view) {
  const auto shown = view.shown_step();
  if (!shown || followed_ == view.moment()) return;
  followed_ = view.moment();
  const std::optional<std::uint32_t> before = row_of(*shown);
  // Out of a fold that was closed until now it goes to where there is something to be seen around it.
  const bool seen = before && scroll_.shows(*before) && row_at(*before).kind == StepRow::Kind::Step;
  if (!filters()) rows_->follow(*shown);
  const std::optional<std::uint32_t> after = row_of(*shown);
  if (!after) return;
  if (seen) scroll_.shift(std::int64_t{*after} - *before);
  if (before == after || seen) scroll_.show(*after, row_count());
  else scroll_.center(*after, row_count());
}

void StepList::draw_rows(DebugView& view, CommandQueue& out, const Rect& area) {
  scroll_.begin("steps", area, step_row_height(), row_count());
  follow(view);
  take_keys(view, out);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  const std::uint32_t end = std::min(scroll_.end_row(), row_count());
  for (std::uint32_t row = scroll_.first_row(); row < end; ++row) {
    const Rect rect = scroll_.row_rect(row);
    const bool hovered = scroll_.is_hovered() && rect.holds(ImGui::GetIO().MousePos);
    draw_row(view, row_at(row), rect, hovered);
    if (cursor_row_ == row) list.AddRect(rect.min, rect.max, ink(with_alpha(look().theme->text_quiet, 0.5)));
  }
  list.PopClipRect();
  if (scroll_.is_hovered()) take_mouse(view, out);
}

// Up and Down move the cursor; Enter goes to its step, or folds its loop.
void StepList::take_keys(DebugView& view, CommandQueue& out) {
  if ((scroll_.moved() == 0 && !scroll_.is_entered()) || row_count() == 0) return;
  const auto shown = view.shown_step();
  const auto now = cursor_row_ && *cursor_row_ < row_count() ? cursor_row_ : shown ? row_of(*shown) : std::nullopt;
  const std::int64_t row =
      std::clamp<std::int64_t>(std::int64_t{now.value_or(0)} + scroll_.moved(), 0, row_count() - 1);
  cursor_row_ = static_cast<std::uint32_t>(row);
  const StepRow what = row_at(*cursor_row_);
  cursor_ = what.first;
  scroll_.show(*cursor_row_, row_count());
  if (!scroll_.is_entered()) return;
  if (what.kind == StepRow::Kind::Step) out.push("seek", {std::int64_t{view.position_showing(what.first)}});
  else rows_->set_open(*cursor_row_, !what.open);
}

float StepList::indent_x(const StepRow& what, const Rect& rect) const {
  return rect.min.x + step_row_height() * Margin::kSigns + look().px(4) +
         static_cast<float>(what.indent) * look().px(14);
}

void StepList::draw_row(DebugView& view, const StepRow& what, const Rect& rect, bool hovered) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  constexpr const char* kNames[] = {"step", "loop", "turn"};
  if (targets_wanted())
    note_target(fmt::format("program/{} {}", kNames[static_cast<int>(what.kind)], what.first), rect);
  if (hovered && what.kind == StepRow::Kind::Step && subjects_wanted())
    note_subject(Subject::Kind::Instruction, view.recording()->bound(what.first).row->name);
  const auto shown = view.shown_step();
  const bool here = shown && what.first <= *shown && *shown < what.end && !what.open;
  if (here) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.accent, 0.16)));
  else if (hovered) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.text, 0.05)));
  for (std::uint16_t level = 0; level < what.indent; ++level) {
    const float x =
        rect.min.x + step_row_height() * Margin::kSigns + look().px(8) + static_cast<float>(level) * look().px(14);
    list.AddLine({x, rect.min.y}, {x, rect.max.y}, ink(theme.line));
  }
  if (what.kind == StepRow::Kind::Step) draw_step(view, what, rect);
  else draw_fold_row(view, what, rect);
  draw_margin(view, what, rect, hovered);
}

void StepList::draw_margin(DebugView& view, const StepRow& what, const Rect& rect, bool hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Recording& recording = *view.recording();
  const Margin margin(rect);
  const bool is_step = what.kind == StepRow::Kind::Step;
  const auto holds = [&](std::uint32_t step) { return what.first <= step && step < what.end; };
  const auto sign = stop_sign(view.standing().stops, [&](const StopRule& rule) {
    return is_step ? stops_before(rule, recording, what.first) : !what.open && rule.step && holds(*rule.step);
  });
  if (sign) draw_stop(list, margin.stop, *sign);
  else if (is_step && hovered && margin.stop.holds(ImGui::GetIO().MousePos))
    draw_stop(list, margin.stop, StopSign::Offered);
  if (!what.open) {
    const auto worst = worst_of(view.findings(), what);
    if (worst) draw_severity(list, margin.found, *worst);
    std::string noted;
    if (!view.notes().empty() && has_note(view.notes(), holds, &noted))
      draw_margin_note(margin, noted, worst.has_value());
  }
  if (what.open) return;
  const std::uint32_t position = view.moment().position;
  if (holds(position)) draw_here(list, margin.here, view.in_step() ? Here::Inside : Here::Next);
  else if (position > 0 && !view.in_step() && holds(position - 1)) draw_here(list, margin.here, Here::Made);
}

void StepList::draw_step(DebugView& view, const StepRow& what, const Rect& rect) {
  const Theme& theme = *look().theme;
  const bool made = what.first < view.moment().position;
  const double fade = made ? 0 : 0.25;  // what has not run yet is quieter
  const auto faded = [&](Color color) { return mix(color, theme.pane, fade); };
  const ShortStep words = short_step(*view.recording(), what.first);
  Line line(indent_x(what, rect) + look().px(14), rect);
  const std::size_t digits = fmt::format("{}", view.recording()->count() - 1).size();
  line.put(fmt::format("{:>{}} ", what.first, digits), faded(theme.text_quiet), look().fonts.mono_small);
  line.gap(4);
  line.put(words.op, faded(theme.text));
  line.gap(10);
  const Color name = color_of(text::WordKind::Name);
  if (!words.results.empty()) {
    line.put(words.results, faded(name));
    if (!words.inputs.empty()) line.from();
  }
  line.put(words.inputs, faded(words.results.empty() ? theme.text_quiet : name));
}

const std::string& StepList::loop_title(const Recording& recording, SourcePos pos) {
  const auto [at, is_new] = titles_.try_emplace(pos.line);
  if (is_new) at->second = recording.program().tree ? text::loop_title(*recording.program().tree, pos) : "loop";
  return at->second;
}

void StepList::draw_fold_row(DebugView& view, const StepRow& what, const Rect& rect) {
  const Theme& theme = *look().theme;
  const Recording& recording = *view.recording();
  const LoopTurn& turn = recording.loops(what.first)[what.level];
  const std::string& title = loop_title(recording, turn.pos);
  const float x = indent_x(what, rect);
  draw_fold(*ImGui::GetWindowDrawList(), {{x, rect.min.y}, {x + look().px(10), rect.max.y}}, what.open,
            ink(theme.text_quiet));
  Line line(x + look().px(14), rect);
  if (what.kind == StepRow::Kind::Loop) {
    line.put(title, theme.text);
    line.gap(10);
    if (!turn.is_region()) line.put(fmt::format("×{}", what.turns), theme.text, look().fonts.bold);
    line.gap(12);
    const std::string steps = what.end - what.first == 1 ? fmt::format("step {}", what.first)
                                                         : fmt::format("steps {}–{}", what.first, what.end - 1);
    line.put(fmt::format("line {}, {}", text::line_of_loop(recording.program().tree.get(), turn.pos), steps),
             theme.text_quiet, look().fonts.small);
  } else {
    line.put(turn.is_region() ? "its body" : fmt::format("turn {}", turn.turn), theme.text);
    line.gap(10);
    if (title.starts_with("for %"))
      line.put(fmt::format("{} = {}", title.substr(4), turn.variable), color_of(text::WordKind::Name));
    line.gap(12);
    const std::uint32_t steps = what.end - what.first;
    line.put(fmt::format("{} step{}", steps, steps == 1 ? "" : "s"), theme.text_quiet, look().fonts.small);
  }
}

// --- the mouse -----------------------------------------------------------------------------------------------------

void StepList::take_mouse(DebugView& view, CommandQueue& out) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::uint32_t row = scroll_.row_at(mouse.y);
  if (row >= row_count()) return;
  const StepRow what = row_at(row);
  const Margin margin(scroll_.row_rect(row));
  const bool is_step = what.kind == StepRow::Kind::Step;
  if (mouse.x >= margin.found.min.x && mouse.x < margin.found.max.x) tell_findings(view, what);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_step_ = what.first;
    ImGui::OpenPopup("step menu");
  }
  if (!scroll_.is_clicked()) return;
  cursor_row_.reset();
  cursor_ = what.first;
  if (!is_step) {
    rows_->set_open(row, !what.open);
  } else if (mouse.x < margin.stop.max.x) {
    out.push("toggleStepBreakpoint", {std::int64_t{what.first}});
  } else {
    out.push("seek", {std::int64_t{view.position_showing(what.first)}});
  }
}

void StepList::tell_findings(DebugView& view, const StepRow& what) const {
  if (what.open) return;
  constexpr std::uint32_t kMost = 500;
  const auto& all = view.findings();
  MessageList messages;
  const std::uint32_t begin = first_finding(all, what.first);
  for (std::uint32_t i = begin; i < std::min<std::size_t>(all.size(), begin + kMost) && all[i].step < what.end; ++i)
    messages.add(all[i].diagnostic, all[i].step);
  messages.tooltip();
}

void StepList::draw_menu(DebugView& view, CommandQueue& out) {
  if (!menu_step_ || !ImGui::BeginPopup("step menu")) return;
  const std::int64_t step = *menu_step_;
  const std::string op = view.recording()->bound(*menu_step_).row->name;
  if (ImGui::MenuItem("Run to this step")) out.push("runTo", {step});
  if (ImGui::MenuItem("Run back to this step")) out.push("runBackTo", {step});
  if (ImGui::MenuItem("Set or remove a breakpoint")) out.push("toggleStepBreakpoint", {step});
  ImGui::Separator();
  if (ImGui::MenuItem(fmt::format("Show only {}", op).c_str())) set_filter("op:" + op);
  if (ImGui::MenuItem(fmt::format("About {}", op).c_str())) out.push("page", {op});
  if (rows_ && ImGui::MenuItem("Fold all loops")) rows_->fold_all();
  ImGui::EndPopup();
}

}  // namespace ts::ui
