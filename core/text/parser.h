// Program text to tree.
#pragma once

#include <cstddef>
#include <memory>

#include "core/isa/diagnostic.h"
#include "core/text/tree.h"

namespace ts::text {

struct ParseLimits {
  std::size_t most_bytes = std::size_t{256} << 20;  // larger texts are refused
  std::uint32_t most_depth = 256;                   // nested brackets and regions
  std::uint32_t most_errors = 20;                   // then one more diagnostic says how many there were
};

// Reads the whole text. Statements with a mistake are left out of the tree and told in `out`, one error each; the rest is
// read on. Unknown operations are read and told as errors (E-OP).
Tree parse(std::shared_ptr<const Source> source, Diagnostics& out, const ParseLimits& limits = {});

}  // namespace ts::text
