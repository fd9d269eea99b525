// Where every element of a result was moved from, and what chose it: for drawings of steps that move elements.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/record/inspector.h"

namespace ts {

struct ElementOrigin {
  enum class Kind : std::uint8_t {
    Untouched,    // the step left it as it was
    Element,      // of an operand: row, col
    Elsewhere,    // bytes of no operand
    Unspecified,  // nobody promises the value
    Several,      // made of more than one element
  };
  Kind kind = Kind::Untouched;
  int operand = -1;
  std::uint32_t row = 0, col = 0;
  ByteRange place;     // the bytes it came from, where they are known
  int chosen_by = -1;  // operand whose element chose the place: an offset, an index
  std::uint32_t chosen_row = 0, chosen_col = 0;
  std::uint64_t chosen_bits = 0;
};

struct ElementMap {
  int operand = -1;  // the result
  std::uint32_t rows = 0, cols = 0;
  std::vector<ElementOrigin> origins = {};  // row by row, of the whole tile

  const ElementOrigin& at(std::uint32_t row, std::uint32_t col) const { return origins[std::size_t{row} * cols + col]; }
};
// Asked now and then whether to go on; else the map ends where it is, and the rest is Untouched.
ElementMap element_map(const Flow& flow, const Bound& bound, int operand, const std::function<bool()>& go_on = {});

// Elements side by side in a row of the result that one offset chose, and the bytes that they came from.
struct GatherWindow {
  std::uint32_t row = 0, col = 0, cols = 0;  // of the result
  ElementOrigin origin;                      // of the first of them
  ByteRange place;                           // of all of them
};
std::vector<GatherWindow> gather_windows(const ElementMap& map);

// How windows lie over the bytes of the source.
struct GatherCoverage {
  std::uint32_t read = 0, shared = 0, gaps = 0;  // bytes of the source in any window, in several, in none
  std::uint32_t outside = 0;                     // windows that are not wholly in the source
};
GatherCoverage coverage_of(const std::vector<GatherWindow>& windows, const ByteRange& source);

}  // namespace ts
