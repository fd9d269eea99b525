// The data flow of a step as a whole: of every element of its results which operand it came from, and bands that say the
// same of parts of the results. For pictures of tiles whose elements are too many to be drawn one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/debug/picture/step_map.h"
#include "core/debug/picture/tile_picture.h"

namespace ts {

// A part of a result, and the part of another operand that its elements were made of: the smallest rectangle around them.
// Of a scalar it is one element.
struct FlowBand {
  int from = -1, to = -1;  // operands
  Window source, result;
  bool decided = false;  // what stands there chose the values, and is no part of them
  bool operator==(const FlowBand&) const = default;
};

// Where the elements of a result came from, row by row; of a view those of its buffer.
struct WholeOrigins {
  enum : std::int8_t {
    kNothing = -1,
    kSeveral = -2,
    kNobody = -3
  };  // not made; of several operands; promised by nobody

  int operand = -1;
  std::uint32_t rows = 0, cols = 0;
  std::vector<std::int8_t> from = {};             // an operand, or one of the above
  std::vector<std::uint32_t> row = {}, col = {};  // the first element of it
  std::size_t index(std::uint32_t r, std::uint32_t c) const { return std::size_t{r} * cols + c; }
};

struct WholeFlow {
  // Every so many rows and columns an element was asked, and stands for those behind it: 1 means all of them were.
  std::uint32_t lattice = 1;
  std::vector<WholeOrigins> results = {};
  std::vector<FlowBand> bands = {};
};

// So many parts of a result have a band each, at most.
inline constexpr std::uint32_t kMostBands = 8;

// Of a step. `most` bounds how many sources are looked at, for what has so many that not all elements can be asked.
// `go_on` is asked now and then; false ends it early.
WholeFlow whole_flow(const Recording& recording, std::uint32_t step, const Flow& flow,
                     const std::function<bool()>& go_on = {}, std::size_t most = 3'000'000);

}  // namespace ts
