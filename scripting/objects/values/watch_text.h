// The text of a watch expression: Lua, plus cells as t2[1,5], values by their own names as %0, and a suffix for the
// view.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ts::scripting {

enum class WatchView : char { Plain = 0, Hex = 'x', Bits = 'b', Exact = 'f', Histogram = 'h' };

struct WatchText {
  std::string expression;  // Lua
  WatchView view = WatchView::Plain;
};

// `t2[1,5]` becomes `t2:cell(1,5)`, `%0` becomes `named('0')`. Texts in quotes stay as they are, however they nest.
std::string rewrite_cells(std::string_view text);
// Takes the suffix off, and rewrites the rest.
WatchText read_watch(std::string_view text);

}  // namespace ts::scripting
