// The registers in the middle of a step.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_registers_pane();

}  // namespace ts::ui
