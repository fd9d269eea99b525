// A card that asks for another value of an element, or of a part of a tile: what if?
#pragma once

#include <string>

#include "app/draw/tile_grid.h"
#include "app/view/command.h"
#include "app/view/debug_view.h"

namespace ts::ui {

class ValueEditor {
 public:
  // `name`: of the tile or buffer; `now` is what the first element holds.
  void open(std::string name, const Window& part, std::string now);
  void draw(const DebugView& view, CommandQueue& out);
  // What a spreadsheet or a text put onto the clipboard, from this element on; or the one value into a part.
  static void paste(const std::string& name, const Window& part, CommandQueue& out);

 private:
  std::string name_, value_, now_;
  Window part_;
  bool opens_ = false;
};

}  // namespace ts::ui
