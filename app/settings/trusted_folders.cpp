// The list is a file of its own, so that nothing else that is kept can change it.
#include "app/settings/trusted_folders.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/settings/settings.h"

namespace ts::ui {
namespace {

namespace fs = std::filesystem;

std::string list_file() {
  const std::string folder = config_folder();
  return folder.empty() ? "" : folder + "/cpp_folders.json";
}

std::string folder_of(const std::string& file) {
  std::error_code failed;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, failed), failed);
  return failed ? "" : whole.parent_path().string();
}

std::vector<std::string> folders() {
  std::vector<std::string> out;
  if (list_file().empty()) return out;
  const nlohmann::json kept = read_settings(list_file());
  if (const auto all = kept.find("folders"); kept.is_object() && all != kept.end() && all->is_array())
    for (const auto& one : *all)
      if (one.is_string()) out.push_back(one.get<std::string>());
  return out;
}

}  // namespace

bool is_trusted(const std::string& file) {
  const std::string folder = folder_of(file);
  return !folder.empty() && std::ranges::any_of(folders(), [&](const std::string& one) {
    return folder == one || folder.starts_with(one + "/");
  });
}

void trust_folder_of(const std::string& file) {
  std::vector<std::string> all = folders();
  const std::string folder = folder_of(file);
  if (folder.empty() || list_file().empty() || is_trusted(file)) return;
  all.push_back(folder);
  write_settings(list_file(), {{"folders", all}});
}

}  // namespace ts::ui
