// Every pane of the window.
#pragma once

#include <memory>
#include <vector>

#include "app/panes/pane.h"

namespace ts::ui {

// In the order of the menu.
std::vector<std::unique_ptr<Pane>> make_panes();

}  // namespace ts::ui
