// What is wrong in the program: the list of findings, with as much in a line as there is room for; what is said of one,
// and what is looked for.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/boxes.h"
#include "app/draw/chips.h"
#include "app/draw/look.h"
#include "app/draw/row_scroll.h"
#include "app/draw/signs.h"
#include "app/draw/text.h"
#include "app/panes/pane.h"
#include "app/panes/parts/chip_row.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/list_row.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "core/data/fields.h"
#include "core/debug/session/line_text.h"

namespace ts::ui {
namespace {

class FindingsPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  // A finding by its number in the list of all, or the heading of a kind.
  struct Row {
    std::uint32_t finding = 0;
    bool heading = false;
  };
  void begin(const DebugView& view);
  void make_rows(const DebugView& view);
  void count(const std::vector<Finding>& findings);
  bool passes(const Finding& finding) const;
  bool filters() const;
  std::optional<std::uint32_t> row_of(std::size_t finding) const;

  void draw_bar(DebugView& view, CommandQueue& out);
  void draw_state(const DebugView& view) const;
  void draw_nothing(const DebugView& view, CommandQueue& out);
  void draw_list(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_row(DebugView& view, const Finding& finding, const Rect& rect, bool hovered, bool chosen) const;
  void draw_heading(const Finding& first, const Rect& rect) const;
  void draw_details(DebugView& view, CommandQueue& out, const Rect& area) const;
  void draw_levels(const DebugView& view, CommandQueue& out);
  void take_keys(const DebugView& view, CommandQueue& out);
  const Finding* chosen(const DebugView& view) const;  // null: none

  std::array<bool, kFindingKinds> only_{};  // these kinds; none chosen: all
  std::array<bool, 3> only_severity_{};
  bool by_kind_ = false, levels_ = false, changed_ = true;
  std::array<std::uint32_t, kFindingKinds> counts_{};
  std::array<std::uint32_t, 3> severities_{};
  std::vector<Row> rows_;
  std::optional<std::size_t> chosen_, followed_;
  std::uint64_t opening_ = 0, made_of_ = ~std::uint64_t{0};
  RowScroll scroll_;
};

constexpr Severity kSeverities[] = {Severity::Error, Severity::Warning, Severity::Note};
constexpr const char* kSeverityWords[] = {"error", "warning", "note"};

std::string counted(std::uint32_t count, const char* what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::uint32_t index_of(Severity severity) {
  return static_cast<std::uint32_t>(std::ranges::find(kSeverities, severity) - kSeverities);
}

// Below a list of this height: three rows stay in sight.
float details_height(float list, std::size_t rows) {
  const auto kept = static_cast<float>(std::min<std::size_t>(rows, 3));
  return std::clamp(list - kept * table_row_height(), look().px(30), look().px(92));
}

// The line that somebody wrote: of the finding's step, else where the finding stands.
std::string line_of(DebugView& view, const Finding& finding) {
  const Recording& recording = *view.recording();
  const std::string told =
      finding.step < recording.count() ? view.sources().told_of(recording.step(finding.step).instruction) : "";
  return told.empty() ? line_text(view.sources(), recording.program(), finding.diagnostic.pos) : told;
}

// "src[1,5]", or the operand alone.
std::string place_of(DebugView& view, const Finding& finding) {
  if (const auto element = view.element_of(finding)) return view.name_of(*element);
  return finding.diagnostic.operand;
}

std::string text_of(const Finding& finding, const Recording& recording) {
  const std::string step = finding.step < recording.count() ? fmt::format("step {}, ", finding.step) : "";
  return step + "line " + finding.diagnostic.format();
}

}  // namespace

// --- which are listed ---

bool FindingsPane::filters() const {
  const auto is_on = [](bool on) { return on; };
  return std::ranges::any_of(only_, is_on) || std::ranges::any_of(only_severity_, is_on);
}

bool FindingsPane::passes(const Finding& finding) const {
  const auto among = [](const auto& chosen, std::size_t index) {
    return chosen[index] || std::ranges::none_of(chosen, [](bool on) { return on; });
  };
  return among(only_, static_cast<std::size_t>(finding.kind())) &&
         among(only_severity_, index_of(finding.diagnostic.severity));
}

void FindingsPane::count(const std::vector<Finding>& findings) {
  counts_.fill(0);
  severities_.fill(0);
  for (const Finding& finding : findings) {
    ++counts_[static_cast<std::size_t>(finding.kind())];
    ++severities_[index_of(finding.diagnostic.severity)];
  }
}

void FindingsPane::make_rows(const DebugView& view) {
  const std::vector<Finding>& all = view.findings();
  if (made_of_ == view.findings_number() && !changed_) return;
  if (made_of_ != view.findings_number()) count(all);
  made_of_ = view.findings_number();
  changed_ = false;
  rows_.clear();
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (passes(all[i])) rows_.push_back({i});
  if (!by_kind_) return;
  std::ranges::stable_sort(rows_, {}, [&](const Row& row) { return all[row.finding].kind(); });
  std::vector<Row> with_headings;
  for (const Row& row : rows_) {
    if (with_headings.empty() || all[with_headings.back().finding].kind() != all[row.finding].kind())
      with_headings.push_back({row.finding, true});
    with_headings.push_back(row);
  }
  rows_ = std::move(with_headings);
}

std::optional<std::uint32_t> FindingsPane::row_of(std::size_t finding) const {
  const auto row = std::ranges::find_if(rows_, [&](const Row& one) { return one.finding == finding && !one.heading; });
  if (row == rows_.end()) return {};
  return static_cast<std::uint32_t>(row - rows_.begin());
}

// Follows what was gone to by F8.
void FindingsPane::begin(const DebugView& view) {
  if (opening_ != view.opening() || (chosen_ && made_of_ != view.findings_number())) {
    chosen_.reset();
    followed_.reset();
  }
  if (opening_ != view.opening()) scroll_.to_start();
  opening_ = view.opening();
  make_rows(view);
  if (view.finding() == followed_) return;
  followed_ = view.finding();
  if (!followed_) return;
  chosen_ = followed_;
  if (const auto row = row_of(*followed_)) scroll_.show(*row, static_cast<std::uint32_t>(rows_.size()));
}

const Finding* FindingsPane::chosen(const DebugView& view) const {
  return chosen_ && *chosen_ < view.findings().size() ? &view.findings()[*chosen_] : nullptr;
}

// --- the bar ---

void FindingsPane::draw_bar(DebugView& view, CommandQueue& out) {
  ChipRow chips("findings");
  if (!levels_) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (severities_[i] == 0) continue;
      const auto sign = [&](ImDrawList& list, const Rect& rect) { draw_severity(list, rect, kSeverities[i]); };
      if (chips.put(counted(severities_[i], kSeverityWords[i]), only_severity_[i], "Shows only these; again: all",
                    sign))
        only_severity_[i] = !only_severity_[i], changed_ = true;
    }
    const auto kinds = std::ranges::count_if(counts_, [](std::uint32_t count) { return count != 0; });
    for (const CheckRow& row : checks()) {
      const auto kind = static_cast<std::size_t>(row.kind);
      if (counts_[kind] == 0 || (kinds < 2 && !only_[kind])) continue;
      if (chips.put(fmt::format("{} {}", name(row.kind), grouped(counts_[kind])), only_[kind], row.summary))
        only_[kind] = !only_[kind], changed_ = true;
    }
    if (rows_.size() > 1 && chips.put("By kind", by_kind_, "Grouped by kind, else in the order of steps"))
      by_kind_ = !by_kind_, changed_ = true;
  }
  if (chips.put("Levels", levels_, "What is looked for, and how grave it is")) levels_ = !levels_;
  if (targets_wanted()) note_target("findings/levels", chips.last());
  if (view.checking().state != Checking::State::Running &&
      chips.put("Check now", false, "Looks through the whole recording once more"))
    out.push("checkNow");
  chips.end();
}

