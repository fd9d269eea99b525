// manual: what scripts can ask for, and themes.
#include <fmt/format.h>

#include <cstdio>

#include "app/cli/commands.h"
#include "app/cli/program_file.h"
#include "app/files/pages.h"
#include "app/settings/settings.h"
#include "app/theme/theme_files.h"
#include "scripting/binding/docs.h"

namespace ts {

int manual_command(bool stubs) {
  if (stubs) {
    fmt::print("{}", scripting::editor_stubs());
    return kOk;
  }
  const char* gap = "";
  for (const scripting::ManualPage& page : scripting::manual_pages()) {
    fmt::print("{}{}", gap, page.text);
    gap = "\n";
  }
  return kOk;
}

int print_language() {
  fmt::print("{}", language_guide());
  return kOk;
}

// A theme as a file that can be changed.
int print_theme(const std::string& name) {
  std::vector<ui::Theme> own;
  for (ui::ThemeFile& file : ui::read_theme_folder(ui::themes_folder()))
    if (file.theme) own.push_back(std::move(*file.theme));
  ui::set_user_themes(std::move(own));
  const ui::Theme* theme = ui::find_theme(name);
  if (theme == nullptr) {
    std::string names;
    for (const std::string& one : ui::theme_names()) names += (names.empty() ? "" : ", ") + one;
    return fail(fmt::format("there is no theme {}", name), "themes are " + names);
  }
  fmt::print("{}", ui::theme_text(*theme));
  return kOk;
}

}  // namespace ts
