// What the words of a line of Python or C++ are, for colouring only.
#pragma once

#include <cstdint>
#include <vector>

#include "core/text/highlight.h"
#include "core/text/source.h"

namespace ts::ui {

// Looks at this line alone: of a text in quotes that goes over several lines, the lines between are plain.
std::vector<text::ColoredWord> source_words(const text::Source& source, std::uint32_t line);

}  // namespace ts::ui
