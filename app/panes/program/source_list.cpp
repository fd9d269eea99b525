// Drawing the program's text line by line.
#include "app/panes/program/source_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/subjects.h"
#include "app/panes/parts/list_row.h"
#include "app/panes/program/margin.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

// Lines are kept while they are looked at; scrolling through a large text must not keep it twice.
constexpr std::size_t kMostKept = 2000;
constexpr std::size_t kLongest = 4000;  // bytes of a line that are drawn
constexpr float kCountGlyphs = 9, kHeatGlyphs = 7;

std::string short_count(std::uint32_t count) {
  if (count < 10'000) return fmt::format("{}", count);
  if (count < 1'000'000) return fmt::format("{}k", count / 1000);
  return fmt::format("{}.{}M", count / 1'000'000, count / 100'000 % 10);
}

std::uint32_t first_of(const std::vector<std::uint32_t>& lines) { return lines.empty() ? 0 : lines.front(); }

float source_row_height() { return std::floor(look().fonts.mono->FontSize * 1.4f); }

// Whether the program has a tile or buffer of this name: then a click shows it.
bool names_data(const Recording& recording, std::string_view name) {
  const Program& program = recording.program();
  return std::ranges::any_of(program.tiles, [&](const TileDecl& tile) { return tile.is_called(name); }) ||
         std::ranges::find(program.buffers, name, &BufferDecl::name) != program.buffers.end();
}

}  // namespace

Color color_of(text::WordKind kind) {
  const Theme& theme = *look().theme;
  using text::WordKind;
  switch (kind) {
    case WordKind::Comment: return mix(theme.text_quiet, theme.pane, 0.15);
    case WordKind::Name: return mix(theme.text, theme.src0, 0.55);
    case WordKind::Symbol: return mix(theme.text, theme.mask, 0.5);
    case WordKind::Op: return theme.text;
    case WordKind::Type:
    case WordKind::Attribute: return theme.text_quiet;
    case WordKind::Number: return mix(theme.text, theme.src1, 0.55);
    case WordKind::String: return mix(theme.text, theme.good, 0.55);
    case WordKind::Plain: break;
  }
  return mix(theme.text, theme.text_quiet, 0.5);
}

float SourceList::Line::column(std::size_t byte) const {
  const std::size_t end = std::min(byte, text.size());
  return static_cast<float>(std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](char c) { return (c & 0xC0) != 0x80; }));
}

std::pair<float, float> SourceList::Line::columns_of(const Diagnostic& diagnostic) const {
  const float first = static_cast<float>(diagnostic.pos.column) - 1;
  // What is meant may be longer than what is shown of the line.
  if (diagnostic.span > 0)
    return {first, std::min(first + static_cast<float>(diagnostic.span), column(text.size()) + 1)};
  for (const text::ColoredWord& word : words)
    if (column(word.begin) <= first && first < column(word.end)) return {first, column(word.end)};
  return {first, first + 1};
}

// --- what is kept --------------------------------------------------------------------------------------------------

void SourceList::start(const ListedText& text) {
  lines_.clear();
  told_.clear();
  for (const Diagnostic& diagnostic : text.diagnostics()) told_[diagnostic.pos.line].push_back(&diagnostic);
  cursor_.reset();
  followed_line_ = 0;
  followed_ = {~0u, 0};
  scroll_.to_start();
  widest_ = 0;
}

const SourceList::Line& SourceList::line(const ListedText& text, std::uint32_t number) {
  if (lines_.size() > kMostKept) lines_.clear();
  const auto [at, is_new] = lines_.try_emplace(number);
  if (is_new) {
    Line& made = at->second;
    made.text = text.source().line(number).substr(0, kLongest);
    std::ranges::replace(made.text, '\t', ' ');
    made.words = text.words(number);
    if (const auto told = told_.find(number); told != told_.end()) made.told = told->second;
    widest_ = std::max(widest_, made.column(made.text.size()));
  }
  return at->second;
}