// How far the check is, where it is not done.
void FindingsPane::draw_state(const DebugView& view) const {
  const Checking& checking = view.checking();
  std::string text;
  switch (checking.state) {
    case Checking::State::Running:
      text = fmt::format("Looking for more: {} of {} steps. You can go on working; {} ends it.", grouped(checking.done),
                         grouped(view.recording()->count()), key_hint("pause"));
      break;
    case Checking::State::Waiting:
      text = "Only what the run itself came across. \"Check now\" looks through all steps.";
      break;
    case Checking::State::Ended: text = "The check was ended before its end: there may be more."; break;
    case Checking::State::Done: return;
  }
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("%s", text.c_str());
  ImGui::PopTextWrapPos();
}

void FindingsPane::draw_nothing(const DebugView& view, CommandQueue& out) {
  const std::string steps = grouped(view.recording()->count());
  const Checking& checking = view.checking();
  if (filters() && !view.findings().empty())
    return say_empty("None of these.", "The chips above are a filter: click the coloured ones to see all again.");
  switch (checking.state) {
    case Checking::State::Running:
      return say_empty("Nothing was found so far.",
                       fmt::format("{} of {} steps have been looked at. You can go on working; {} ends it.",
                                   grouped(checking.done), steps, key_hint("pause"))
                           .c_str());
    case Checking::State::Waiting:
      say_empty("The run itself came across nothing.",
                checking.automatic
                    ? fmt::format("With {} steps, looking through all of them may take a while.", steps).c_str()
                    : "Programs are not checked by themselves: Levels turns that on again.");
      break;
    case Checking::State::Ended:
      say_empty("Nothing was found, but not all steps were looked at.", "The check was ended before its end.");
      break;
    case Checking::State::Done: {
      std::string kinds;
      for (const CheckRow& row : checks())
        if (checking.options.of(row.kind) != Level::Off)
          kinds += (kinds.empty() ? "" : ", ") + std::string(name(row.kind));
      return say_empty(fmt::format("Nothing was found in {} steps.", steps).c_str(),
                       ("Looked for: " + kinds + ". Levels says what these words mean.").c_str());
    }
  }
  begin_actions();
  if (ImGui::Button("Check now")) out.push("checkNow");
}

