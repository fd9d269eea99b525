// The buffer map: which tile uses which bytes of a memory, when; what overlaps; how full the memory is.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_buffer_map_pane();

}  // namespace ts::ui
