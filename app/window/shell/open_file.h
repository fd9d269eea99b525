// The file that is open: watched for changes, and kept among those that were opened last.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/view/document.h"
#include "app/window/shell/screen.h"

namespace ts::data {
class Fields;
}

namespace ts::ui {

class OpenFile {
 public:
  void load(const data::Fields& settings);
  const std::vector<std::string>& recent() const { return recent_; }
  // In every frame; null: nothing is open.
  void note(const Document* document, Screen& screen);
  // True when somebody changed it since it was looked at last.
  bool has_changed();

  // Something else stood in the window's title.
  void retitle() { titled_.clear(); }

 private:
  void watch(const Document& document);

  std::vector<std::string> recent_, made_of_;
  std::string path_, titled_;
  std::map<std::string, long long> times_;  // of the file, and of those that belong to it
};

}  // namespace ts::ui
