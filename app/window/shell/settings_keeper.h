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

  // Now and then: call it as often as you like.
  void look();
  void keep();

 private:
  Shell& shell_;
  Desk& desk_;
  std::string path_;
  nlohmann::json kept_;  // as it stands in the file
  double next_look_ = 0;
};

}  // namespace ts::ui
