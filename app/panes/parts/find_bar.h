// A line above a pane's contents that finds in them: what to find, which of how many it is, on and back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ts::ui {

class FindBar {
 public:
  void open() { open_ = appearing_ = true; }
  bool is_open() const { return open_; }
  const std::string& text() const { return text_; }

  // What there is of it.
  struct Found {
    std::size_t count = 0;
    std::optional<std::size_t> current = {};  // which of them is shown
    std::string problem = {};                 // instead: why nothing can be found
  };
  // At the cursor, as wide as there is room. Where to go: 1 to the next one, -1 to the one before, 0 nowhere.
  int draw(const char* hint, const Found& found);

 private:
  bool open_ = false, appearing_ = false;
  std::string text_;
};

// The one that comes next or before; around the ends.
std::size_t next_found(const FindBar::Found& found, int by);

}  // namespace ts::ui