// Those with the findings before, while they are counted with new ones.
const LineRuns* SourceList::runs_of(const ListedText& text, DebugView& view) {
  const auto* counted = runs_.get(
      view.answerer(), fmt::format("{} {}", generation_, view.findings_number()),
      [findings = view.shared_findings(), count = text.count()](Session& session, const std::function<bool()>& go_on) {
        return std::make_shared<const Counted>(
            Counted{session.shared_recording(), findings, count(session, *findings, go_on)});
      });
  if (counted != nullptr && (*counted)->runs.complete()) counted_ = *counted;
  if (counted_ != nullptr && counted_->recording.get() != view.recording()) counted_ = nullptr;
  return counted_ != nullptr ? &counted_->runs : nullptr;
}

// --- drawing -------------------------------------------------------------------------------------------------------

float SourceList::gutter_width(std::uint32_t lines) const {
  const auto digits = static_cast<float>(std::max<std::size_t>(3, fmt::format("{}", lines).size()));
  const float glyph = look().fonts.mono->GetCharAdvance('0'), small = look().fonts.mono_small->GetCharAdvance('0');
  const float heat = hot_ ? kHeatGlyphs * small : 0;
  return Margin::kSigns * source_row_height() + digits * glyph + kCountGlyphs * small + heat + look().px(22);
}

Rect SourceList::draw_errors(const Document& document, const Rect& area) {
  constexpr std::size_t kMostErrors = 4;
  std::vector<const Diagnostic*> errors;
  for (const Diagnostic& diagnostic : document.diagnostics)
    if (diagnostic.severity == Severity::Error && errors.size() < kMostErrors) errors.push_back(&diagnostic);
  const float height = list_row_height(), all = height * static_cast<float>(errors.size());
  if (errors.empty() || area.height() < 2 * all) return area;
  Room room(area);
  Room lines(room.bottom(all, look().px(4)));
  const Rect text = room.rest();
  ImGui::GetWindowDrawList()->AddLine({area.min.x, text.max.y}, text.max, ink(look().theme->line));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const Diagnostic& error = *errors[i];
    ImGui::SetCursorScreenPos(lines.top(height).min);
    ListRow row(static_cast<int>(i));
    row.sign([&](ImDrawList& list, const Rect& rect) { draw_severity(list, rect, error.severity); }, "Error");
    row.text(error.pos.line == 0 ? error.rule : fmt::format("line {}", error.pos.line), look().theme->text_quiet,
             false);
    row.text(error.text, look().theme->text, false);
    if (!error.hint.empty()) row.more(error.hint);
    if (row.clicked() && error.pos.line != 0) {
      scroll_.show(error.pos.line - 1, document.tree->source->lines());
      cursor_ = error.pos.line;
    }
  }
  return text;
}

void SourceList::set_linked(std::vector<std::uint32_t> lines, bool show) {
  linked_ = std::move(lines);
  if (show && !linked_.empty()) wanted_ = linked_.front();
}

void SourceList::draw(const ListedText& text, DebugView& view, CommandQueue& out, const Rect& all,
                      std::uint64_t generation) {
  if (generation != generation_) start(text);
  generation_ = generation;
  const Recording* recording = view.recording();
  const Rect area = recording == nullptr ? draw_errors(*view.document(), all) : all;
  const LineRuns* runs = recording != nullptr ? runs_of(text, view) : nullptr;
  Frame frame{text, view, out, runs, counted_ != nullptr ? counted_->findings.get() : nullptr};
  if (profile_ != nullptr && recording != nullptr)
    frame.heat = heat_.heat(text, *profile_, recording->count(), generation);
  frame.glyph = look().fonts.mono->GetCharAdvance('0');
  if (recording != nullptr) find_here(frame);
  const std::uint32_t lines = text.source().lines();
  const float gutter = gutter_width(lines);
  scroll_.begin("source", area, source_row_height(), lines, gutter + (widest_ + 4) * frame.glyph);
  follow(frame);
  take_keys(frame);
  frame.text_x = area.min.x + gutter - scroll_.left();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  for (std::uint32_t row = scroll_.first_row(); row < scroll_.end_row(); ++row)
    draw_line(frame, row + 1, scroll_.row_rect(row));
  list.AddLine({area.min.x + gutter - look().px(8), area.min.y},
               {area.min.x + gutter - look().px(8), scroll_.area().max.y}, ink(look().theme->line));
  list.PopClipRect();
  take_mouse(frame);
  draw_menu(frame);
}

