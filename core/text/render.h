// Diagnostics for people, with the line they mean.
#pragma once

#include <string>

#include "core/isa/diagnostic.h"
#include "core/text/source.h"

namespace ts::text {

// file:line:col: error: [rule] text, the line, a caret under the place, expected, hint, notes. Ends with a newline.
std::string render(const Diagnostic& diagnostic, const Source& source);
}  // namespace ts::text
