// Reading and writing settings.
#include "app/window/settings.h"

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace ts::ui {
namespace {

// As the XDG base directory specification has it: relative paths are ignored.
std::string folder(const char* variable, const char* below_home) {
  if (const char* set = std::getenv(variable); set != nullptr && *set == '/') return std::string(set) + "/tilescope";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/" + below_home + "/tilescope";
  return "";
}

}  // namespace

std::string config_folder() { return folder("XDG_CONFIG_HOME", ".config"); }

std::string themes_folder() {
  const std::string config = config_folder();
  return config.empty() ? "" : config + "/themes";
}

std::string state_folder() { return folder("XDG_STATE_HOME", ".local/state"); }

nlohmann::json read_settings(const std::string& path, std::string* problem) {
  std::ifstream file(path);
  if (!file) return nlohmann::json::object();
  std::ostringstream text;
  text << file.rdbuf();
  nlohmann::json read = nlohmann::json::parse(text.str(), nullptr, false);
  if (read.is_object()) return read;
  if (problem != nullptr) *problem = path + " is damaged; the settings are the usual ones";
  return nlohmann::json::object();
}

bool write_settings(const std::string& path, const nlohmann::json& settings) {
  std::error_code failed;
  const std::filesystem::path target(path);
  std::filesystem::create_directories(target.parent_path(), failed);
  const std::string draft = path + "." + std::to_string(getpid());
  {
    std::ofstream file(draft);
    file << settings.dump(2) << '\n';
    if (!file.flush()) return false;
  }
  std::filesystem::rename(draft, target, failed);
  if (failed) std::filesystem::remove(draft, failed);
  return !failed;
}

}  // namespace ts::ui
