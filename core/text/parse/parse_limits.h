// What a text may be at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ts::text {

struct ParseLimits {
  std::size_t most_bytes = std::size_t{256} << 20;  // larger texts are refused
  std::uint32_t most_depth = 256;                   // nested brackets and regions
  std::uint32_t most_errors = 20;                   // then one more diagnostic says how many there were
  std::function<bool()> go_on = {};                 // asked now and then; false: the rest is not read
};

}  // namespace ts::text
