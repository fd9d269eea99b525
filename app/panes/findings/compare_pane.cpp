// What differs from another run, or from an array: with what tolerances, where, and how far.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/draw/row_scroll.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/panes/parts/text_field.h"
#include "app/panes/tiles/tile_parts.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/data/fields.h"
#include "core/debug/elements/cell_text.h"

namespace ts::ui {
namespace {

class ComparePane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  void begin(const DebugView& view);
  void draw_start(DebugView& view, CommandQueue& out) const;
  void draw_head(const DebugView& view, CommandQueue& out) const;
  static void draw_padding(const DebugView& view, const ResultDifference& padding, CommandQueue& out);
  void draw_tolerances(const Against& against, CommandQueue& out);
  bool number_field(const char* id, const char* label, std::string& text, const char* tooltip);
  void draw_list(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_run_row(const DebugView& view, const ResultDifference& difference, const Rect& rect) const;
  void draw_array_row(const Against& against, const Difference& difference, const Rect& rect) const;
  void draw_details(DebugView& view, const Rect& area);
  void take_keys(CommandQueue& out);
  void choose(std::size_t row, CommandQueue& out);

  bool only_causes_ = false, nan_equal_ = true, all_ = false, changed_ = true;
  std::string abs_ = "0", rel_ = "0", ulp_ = "0";
  std::vector<std::uint32_t> rows_;  // by number in what was found
  std::optional<std::size_t> chosen_, followed_;
  std::uint64_t made_of_ = ~std::uint64_t{0};
  RowScroll scroll_;
  // What is said of the chosen one, as long as it is.
  std::optional<std::size_t> told_;
  std::string told_text_;
};

std::string ulp_text(const Difference& difference) {
  if (!difference.ulps) return "no ulp";
  return fmt::format("{} ulp", grouped(*difference.ulps));
}

// "12 of 32 steps left other results; 3 of them are causes."
std::string summary(const Against& against) {
  if (!against.is_run()) {
    const Comparison& found = against.comparison;
    if (found.ok()) return fmt::format("No element differs; {} were compared.", grouped(found.compared));
    return fmt::format("{} of {} elements differ, at position {}.", grouped(found.count), grouped(found.compared),
                       grouped(against.position));
  }
  const RunDifferences& found = against.found;
  if (found.differences.empty()) return fmt::format("Nothing differs in {} steps.", grouped(found.compared));
  const auto all = static_cast<std::ptrdiff_t>(found.differences.size());
  const auto causes = std::ranges::count_if(found.differences, [](const auto& one) { return !one.inherited; });
  std::string text =
      all == 1 ? "1 result differs" : fmt::format("{} results differ", grouped(found.differences.size()));
  if (causes < all)
    text += fmt::format("; {} {}, the other{} read what differed before", causes,
                        causes == 1 ? "is a cause" : "are causes", all - causes == 1 ? "" : "s");
  return fmt::format("{}. {} steps were compared.", text, grouped(found.compared));
}

std::string number_text(double number) {
  if (std::isinf(number)) return "infinitely far";
  return fmt::format("{:.6g}", number);
}

// One side's value with its bits.
std::string value_text(const ElementFormat& format, std::uint64_t bits) {
  return fmt::format("{}  {}", short_text(format, bits), hex_text(format, bits));
}

std::string cell_text_of(const Element& element) { return fmt::format("[{},{}]", element.row, element.col); }

void put_difference(std::string& text, const std::string& title, const Difference& difference, const ElementFormat& a,
                    const ElementFormat& b) {
  const double relative = difference.absolute / std::fabs(number(b, difference.b));
  text += fmt::format("{}\n  this   {}\n  other  {}\n  apart  {}{}, {}\n", title, value_text(a, difference.a),
                      value_text(b, difference.b), number_text(difference.absolute),
                      std::isfinite(relative) ? fmt::format(", relative {:.6g}", relative) : "", ulp_text(difference));
}

}  // namespace

void ComparePane::begin(const DebugView& view) {
  const Against& against = *view.against();
  if (made_of_ != view.against_number()) {
    const CompareOptions& used = against.options.values;
    abs_ = fmt::format("{:g}", used.abs);
    rel_ = fmt::format("{:g}", used.rel);
    ulp_ = fmt::format("{}", used.ulp);
    nan_equal_ = used.nan_equal;
    all_ = used.region == Region::All;
    chosen_.reset();
    followed_.reset();
    told_.reset();
    scroll_.to_start();
    changed_ = true;
  }
  made_of_ = view.against_number();
  if (changed_) {
    rows_.clear();
    for (std::uint32_t i = 0; i < against.count(); ++i)
      if (!against.is_run() || !only_causes_ || !against.found.differences[i].inherited) rows_.push_back(i);
  }
  changed_ = false;
  if (view.difference() == followed_) return;
  followed_ = view.difference();
  if (!followed_) return;
  chosen_ = followed_;
  const auto row = std::ranges::find(rows_, *followed_);
  if (row != rows_.end())
    scroll_.show(static_cast<std::uint32_t>(row - rows_.begin()), static_cast<std::uint32_t>(rows_.size()));
}

// --- with nothing to compare with ---

void ComparePane::draw_start(DebugView& view, CommandQueue& out) const {
  if (!view.comparing_with().empty()) {
    const std::string steps = view.busy() && view.busy()->done > 0 ? grouped(view.busy()->done) : "0";
    return say_empty(fmt::format("Comparing with {}.", view.comparing_with()).c_str(),
                     fmt::format("{} of {} steps so far. You can go on working; {} ends it.", steps,
                                 grouped(view.recording()->count()), key_hint("pause"))
                         .c_str());
  }
  say_empty("This run is compared with nothing.",
            "Run the program on the other target too, or take another program or recording: the first step whose "
            "results differ is found, and cells that differ are marked.");
  begin_actions();
  const auto next = [](const char* label) { same_line_if_fits(ImGui::CalcTextSize(label).x + look().px(16)); };
  if (ImGui::Button("The other target")) out.push("compareTargets");
  next("Another program...");
  if (ImGui::Button("Another program...")) out.push("compareWith");
  next("A tile with .npy...");
  ImGui::BeginDisabled(!view.selected() && !view.tiles_look().owner);
  if (ImGui::Button("A tile with .npy...")) out.push("compareArray");
  ImGui::EndDisabled();
}

// --- above the list ---

void ComparePane::draw_head(const DebugView& view, CommandQueue& out) const {
  const Against& against = *view.against();
  {
    const WithFont bold(look().fonts.bold);
    ImGui::TextUnformatted(against.mine.c_str());
    ImGui::SameLine(0, look().px(7));
    ImGui::TextColored(tint(look().theme->text_quiet), "against");
    ImGui::SameLine(0, look().px(7));
    ImGui::TextUnformatted(against.title.c_str());
  }
  const WithFont small(look().fonts.small);
  ImGui::SameLine(0, look().px(12));
  if (ImGui::SmallButton("Stop comparing")) out.push("stopComparing");
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(tint(look().theme->text_quiet), "%s", summary(against).c_str());
  if (against.found.parted)
    ImGui::Text("From step %u on they part: %s", against.found.parted->step_a, against.found.parted->text.c_str());
  if (!against.found.complete) ImGui::TextUnformatted("The comparison was ended before its end: there may be more.");
  ImGui::PopTextWrapPos();
  if (against.padding) draw_padding(view, *against.padding, out);
}

// Where only padding says what made the runs differ: its step, and the way there.
void ComparePane::draw_padding(const DebugView& view, const ResultDifference& padding, CommandQueue& out) {
  const Recording& recording = *view.recording();
  const auto element = padding.comparison.first
                           ? std::optional(element_in(recording, padding, *padding.comparison.first))
                           : std::nullopt;
  const std::string text = fmt::format(
      "In padding only, outside of the valid shape, they differ from step {} on: {} {}{}{}.", padding.step_a,
      recording.bound(padding.step_a).row->name, padding.name, element ? cell_text_of(*element) : "",
      view.against()->found.differences.empty() ? "" : "; what differs below read it, or comes later");
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  if (ImGui::SmallButton("Go to that step")) {
    out.push("seek", {std::int64_t{view.position_showing(padding.step_a)}});
    if (element)
      out.push("select", {view.name_of(element->owner), std::int64_t{element->row}, std::int64_t{element->col}});
  }
  if (targets_wanted()) note_target("compare/padding", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

bool ComparePane::number_field(const char* id, const char* label, std::string& text, const char* tooltip) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", label);
  ImGui::SameLine(0, look().px(4));
  ImGui::SetNextItemWidth(look().px(62));
  bool entered = false;
  {
    const WithFont mono(look().fonts.mono_small);
    entered = text_field(id, "0", text, ImGuiInputTextFlags_EnterReturnsTrue);
  }
  if (targets_wanted())
    note_target(fmt::format("compare/{}", label), {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s\nEnter compares again.", tooltip);
  ImGui::SameLine(0, look().px(10));
  return entered;
}

void ComparePane::draw_tolerances(const Against& against, CommandQueue& out) {
  const WithFont small(look().fonts.small);
  bool again = number_field("##abs", "abs", abs_, "The same when |a - b| is at most this.");
  again = number_field("##rel", "rel", rel_, "The same when |a - b| / |b| is at most this.") || again;
  again = number_field("##ulp", "ulp", ulp_, "The same when at most so many numbers of the type lie between them.") ||
          again;
  ChipRow chips("compare");
  if (chips.put("NaN is NaN", nan_equal_, "Any NaN is the same as any other")) nan_equal_ = !nan_equal_, again = true;
  if (chips.put("With padding", all_, "All elements, also outside the valid region")) all_ = !all_, again = true;
  const bool has_inherited =
      std::ranges::any_of(against.found.differences, [](const ResultDifference& one) { return one.inherited; });
  if ((has_inherited || only_causes_) &&
      chips.put("Only causes", only_causes_, "Without results of steps that read something different already"))
    only_causes_ = !only_causes_, changed_ = true;
  chips.end();
  if (again) out.push("compareAgain", {abs_, rel_, ulp_, std::int64_t{nan_equal_ ? 1 : 0}, std::int64_t{all_ ? 1 : 0}});
}

// --- the list ---

namespace {

class Columns {
 public:
  explicit Columns(const Rect& rect) : rect_(rect), x_(rect.min.x + look().px(26)) {}
  void put(const std::string& text, std::size_t characters, Color color) {
    ImFont* font = look().fonts.mono;
    const float room = std::min(static_cast<float>(characters) * font->GetCharAdvance('0'), rect_.max.x - x_);
    if (room > 0) put_text_cut({x_, rect_.center().y - font->FontSize / 2}, room + 1, text, color, font);
    x_ += room + look().px(10);
  }
  float left() const { return rect_.max.x - x_; }

 private:
  Rect rect_;
  float x_;
};

}  // namespace

void ComparePane::draw_run_row(const DebugView& view, const ResultDifference& difference, const Rect& rect) const {
  const Theme& theme = *look().theme;
  const Bound& bound = view.recording()->bound(difference.step_a);
  const Comparison& found = difference.comparison;
  const Color color = difference.inherited ? theme.text_quiet : theme.text;
  Columns columns(rect);
  columns.put("@" + grouped(difference.step_a), std::max<std::size_t>(4, grouped(view.recording()->count()).size() + 1),
              color);
  if (rect.width() > look().px(560)) columns.put(fmt::format("line {}", bound.pos.line), 9, theme.text_quiet);
  columns.put(fmt::format("{} {}", bound.row->name, difference.name), 20, color);
  columns.put(fmt::format("{} of {}", grouped(found.count), grouped(found.compared)), 13, color);
  if (rect.width() > look().px(620) && found.first)
    columns.put("first " + cell_text_of(element_in(*view.recording(), difference, *found.first)), 14, theme.text_quiet);
  if (found.worst_ulp) columns.put("worst " + ulp_text(*found.worst_ulp), 22, theme.text_quiet);
  if (difference.inherited && columns.left() > look().px(70)) columns.put("from before", 11, theme.text_quiet);
}

void ComparePane::draw_array_row(const Against& against, const Difference& difference, const Rect& rect) const {
  const Theme& theme = *look().theme;
  Columns columns(rect);
  columns.put(fmt::format("[{},{}]", difference.row, difference.col), 11, theme.text);
  columns.put(difference.undefined ? "undefined" : ulp_text(difference), 18, theme.text_quiet);
  columns.put(number_text(difference.absolute), 14, theme.text_quiet);
  columns.put("array " + short_text(*against.array.format, difference.b), 26, theme.text_quiet);
}

void ComparePane::choose(std::size_t row, CommandQueue& out) {
  chosen_ = rows_[row];
  out.push("showDifference", {std::int64_t{rows_[row]}});
}

void ComparePane::draw_list(DebugView& view, CommandQueue& out, const Rect& area) {
  const Against& against = *view.against();
  const Theme& theme = *look().theme;
  const auto count = static_cast<std::uint32_t>(rows_.size());
  scroll_.begin("list", area, table_row_height(), count);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  const std::uint32_t pointed = scroll_.is_hovered() ? scroll_.row_at(ImGui::GetIO().MousePos.y) : count;
  for (std::uint32_t i = scroll_.first_row(); i < scroll_.end_row(); ++i) {
    const Rect rect = scroll_.row_rect(i);
    const bool is_chosen = chosen_ == rows_[i];
    if (is_chosen || i == pointed)
      list.AddRectFilled(rect.min, rect.max, ink(is_chosen ? theme.pressed : theme.hovered));
    if (is_chosen) list.AddRectFilled(rect.min, {rect.min.x + look().px(3), rect.max.y}, ink(theme.accent));
    draw_different(list, {{rect.min.x + look().px(7), rect.min.y}, {rect.min.x + look().px(19), rect.max.y}});
    if (against.is_run()) draw_run_row(view, against.found.differences[rows_[i]], rect);
    else draw_array_row(against, against.elements[rows_[i]], rect);
    if (targets_wanted()) note_target(fmt::format("compare/{}", rows_[i]), rect);
  }
  list.PopClipRect();
  if (pointed < count && (scroll_.is_clicked() || scroll_.is_double_clicked())) choose(pointed, out);
}

void ComparePane::draw_details(DebugView& view, const Rect& area) {
  const Against& against = *view.against();
  if (told_ != chosen_) {
    told_ = chosen_;
    told_text_.clear();
    if (against.is_run()) {
      const ResultDifference& one = against.found.differences[*chosen_];
      const Operand& mine = view.recording()->bound(one.step_a).operands[static_cast<std::size_t>(one.operand_a)];
      const Operand& other =
          against.other->recording->bound(one.step_b).operands[static_cast<std::size_t>(one.operand_b)];
      const auto format_of = [](const Operand& operand) -> const ElementFormat& {
        return element_format(operand.spec->kind == OperandKind::Tile ? operand.tile.type.dtype : operand.global.dtype);
      };
      const Comparison& found = one.comparison;
      const auto titled = [&](const char* word, const Difference& which) {
        return fmt::format("{} {}", word, cell_text_of(element_in(*view.recording(), one, which)));
      };
      if (found.first)
        put_difference(told_text_, titled("first", *found.first), *found.first, format_of(mine), format_of(other));
      if (found.worst && found.first && (found.worst->row != found.first->row || found.worst->col != found.first->col))
        put_difference(told_text_, titled("furthest", *found.worst), *found.worst, format_of(mine), format_of(other));
      if (one.inherited)
        told_text_ += *chosen_ > 0
                          ? "The step read something that differed already: look at an earlier one.\n"
                          : "The step read something that differed already, though no result before it does: an "
                            "input, an edit, or elements beside the valid ones.\n";
    } else {
      const Difference& one = against.elements[*chosen_];
      const TilePicture& picture = view.picture(against.owner, {against.position, 0});
      put_difference(told_text_, fmt::format("[{},{}]", one.row, one.col), one, *picture.elements.format,
                     *against.array.format);
    }
    while (told_text_.ends_with('\n')) told_text_.pop_back();
  }
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ink(look().theme->raised), look().px(4));
  ImGui::SetCursorScreenPos({area.min.x + look().px(8), area.min.y + look().px(4)});
  ImGui::BeginChild("details", {area.width() - look().px(12), area.height() - look().px(6)});
  {
    const WithFont mono(look().fonts.mono_small);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(told_text_.c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::EndChild();
}

void ComparePane::take_keys(CommandQueue& out) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || io.WantTextInput || rows_.empty() || io.KeyAlt ||
      io.KeyCtrl)
    return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int by = pressed(ImGuiKey_DownArrow) ? 1 : pressed(ImGuiKey_UpArrow) ? -1 : 0;
  if (by == 0 && !pressed(ImGuiKey_Enter)) return;
  const auto now = chosen_ ? std::ranges::find(rows_, *chosen_) : rows_.end();
  const auto last = static_cast<std::int64_t>(rows_.size()) - 1;
  const std::int64_t row = now != rows_.end() ? std::clamp<std::int64_t>(now - rows_.begin() + by, 0, last) : 0;
  scroll_.show(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(rows_.size()));
  choose(static_cast<std::size_t>(row), out);
}

void ComparePane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr)
    return say_empty("No program runs.", "Open one that runs; then it can be compared with another run.");
  if (view.against() == nullptr) return draw_start(view, out);
  begin(view);
  draw_head(view, out);
  draw_tolerances(*view.against(), out);
  if (rows_.empty()) return;
  take_keys(out);
  const Rect all = rest_of_window();
  if (!chosen_) return draw_list(view, out, all);
  const float below = std::clamp(all.height() - 3 * table_row_height(), look().px(30), look().px(96));
  const auto [list, details] = beside_or_below(all, look().px(860), 0.62f, below);
  draw_list(view, out, list);
  if (chosen_) draw_details(view, details);
}

void ComparePane::save(nlohmann::json& settings) const { settings["onlyCauses"] = only_causes_; }
void ComparePane::load(const data::Fields& settings) {
  only_causes_ = settings.truth("onlyCauses").value_or(only_causes_);
}

namespace {

const RegisteredPane kComparePane({
    .id = "compare",
    .title = "Compare",
    .help = "What differs from another run or from an array, and how far.",
    .order = 90,
    .places = {{"debug", "lists", 3}, {"compare", "lists", 1}},
    .manual =
        R"(What differs from another run: the other target, another program or recording, an array. The first step that parts from
the other side is a cause; others only hand on what came in. The tolerances stand above the list. Where elements outside of
the valid shape differ before any valid one does, the pane says so, names the step and leads there.)",
    .make = make_pane<ComparePane>,
});

}  // namespace
}  // namespace ts::ui
