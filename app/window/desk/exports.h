// What goes from the window into files: the recording, a page about the step that is shown, the steps as a trace.
#pragma once

#include "app/window/desk/open_document.h"
#include "app/window/desk/walk.h"

namespace ts::ui {

void save_recording(Walk& walk, const std::string& path);
void export_trace(Walk& walk, const std::string& path);
// About the finding that is shown, or else the first of the step that is shown, or else that step. `launch`: how the
// program was made to run.
void export_page(Walk& walk, const Launch& launch, const std::string& path);

}  // namespace ts::ui
