// A picture made smaller: many elements become one spot. What must not be missed among them is never lost; values are
// averaged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/debug/picture/tile_picture.h"

namespace ts {

// What is to be seen of an element, or of any of those under a spot.
enum class Sign : std::uint16_t {
  None = 0,
  Nan = 1 << 0,
  Inf = 1 << 1,
  Denormal = 1 << 2,
  Undefined = 1 << 3,
  Unspecified = 1 << 4,
  Changed = 1 << 5,
  Written = 1 << 6,
  Finding = 1 << 7,
  Padding = 1 << 8,  // of a spot: all of its elements
  Different = 1 << 9,
  Note = 1 << 10,
};
constexpr Sign operator|(Sign a, Sign b) { return static_cast<Sign>(static_cast<int>(a) | static_cast<int>(b)); }
constexpr bool has(Sign signs, Sign sign) { return (static_cast<int>(signs) & static_cast<int>(sign)) != 0; }

// Row by row, as the picture's elements. `more`: signs that are not in the picture, by element; empty: none.
std::vector<Sign> signs_of(const TilePicture& picture, std::span<const Sign> more = {});

// --- heat ---

struct HeatRange {
  double low = 0, high = 0;
  bool is_signed = false;  // zero is in the middle: low == -high
  bool operator==(const HeatRange&) const = default;
};
// Of the valid, defined, finite elements; signed where there are negative and positive ones. Nothing: there are none.
std::optional<HeatRange> auto_range(const TilePicture& picture);
// The same where a few elements are so far from all others that these would have one colour: without the hundredth part
// at each end. What is beyond it is cut off.
std::optional<HeatRange> robust_range(const TilePicture& picture);
// 0..1, of signed ranges -1..1; beyond them where the range cuts the value.
double heat_share(const HeatRange& range, double value);

// --- spots ---

struct Reduced {
  std::uint32_t row_step = 1, col_step = 1;  // rows, and elements of a row, that a spot stands for
  std::uint32_t rows = 0, cols = 0;
  std::vector<Sign> signs;
  std::vector<float> values;  // means of the defined finite elements, valid ones first; NaN where there are none
};
// Steps of 1 keep all elements.
Reduced reduce(const TilePicture& picture, const std::vector<Sign>& signs, std::uint32_t row_step,
               std::uint32_t col_step);
inline Reduced reduce(const TilePicture& picture, const std::vector<Sign>& signs, std::uint32_t step) {
  return reduce(picture, signs, step, step);
}

}  // namespace ts
