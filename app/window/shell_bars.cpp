// Menus, the bar with the step buttons, the status line, messages.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <iterator>

#include "app/draw/focus.h"
#include "app/draw/icons.h"
#include "app/draw/look.h"
#include "app/draw/signs.h"
#include "app/draw/subjects.h"
#include "app/draw/text.h"
#include "app/files/files.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"
#include "app/window/shell.h"
#include "app/window/commands/window_commands.h"

namespace ts::ui {
namespace {

constexpr double kNoticeSeconds = 6, kErrorSeconds = 15;

// What has the mouse or the focus is a command, for who asks what it is.
void note_command(const char* name) {
  if (subjects_wanted() && ImGui::IsItemHovered()) note_subject(Subject::Kind::Command, name);
}

void menu_row(const CommandRow& row, CommandQueue& out) {
  if (ImGui::MenuItem(row.title, key_hint(row.name).c_str())) out.push(row.name);
  note_command(row.name);
  if (targets_wanted())
    note_target(std::string("menu/") + row.name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.help);
}

// The lessons themselves, below what can be done with one.
void draw_lesson_menu(CommandQueue& out) {
  ImGui::Separator();
  // Made once: they come with the program.
  static const std::vector<Sample> all = lessons();
  for (const Sample& lesson : all) {
    const std::string name(lesson.name);
    if (ImGui::MenuItem(name.c_str())) out.push("openLesson", {name});
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", lesson.summary.c_str());
  }
}

// The menu's name with a line under the letter that opens it together with Alt, while Alt is down.
void underline_letter(const Menu& menu) {
  if (!ImGui::GetIO().KeyAlt) return;
  const std::string_view name = menu.name;
  std::size_t at = 0;
  while (at < name.size() && std::toupper(static_cast<unsigned char>(name[at])) != menu.letter) ++at;
  if (at == name.size()) return;
  const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
  const float wide = ImGui::CalcTextSize(menu.name).x,
              x = (from.x + to.x - wide) / 2 + ImGui::CalcTextSize(menu.name, menu.name + at).x;
  const float y = (from.y + to.y + ImGui::GetFontSize()) / 2;
  const char* letter = menu.name + at;
  ImGui::GetWindowDrawList()->AddLine({x, y}, {x + ImGui::CalcTextSize(letter, letter + 1).x, y},
                                      ink(look().theme->text), look().px(1.5f));
}

// A button for a command: the tooltip has its title and key from the table.
void command_button(const char* name, Icon icon, bool enabled, CommandQueue& out) {
  const CommandRow& row = *find_any_command(name);
  const std::string key = key_hint(name), tip = key.empty() ? row.title : fmt::format("{}   {}", row.title, key);
  if (icon_button(name, icon, tip.c_str(), enabled)) out.push(name);
  note_command(name);
  ImGui::SameLine(0, look().px(2));
}

void vertical_rule() {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine({at.x + look().px(4), at.y + look().px(5)},
                                      {at.x + look().px(4), at.y + look().px(22)}, ink(look().theme->line));
  ImGui::Dummy({look().px(8), look().px(26)});
  ImGui::SameLine(0, look().px(2));
}

// A quiet word and a number behind it, in the middle of the bar's height; true when it was clicked.
bool bar_text(const char* id, const char* label, const std::string& number) {
  const Fonts& fonts = look().fonts;
  const float high = look().px(26), gap = look().px(7);
  const float word = fonts.text->CalcTextSizeA(fonts.text->FontSize, FLT_MAX, 0, label).x;
  const float wide = word + gap + fonts.mono->CalcTextSizeA(fonts.mono->FontSize, FLT_MAX, 0, number.c_str()).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {wide, high});
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.AddText(fonts.text, fonts.text->FontSize, {at.x, at.y + (high - fonts.text->FontSize) / 2},
              ink(look().theme->text_quiet), label);
  out.AddText(fonts.mono, fonts.mono->FontSize, {at.x + word + gap, at.y + (high - fonts.mono->FontSize) / 2},
              ink(look().theme->text), number.c_str());
  return clicked;
}

std::string stop_text(const Standing& standing, const Recording& recording) {
  const Stopped& stopped = standing.stopped;
  switch (stopped.reason) {
    case Stopped::Reason::Rule:
      return fmt::format("stopped by breakpoint {} at step {}", stopped.stop, stopped.step);
    case Stopped::Reason::End:
      return "the end of the recording";
    case Stopped::Reason::Start:
      return "the start of the recording";
    case Stopped::Reason::Error:
      return fmt::format("the program could not go on: {}", name(recording.stop_reason()));
    case Stopped::Reason::Interrupted:
      return "paused";
    case Stopped::Reason::Failed:
      return "a condition could not be answered";
    case Stopped::Reason::Done:
      break;
  }
  return "";
}

// What to press, for who has never seen the program; the keys are those of the table.
std::string key_hints() {
  constexpr struct {
    const char *command, *word;
  } kHints[] = {{"over", "step"},
                {"overBack", "back"},
                {"into", "into"},
                {"follow", "to the source"},
                {"explain", "what is this?"}};
  std::string text;
  for (const auto& hint : kHints)
    if (const std::string key = key_hint(hint.command); !key.empty()) text += fmt::format("{} {}     ", key, hint.word);
  return text;
}

// A count with its sign, at the right end of the bar.
struct BarCount {
  std::string text, tip;
  const char* pane;  // that lists what is counted
  std::function<void(ImDrawList&, const Rect&)> sign;
};

// `words`: else the signs alone say what is counted.
std::vector<BarCount> counts_of(const DebugView& view, bool words) {
  std::vector<BarCount> counts;
  const auto counted = [words](std::size_t count, const char* what) {
    return words ? fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s") : grouped(count);
  };
  if (const auto worst = view.worst_finding())
    counts.push_back({counted(view.findings().size(), "finding"),
                      with_key("Shows the list of findings. To the next one", "nextFinding"), "findings",
                      [worst](ImDrawList& out, const Rect& rect) { draw_severity(out, rect, *worst); }});
  if (const Against* against = view.against(); against != nullptr && against->count() > 0)
    counts.push_back({counted(against->count(), "difference"),
                      with_key("Shows the list of what differs. To the next difference", "nextDifference"), "compare",
                      [](ImDrawList& out, const Rect& rect) { draw_different(out, rect); }});
  return counts;
}

// The open program and what was found in it, at the right end of the bar; where that begins.
float draw_program_name(const DebugView& view, CommandQueue& out) {
  const Recording& recording = *view.recording();
  const std::string program = fmt::format("{}   {}", recording.program().name, name(recording.program().target));
  std::vector<BarCount> counts = counts_of(view, true);
  const float side = look().px(13), gap = look().px(6), between = look().px(18), high = look().px(26);
  const float program_wide = ImGui::CalcTextSize(program.c_str()).x;
  const auto width_of = [&] {
    float all = look().px(14);
    for (const BarCount& count : counts) all += side + gap + ImGui::CalcTextSize(count.text.c_str()).x + between;
    return all;
  };
  const float before = ImGui::GetCursorPosX(), room = ImGui::GetWindowWidth() - before;
  float wide = width_of();
  if (wide > room) {
    counts = counts_of(view, false);
    wide = width_of();
  }
  // Counts are worth more than a name that the user knows.
  const bool named = wide + program_wide <= room;
  if (named) wide += program_wide;
  const float begin = std::max(before, ImGui::GetWindowWidth() - wide);
  ImDrawList& canvas = *ImGui::GetWindowDrawList();
  ImGui::SetCursorPosX(begin);
  const auto put = [&](ImVec2 at, const std::string& text) {
    canvas.AddText({at.x, at.y + (high - ImGui::GetFontSize()) / 2}, ink(look().theme->text), text.c_str());
  };
  for (const BarCount& count : counts) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float count_wide = side + gap + ImGui::CalcTextSize(count.text.c_str()).x;
    if (ImGui::InvisibleButton(count.pane, {count_wide, high})) out.push("focusPane", {count.pane});
    if (targets_wanted())
      note_target(std::string("bar/") + count.pane, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    if (ImGui::IsItemHovered()) {
      canvas.AddRectFilled({at.x - gap, at.y}, {at.x + count_wide + gap, at.y + high}, ink(look().theme->hovered),
                           look().px(3));
      ImGui::SetTooltip("%s", count.tip.c_str());
    }
    count.sign(canvas, {{at.x, at.y + (high - side) / 2}, {at.x + side, at.y + (high + side) / 2}});
    put({at.x + side + gap, at.y}, count.text);
    ImGui::SameLine(0, between);
  }
  if (named) put(ImGui::GetCursorScreenPos(), program);
  ImGui::Dummy({1, high});
  ImGui::SameLine(before);
  return begin - between;
}

std::string busy_text(const Busy& busy) {
  if (busy.done == 0) return fmt::format("{} ({:.0f} s)", busy.what, busy.seconds);
  if (busy.total == 0) return fmt::format("{}: {} steps, {:.0f} s", busy.what, grouped(busy.done), busy.seconds);
  return fmt::format("{}: {} of {} steps, {:.0f} s", busy.what, grouped(busy.done), grouped(busy.total), busy.seconds);
}

// How much of it is done; going to and fro where nobody knows.
void draw_busy_bar(const Busy& busy, const Rect& rect) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  out.AddRectFilled(rect.min, rect.max, ink(look().theme->raised), 4);
  float begin = 0, share = 0.25f;
  if (busy.total != 0) {
    share = std::min(1.0f, static_cast<float>(busy.done) / static_cast<float>(busy.total));
  } else if (look().motion.mode == Motion::Mode::Off) {
    begin = 0.375f;
  } else {
    const auto at = static_cast<float>(ImGui::GetTime() * 0.8);
    begin = std::abs(at - 2 * std::floor(at / 2) - 1) * 0.75f;
  }
  const float x = rect.min.x + begin * rect.width();
  out.AddRectFilled({x, rect.min.y}, {x + share * rect.width(), rect.max.y}, ink(look().theme->accent), 4);
}

