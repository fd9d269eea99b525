// The timeline: all steps on the lanes of pipes, to see how a run is made and to go anywhere in it.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_timeline_pane();

}  // namespace ts::ui
