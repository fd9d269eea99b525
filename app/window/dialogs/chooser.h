// A small dialog that finds a file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/view/command.h"

namespace ts::ui {

// What a file is looked for: the dialog's title, the files that are listed, and the command that gets the path behind
// its other arguments.
struct Wanted {
  std::string title = "Open a program";
  std::vector<std::string> extensions = {".pto", ".cpp"};
  Command command = {"open"};
  std::string suggestion = {};  // of a file that is to be written, which need not be there; empty: it is to be read
  std::filesystem::path folder = {};  // where it begins; empty: where it was left
};

class Chooser {
 public:
  void open(Wanted wanted = {});
  bool is_open() const { return open_; }
  void draw(CommandQueue& out);

 private:
  struct Entry {
    std::string name;
    bool folder;
  };
  void look_into(const std::filesystem::path& folder);
  void take(const std::string& path, CommandQueue& out);
  void give(const std::string& name, CommandQueue& out);
  bool takes_samples() const;
  std::string draw_entries(CommandQueue& out);
  bool open_ = false, appearing_ = false, all_files_ = false;
  Wanted wanted_;
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string typed_, problem_, replaced_;  // whose replacing was asked about
};

}  // namespace ts::ui
