// Where a '}' is missing, by a guess from indentation.
#pragma once

#include <optional>

#include "core/text/source.h"

namespace ts::text {

// For a text with a region that is not closed: the place before which it probably ends. Nothing: no line gives a hint.
std::optional<DiagnosticNote> probable_end(const Source& source);

}  // namespace ts::text
