// What the user set and did, kept in their own folders (XDG): layouts, theme, zoom, recent files.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ts::ui {

// "" where there is no home.
std::string config_folder();
std::string state_folder();
// Of the user's theme files.
std::string themes_folder();

// An empty object where there is none, or where it cannot be read; then `problem` says why.
nlohmann::json read_settings(const std::string& path, std::string* problem = nullptr);
// Written whole or not at all. False: it could not be written.
bool write_settings(const std::string& path, const nlohmann::json& settings);

}  // namespace ts::ui
