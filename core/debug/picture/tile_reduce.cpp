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

constexpr std::size_t kFewest = 100;  // of fewer elements there is no hundredth part

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

std::optional<HeatRange> robust_range(const TilePicture& picture) {
  const std::optional<HeatRange> whole = auto_range(picture);
  if (!whole || picture.statistics.finite < kFewest) return whole;
  std::vector<double> values;
  const Elements& elements = picture.elements;
  const std::uint32_t rows = std::min(elements.rows, elements.valid_rows),
                      cols = std::min(elements.cols, elements.valid_cols);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t col = 0; col < cols; ++col) {
      if (elements.worth_at(row, col) != Definedness::Written) continue;
      const double value = number(*elements.format, elements.at(row, col));
      if (std::isfinite(value)) values.push_back(value);
    }
  if (values.size() < kFewest) return whole;
  const std::size_t cut = values.size() / 100;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(cut));
  const double low = values[cut];
  std::ranges::nth_element(values, values.end() - 1 - static_cast<std::ptrdiff_t>(cut));
  const double high = values[values.size() - 1 - cut];
  // As long as the rest has colours of its own, nothing is cut off; and where the rest is one number, what differs from it
  // is to be seen.
  constexpr double kWorth = 1.0 / 16;
  if (low == high || high / 2 - low / 2 > kWorth * (whole->high / 2 - whole->low / 2)) return whole;
  if (!whole->is_signed || low >= 0 || high <= 0) return HeatRange{low, high, false};
  const double most = std::max(-low, high);
  return HeatRange{-most, most, true};
}

double heat_share(const HeatRange& range, double value) {
  if (range.is_signed) return range.high == 0 ? 0 : value / range.high;
  if (range.high == range.low) return value == range.low ? 0.5 : value < range.low ? -1 : 2;
  // Halves, so that the width of the largest range does not overflow.
  return (value / 2 - range.low / 2) / (range.high / 2 - range.low / 2);
}

Reduced reduce(const TilePicture& picture, const std::vector<Sign>& signs, std::uint32_t row_step,
               std::uint32_t col_step) {
  const Elements& elements = picture.elements;
  Reduced reduced{.row_step = row_step,
                  .col_step = col_step,
                  .rows = (elements.rows + row_step - 1) / row_step,
                  .cols = (elements.cols + col_step - 1) / col_step,
                  .signs = {},
                  .values = {}};
  std::vector<Spot> line(reduced.cols);
  for (std::uint32_t row = 0; row < elements.rows; ++row) {
    for (std::uint32_t col = 0; col < elements.cols; ++col)
      line[col / col_step].add(elements, elements.index(row, col), signs[elements.index(row, col)]);
    if ((row + 1) % row_step != 0 && row + 1 != elements.rows) continue;
    for (Spot& spot : line) {
      reduced.signs.push_back(spot.signs());
      reduced.values.push_back(spot.mean());
      spot = {};
    }
  }
  return reduced;
}

}  // namespace ts
