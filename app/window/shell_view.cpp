// How the window looks, what the user changes about that, and going back in it.
#include <algorithm>
#include <cmath>

#include "app/draw/focus.h"
#include "app/draw/look.h"
#include "app/theme/theme_files.h"
#include "app/view/targets.h"
#include "app/window/fonts.h"
#include "app/window/settings.h"
#include "app/window/shell.h"
#include "app/window/style.h"

namespace ts::ui {
namespace {

constexpr float kLeastZoom = 0.6f, kMostZoom = 2.5f;
constexpr float kPresentZoom = 1.3f;  // "large type"

std::string names_of_themes() {
  std::string names;
  for (const std::string& name : theme_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

// What of the view is called what, for who goes back in it.
std::string words_for(const std::string& parts) {
  constexpr struct {
    const char *part, *words;
  } kWords[] = {{"layouts", "panes"}, {"layout", "layout"}, {"maximised", "maximised pane"}, {"theme", "theme"},
                {"zoom", "size"},     {"motion", "motion"}, {"tiles", "how tiles are shown"}};
  for (const auto& row : kWords)
    if (parts == row.part) return row.words;
  return parts;
}

}  // namespace

void Shell::apply_look() {
  const float apart = screen_.apart_scale() > 0 ? screen_.apart_scale() : 1;
  const float scale = screen_.scale() * zoom_ * (presents() ? kPresentZoom : 1) * apart;
  const Theme* theme = find_theme(theme_name_);
  if (scale == applied_scale_ && theme == look().theme && theme_name_ == applied_theme_ && motion_ == applied_motion_)
    return;
  Look made = look();
  made.theme = theme;
  made.scale = scale;
  made.motion = motion_;
  if (scale != applied_scale_) {
    std::string missing;
    made.fonts = load_fonts(scale, &missing);
    ImGui::GetIO().FontDefault = made.fonts.text;
    screen_.reload_fonts_texture();
    if (!missing.empty() && applied_scale_ == 0) desk_.tell(missing + " is not installed; another font is used");
  }
  applied_scale_ = scale;
  applied_theme_ = theme_name_;
  applied_motion_ = motion_;
  set_look(made);
  style_widgets(made);
  ImGui::GetIO().ConfigInputTextCursorBlink = motion_.mode != Motion::Mode::Off;
}

void Shell::load_look(const nlohmann::json& settings) {
  // Where nobody chose one, the desktop did, if it says so.
  const auto theme = settings.find("theme");
  const std::string chosen = theme != settings.end() && theme->is_string() ? theme->get<std::string>() : "system";
  if (chosen != "system" || system_theme()) set_theme(chosen);
  follows_desktop_ = chosen == "system" && theme != settings.end();
  if (const auto zoom = settings.find("zoom"); zoom != settings.end() && zoom->is_number())
    zoom_ = std::clamp(zoom->get<float>(), kLeastZoom, kMostZoom);
  // Older settings have on and off.
  if (const auto motion = settings.find("motion"); motion != settings.end()) {
    if (motion->is_boolean()) motion_ = *motion ? Motion{} : Motion{Motion::Mode::Off, 1};
    if (motion->is_string()) motion_ = motion_from_text(motion->get<std::string>()).value_or(motion_);
  }
}

// --- themes, size, motion ---

void Shell::set_theme(const std::string& name) {
  follows_desktop_ = name == "system";
  if (name == "system") {
    if (const auto wanted = system_theme())
      theme_name_ = *wanted;
    else
      desk_.tell("this desktop does not say which theme it wants",
                 "it would by the variable GTK_THEME; themes are " + names_of_themes());
  } else if (find_theme(name) != nullptr) {
    theme_name_ = name;
  } else {
    desk_.tell("there is no theme " + name, "themes are " + names_of_themes(), true);
  }
}

void Shell::next_theme() {
  const std::vector<std::string> all = theme_names();
  const auto now = std::ranges::find(all, theme_name_);
  theme_name_ = now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1);
  follows_desktop_ = false;
}

void Shell::read_themes(bool say) {
  const std::string folder = themes_folder();
  theme_stamp_ = theme_folder_stamp(folder);
  std::vector<Theme> themes;
  for (ThemeFile& file : read_theme_folder(folder)) {
    for (const std::string& problem : file.problems) desk_.tell(problem, "the file is in " + folder, true);
    if (say)
      for (const std::string& warning : file.warnings) desk_.tell(warning);
    if (file.theme) themes.push_back(std::move(*file.theme));
  }
  const std::size_t count = themes.size();
  set_user_themes(std::move(themes));
  if (find_theme(theme_name_) == nullptr) theme_name_ = "dark";
  if (say) desk_.tell(count == 0 ? "there are no themes in " + folder : "themes are " + names_of_themes());
}

void Shell::zoom(float by) {
  zoom_ = by == 0 ? 1 : std::clamp(std::round((zoom_ + by) * 10) / 10, kLeastZoom, kMostZoom);
}

void Shell::set_motion(const std::string& text) {
  if (const auto wanted = motion_from_text(text))
    motion_ = *wanted;
  else
    desk_.tell("there is no motion " + text, "it is off, step, 0.25x, 0.5x, 1x, 2x or 4x", true);
}

void Shell::resize_focused(bool across, float by) {
  std::vector<Layout::Placed> leaves;
  std::vector<Layout::Gap> gaps;
  layout().place({{0, 0}, {1000, 1000}}, 0, leaves, gaps);
  const Rect* area = nullptr;
  for (const Layout::Placed& placed : leaves)
    if (std::ranges::find(placed.leaf->panes, focused_) != placed.leaf->panes.end()) area = &placed.area;
  if (area == nullptr) return;
  // The gap that is its own edge: the one behind it, or else the one before.
  for (const bool behind : {true, false})
    for (const Layout::Gap& gap : gaps) {
      const bool row = gap.split->kind == LayoutNode::Kind::Row;
      const float edge = row ? gap.area.min.x : gap.area.min.y,
                  own = row ? (behind ? area->max.x : area->min.x) : (behind ? area->max.y : area->min.y);
      const bool beside = row ? gap.area.min.y <= area->min.y + 1 && gap.area.max.y >= area->max.y - 1
                              : gap.area.min.x <= area->min.x + 1 && gap.area.max.x >= area->max.x - 1;
      if (row != across || !beside || std::abs(edge - own) > 1.5f) continue;
      return Layout::resize(gap, behind ? by : -by);
    }
}

// --- going back ---

nlohmann::json Shell::view_state() const {
  nlohmann::json state{{"layout", layout_name_}, {"theme", theme_name_}, {"zoom", zoom_}, {"motion", name_of(motion_)}};
  for (const auto& [name, layout] : layouts_) {
    state["layouts"][name] = layout.save();
    state["maximised"][name] = layout.maximised();
  }
  state["tiles"] = desk_.view().tile_displays().save();
  state["front"] = desk_.view().opening();  // whose tiles these are
  return state;
}

void Shell::show_view(const nlohmann::json& state) {
  const auto known = [this](const std::string& id) { return find_pane(id) != nullptr; };
  layout_name_ = state["layout"];
  theme_name_ =
      find_theme(state["theme"].get<std::string>()) != nullptr ? state["theme"].get<std::string>() : theme_name_;
  zoom_ = state["zoom"];
  motion_ = motion_from_text(state["motion"].get<std::string>()).value_or(motion_);
  for (auto& [name, layout] : layouts_) {
    if (!state["layouts"].contains(name)) continue;
    // A layout without panes saves as one that cannot be loaded.
    layout = Layout::load(state["layouts"][name], known).value_or(Layout());
    if (const std::string big = state["maximised"][name]; !big.empty()) layout.toggle_maximised(big);
  }
  if (state["front"] == desk_.view().opening()) desk_.view().tile_displays().load(state["tiles"]);
  view_restored_ = true;
}

void Shell::undo_view(bool again) {
  const nlohmann::json now = view_state();
  const auto shown = again ? history_.redo() : history_.undo();
  if (!shown) return desk_.tell(again ? "there is nothing to do again in the view" : "nothing was changed in the view");
  show_view(*shown);
  desk_.tell((again ? "done again: " : "taken back: ") + words_for(ViewHistory::what_differs(now, *shown)));
}

// What was changed counts when the mouse has let go of it.
void Shell::note_view() {
  if (ImGui::IsMouseDown(0)) return;
  // How tiles are shown belongs to the program: opening another one changes nothing that could be taken back.
  const std::uint64_t opening = desk_.view().opening();
  if (view_restored_ || opening != noted_opening_)
    history_.settle(view_state());
  else
    history_.note(view_state());
  view_restored_ = false;
  noted_opening_ = opening;
}

// --- explaining ---

void Shell::explain() {
  if (explaining_ == Explaining::No) explaining_ = Explaining::Asked;
}

// A frame is drawn in which everybody says what is under the mouse; then it is known what is meant.
void Shell::finish_explaining() {
  if (explaining_ == Explaining::Asked) {
    want_subjects(true);
    explaining_ = Explaining::Looking;
    return;
  }
  if (explaining_ != Explaining::Looking) return;
  explaining_ = Explaining::No;
  const std::vector<Subject> found = subjects();
  want_subjects(false);
  std::string pane = focused_;
  if (!shows_focus())
    for (const auto& [id, area] : places_)
      if (area.holds(ImGui::GetIO().MousePos)) pane = id;
  // By keys only what has the focus is meant, wherever the mouse lies.
  std::vector<Subject> meant = found;
  if (shows_focus())
    std::erase_if(meant, [](const Subject& subject) { return subject.kind != Subject::Kind::Command; });
  const Explanation explained = explanation_of(meant, pane);
  ImVec2 at = ImGui::GetIO().MousePos;
  if (shows_focus())
    for (const auto& [id, area] : places_)
      if (id == pane) at = area.min;
  switch (explained.kind) {
    case Explanation::Kind::Legend:
      legend_.show(explained.names);
      break;
    case Explanation::Kind::Page:
      queue_.push("page", {explained.names.front()});
      break;
    case Explanation::Kind::Command:
      help_card_.show_command(explained.names.front(), at);
      break;
    case Explanation::Kind::Pane:
      if (const Pane* of = find_pane(explained.names.front())) help_card_.show_pane(*of, at);
      break;
    case Explanation::Kind::Nothing:
      desk_.tell("there is nothing here to explain", "point at a pane, a mark, a button or a command, and ask again");
      break;
  }
}

std::string Shell::says() const {
  if (keys_dialog_.is_open()) return keys_dialog_.says();
  if (help_card_.is_open()) return help_card_.title();
  if (tour_.is_open()) return tour_.title();
  if (!legend_.is_open()) return "";
  std::string rows;
  for (const std::string& row : legend_.shown()) rows += (rows.empty() ? "" : " ") + row;
  return rows;
}

}  // namespace ts::ui
