// F1: what the thing under the mouse, or the one with the focus, is.
#pragma once

#include <string>
#include <vector>

#include "app/draw/rect.h"
#include "app/draw/subjects.h"
#include "app/files/markdown.h"
#include "app/panes/pane.h"

namespace ts::ui {

// What explains it.
struct Explanation {
  enum class Kind : unsigned char { Nothing, Legend, Page, Command, Pane };
  Kind kind = Kind::Nothing;
  std::vector<std::string> names = {};  // rows of the legend; else the instruction, the command, the pane
};
// A mark rather than a command, a command rather than an instruction, any of them rather than the pane they stand in.
Explanation explanation_of(const std::vector<Subject>& subjects, const std::string& pane);

// A small page beside what it is about.
class HelpCard {
 public:
  // Of a command of the table, with its key.
  // `at`: beside which point.
  void show_command(const std::string& name, ImVec2 at);
  void show_pane(const Pane& pane, ImVec2 at);
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  const std::string& title() const { return title_; }
  void draw();

 private:
  void open(std::string title, std::vector<MarkdownBlock> blocks, ImVec2 at);
  bool open_ = false, appearing_ = false;
  std::string title_;
  std::vector<MarkdownBlock> blocks_;
  ImVec2 at_;
  float high_ = 0;
};

}  // namespace ts::ui
