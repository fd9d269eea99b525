// Files of kept work.
#include "app/window/desk/work_keeper.h"

#include <algorithm>
#include <utility>

#include "app/settings/settings.h"
#include "app/window/desk/kept_work.h"
#include "core/data/fields.h"

namespace ts::ui {

nlohmann::json WorkKeeper::everything_set() const {
  const DebugView& view = walk_.view();
  nlohmann::json work = save_work(work_of(view.standing()));
  if (nlohmann::json tiles = view.tile_displays().save(); !tiles.empty()) work["tiles"] = std::move(tiles);
  if (!view.source_folders().empty()) work["sources"] = view.source_folders();
  return work;
}

void WorkKeeper::keep() {
  if (walk_.view().recording() == nullptr) return;
  const Document& document = *walk_.view().document();
  const std::string path = work_path(folder_, document);
  nlohmann::json work = everything_set();
  if (path.empty() || work == kept_) return;
  // Tried once: a folder that cannot be written to is no reason to try in every frame.
  kept_ = std::move(work);
  if (!write_work(folder_, document, kept_, work_of(walk_.view().standing())))
    walk_.tell("breakpoints and watches could not be kept", path + " cannot be written", true);
}

void WorkKeeper::begin(bool again, std::vector<std::string> folders) {
  if (!again) {
    const std::string path = work_path(folder_, *walk_.view().document());
    const nlohmann::json kept = path.empty() ? nlohmann::json::object() : read_settings(path);
    walk_.view().tile_displays().load(kept.value("tiles", nlohmann::json()));
    for (std::string& folder : data::Fields(kept).texts("sources"))
      if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(std::move(folder));
    walk_.view().source_folders() = std::move(folders);
  }
  kept_ = again ? save_work({}) : everything_set();
}

}  // namespace ts::ui