void SourceList::find_here(Frame& frame) const {
  const DebugView& view = frame.view;
  const std::uint32_t position = view.moment().position;
  if (position < view.recording()->count()) frame.next_line = first_of(frame.text.lines_of(position));
  if (position > 0 && !view.in_step()) frame.made_line = first_of(frame.text.lines_of(position - 1));
  const auto shown = view.shown_step();
  if (!shown) return;
  frame.callers = frame.text.lines_of(*shown);
  frame.shown_line = first_of(frame.callers);
}

// The text moves under the user's eyes only when the session moved, or when they point at what belongs to it.
void SourceList::follow(const Frame& frame) {
  const std::uint32_t lines = frame.text.source().lines();
  if (frame.shown_line != 0 && (followed_ != frame.view.moment() || followed_line_ != frame.shown_line)) {
    scroll_.show(std::min(frame.shown_line, lines) - 1, lines);
    followed_ = frame.view.moment();
    followed_line_ = frame.shown_line;
  }
  if (frame.shown_line == 0 && followed_line_ == 0 && !frame.text.diagnostics().empty()) {
    followed_line_ = frame.text.diagnostics().front().pos.line;
    if (followed_line_ != 0) scroll_.show(followed_line_ - 1, lines);
  }
  if (const auto wanted = std::exchange(wanted_, {})) scroll_.show(std::min(*wanted, lines) - 1, lines);
}

// By keys the cursor moves, for what is done at it.
void SourceList::take_keys(const Frame& frame) {
  const std::uint32_t lines = frame.text.source().lines();
  if (scroll_.moved() != 0) {
    const std::int64_t from =
        cursor_ ? std::int64_t{*cursor_} : std::int64_t{frame.shown_line} - (scroll_.moved() > 0 ? 1 : -1);
    cursor_ = static_cast<std::uint32_t>(std::clamp<std::int64_t>(from + scroll_.moved(), 1, lines));
    scroll_.show(*cursor_ - 1, lines);
  }
  if (scroll_.is_entered() && cursor_) frame.out.push("toggleBreakpoint", {frame.text.place(*cursor_)});
}

void SourceList::draw_line(const Frame& frame, std::uint32_t number, const Rect& rect) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool hovered = scroll_.is_hovered() && rect.holds(ImGui::GetIO().MousePos);
  if (targets_wanted()) note_target("program/line " + place_text(frame.text, number), rect);
  if (number == frame.shown_line) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.accent, 0.16)));
  else if (std::ranges::find(frame.callers, number) != frame.callers.end())
    list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.accent, 0.07)));
  else if (hovered) list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.text, 0.035)));
  if (std::ranges::binary_search(linked_, number))
    list.AddRectFilled(rect.min, rect.max, ink(with_alpha(theme.text, 0.09)));
  if (cursor_ == number) list.AddRect(rect.min, rect.max, ink(with_alpha(theme.text_quiet, 0.5)));
  const Line& shown = line(frame.text, number);
  if (hovered && subjects_wanted() && frame.text.is_program())
    for (const text::ColoredWord& word : shown.words)
      if (word.kind == text::WordKind::Op)
        note_subject(Subject::Kind::Instruction, shown.text.substr(word.begin, word.end - word.begin));
  const float gutter_end = scroll_.area().min.x + gutter_width(frame.text.source().lines()) - look().px(6);
  list.PushClipRect({gutter_end, rect.min.y}, rect.max, true);
  draw_words(frame, shown, rect);
  draw_told(frame, shown, rect);
  list.PopClipRect();
  draw_gutter(frame, number, rect, hovered);
}

