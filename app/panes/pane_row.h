// What a pane says of itself, in its own file. Menus, layouts, settings, help and the manual are made of these rows.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ts::ui {

class Pane;

// A spot of a layout (app/window/layout.cpp names them), and which of the tabs there.
struct PanePlace {
  std::string_view layout, spot;
  int tab;
};

struct PaneRow {
  const char *id, *title;
  const char* help;  // a sentence, for the menu
  int order;         // in the menu and the manual, smaller first
  std::vector<PanePlace> places;
  const char* manual;  // its part of the manual, which F1 over it shows
  std::unique_ptr<Pane> (*make)();
};

// A pane's file holds one of these for each pane in it; nothing else lists panes.
class RegisteredPane {
 public:
  explicit RegisteredPane(PaneRow row);
  RegisteredPane(const RegisteredPane&) = delete;
  RegisteredPane& operator=(const RegisteredPane&) = delete;

 private:
  const PaneRow row_;
};

// In their order.
const std::vector<const PaneRow*>& pane_rows();
// The ids of the panes that stand at a spot of a layout at first, in the order of their tabs.
std::vector<std::string> panes_at(std::string_view layout, std::string_view spot);
// The page of the manual about all panes.
std::string panes_manual();

}  // namespace ts::ui
