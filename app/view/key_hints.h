// What to press for a command, for menus and tips of panes: the user's own keys, where they were changed.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ts::ui {

// "F4"; empty: no key.
std::string key_hint(std::string_view command);
// "Follow to the source (F4)"; without a key the words alone.
std::string with_key(std::string_view words, std::string_view command);

// By the window, which knows them.
void set_key_hints(std::function<std::string(std::string_view command)> hints);

}  // namespace ts::ui
