// Settings in their file.
#include "app/window/shell/settings_keeper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "app/settings/settings.h"
#include "core/data/fields.h"

namespace ts::ui {

SettingsKeeper::SettingsKeeper(Shell& shell, Desk& desk, std::string path)
    : shell_(shell), desk_(desk), path_(std::move(path)) {
  std::string damaged;
  const nlohmann::json saved = read_settings(path_, &damaged);
  std::vector<std::string> problems;
  shell_.load(data::Fields(saved, "", &problems));
  if (!damaged.empty())
    desk_.tell(damaged, "the usual settings are taken; the file is replaced when they change", true);
  if (!problems.empty())
    desk_.tell(fmt::format("{}: {}", path_, fmt::join(problems, "; ")), "the usual ones are taken there", true);
  kept_ = shell_.save();
}

void SettingsKeeper::keep() {
  nlohmann::json now = shell_.save();
  if (path_.empty() || now == kept_) return;
  // Tried once: a place that cannot be written to is no reason to try again and again.
  kept_ = std::move(now);
  if (write_settings(path_, kept_)) return;
  desk_.tell("the settings could not be kept", path_ + " cannot be written", true);
  std::fprintf(stderr, "tilescope: the settings could not be written to %s\n", path_.c_str());
}

}  // namespace ts::ui
