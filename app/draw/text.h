// Text on the canvas of the current window: at a place, cut, wrapped; and values for cells.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/theme/color.h"
#include "core/isa/element.h"
#include "core/memory/memory.h"
#include "core/text/count.h"

namespace ts::ui {

void put_text(ImVec2 at, const std::string& text, Color color, ImFont* font);
float text_width(const std::string& text, ImFont* font);
float line_step(ImFont* font);
using text::grouped;
// The text, or its beginning with an ellipsis where it is wider than `room`; empty where not even that fits.
std::string cut_text(const std::string& text, float room, ImFont* font);
// The same, drawn. Gives the width it takes.
float put_text_cut(ImVec2 at, float room, const std::string& text, Color color, ImFont* font);
// In lines of this width at most, broken between words. Gives the height it takes; `draw` false: only that.
float put_text_wrapped(ImVec2 at, float room, const std::string& text, Color color, ImFont* font, bool draw = true);
// A value in a cell of this width: all its digits, or fewer and an ellipsis that says so.
std::string value_text(const ElementFormat& format, std::uint64_t bits, Definedness worth, float width);

}  // namespace ts::ui
