// The legend: every mark that is drawn anywhere, beside what it means.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/rect.h"

namespace ts::ui {

struct LegendRow {
  const char* id;     // as note_mark calls it (app/draw/subjects.h)
  const char* group;  // "Cells"
  const char* text;
  void (*draw)(ImDrawList& out, const Rect& rect);
};
// By their groups.
std::span<const LegendRow> legend_rows();
const LegendRow* find_legend_row(std::string_view id);  // null: no such mark

class Legend {
 public:
  void toggle();
  // Opens it at these rows.
  void show(std::vector<std::string> ids);
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  const std::vector<std::string>& shown() const { return shown_; }
  void draw();

 private:
  void draw_row(const LegendRow& row, float wide);
  bool open_ = false, reveal_ = false, appearing_ = false;
  std::vector<std::string> shown_;  // rows that were asked for
};

}  // namespace ts::ui
