// The page of an instruction.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_page_pane();

}  // namespace ts::ui