// In the middle of the bar, where there is room for it.
void draw_palette_field(float end, CommandQueue& out) {
  const float wide = ImGui::GetWindowWidth(), field = std::min(look().px(340), wide * 0.28f);
  const float begin = std::max(ImGui::GetCursorPosX() + look().px(8), (wide - field) / 2 + look().px(60));
  if (begin + field + look().px(8) > end) {
    ImGui::NewLine();
    return;
  }
  ImGui::SetCursorPosX(begin);
  ImGui::PushStyleColor(ImGuiCol_Text, tint(look().theme->text_quiet));
  const std::string key = key_hint("palette");
  if (ImGui::Button((key.empty() ? "any command" : key + "   any command").c_str(), {field, look().px(26)}))
    out.push("palette");
  note_command("palette");
  ImGui::PopStyleColor();
}

}  // namespace

void Shell::step_menu(int by) {
  const std::size_t count = menus().size();
  for (std::size_t i = 0; i < count; ++i)
    if (open_menu_ == menus()[i].name) return open_menu(menus()[(i + count + static_cast<std::size_t>(by)) % count].name);
}

void Shell::draw_menus() {
  if (!ImGui::BeginMenuBar()) return;
  open_menu_.clear();
  for (const Menu& menu : menus()) {
    if (opening_menu_ == menu.name) {
      ImGui::OpenPopup(menu.name);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      focus_menu(menu.name, {at, {at.x + ImGui::CalcTextSize(menu.name).x, at.y + ImGui::GetFrameHeight()}});
      opening_menu_.clear();
    }
    if (!ImGui::BeginMenu(menu.name)) {
      underline_letter(menu);
      continue;
    }
    open_menu_ = menu.name;
    draw_menu(menu.name);
    ImGui::EndMenu();
  }
  ImGui::EndMenuBar();
}

