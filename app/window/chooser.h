// A small dialog that finds a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/view/command.h"

namespace ts::ui {

class Chooser {
 public:
  void open();
  bool is_open() const { return open_; }
  void draw(CommandQueue& out);

 private:
  struct Entry {
    std::string name;
    bool folder;
  };
  void look_into(const std::filesystem::path& folder);
  void take(const std::string& path, CommandQueue& out);
  bool open_ = false, appearing_ = false, all_files_ = false;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string typed_, problem_;
};

}  // namespace ts::ui
