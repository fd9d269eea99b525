// Program text to tree.
#pragma once

#include <memory>

#include "core/isa/diagnostic.h"
#include "core/text/parse/parse_limits.h"
#include "core/text/tree.h"

namespace ts::text {

// Reads the whole text. Statements with a mistake are left out of the tree and told in `out`, one error each; the rest is
// read on. Unknown operations are read and told as errors (E-OP).
Tree parse(std::shared_ptr<const Source> source, Diagnostics& out, const ParseLimits& limits = {});

}  // namespace ts::text
