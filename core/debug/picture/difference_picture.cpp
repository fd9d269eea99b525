// Drawing a comparison, a square for each element.
#include "core/debug/picture/difference_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/palette.h"

namespace ts {
namespace {

std::uint32_t number_of(data::Color color) {
  return static_cast<std::uint32_t>(color.r) << 16 | static_cast<std::uint32_t>(color.g) << 8 | color.b;
}

// The grounds are large: they have the dark palette's lighter colours.
const LikenessLook* looks() {
  static const LikenessLook kLooks[kLikenesses] = {
      {0xD9DEE3, 0xD9DEE3, "plain"},
      {number_of(data::palette("dark").read), 0x1F3A4D, "dotted"},
      {number_of(data::palette("dark").difference), 0x000000, "crossed"},
      {0xFFFFFF, 0x8C939A, "hatched"},
  };
  return kLooks;
}
constexpr std::uint32_t kLine = 0xAEB6BD;  // between squares

// Whether the pattern has ink at a pixel of its square.
bool has_ink(Likeness likeness, std::uint32_t x, std::uint32_t y, std::uint32_t scale) {
  const std::uint32_t last = scale - 1;
  const auto near_middle = [&](std::uint32_t at) {
    return at >= (last - last / 4) / 2 && at <= (last + last / 4 + 1) / 2;
  };
  switch (likeness) {
    case Likeness::Same: return false;
    case Likeness::Tolerated: return near_middle(x) && near_middle(y);
    case Likeness::Different: return x == y || x + y == last;
    case Likeness::Undefined: break;
  }
  return (x + y) % 4 == 0;
}

void put_pixel(data::Picture& picture, std::uint32_t x, std::uint32_t y, std::uint32_t color) {
  std::uint8_t* at = picture.rgb.data() + 3 * (std::size_t{y} * picture.width + x);
  for (int channel = 0; channel < 3; ++channel) at[channel] = static_cast<std::uint8_t>(color >> (16 - 8 * channel));
}

void put_square(data::Picture& picture, std::uint32_t left, std::uint32_t top, std::uint32_t scale, Likeness likeness) {
  constexpr std::uint32_t kPatternFrom = 4, kLinesFrom = 6;  // pixels
  const LikenessLook& look = look_of(likeness);
  const std::uint32_t inner = scale >= kLinesFrom ? scale - 1 : scale;
  for (std::uint32_t y = 0; y < scale; ++y)
    for (std::uint32_t x = 0; x < scale; ++x) {
      const bool line = x >= inner || y >= inner;
      const bool ink = scale >= kPatternFrom && has_ink(likeness, x, y, inner);
      put_pixel(picture, left + x, top + y, line ? kLine : ink ? look.ink : look.ground);
    }
}

std::uint32_t fitting_scale(std::uint64_t longer_side) {
  constexpr std::uint64_t kGoodPixels = 2048, kLargest = 16;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(kGoodPixels / std::max<std::uint64_t>(longer_side, 1), 1, kLargest));
}

}  // namespace

const LikenessLook& look_of(Likeness likeness) { return looks()[static_cast<int>(likeness)]; }

std::vector<Likeness> likeness_of(const Elements& a, const Elements& b, const CompareOptions& options) {
  std::vector<Likeness> all;
  const auto tolerant = Comparing::make(a, b, options);
  const auto strict = Comparing::make(a, b, {.nan_equal = options.nan_equal, .region = options.region});
  const auto* comparing = std::get_if<Comparing>(&tolerant);
  const auto* exact = std::get_if<Comparing>(&strict);
  if (comparing == nullptr || exact == nullptr) return all;
  const std::uint32_t cols = a.cols_of(options.region);
  for (std::uint64_t index = 0; index < comparing->count(); ++index) {
    const auto row = static_cast<std::uint32_t>(index / cols), col = static_cast<std::uint32_t>(index % cols);
    // Where only one of them is undefined, the two differ.
    const bool different = comparing->difference(index).has_value();
    const bool undefined = !different && a.worth_at(row, col) != Definedness::Written;
    all.push_back(different                              ? Likeness::Different
                  : undefined                            ? Likeness::Undefined
                  : exact->difference(index).has_value() ? Likeness::Tolerated
                                                         : Likeness::Same);
  }
  return all;
}

std::variant<data::Picture, Refusal> difference_picture(const Elements& a, const Elements& b,
                                                        const CompareOptions& options, std::uint32_t scale) {
  constexpr std::uint64_t kMostPixels = std::uint64_t{64} << 20;
  const auto comparing = Comparing::make(a, b, options);
  if (const auto* refusal = std::get_if<Refusal>(&comparing)) return *refusal;
  const std::uint64_t rows = a.rows_of(options.region), cols = a.cols_of(options.region);
  if (rows == 0 || cols == 0) return Refusal{"there are no elements to draw", ""};
  if (scale == 0) scale = fitting_scale(std::max(rows, cols));
  if (rows * cols > kMostPixels / scale / scale)
    return Refusal{fmt::format("{}x{} elements of {} pixels are more than {} million pixels", rows, cols, scale,
                               kMostPixels >> 20),
                   "give a smaller scale, or fewer elements"};
  data::Picture picture{static_cast<std::uint32_t>(cols) * scale, static_cast<std::uint32_t>(rows) * scale, {}};
  picture.rgb.resize(std::size_t{3} * picture.width * picture.height);
  const std::vector<Likeness> likeness = likeness_of(a, b, options);
  for (std::size_t index = 0; index < likeness.size(); ++index)
    put_square(picture, static_cast<std::uint32_t>(index % cols) * scale,
               static_cast<std::uint32_t>(index / cols) * scale, scale, likeness[index]);
  return picture;
}

}  // namespace ts
