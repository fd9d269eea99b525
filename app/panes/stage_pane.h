// The stage: the shown step, its operands, and how its results come of them.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_stage_pane();

}  // namespace ts::ui
