// Keys of random sorts and merges: many alike, and lists that are sorted.
#pragma once

#include <functional>

#include "core/catalogue/row.h"
#include "tests/support/random.h"

namespace ts::test {

// Of instructions that sort nothing: nothing.
void draw_keys(const Bound& bound, Random& random, const std::function<void(const ByteRange&, std::uint64_t)>& set);

}  // namespace ts::test