// --- the list ---

void FindingsPane::draw_heading(const Finding& first, const Rect& rect) const {
  const Theme& theme = *look().theme;
  const CheckRow& row = check_row(first.kind());
  TextLine line({rect.min.x + look().px(6), rect.center().y - look().fonts.bold->FontSize / 2}, rect.max.x);
  line.put(fmt::format("{} {}", name(row.kind), grouped(counts_[static_cast<std::size_t>(row.kind)])), theme.text,
           look().fonts.bold, look().px(10));
  line.put(row.summary, theme.text_quiet, look().fonts.text);
}

void FindingsPane::draw_row(DebugView& view, const Finding& finding, const Rect& rect, bool hovered,
                            bool chosen) const {
  const Theme& theme = *look().theme;
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Diagnostic& said = finding.diagnostic;
  ImFont* font = look().fonts.mono;
  if (chosen || hovered) out.AddRectFilled(rect.min, rect.max, ink(chosen ? theme.pressed : theme.hovered));
  if (chosen) out.AddRectFilled(rect.min, {rect.min.x + look().px(3), rect.max.y}, ink(theme.accent));
  const float top = rect.center().y - font->FontSize / 2, glyph = font->GetCharAdvance('0'), gap = look().px(10);
  Room cells(rect);
  cells.left(look().px(7));
  cells.right(look().px(4));
  const Rect sign = cells.left(look().px(13), look().px(6));
  const float half = sign.width() / 2;
  draw_severity(out, {{sign.min.x, rect.center().y - half}, {sign.max.x, rect.center().y + half}}, said.severity);
  const auto column = [&](const std::string& text, std::size_t characters, Color color) {
    const Rect cell = cells.left(static_cast<float>(characters) * glyph, gap);
    put_text_cut({cell.min.x, top}, cell.width() + 1, text, color, font);
  };
  // Narrow panes have fewer columns: the step and the words are what counts.
  const float wide = rect.width();
  const std::string last = grouped(view.recording()->count());
  column(finding.step < view.recording()->count() ? "@" + grouped(finding.step) : "end",
         std::max<std::size_t>(4, last.size() + 1), theme.text);
  // By the line that somebody wrote, where that is known.
  if (wide > look().px(430)) column(line_of(view, finding), view.sources().empty() ? 9 : 16, theme.text_quiet);
  if (wide > look().px(560) && !by_kind_) column(name(finding.kind()), 9, theme.text_quiet);
  if (wide > look().px(760)) column(place_of(view, finding), 16, theme.text);
  const float room = std::max(1.0f, cells.rest().width());
  put_text_cut({cells.rest().min.x, rect.center().y - look().fonts.text->FontSize / 2}, room, said.text, theme.text,
               look().fonts.text);
  if (!hovered || text_width(said.text, look().fonts.text) <= room) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(look().px(460));
  ImGui::TextUnformatted(said.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void FindingsPane::draw_list(DebugView& view, CommandQueue& out, const Rect& area) {
  const std::vector<Finding>& all = view.findings();
  const auto count = static_cast<std::uint32_t>(rows_.size());
  scroll_.begin("list", area, table_row_height(), count);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(scroll_.area().min, scroll_.area().max, true);
  const std::uint32_t pointed = scroll_.is_hovered() ? scroll_.row_at(ImGui::GetIO().MousePos.y) : count;
  for (std::uint32_t i = scroll_.first_row(); i < scroll_.end_row(); ++i) {
    const Finding& finding = all[rows_[i].finding];
    const Rect rect = scroll_.row_rect(i);
    if (rows_[i].heading) draw_heading(finding, rect);
    else draw_row(view, finding, rect, i == pointed, chosen_ == rows_[i].finding);
    if (targets_wanted() && !rows_[i].heading) note_target(fmt::format("findings/{}", rows_[i].finding), rect);
  }
  list.PopClipRect();
  if (pointed >= count || rows_[pointed].heading || !(scroll_.is_clicked() || scroll_.is_double_clicked())) return;
  chosen_ = rows_[pointed].finding;
  out.push("showFinding", {std::int64_t{rows_[pointed].finding}});
}

// The chosen one: in whole sentences.
void FindingsPane::draw_details(DebugView& view, CommandQueue& out, const Rect& area) const {
  const Finding& finding = *chosen(view);
  const Diagnostic& said = finding.diagnostic;
  const Theme& theme = *look().theme;
  ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ink(theme.raised), look().px(4));
  ImGui::SetCursorScreenPos({area.min.x + look().px(8), area.min.y + look().px(5)});
  ImGui::BeginChild("details", {area.width() - look().px(12), area.height() - look().px(8)});
  ImGui::PushTextWrapPos(0);
  std::string head = fmt::format("[{}] {}, {}", said.rule, name(finding.kind()), line_of(view, finding));
  if (finding.step < view.recording()->count())
    head = fmt::format("[{}] {}, step {} {}, {}", said.rule, name(finding.kind()), grouped(finding.step),
                       view.recording()->bound(finding.step).row->name, view.questions().line_text(finding.step));
  {
    const WithFont small(look().fonts.small);
    ImGui::TextColored(tint(theme.text_quiet), "%s", head.c_str());
    const bool has_page = finding.step < view.recording()->count();
    const float pad = ImGui::GetStyle().FramePadding.x * 2, gap = ImGui::GetStyle().ItemSpacing.x;
    const float buttons = ImGui::CalcTextSize(has_page ? "CopyPage" : "Copy").x + (has_page ? 2 * pad + gap : pad);
    const float left = ImGui::GetContentRegionMax().x - buttons;
    if (ImGui::GetItemRectSize().x + gap < left) {
      ImGui::SameLine(left);
      if (ImGui::SmallButton("Copy")) out.copy(text_of(finding, *view.recording()));
      if (has_page) ImGui::SameLine();
      if (has_page && ImGui::SmallButton("Page"))
        out.push("page", {std::string(view.recording()->bound(finding.step).row->name)});
    }
  }
  ImGui::TextUnformatted(said.text.c_str());
  if (!said.hint.empty()) ImGui::TextColored(tint(theme.text_quiet), "%s", said.hint.c_str());
  for (const DiagnosticNote& note : said.notes)
    ImGui::TextColored(tint(theme.text_quiet), "line %u: %s", note.pos.line, note.text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
}

// --- levels ---

void FindingsPane::draw_levels(const DebugView& view, CommandQueue& out) {
  const Checking& checking = view.checking();
  const Theme& theme = *look().theme;
  bool automatic = checking.automatic;
  if (ImGui::Checkbox("Check every program that is opened", &automatic))
    out.push("checkByItself", {std::int64_t{automatic ? 1 : 0}});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Those of more than 100,000 steps are checked when you ask for it.");
  ImGui::SameLine(0, look().px(16));
  if (ImGui::SmallButton("Usual levels")) out.push("usualLevels");
  ImGui::BeginChild("levels", {0, 0});
  const float wide = ImGui::GetContentRegionAvail().x;
  for (const CheckRow& row : checks()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high = chip_height() + look().px(5), top = at.y + (chip_height() - look().fonts.text->FontSize) / 2;
    put_text_cut({at.x + look().px(4), top}, look().px(78), name(row.kind), theme.text, look().fonts.text);
    std::vector<const char*> labels;
    for (const Level level : {Level::Off, Level::Note, Level::Warn, Level::Error, Level::Own})
      labels.push_back(name(level));
    float end = 0;
    const int chosen = choose(name(row.kind), {at.x + look().px(84), at.y}, labels,
                              static_cast<int>(checking.options.of(row.kind)), &end);
    if (chosen >= 0)
      out.push("checkLevel", {std::string(name(row.kind)), std::string(labels[static_cast<std::size_t>(chosen)])});
    const float room = at.x + wide - end - look().px(12);
    if (room > look().px(60))
      put_text_cut({end + look().px(10), top}, room, row.summary, theme.text_quiet, look().fonts.text);
    if (ImGui::IsMouseHoveringRect(at, {at.x + wide, at.y + high}) && ImGui::IsWindowHovered())
      ImGui::SetTooltip("%s\nown: as grave as the rule that found it says", row.summary);
    ImGui::SetCursorScreenPos({at.x, at.y + high});
  }
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

// --- the pane ---

void FindingsPane::take_keys(const DebugView& view, CommandQueue& out) {
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) || ImGui::GetIO().WantTextInput || rows_.empty()) return;
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyAlt || io.KeyCtrl) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
  const int by = pressed(ImGuiKey_DownArrow) ? 1 : pressed(ImGuiKey_UpArrow) ? -1 : 0;
  const bool enter = pressed(ImGuiKey_Enter);
  if (by == 0 && !enter) return;
  const auto last = static_cast<std::int64_t>(rows_.size()) - 1;
  const auto now = chosen_ ? row_of(*chosen_) : std::nullopt;
  std::int64_t row = now ? std::clamp<std::int64_t>(*now + by, 0, last) : by < 0 ? last : 0;
  while (row > 0 && row < last && rows_[static_cast<std::size_t>(row)].heading) row += by < 0 ? -1 : 1;
  const Row& to = rows_[static_cast<std::size_t>(row)];
  if (to.heading || to.finding >= view.findings().size()) return;
  chosen_ = to.finding;
  scroll_.show(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(rows_.size()));
  out.push("showFinding", {std::int64_t{to.finding}});
}

