// The program: its text, or the steps that it made; and what keys mean in the two.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/draw/boxes.h"
#include "app/draw/look.h"
#include "app/panes/pane.h"
#include "app/panes/parts/empty.h"
#include "app/panes/parts/find_bar.h"
#include "app/panes/program/listed_text.h"
#include "app/panes/program/source_list.h"
#include "app/panes/program/step_list.h"
#include "app/view/targets.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

class ProgramPane final : public Pane {
 public:
  void draw(DebugView& view, CommandQueue& out) override;
  bool act(const Command& command, DebugView& view, CommandQueue& out) override;
  void forget() override {
    times_ = {};
    source_.forget();
    files_.clear();
  }
  void save(nlohmann::json& settings) const override;
  void load(const data::Fields& settings) override;

 private:
  // What is shown: the program's text, its steps, or a file that it came from.
  enum class Tab : std::uint8_t { Text, Steps, File };

  void note_document(DebugView& view);
  void draw_switch(DebugView& view, const Rect& area);
  float draw_tab(const Rect& bar, float x, const char* target, const std::string& name, bool active, bool& clicked);
  void draw_more_files(DebugView& view, const Rect& bar, float x, std::uint32_t first);
  void draw_steps(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_file(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_missing(DebugView& view, CommandQueue& out, const Rect& area);
  void draw_both(DebugView& view, CommandQueue& out, const Rect& area);
  void link_both(DebugView& view);
  void follow_file(DebugView& view);
  void draw_find(DebugView& view);
  // The text that is searched: the file's, where that is shown alone. Null: there is none.
  const text::Source* searched_text(DebugView& view);
  // The line that the cursor is in, or that is shown, for an editor. False: it stands in no file.
  bool open_in_editor(DebugView& view, CommandQueue& out);
  // What running to the cursor is given; empty: there is none.
  std::vector<CommandValue> cursor_place(DebugView& view);
  bool has_files(DebugView& view) const { return view.recording() != nullptr && !view.sources().empty(); }
  // Null: they are not wanted, or not found out yet.
  const Profile* times_of_steps(DebugView& view) {
    return hot_ && tab_ != Tab::Steps && view.recording() != nullptr ? times_.profile(view, generation_) : nullptr;
  }
  bool shows_both() const { return beside_ && tab_ != Tab::Steps; }

  Tab tab_ = Tab::Text;
  bool beside_ = false;  // a file and the program's text, both
  bool hot_ = false;     // with the time that lines took
  StepTimes times_;
  std::uint32_t file_ = 0;  // that is shown, or was last
  Moment followed_;
  SourceList source_;
  std::map<std::uint32_t, SourceList> files_;
  std::pair<bool, std::uint32_t> linked_by_;  // which list is pointed at, and where
  StepList steps_;
  FindBar find_;
  std::string found_for_;  // words, and in which text
  std::vector<std::uint32_t> found_lines_;
  std::optional<std::size_t> found_;  // the one that was gone to
  // Which document it was drawn with; without keeping it alive.
  std::weak_ptr<const text::Tree> tree_;
  std::weak_ptr<const Recording> recording_;
  std::uint64_t generation_ = 0;
};

}  // namespace

void ProgramPane::note_document(DebugView& view) {
  const Document& document = *view.document();
  const bool same = tree_.lock() == document.tree && recording_.lock() == document.recording;
  if (same && generation_ != 0) return;
  tree_ = document.tree;
  recording_ = document.recording;
  ++generation_;
  followed_ = {~0u, 0};
  files_.clear();
  if (!has_files(view)) tab_ = tab_ == Tab::File ? Tab::Text : tab_;
  // Who wrote the lines wants to see them.
  else if (tab_ == Tab::Text) tab_ = Tab::File;
}

void ProgramPane::draw(DebugView& view, CommandQueue& out) {
  if (view.document() == nullptr || view.document()->tree == nullptr) {
    say_empty("No program is open.", "Open one with File > Open, or drop a .pto file on the window.");
    return;
  }
  note_document(view);
  source_.set_hot(hot_, times_of_steps(view));
  follow_file(view);
  Room room(rest_of_window());
  draw_switch(view, room.top(look().fonts.text->FontSize + look().px(12)));
  Rect area = room.rest();
  if (area.height() < look().px(30) || area.width() < look().px(60)) return;
  if (find_.is_open() && tab_ != Tab::Steps) {
    ImGui::SetCursorScreenPos({area.min.x, area.min.y + look().px(4)});
    draw_find(view);
    area.min.y += ImGui::GetFrameHeightWithSpacing() + look().px(4);
  }
  if (tab_ == Tab::Steps) draw_steps(view, out, area);
  else if (has_files(view) && beside_) draw_both(view, out, area);
  else if (tab_ == Tab::File) draw_file(view, out, area);
  else source_.draw(*program_text_of(view), view, out, area, generation_);
}

// --- which part is shown -------------------------------------------------------------------------------------------

// The file of the shown step, whenever the session stands elsewhere.
void ProgramPane::follow_file(DebugView& view) {
  if (!has_files(view) || followed_ == view.moment()) return;
  followed_ = view.moment();
  const auto step = view.shown_step();
  const SourceMap& map = view.sources();
  const auto line = step ? map.line_of(view.recording()->step(*step).instruction) : std::nullopt;
  if (line) file_ = line->file;
  if (file_ >= map.files().size()) file_ = 0;
}

// Where it ends.
float ProgramPane::draw_tab(const Rect& bar, float x, const char* target, const std::string& name, bool active,
                            bool& clicked) {
  const Theme& theme = *look().theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const Rect tab{{x, bar.min.y}, {x + size.x + look().px(16), bar.max.y}};
  ImGui::SetCursorScreenPos(tab.min);
  clicked = ImGui::InvisibleButton(target, {std::max(1.0f, tab.width()), std::max(1.0f, tab.height())});
  if (targets_wanted()) note_target(std::string("program/") + target, tab);
  list.AddText({tab.min.x + look().px(8), tab.min.y + (tab.height() - size.y) / 2},
               ink(active || ImGui::IsItemHovered() ? theme.text : theme.text_quiet), name.c_str());
  if (active)
    list.AddRectFilled({tab.min.x + look().px(6), tab.max.y - look().px(2)}, {tab.max.x - look().px(6), tab.max.y},
                       ink(theme.accent));
  return tab.max.x + look().px(2);
}

void ProgramPane::draw_switch(DebugView& view, const Rect& area) {
  const bool files = has_files(view);
  bool clicked = false;
  float x = area.min.x + look().px(6);
  // Of a kernel in C++ the text is the list of the calls it made.
  const bool listed = view.recording() != nullptr && view.recording()->program().listed;
  const std::string name = listed ? "calls" : view.document()->name;
  x = draw_tab(area, x, "Source", files ? name : "Source", tab_ == Tab::Text || (files && shows_both()), clicked);
  if (clicked) tab_ = Tab::Text;
  const std::uint32_t count = files ? static_cast<std::uint32_t>(view.sources().files().size()) : 0;
  for (std::uint32_t file = 0; file < count; ++file) {
    const std::string& called = view.sources().short_name(file);
    // Room for the steps, and for the rest of the files.
    if (file > 0 && x + ImGui::CalcTextSize(called.c_str()).x + look().px(170) > area.max.x) {
      draw_more_files(view, area, x, file);
      x += ImGui::CalcTextSize("+99").x + look().px(18);
      break;
    }
    x = draw_tab(area, x, called.c_str(), called, file == file_ && (tab_ == Tab::File || shows_both()), clicked);
    if (clicked) tab_ = Tab::File, file_ = file;
  }
  x = draw_tab(area, x, "Steps", "Steps", tab_ == Tab::Steps, clicked);
  if (clicked) tab_ = Tab::Steps;
  const std::string right = files ? "both" : name;
  WithFont small(look().fonts.small);
  const float width = ImGui::CalcTextSize(right.c_str()).x;
  if (files && tab_ != Tab::Steps && area.max.x > x + width + look().px(16)) {
    draw_tab(area, area.max.x - width - look().px(16), "both", right, beside_, clicked);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("The file and the program's text, side by side");
    if (clicked) beside_ = !beside_;
  } else if (!files && area.max.x > x + width + look().px(10)) {
    ImGui::GetWindowDrawList()->AddText(
        {area.max.x - width - look().px(8), area.min.y + (area.height() - ImGui::GetFontSize()) / 2},
        ink(look().theme->text_quiet), right.c_str());
  }
  ImGui::GetWindowDrawList()->AddLine({area.min.x, area.max.y}, area.max, ink(look().theme->line));
}

void ProgramPane::draw_more_files(DebugView& view, const Rect& bar, float x, std::uint32_t first) {
  const SourceMap& map = view.sources();
  bool clicked = false;
  const auto count = static_cast<std::uint32_t>(map.files().size());
  draw_tab(bar, x, "more files", fmt::format("+{}", count - first), tab_ == Tab::File && file_ >= first, clicked);
  if (clicked) ImGui::OpenPopup("source files");
  if (!ImGui::BeginPopup("source files")) return;
  for (std::uint32_t file = first; file < count; ++file)
    if (ImGui::MenuItem(map.files()[file].c_str(), nullptr, file == file_)) tab_ = Tab::File, file_ = file;
  ImGui::EndPopup();
}

// --- the parts -----------------------------------------------------------------------------------------------------

void ProgramPane::draw_steps(DebugView& view, CommandQueue& out, const Rect& area) {
  if (view.recording() != nullptr && view.recording()->count() > 0) {
    steps_.draw(view, out, area, generation_);
    return;
  }
  ImGui::SetCursorScreenPos({area.min.x, area.min.y + look().px(8)});
  if (view.recording() == nullptr) say_empty("Nothing ran.", "The program has errors; they are marked in its source.");
  else say_empty("The program made no step.", "Its findings say why.");
}

void ProgramPane::draw_file(DebugView& view, CommandQueue& out, const Rect& area) {
  const std::vector<SourceText>* texts = view.source_texts();
  if (texts == nullptr) return;
  const SourceText& found = (*texts)[file_];
  if (found.text == nullptr) return draw_missing(view, out, area);
  Room room(area);
  if (found.changed_since) {
    const Rect strip = room.top(look().fonts.text->FontSize + look().px(8));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(strip.min, strip.max, ink(with_alpha(color_of(Severity::Warning), 0.15)));
    list.AddText({strip.min.x + look().px(8), strip.min.y + look().px(4)}, ink(look().theme->text),
                 "This file changed since the program was made: its lines may be others.");
  }
  const auto listed = source_text_of(view, file_, found);
  ImGui::PushID(static_cast<int>(file_));
  files_[file_].set_hot(hot_, times_of_steps(view));
  files_[file_].draw(*listed, view, out, room.rest(), generation_);
  ImGui::PopID();
}

void ProgramPane::draw_missing(DebugView& view, CommandQueue& out, const Rect& area) {
  ImGui::SetCursorScreenPos({area.min.x, area.min.y + look().px(8)});
  say_empty(fmt::format("{} was not found.", view.sources().files()[file_]).c_str(),
            "It is looked for beside the program, and in folders that you name: here, or with --source.");
  begin_actions();
  if (ImGui::Button("Choose it...")) out.push("sourceFolder");
  if (targets_wanted()) note_target("program/choose source", {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
}

// The file and the text that came of it. What is pointed at in one is marked in the other.
void ProgramPane::draw_both(DebugView& view, CommandQueue& out, const Rect& area) {
  link_both(view);
  const auto [first, second] = beside_or_below(area, look().px(640), 0.5f, area.height() / 2);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_file(view, out, first);
  list.AddLine(second.min,
               first.max.y <= second.min.y ? ImVec2{second.max.x, second.min.y} : ImVec2{second.min.x, second.max.y},
               ink(look().theme->line));
  ImGui::PushID("text");
  source_.draw(*program_text_of(view), view, out, second, generation_);
  ImGui::PopID();
}

void ProgramPane::link_both(DebugView& view) {
  SourceList& file = files_[file_];
  const bool by_file = file.pointed().has_value();
  const SourceList& pointed = by_file ? file : source_;
  const std::uint32_t line = pointed.pointed().value_or(pointed.cursor().value_or(0));
  const bool clicked = pointed.was_clicked();
  if (linked_by_ == std::pair(by_file, line) && !clicked) return;
  linked_by_ = {by_file, line};
  file.set_linked(by_file || line == 0 ? std::vector<std::uint32_t>{} : source_lines_of(view, file_, line), clicked);
  source_.set_linked(!by_file || line == 0 ? std::vector<std::uint32_t>{} : program_lines_of(view, {file_, line}),
                     clicked);
}

bool ProgramPane::act(const Command& command, DebugView& view, CommandQueue& out) {
  if (command.name == "showSteps" || command.name == "showSource") {
    tab_ = command.name == "showSteps" ? Tab::Steps : Tab::Text;
    return true;
  }
  if (command.name == "showLineTimes") {
    hot_ = !hot_;
    if (tab_ == Tab::Steps) tab_ = Tab::Text;
    return true;
  }
  if (command.name == "showOrigin" || command.name == "showBoth") {
    if (!has_files(view)) return false;
    if (command.name == "showBoth") beside_ = !beside_ || tab_ == Tab::Steps;
    if (tab_ == Tab::Steps || command.name == "showOrigin") tab_ = Tab::File;
    return true;
  }
  if (command.name == "showLine" && view.document() != nullptr) {
    tab_ = Tab::Text;
    source_.set_linked({command.count(0)}, true);
    return true;
  }
  if (command.name == "find" && view.document() != nullptr) {
    if (tab_ == Tab::Steps) steps_.focus_filter();
    else find_.open();
    return true;
  }
  if (command.name == "openInEditor" && command.values.empty() && view.document() != nullptr &&
      view.document()->tree != nullptr)
    return open_in_editor(view, out);
  if (view.recording() == nullptr) return false;
  const bool to = command.name == "runTo", back = command.name == "runBackTo";
  if ((!to && !back) || !command.values.empty()) return false;
  std::vector<CommandValue> place = cursor_place(view);
  if (place.empty()) return false;
  out.push(command.name, std::move(place));
  return true;
}

// --- finding -------------------------------------------------------------------------------------------------------

const text::Source* ProgramPane::searched_text(DebugView& view) {
  if (tab_ != Tab::File || !has_files(view)) return view.document()->tree->source.get();
  const std::vector<SourceText>* texts = view.source_texts();
  return texts != nullptr && file_ < texts->size() ? (*texts)[file_].text.get() : nullptr;
}

void ProgramPane::draw_find(DebugView& view) {
  const text::Source* text = searched_text(view);
  const auto lower = [](std::string_view words) {
    std::string made(words);
    for (char& letter : made) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return made;
  };
  const std::string wanted = lower(find_.text());
  if (std::string key = fmt::format("{} {} {}", generation_, text != nullptr ? text->name() : "", wanted);
      key != found_for_) {
    found_for_ = std::move(key);
    found_lines_.clear();
    found_.reset();
    for (std::uint32_t line = 1; text != nullptr && !wanted.empty() && line <= text->lines(); ++line)
      if (lower(text->line(line)).find(wanted) != std::string::npos) found_lines_.push_back(line);
  }
  const FindBar::Found found{.count = found_lines_.size(), .current = found_};
  const int go = find_.draw("find in the text", found);
  if (go == 0) return;
  found_ = next_found(found, go);
  SourceList& list = tab_ == Tab::File && has_files(view) ? files_[file_] : source_;
  list.set_linked({found_lines_[*found_]}, true);
}

bool ProgramPane::open_in_editor(DebugView& view, CommandQueue& out) {
  const std::vector<SourceText>* texts = has_files(view) ? view.source_texts() : nullptr;
  const bool by_file = texts != nullptr && file_ < texts->size() && (*texts)[file_].text != nullptr &&
                       (tab_ == Tab::File || view.recording()->program().listed);
  const auto listed = by_file ? source_text_of(view, file_, (*texts)[file_]) : program_text_of(view);
  if (listed->path().empty()) return false;
  std::optional<std::uint32_t> line;
  auto step = view.shown_step();
  if (tab_ == Tab::Steps && steps_.cursor()) step = steps_.cursor();
  else if (tab_ != Tab::Steps) line = tab_ == Tab::File ? files_[file_].cursor() : source_.cursor();
  if (!line && step)
    for (const std::uint32_t one : listed->lines_of(*step))
      if (!line && one != 0) line = one;
  for (const Diagnostic& one : listed->diagnostics())
    if (!line && one.severity == Severity::Error && one.pos.line != 0) line = one.pos.line;
  out.push("openInEditor", {std::int64_t{line.value_or(1)}, listed->path()});
  return true;
}

std::vector<CommandValue> ProgramPane::cursor_place(DebugView& view) {
  if (tab_ == Tab::Steps) {
    const auto step = steps_.cursor();
    return step ? std::vector<CommandValue>{std::int64_t{*step}} : std::vector<CommandValue>{};
  }
  const auto line = tab_ == Tab::File ? files_[file_].cursor() : source_.cursor();
  if (!line) return {};
  if (tab_ == Tab::File) return {"", view.sources().told({file_, *line})};
  return {"", std::int64_t{*line}};
}

void ProgramPane::save(nlohmann::json& settings) const {
  settings["steps"] = tab_ == Tab::Steps;
  settings["beside"] = beside_;
  settings["heat"] = hot_;
}

void ProgramPane::load(const data::Fields& settings) {
  if (settings.truth("steps").value_or(false)) tab_ = Tab::Steps;
  beside_ = settings.truth("beside").value_or(false);
  hot_ = settings.truth("heat").value_or(false);
}

namespace {

const RegisteredPane kProgramPane({
    .id = "program",
    .title = "Program",
    .help = "The program's text, and the steps that it made.",
    .order = 10,
    .places = {{"debug", "left", 1}, {"compare", "left", 1}, {"learn", "stage", 3}, {"present", "left", 1}},
    .manual =
        R"(The program's text (Source) or the steps it made (Steps), with loops folded. Where the text says which lines of other
files it came from, each of those files that can be found has a tab, and `both` shows it beside the text: what is pointed
at in one is marked in the other, and breakpoints, counts and findings are by its own lines there. The arrow is where the
session stands; a red disc in the margin is a breakpoint: click beside a line to set one. Signs in the margin say what was
found there, and the sentence behind a line what is wrong with it. *View > Time of each line* adds a column with the share
of the emulation's time that each line took. In the steps, the line above the list filters: `op:tsel`, `writes:t2`, `nan`.
A click on a step goes there; the right button has what else can be done.)",
    .make = make_pane<ProgramPane>,
});

}  // namespace
}  // namespace ts::ui
