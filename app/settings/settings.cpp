// Reading and writing settings.
#include "app/settings/settings.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "core/data/fields.h"
#include "core/data/file.h"

namespace ts::ui {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;

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
  std::error_code failed;
  if (path.empty() || !std::filesystem::exists(path, failed)) return nlohmann::json::object();
  const auto told = [&](const std::string& why) {
    if (problem != nullptr) *problem = why;
    return nlohmann::json::object();
  };
  const auto bytes = data::read_file(path, kMostBytes);
  if (const auto* error = std::get_if<data::Error>(&bytes)) return told(error->text);
  const auto& read = std::get<std::vector<std::byte>>(bytes);
  auto parsed = data::parse_object({reinterpret_cast<const char*>(read.data()), read.size()});
  if (const auto* error = std::get_if<data::Error>(&parsed)) return told(path + " is damaged: " + error->text);
  return std::get<nlohmann::json>(std::move(parsed));
}

bool write_settings(const std::string& path, const nlohmann::json& settings) {
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), failed);
  data::FileWriter file(path);
  file.write(data::json_text(settings, 2));
  file.write(std::string_view("\n"));
  return file.finish().text.empty();
}

}  // namespace ts::ui