void FindingsPane::draw(DebugView& view, CommandQueue& out) {
  if (view.recording() == nullptr)
    return say_empty("No program runs.", "Open one that runs; what is wrong in it is listed here.");
  begin(view);
  draw_bar(view, out);
  if (levels_) return draw_levels(view, out);
  make_rows(view);
  if (rows_.empty()) return draw_nothing(view, out);
  take_keys(view, out);
  draw_state(view);
  const Rect all = rest_of_window();
  if (chosen(view) == nullptr) return draw_list(view, out, all);
  const auto [list, details] = beside_or_below(all, look().px(900), 0.6f, details_height(all.height(), rows_.size()));
  draw_list(view, out, list);
  if (chosen(view) != nullptr) draw_details(view, out, details);
}

bool FindingsPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (command.name == "levels") {
    levels_ = true;
    return true;
  }
  const Finding* finding = view.recording() != nullptr ? chosen(view) : nullptr;
  if (finding == nullptr) return false;
  if (command.name == "copyValue") {
    out.copy(text_of(*finding, *view.recording()));
    return true;
  }
  if (command.name != "page" || !command.values.empty() || finding->step >= view.recording()->count()) return false;
  out.push("page", {std::string(view.recording()->bound(finding->step).row->name)});
  return true;
}

void FindingsPane::save(nlohmann::json& settings) const { settings["byKind"] = by_kind_; }
void FindingsPane::load(const data::Fields& settings) { by_kind_ = settings.truth("byKind").value_or(by_kind_); }

namespace {

const RegisteredPane kFindingsPane({
    .id = "findings",
    .title = "Findings",
    .help = "What is wrong in the program although its steps could run, and what is looked for.",
    .order = 50,
    .places = {{"debug", "lists", 2}, {"compare", "lists", 2}},
    .manual =
        R"(What is wrong in the program that ran: undefined bytes that reach a result, over-reads, tiles in each other's bytes,
missing waits, the first NaN. The chips filter; Levels says what is looked for and how grave it is. A click on one goes
to its step and selects its element.)",
    .make = make_pane<FindingsPane>,
});

}  // namespace
}  // namespace ts::ui