void SourceList::draw_words(const Frame& frame, const Line& shown, const Rect& rect) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImFont* font = look().fonts.mono;
  const float y = std::floor(rect.min.y + (rect.height() - font->FontSize) / 2);
  const auto put = [&](std::size_t begin, std::size_t end, Color color) {
    if (begin >= end) return;
    const float x = std::floor(frame.text_x + shown.column(begin) * frame.glyph);
    if (x > rect.max.x) return;
    list.AddText(font, font->FontSize, {x, y}, ink(color), shown.text.data() + begin, shown.text.data() + end);
  };
  std::size_t at = 0;
  for (const text::ColoredWord& word : shown.words) {
    const std::size_t begin = std::min<std::size_t>(word.begin, shown.text.size()),
                      end = std::min<std::size_t>(word.end, shown.text.size());
    put(at, begin, color_of(text::WordKind::Plain));
    put(begin, end, color_of(word.kind));
    at = end;
  }
  put(at, shown.text.size(), color_of(text::WordKind::Plain));
}

void SourceList::draw_told(const Frame& frame, const Line& shown, const Rect& rect) {
  for (const Diagnostic* diagnostic : shown.told) {
    if (diagnostic->pos.column == 0) continue;
    const auto [first, end] = shown.columns_of(*diagnostic);
    draw_wave(*ImGui::GetWindowDrawList(), {frame.text_x + first * frame.glyph, rect.max.y - look().px(3)},
              (end - first) * frame.glyph, ink(color_of(diagnostic->severity)));
  }
}

// Looked for once, whenever there are other notes.
bool SourceList::is_noted(const Frame& frame, std::uint32_t number) {
  const DebugView& view = frame.view;
  if (view.recording() == nullptr) return false;
  const std::pair<std::uint64_t, std::uint64_t> of{view.opening(), view.notes_number()};
  if (noted_of_ != of) {
    noted_of_ = of;
    noted_lines_.clear();
    for (const Note& note : view.notes())
      if (note.step && *note.step < view.recording()->count())
        noted_lines_.insert(first_of(frame.text.lines_of(*note.step)));
  }
  return noted_lines_.contains(number);
}

void SourceList::draw_gutter(const Frame& frame, std::uint32_t number, const Rect& rect, bool hovered) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Margin margin(rect);
  if (targets_wanted()) note_target("program/margin " + place_text(frame.text, number), margin.stop);
  const bool runs = frame.runs != nullptr && frame.runs->total(number) > 0;
  if (const auto sign = stop_sign(frame.view.standing().stops,
                                  [&](const StopRule& rule) { return frame.text.stops_at(rule, number); }))
    draw_stop(list, margin.stop, *sign);
  else if (hovered && runs && margin.stop.holds(ImGui::GetIO().MousePos))
    draw_stop(list, margin.stop, StopSign::Offered);
  const auto worst = worst_of(frame, number);
  if (worst) draw_severity(list, margin.found, *worst);
  if (is_noted(frame, number)) {
    std::string noted;
    const auto of_line = [&](std::uint32_t step) { return first_of(frame.text.lines_of(step)) == number; };
    if (has_note(frame.view.notes(), of_line, &noted)) draw_margin_note(margin, noted, worst.has_value());
  }
  if (number == frame.next_line) draw_here(list, margin.here, frame.view.in_step() ? Here::Inside : Here::Next);
  else if (number == frame.made_line) draw_here(list, margin.here, Here::Made);

  ImFont* font = look().fonts.mono;
  const std::string text = fmt::format("{}", number);
  const auto digits = std::max<std::size_t>(3, fmt::format("{}", frame.text.source().lines()).size());
  const float end = margin.end + static_cast<float>(digits) * frame.glyph;
  const float x = end - static_cast<float>(text.size()) * frame.glyph;
  const bool here = number == frame.shown_line;
  list.AddText(font, font->FontSize, {std::floor(x), std::floor(rect.min.y + (rect.height() - font->FontSize) / 2)},
               ink(here ? theme.text : mix(theme.text_quiet, theme.pane, runs ? 0 : 0.4)), text.c_str());
  const float small = look().fonts.mono_small->GetCharAdvance('0'), counted = end + look().px(8) + kCountGlyphs * small;
  draw_counts(frame, number, {{end, rect.min.y}, {counted, rect.max.y}});
  if (hot_) draw_heat(frame, number, {{counted + small, rect.min.y}, {counted + kHeatGlyphs * small, rect.max.y}});
}

