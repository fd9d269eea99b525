// Pages on the screen: wrapped text, tables that share the width, code in frames.
#pragma once

#include <span>

#include "app/draw/rect.h"
#include "app/files/markdown.h"

namespace ts::ui {

// Draws blocks from `at` down, `width` wide; gives the height that they take. What is not proven is underlined in dots.
float draw_markdown(ImVec2 at, float width, std::span<const MarkdownBlock> blocks);
// One line of it, wrapped.
float draw_markdown_line(ImVec2 at, float width, const MarkdownLine& line, ImFont* font);

}  // namespace ts::ui
