// Themes that the user wrote: files named *.theme, a line for each colour.
//
//   # what is behind a # at the start of a line is not read
//   name = Sepia
//   based on = light
//   accent = #8a5a00
//
// Colours go by the names of core/data/palette.h; those that are left out are those of the theme it is based on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/theme/theme.h"

namespace ts::ui {

struct ThemeFile {
  std::optional<Theme> theme;         // nothing where the file is wrong
  std::vector<std::string> problems;  // "sepia.theme:3: ...", what is wrong in it
  std::vector<std::string> warnings;  // where it can be used, but not read well
};

// `file` is what messages call it; its ending taken off, it is the name of a theme that has none.
ThemeFile read_theme(std::string_view text, std::string_view file);
// All *.theme of a folder, by their names. A folder that is not there has none.
std::vector<ThemeFile> read_theme_folder(const std::string& folder);
// Another text whenever a file of it came, went or was written.
std::string theme_folder_stamp(const std::string& folder);
// A theme as a file has it, with what each colour is for.
std::string theme_text(const Theme& theme);

// Text that is hard to read: "text_quiet on pane: 3.1 : 1, at least 4.5 : 1".
std::vector<std::string> hard_to_read(const Theme& theme);

// What the desktop says that it wants: "dark", "light", "contrast"; nothing: it does not say. From GTK_THEME, which is
// all that is told without asking the desktop's own services.
std::optional<std::string> system_theme();

}  // namespace ts::ui
