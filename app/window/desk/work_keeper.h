// Keeps what the user set in a program, for the next time it is opened.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/window/desk/walk.h"

namespace ts::ui {

class WorkKeeper {
 public:
  // Below `state_folder`; empty: nothing is kept.
  WorkKeeper(Walk& walk, std::string state_folder) : walk_(walk), folder_(std::move(state_folder)) {}

  const std::string& folder() const { return folder_; }
  // Where it changed since it was kept last.
  void keep();
  // Something else is open. `again`: a changed text, which has no file of its own before something is set; its tiles go
  // by the same names. `folders`: where the user said just now that the program's sources are.
  void begin(bool again, std::vector<std::string> folders);

 private:
  nlohmann::json everything_set() const;

  Walk& walk_;
  std::string folder_;
  nlohmann::json kept_;  // as it stands in the file
};

}  // namespace ts::ui
