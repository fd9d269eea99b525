// Names and times of files.
#include "app/window/shell/open_file.h"
#include "core/data/fields.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

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
  const bool is_other = document->path != path_;
  if (is_other || document->made_of != made_of_) watch(*document);
  if (!is_other) return;
  path_ = document->path;
  std::error_code failed;
  const std::string whole = std::filesystem::weakly_canonical(path_, failed).string();
  std::erase(recent_, whole);
  recent_.insert(recent_.begin(), whole);
  if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

// What is watched already keeps the time at which it was looked at last.
void OpenFile::watch(const Document& document) {
  made_of_ = document.made_of;
  const std::map<std::string, long long> before = std::exchange(times_, {});
  const auto add = [&](const std::string& file) {
    const auto known = before.find(file);
    times_[file] = known == before.end() ? time_of(file) : known->second;
  };
  add(document.path);
  for (const std::string& file : made_of_) add(file);
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