// Its commands, and below them what belongs to it besides.
void Shell::draw_menu(std::string_view menu) {
  for (const CommandRow* row : all_commands())
    if (menu == row->menu && stands_alone(*row)) menu_row(*row, queue_);
  if (menu == "File" && !recent_.empty()) {
    ImGui::Separator();
    ImGui::TextDisabled("Recent");
    for (const std::string& path : recent_)
      if (ImGui::MenuItem(path.c_str())) queue_.push("open", {path});
  }
  if (menu == "Lesson") draw_lesson_menu(queue_);
  if (menu == "View") draw_panes_menu();
}

void Shell::draw_panes_menu() {
  ImGui::Separator();
  for (const auto& pane : panes_) {
    const bool open = layout().is_open(pane->id());
    if (ImGui::MenuItem(pane->title(), nullptr, open)) {
      if (open)
        layout().close(pane->id());
      else
        queue_.push("focusPane", {pane->id()});
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", pane->row().help);
  }
}

void Shell::draw_toolbar() {
  DebugView& view = desk_.view();
  const Recording* recording = view.recording();
  const bool open = recording != nullptr;
  const std::uint32_t position = view.moment().position, count = open ? recording->count() : 0;
  ImGui::SetCursorPos({look().px(8), ImGui::GetCursorPosY() + look().px(4)});
  const bool back = open && (position > 0 || view.in_step()), on = open && position < count;
  command_button("first", Icon::ToStart, back, queue_);
  command_button("reverse", Icon::RunBack, back, queue_);
  command_button("overBack", Icon::StepBack, back, queue_);
  command_button("over", Icon::StepOn, on, queue_);
  command_button("continue", Icon::RunOn, on, queue_);
  command_button("last", Icon::ToEnd, on, queue_);
  vertical_rule();
  command_button("into", Icon::StepInto, on, queue_);
  command_button("out", Icon::StepOut, open, queue_);
  vertical_rule();
  if (open) {
    const std::string place = view.in_step()
                                  ? fmt::format("{}.{} / {}", grouped(position), view.moment().micro, grouped(count))
                                  : fmt::format("{} / {}", grouped(position), grouped(count));
    if (bar_text("position", "position", place)) queue_.push("seek");
    note_command("seek");
    if (ImGui::IsItemHovered())
      ImGui::SetTooltip("%s", with_key("Position p is the state after p steps. To another", "seek").c_str());
  } else {
    bar_text("position", view.document() != nullptr ? "not recorded: the program has errors" : "no program", "");
  }
  ImGui::SameLine();
  const float right = open ? draw_program_name(view, queue_) : ImGui::GetWindowWidth();
  draw_palette_field(right, queue_);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look().px(4));
}

