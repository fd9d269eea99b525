// Names and times of files.
#include "app/window/shell/open_file.h"
#include "core/data/fields.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

namespace ts::ui {
namespace {

constexpr std::size_t kMostRecent = 12;

long long time_of(const std::string& path) {
  std::error_code failed;
  const auto time = std::filesystem::last_write_time(path, failed);
  return failed ? 0 : time.time_since_epoch().count();
}

}  // namespace

void OpenFile::load(const data::Fields& settings) {
  for (std::string& path : settings.texts("recent"))
    if (recent_.size() < kMostRecent) recent_.push_back(std::move(path));
}

void OpenFile::note(const Document* document, Screen& screen) {
  const std::string title = document == nullptr ? "TileScope" : document->name + " - TileScope";
  if (title != titled_) screen.set_title(title);
  titled_ = title;
  if (document == nullptr || document->path.empty()) {
    path_.clear();
    times_.clear();
    return;
  }
  for (const std::string& file : document->made_of) times_.try_emplace(file, time_of(file));
  if (document->path == path_) return;
  path_ = document->path;
  times_ = {{path_, time_of(path_)}};
  std::error_code failed;
  const std::string whole = std::filesystem::weakly_canonical(path_, failed).string();
  std::erase(recent_, whole);
  recent_.insert(recent_.begin(), whole);
  if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

bool OpenFile::has_changed() {
  bool changed = false;
  for (auto& [file, before] : times_) {
    const long long time = time_of(file);
    if (time == 0 || time == before) continue;
    before = time;
    changed = true;
  }
  return changed;
}

}  // namespace ts::ui
