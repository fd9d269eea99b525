// A screen that nobody sees, for pictures where there is no display: an Xvfb of our own.
#pragma once

#include <sys/types.h>
#include <memory>
#include <string>

namespace ts::ui {

bool has_display();

class OwnDisplay {
 public:
  // Nothing, and `problem` says why: there is no Xvfb, or it does not start. From then on the process draws on it, until
  // it is taken away.
  static std::unique_ptr<OwnDisplay> start(std::string& problem);
  ~OwnDisplay();
  OwnDisplay(const OwnDisplay&) = delete;
  OwnDisplay& operator=(const OwnDisplay&) = delete;

 private:
  explicit OwnDisplay(pid_t process) : process_(process) {}
  pid_t process_;
};

}  // namespace ts::ui