void Shell::draw_status(const Rect& area) {
  ImDrawList& out = *ImGui::GetWindowDrawList();
  const Theme& theme = *look().theme;
  DebugView& view = desk_.view();
  ImFont* font = look().fonts.small;
  const float y = area.min.y + (area.height() - font->FontSize) / 2;
  std::string left, right;
  if (const Recording* recording = view.recording()) {
    left = stop_text(view.standing(), *recording);
    if (view.finding()) {
      const Diagnostic& said = view.findings()[*view.finding()].diagnostic;
      left = fmt::format("{}: [{}] {}", name(said.severity), said.rule, said.text);
    }
    if (left.empty() && view.moment().position < recording->count())
      left = fmt::format("next: line {}  {}", recording->bound(view.moment().position).pos.line,
                         recording->program().short_text(recording->step(view.moment().position).instruction));
    if (left.empty() && recording->stop_reason() != StopReason::End)
      left = fmt::format("the run ended here: {}", name(recording->stop_reason()));
    if (left.empty()) left = "all steps have been made";
    if (recording->thinning()) right = "older snapshots are thinned: going far back is slower     ";
    right += key_hints();
    if (view.selected()) right += "selected " + view.name_of(*view.selected());
  }
  if (!pending_.empty()) left = text_of(pending_) + " and then?";
  if (const auto& busy = view.busy()) {
    left = busy_text(*busy);
    ImGui::SetCursorScreenPos({area.max.x - look().px(110), area.min.y});
    if (ImGui::SmallButton(("Cancel  " + key_hint("pause")).c_str())) queue_.push("pause");
    draw_busy_bar(*busy, {{area.max.x - look().px(290), y}, {area.max.x - look().px(130), y + look().px(8)}});
    right.clear();
  }
  out.AddText(font, font->FontSize, {area.min.x + look().px(12), y}, ink(theme.text_quiet), left.c_str());
  const float wide = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, right.c_str()).x;
  const float left_end = area.min.x + font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, left.c_str()).x + look().px(40);
  if (area.max.x - wide - look().px(12) < left_end) return;
  out.AddText(font, font->FontSize, {area.max.x - wide - look().px(12), y}, ink(theme.text_quiet), right.c_str());
}

void Shell::draw_notices(const Rect& area) {
  const double now = ImGui::GetTime();
  for (Notice& notice : desk_.take_notices())
    notices_.push_back({std::move(notice), now + (notice.is_error ? kErrorSeconds : kNoticeSeconds)});
  std::erase_if(notices_, [&](const Shown& shown) { return shown.until < now; });
  constexpr std::size_t kMostShown = 4;
  if (notices_.size() > kMostShown) notices_.erase(notices_.begin(), notices_.end() - kMostShown);
  float bottom = area.max.y - look().px(10);
  const float wide = std::min(look().px(420), area.width() - look().px(20));
  for (std::size_t i = notices_.size(); i-- > 0;) {
    const Notice& notice = notices_[i].notice;
    ImGui::SetNextWindowPos({area.max.x - look().px(10), bottom}, ImGuiCond_Always, {1, 1});
    ImGui::SetNextWindowSize({wide, 0});
    const std::string id = "notice" + std::to_string(i);
    ImGui::Begin(id.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    const Rect box{
        ImGui::GetWindowPos(),
        {ImGui::GetWindowPos().x + ImGui::GetWindowWidth(), ImGui::GetWindowPos().y + ImGui::GetWindowHeight()}};
    ImDrawList& out = *ImGui::GetWindowDrawList();
    out.PushClipRectFullScreen();
    const Color edge = notice.is_error ? look().theme->finding : look().theme->accent;
    out.AddRectFilled(box.min, box.max, ink(look().theme->raised), look().px(6));
    out.AddRect(box.min, box.max, ink(edge), look().px(6), 0, look().px(1.5f));
    out.PopClipRect();
    ImGui::PushTextWrapPos(0);
    if (notice.is_error) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float side = ImGui::GetTextLineHeight();
      draw_icon(out, Icon::Finding, {at, {at.x + side, at.y + side}}, ink(edge));
      ImGui::Indent(side + look().px(6));
    }
    ImGui::TextUnformatted(notice.text.c_str());
    if (!notice.hint.empty()) ImGui::TextDisabled("%s", notice.hint.c_str());
    ImGui::PopTextWrapPos();
    if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) notices_[i].until = 0;
    bottom -= ImGui::GetWindowHeight() + look().px(6);
    ImGui::End();
  }
}

}  // namespace ts::ui
