// Drawing menus.
#include "app/window/shell/menu_bar.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/draw/subjects.h"
#include "app/files/files.h"
#include "app/view/debug_view.h"
#include "app/view/key_hints.h"
#include "app/view/targets.h"

namespace ts::ui {
namespace {

void menu_row(const CommandRow& row, CommandQueue& out) {
  if (ImGui::MenuItem(row.title, key_hint(row.name).c_str())) out.push(row.name);
  note_command(row.name);
  if (targets_wanted())
    note_target(std::string("menu/") + row.name, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", row.help);
}

// The lessons themselves, below what can be done with one.
void draw_lesson_menu(const LessonScores& scores, CommandQueue& out) {
  ImGui::Separator();
  // Made once: they come with the program.
  static const std::vector<Sample> all = lessons();
  for (const Sample& lesson : all) {
    const std::string name(lesson.name);
    const auto kept = scores.lessons.find(name + ".lua");
    const std::string score = kept == scores.lessons.end() ? "" : learn::score_text(kept->second);
    if (ImGui::MenuItem(name.c_str(), score.c_str())) out.push("openLesson", {name});
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

// A long menu has parts of its own: rows of one part stand in a menu beside it, where the first of them would.
void draw_rows(const std::string& menu, CommandQueue& out) {
  const std::vector<const CommandRow*>& all = all_commands();
  const auto stands_here = [&](const CommandRow& row) { return menu == row.menu && stands_alone(row); };
  std::vector<std::string_view> opened;
  for (const CommandRow* row : all) {
    if (!stands_here(*row)) continue;
    const std::string_view group = row->group;
    if (group.empty()) {
      menu_row(*row, out);
      continue;
    }
    if (std::ranges::find(opened, group) != opened.end()) continue;
    opened.push_back(group);
    const bool open = ImGui::BeginMenu(row->group);
    if (targets_wanted())
      note_target(std::string("menu/") + row->group, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    if (!open) continue;
    for (const CommandRow* other : all)
      if (stands_here(*other) && group == other->group) menu_row(*other, out);
    ImGui::EndMenu();
  }
}

void draw_panes_menu(PaneArea& panes, CommandQueue& out) {
  ImGui::Separator();
  for (const auto& pane : panes.all()) {
    const bool open = panes.layout().is_open(pane->id());
    if (ImGui::MenuItem(pane->title(), nullptr, open)) {
      if (open) panes.close(pane->id());
      else out.push("focusPane", {pane->id()});
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", pane->row().help);
  }
}

void draw_recent_menu(const std::vector<std::string>& recent, CommandQueue& out) {
  if (recent.empty()) return;
  ImGui::Separator();
  ImGui::TextDisabled("Recent");
  for (const std::string& path : recent)
    if (ImGui::MenuItem(path.c_str())) out.push("open", {path});
}

}  // namespace

void note_command(const char* name) {
  if (subjects_wanted() && ImGui::IsItemHovered()) note_subject(Subject::Kind::Command, name);
}

void MenuBar::step(int by) {
  const std::size_t count = menus().size();
  for (std::size_t i = 0; i < count; ++i)
    if (open_ == menus()[i].name) return open(menus()[(i + count + static_cast<std::size_t>(by)) % count].name);
}

void MenuBar::close() {
  opening_.clear();
  open_.clear();
}

void MenuBar::draw(const DebugView& view, PaneArea& panes, const std::vector<std::string>& recent,
                   CommandQueue& queue) {
  if (!ImGui::BeginMenuBar()) return;
  open_.clear();
  for (const Menu& menu : menus()) {
    if (opening_ == menu.name) {
      ImGui::OpenPopup(menu.name);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      focus_menu(menu.name, {at, {at.x + ImGui::CalcTextSize(menu.name).x, at.y + ImGui::GetFrameHeight()}});
      opening_.clear();
    }
    if (!ImGui::BeginMenu(menu.name)) {
      underline_letter(menu);
      continue;
    }
    open_ = menu.name;
    draw_rows(open_, queue);
    if (open_ == "File") draw_recent_menu(recent, queue);
    if (open_ == "Lesson") draw_lesson_menu(view.lesson_scores(), queue);
    if (open_ == "View") draw_panes_menu(panes, queue);
    ImGui::EndMenu();
  }
  ImGui::EndMenuBar();
}

}  // namespace ts::ui
