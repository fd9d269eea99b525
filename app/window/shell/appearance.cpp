// Themes, size, motion.
#include "app/window/shell/appearance.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/draw/look.h"
#include "app/settings/settings.h"
#include "app/theme/theme_files.h"
#include "app/window/shell/fonts.h"
#include "app/window/shell/style.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

constexpr float kLeastZoom = 0.6f, kMostZoom = 2.5f;
constexpr float kPresentZoom = 1.3f;  // "large type"

std::string names_of_themes() {
  std::string names;
  for (const std::string& name : theme_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace

void Appearance::apply(bool presents) {
  const float apart = screen_.apart_scale() > 0 ? screen_.apart_scale() : 1;
  const float scale = screen_.scale() * zoom_ * (presents ? kPresentZoom : 1) * apart;
  const Theme* theme = find_theme(theme_);
  if (scale == applied_scale_ && theme == look().theme && theme_ == applied_theme_ && motion_ == applied_motion_)
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
    if (!missing.empty() && applied_scale_ == 0) walk_.tell(missing + " is not installed; another font is used");
  }
  applied_scale_ = scale;
  applied_theme_ = theme_;
  applied_motion_ = motion_;
  set_look(made);
  style_widgets(made);
  ImGui::GetIO().ConfigInputTextCursorBlink = motion_.mode != Motion::Mode::Off;
}

void Appearance::load(const data::Fields& settings) {
  // Where nobody chose one, the desktop did, if it says so.
  const auto theme = settings.text("theme");
  const std::string chosen = theme.value_or("system");
  if (chosen != "system" || system_theme()) set_theme(chosen);
  follows_desktop_ = chosen == "system" && theme.has_value();
  if (const auto zoom = settings.number("zoom"))
    zoom_ = static_cast<float>(std::clamp<double>(*zoom, kLeastZoom, kMostZoom));
  if (const auto motion = settings.text("motion")) motion_ = motion_from_text(*motion).value_or(motion_);
}

void Appearance::set_theme(const std::string& name) {
  follows_desktop_ = name == "system";
  if (name == "system") {
    if (const auto wanted = system_theme()) theme_ = *wanted;
    else
      walk_.tell("this desktop does not say which theme it wants",
                 "it would by the variable GTK_THEME; themes are " + names_of_themes());
  } else if (find_theme(name) != nullptr) {
    theme_ = name;
  } else {
    walk_.tell("there is no theme " + name, "themes are " + names_of_themes(), true);
  }
}

void Appearance::next_theme() {
  const std::vector<std::string> all = theme_names();
  const auto now = std::ranges::find(all, theme_);
  theme_ = now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1);
  follows_desktop_ = false;
}

void Appearance::read_themes(bool say) {
  const std::string folder = themes_folder();
  theme_stamp_ = theme_folder_stamp(folder);
  std::vector<Theme> themes;
  for (ThemeFile& file : read_theme_folder(folder)) {
    for (const std::string& problem : file.problems) walk_.tell(problem, "the file is in " + folder, true);
    if (say)
      for (const std::string& warning : file.warnings) walk_.tell(warning);
    if (file.theme) themes.push_back(std::move(*file.theme));
  }
  const std::size_t count = themes.size();
  set_user_themes(std::move(themes));
  if (find_theme(theme_) == nullptr) theme_ = "dark";
  if (say) walk_.tell(count == 0 ? "there are no themes in " + folder : "themes are " + names_of_themes());
}

void Appearance::zoom(float by) {
  zoom_ = by == 0 ? 1 : std::clamp(std::round((zoom_ + by) * 10) / 10, kLeastZoom, kMostZoom);
}

void Appearance::set_motion(const std::string& text) {
  if (const auto wanted = motion_from_text(text)) motion_ = *wanted;
  else walk_.tell("there is no motion " + text, "it is off, step, 0.25x, 0.5x, 1x, 2x or 4x", true);
}

void Appearance::look_at_themes() {
  if (theme_folder_stamp(themes_folder()) != theme_stamp_) read_themes(true);
}

void Appearance::save(nlohmann::json& settings) const {
  settings["theme"] = follows_desktop_ ? "system" : theme_;
  settings["zoom"] = zoom_;
  settings["motion"] = name_of(motion_);
}

// --- going back ---

void Appearance::save_view(nlohmann::json& state) const {
  state["theme"] = theme_;
  state["zoom"] = zoom_;
  state["motion"] = name_of(motion_);
}

void Appearance::load_view(const nlohmann::json& state) {
  if (const std::string theme = state["theme"]; find_theme(theme) != nullptr) theme_ = theme;
  zoom_ = state["zoom"];
  motion_ = motion_from_text(state["motion"].get<std::string>()).value_or(motion_);
}

}  // namespace ts::ui
