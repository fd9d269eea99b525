// The lesson pane: the page's text, its question, what was answered, and the way on.
#pragma once

#include <memory>

#include "app/panes/pane.h"

namespace ts::ui {

std::unique_ptr<Pane> make_lesson_pane();

}  // namespace ts::ui
