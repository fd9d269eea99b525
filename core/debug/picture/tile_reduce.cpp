// Spots of elements, and the range of heat.
#include "core/debug/picture/tile_reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ts {
namespace {

Sign sign_of_class(ElementClass element_class) {
  switch (element_class) {
    case ElementClass::Nan: return Sign::Nan;
    case ElementClass::Infinite: return Sign::Inf;
    case ElementClass::Denormal: return Sign::Denormal;
    case ElementClass::Normal:
    case ElementClass::Zero: break;
  }
  return Sign::None;
}

Sign sign_of(const TilePicture& picture, std::uint32_t row, std::uint32_t col) {
  const std::size_t at = picture.elements.index(row, col);
  Sign sign = Sign::None;
  switch (picture.elements.worth_at(row, col)) {
    case Definedness::Never: sign = Sign::Undefined; break;
    case Definedness::Unspecified: sign = Sign::Unspecified; break;
    case Definedness::Written:
      sign = sign_of_class(classify(*picture.elements.format, picture.elements.bits[at]));
      break;
  }
  if (picture.changed[at] != 0) sign = sign | Sign::Changed;
  if (picture.written[at] != 0) sign = sign | Sign::Written;
  if (!picture.is_valid(row, col)) sign = sign | Sign::Padding;
  return sign;
}

// The elements under a spot.
struct Spot {
  Sign any = Sign::None;
  bool all_padding = true;
  double sum = 0, padding_sum = 0;
  std::uint32_t count = 0, padding_count = 0;

  void add(const Elements& elements, std::size_t at, Sign signs) {
    const bool padding = has(signs, Sign::Padding);
    any = any | signs;
    all_padding = all_padding && padding;
    if (has(signs, Sign::Nan | Sign::Inf | Sign::Undefined | Sign::Unspecified)) return;
    const double value = number(*elements.format, elements.bits[at]);
    (padding ? padding_sum : sum) += value;
    ++(padding ? padding_count : count);
  }
  Sign signs() const {
    return all_padding ? any : static_cast<Sign>(static_cast<int>(any) & ~static_cast<int>(Sign::Padding));
  }
  float mean() const {
    if (count != 0) return static_cast<float>(sum / count);
    return padding_count != 0 ? static_cast<float>(padding_sum / padding_count)
                              : std::numeric_limits<float>::quiet_NaN();
  }
};

}  // namespace

std::vector<Sign> signs_of(const TilePicture& picture, std::span<const Sign> more) {
  std::vector<Sign> signs(picture.elements.bits.size());
  for (std::uint32_t row = 0; row < picture.elements.rows; ++row)
    for (std::uint32_t col = 0; col < picture.elements.cols; ++col)
      signs[picture.elements.index(row, col)] = sign_of(picture, row, col);
  for (std::size_t at = 0; at < std::min(signs.size(), more.size()); ++at) signs[at] = signs[at] | more[at];
  return signs;
}

std::optional<HeatRange> auto_range(const TilePicture& picture) {
  const Statistics& statistics = picture.statistics;
  if (!statistics.min_bits) return {};
  const double low = number(*picture.elements.format, *statistics.min_bits);
  const double high = number(*picture.elements.format, *statistics.max_bits);
  if (low >= 0 || high <= 0) return HeatRange{low, high, false};
  const double most = std::max(-low, high);
  return HeatRange{-most, most, true};
}

double heat_share(const HeatRange& range, double value) {
  if (range.is_signed) return range.high == 0 ? 0 : value / range.high;
  if (range.high == range.low) return value == range.low ? 0.5 : value < range.low ? -1 : 2;
  // Halves, so that the width of the largest range does not overflow.
  return (value / 2 - range.low / 2) / (range.high / 2 - range.low / 2);
}

Reduced reduce(const TilePicture& picture, const std::vector<Sign>& signs, std::uint32_t step) {
  const Elements& elements = picture.elements;
  Reduced reduced{.step = step,
                  .rows = (elements.rows + step - 1) / step,
                  .cols = (elements.cols + step - 1) / step,
                  .signs = {},
                  .values = {}};
  std::vector<Spot> line(reduced.cols);
  for (std::uint32_t row = 0; row < elements.rows; ++row) {
    for (std::uint32_t col = 0; col < elements.cols; ++col)
      line[col / step].add(elements, elements.index(row, col), signs[elements.index(row, col)]);
    if ((row + 1) % step != 0 && row + 1 != elements.rows) continue;
    for (Spot& spot : line) {
      reduced.signs.push_back(spot.signs());
      reduced.values.push_back(spot.mean());
      spot = {};
    }
  }
  return reduced;
}

}  // namespace ts
