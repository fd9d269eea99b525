// Reads the window's settings, and writes what changes: whenever the program is killed, little is lost.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "app/window/shell/shell.h"

namespace ts::ui {

class SettingsKeeper {
 public:
  // Empty path: nothing is read or kept. What is wrong in the file is told, and the usual is taken.
  SettingsKeeper(Shell& shell, Desk& desk, std::string path);

  // Writes them where they changed since.
  void keep();

 private:
  Shell& shell_;
  Desk& desk_;
  std::string path_;
  nlohmann::json kept_;  // as it stands in the file
};

}  // namespace ts::ui