// The share of the emulation's time, with a bar as long as it is of the slowest line's.
void SourceList::draw_heat(const Frame& frame, std::uint32_t number, const Rect& rect) {
  const LineHeat* line = frame.heat != nullptr ? frame.heat->of(number) : nullptr;
  if (line == nullptr) return;
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float part = frame.heat->most > 0 ? static_cast<float>(line->seconds / frame.heat->most) : 0;
  const Rect bar{{rect.min.x, rect.min.y + look().px(2)},
                 {rect.min.x + rect.width() * part, rect.max.y - look().px(2)}};
  list.AddRectFilled(bar.min, bar.max, ink(with_alpha(theme.src1, 0.18 + 0.32 * static_cast<double>(part))),
                     look().px(2));
  const double percent = 100 * frame.heat->share(*line);
  ImFont* font = look().fonts.mono_small;
  const std::string text = percent < 0.1 ? "<0.1%" : fmt::format("{:.1f}%", percent);
  const float x = rect.max.x - static_cast<float>(text.size()) * font->GetCharAdvance('0');
  list.AddText(font, font->FontSize, {std::floor(x), std::floor(rect.min.y + (rect.height() - font->FontSize) / 2)},
               ink(percent < 1 ? theme.text_quiet : theme.text), text.c_str());
  if (targets_wanted()) note_target("program/heat " + place_text(frame.text, number), rect);
  if (scroll_.is_hovered() && rect.holds(ImGui::GetIO().MousePos))
    ImGui::SetTooltip("%s", heat_text(*frame.heat, *line).c_str());
}

// "3/16": so far, and in all.
void SourceList::draw_counts(const Frame& frame, std::uint32_t number, const Rect& rect) {
  if (frame.runs == nullptr) return;
  const std::uint32_t total = frame.runs->total(number);
  if (total == 0) return;
  const Theme& theme = *look().theme;
  const std::uint32_t until = frame.runs->until(number, frame.view.moment().position);
  ImFont* font = look().fonts.mono_small;
  const std::string text = fmt::format("{}/{}", short_count(until), short_count(total));
  const float x = rect.max.x - static_cast<float>(text.size()) * font->GetCharAdvance('0');
  const float y = std::floor(rect.min.y + (rect.height() - font->FontSize) / 2);
  const Color color = until == 0 ? mix(theme.text_quiet, theme.pane, 0.35) : theme.text_quiet;
  ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {std::floor(x), y}, ink(color), text.c_str());
  if (scroll_.is_hovered() && rect.holds(ImGui::GetIO().MousePos))
    ImGui::SetTooltip("ran %u times until here, %u in all", until, total);
}

// --- the mouse -----------------------------------------------------------------------------------------------------

void SourceList::take_mouse(const Frame& frame) {
  pointed_.reset();
  was_clicked_ = false;
  if (!scroll_.is_hovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const std::uint32_t row = scroll_.row_at(mouse.y);
  const std::uint32_t number = row + 1, lines = frame.text.source().lines();
  if (row >= lines) return;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_line_ = number;
    ImGui::OpenPopup("line menu");
  }
  pointed_ = number;
  was_clicked_ = scroll_.is_clicked();
  if (was_clicked_) cursor_ = number;
  const float gutter_end = scroll_.area().min.x + gutter_width(lines) - look().px(8);
  if (mouse.x < gutter_end) take_gutter(frame, number, mouse.x);
  else take_text(frame, number, mouse.x);
}

void SourceList::take_gutter(const Frame& frame, std::uint32_t number, float x) {
  const Margin margin(scroll_.row_rect(number - 1));
  if (x >= margin.found.min.x && x < margin.found.max.x && worst_of(frame, number)) tell_findings(frame, number, {});
  // Where nothing can stop, the session says so, and where it could.
  if (scroll_.is_clicked() && x < margin.end && frame.view.recording() != nullptr)
    frame.out.push("toggleBreakpoint", {frame.text.place(number)});
}

