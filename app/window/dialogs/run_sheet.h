// The sheet of the run bar: every setting of a run in one place, checked while it is changed, and setups by name.
#pragma once

#include <map>
#include <string>

#include "app/draw/rect.h"
#include "app/view/command.h"
#include "app/window/desk/desk.h"

namespace ts::ui {

class RunSheet {
 public:
  // At a part of it: a setting as setups call it, "input x", "options"; empty: at its beginning.
  void open(const std::string& part);
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  // `area`: what it may cover.
  void draw(Desk& desk, const Rect& area, CommandQueue& out);

 private:
  void draw_setups(RunSettings& settings, CommandQueue& out);
  void draw_singles(const RunSettings& settings, const Document& document, CommandQueue& out);
  void draw_single(const RunSettings& settings, const Document& document, const cases::SetupRow& row,
                   CommandQueue& out);
  void draw_inputs(const RunSettings& settings, CommandQueue& out);
  void draw_input(const RunSettings& settings, const cases::InputForm& form, CommandQueue& out);
  void draw_options(const RunSettings& settings, CommandQueue& out);
  void draw_end(const RunSettings& settings, CommandQueue& out);
  // A field whose text is only taken when it is whole: with Enter, or when it is left.
  bool draw_field(const std::string& id, const std::string& said, const char* usual, float wide, std::string& out);
  // The part that was asked for comes into sight, once.
  void reveal(const std::string& part);

  bool open_ = false, appearing_ = false;
  std::string part_;
  std::map<std::string, std::string> typed_;  // in fields that somebody types in
  std::string name_, filter_;
};

}  // namespace ts::ui
