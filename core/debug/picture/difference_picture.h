// How alike elements are, as a picture: every element a square, whose colour and pattern say what a comparison found.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/data/png.h"
#include "core/debug/compare/compare.h"

namespace ts {

enum class Likeness : std::uint8_t {
  Same,
  Tolerated,  // not the same, but a tolerance lets it pass
  Different,
  Undefined,  // neither side has a value
};
inline constexpr int kLikenesses = 4;

// The ground of a square, and what its pattern is drawn with, as 0xRRGGBB: apart for all common kinds of colour vision,
// and by their patterns in grey too.
struct LikenessLook {
  std::uint32_t ground, ink;
  const char* pattern;  // for legends: "crossed"
};
const LikenessLook& look_of(Likeness likeness);

// Of all elements that are compared, row by row. `options` as `comparing` has them.
std::vector<Likeness> likeness_of(const Elements& a, const Elements& b, const CompareOptions& options);

// `scale` pixels for the side of a square; 0: as suits the number of elements. Refused where it would be too large.
// Patterns need four pixels.
std::variant<data::Picture, Refusal> difference_picture(const Elements& a, const Elements& b,
                                                        const CompareOptions& options, std::uint32_t scale = 0);

}  // namespace ts
