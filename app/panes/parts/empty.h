// What a pane says while it has nothing to show.
#pragma once

namespace ts::ui {

// What is the case, and what to do about it.
void say_empty(const char* what, const char* advice);
// To be called before what can be done about it: buttons below the words.
void begin_actions();

}  // namespace ts::ui