void SourceList::take_text(const Frame& frame, std::uint32_t number, float x) {
  const Line& shown = line(frame.text, number);
  const float column = (x - frame.text_x) / frame.glyph;
  if (column < 0) return;
  const auto under = std::ranges::find_if(shown.words, [&](const text::ColoredWord& word) {
    return column >= shown.column(word.begin) && column < shown.column(word.end);
  });
  if (std::ranges::any_of(shown.told, [&](const Diagnostic* one) {
        const auto [first, end] = shown.columns_of(*one);
        return one->pos.column != 0 && column >= first && column < end;
      }))
    tell_findings(frame, number, column);
  const Recording* recording = frame.view.recording();
  if (recording == nullptr) return;
  if (under != shown.words.end() && under->kind == text::WordKind::Name) {
    const std::string name = shown.text.substr(under->begin + 1, under->end - under->begin - 1);
    if (names_data(*recording, name)) {
      const Rect rect = scroll_.row_rect(number - 1);
      const float left = frame.text_x + shown.column(under->begin) * frame.glyph,
                  right = frame.text_x + shown.column(under->end) * frame.glyph;
      ImGui::GetWindowDrawList()->AddLine({left, rect.max.y - look().px(2)}, {right, rect.max.y - look().px(2)},
                                          ink(color_of(text::WordKind::Name)));
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (scroll_.is_clicked()) frame.out.push("showTile", {name});
      return;
    }
  }
  if (scroll_.is_double_clicked()) frame.out.push("runTo", {"", frame.text.place(number)});
}

void SourceList::draw_menu(const Frame& frame) {
  if (!menu_line_ || !ImGui::BeginPopup("line menu")) return;
  const CommandValue place = frame.text.place(*menu_line_);
  const bool runs = frame.view.recording() != nullptr;
  if (ImGui::MenuItem("Run to this line", nullptr, false, runs)) frame.out.push("runTo", {"", place});
  if (ImGui::MenuItem("Run back to this line", nullptr, false, runs)) frame.out.push("runBackTo", {"", place});
  if (ImGui::MenuItem("Set or remove a breakpoint", nullptr, false, runs)) frame.out.push("toggleBreakpoint", {place});
  ImGui::Separator();
  const std::string path = frame.text.path();
  if (ImGui::MenuItem("Open this line in an editor", key_hint("openInEditor").c_str(), false, !path.empty()))
    frame.out.push("openInEditor", {std::int64_t{*menu_line_}, path});
  if (targets_wanted()) note_target("program/menu editor", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::MenuItem("Copy the line")) frame.out.copy(std::string(frame.text.source().line(*menu_line_)));
  ImGui::EndPopup();
}

// --- what was found ------------------------------------------------------------------------------------------------

std::optional<Severity> SourceList::worst_of(const Frame& frame, std::uint32_t number) {
  std::optional<Severity> worst;
  const auto add = [&](Severity severity) { worst = std::max(worst.value_or(severity), severity); };
  for (const Diagnostic* diagnostic : line(frame.text, number).told) add(diagnostic->severity);
  // Of a loop's thousand findings in one line the first ones are enough.
  if (frame.runs != nullptr) {
    const auto found = frame.runs->findings(number);
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 16); ++i)
      add((*frame.findings)[found[i]].diagnostic.severity);
  }
  return worst;
}

void SourceList::tell_findings(const Frame& frame, std::uint32_t number, std::optional<float> column) {
  MessageList messages;
  const Line& shown = line(frame.text, number);
  for (const Diagnostic* one : shown.told) {
    const auto [first, end] = shown.columns_of(*one);
    if (!column || (*column >= first && *column < end)) messages.add(*one, {});
  }
  if (frame.runs != nullptr && !column)
    for (const std::uint32_t index : frame.runs->findings(number)) {
      const Finding& finding = (*frame.findings)[index];
      const bool of_step = finding.step < frame.view.recording()->count();
      messages.add(finding.diagnostic, of_step ? std::optional(finding.step) : std::nullopt);
    }
  messages.tooltip();
}

}  // namespace ts::ui
