// Element by element: the same, tolerated, or different.
#include "core/debug/compare/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/isa/stop_question.h"

namespace ts {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_nan(const ElementFormat& format, std::uint64_t bits) { return classify(format, bits) == ElementClass::Nan; }
bool is_infinite(const ElementFormat& format, std::uint64_t bits) {
  return classify(format, bits) == ElementClass::Infinite;
}

// Whether the first is further apart, where nothing is furthest.
bool further(const std::optional<std::uint64_t>& a, const std::optional<std::uint64_t>& b) {
  return b && (!a || *a > *b);
}

void measure(Difference& difference, const ElementFormat& of_a, const ElementFormat& of_b) {
  const std::optional<std::uint64_t> b = convert(of_a, of_b, difference.b);
  // A number that rounds to an infinity is none.
  const bool became_infinite = b && is_infinite(of_a, *b) && !is_infinite(of_b, difference.b);
  if (b && !became_infinite) difference.ulps = ulp_distance(of_a, difference.a, *b);
  const bool exact = b && !of_a.is_float() && !of_b.is_float();
  difference.absolute = exact ? absolute_difference(of_a, difference.a, *b)
                              : std::fabs(number(of_a, difference.a) - number(of_b, difference.b));
  if (difference.ulps == 0u && !(difference.absolute >= 0)) difference.absolute = 0;  // the same infinity
  if (std::isnan(difference.absolute)) difference.absolute = kInfinity;
}

bool tolerated(const Difference& difference, const ElementFormat& of_a, const ElementFormat& of_b,
               const CompareOptions& options) {
  const bool nan_a = is_nan(of_a, difference.a), nan_b = is_nan(of_b, difference.b);
  if (nan_a || nan_b) return nan_a && nan_b && options.nan_equal;
  if (difference.ulps && *difference.ulps <= options.ulp) return true;
  if (is_infinite(of_a, difference.a) || is_infinite(of_b, difference.b)) return false;
  return difference.absolute <= options.abs ||
         difference.absolute <= options.rel * std::fabs(number(of_b, difference.b));
}

std::string value_text(const Elements& elements, std::uint64_t bits) {
  return fmt::format("{} ({})", short_text(*elements.format, bits), hex_text(*elements.format, bits));
}

std::string shape_text(std::uint32_t rows, std::uint32_t cols) { return fmt::format("{}x{}", rows, cols); }

}  // namespace

std::optional<Difference> difference_of(const ElementFormat& format_a, std::uint64_t a, const ElementFormat& format_b,
                                        std::uint64_t b, const CompareOptions& options) {
  const bool same_bits = &format_a == &format_b && a == b;
  if (same_bits && (options.nan_equal || !is_nan(format_a, a))) return {};
  Difference found{.a = a, .b = b};
  measure(found, format_a, format_b);
  if (tolerated(found, format_a, format_b, options)) return {};
  return found;
}

std::variant<Comparing, Refusal> Comparing::make(const Elements& a, const Elements& b, const CompareOptions& options) {
  Comparing comparing(a, b, options);
  const std::uint32_t rows = comparing.rows_ = a.rows_of(options.region);
  const std::uint32_t cols = comparing.cols_ = a.cols_of(options.region);
  if (b.rows_of(options.region) == rows && b.cols_of(options.region) == cols) return comparing;
  const bool b_is_whole = b.valid_rows == b.rows && b.valid_cols == b.cols;
  if (b_is_whole && b.rows == a.rows && b.cols == a.cols) return comparing;
  if (b_is_whole && b.rows == 1 && b.cols == comparing.count()) {
    comparing.flat_ = true;
    return comparing;
  }
  const char* what = options.region == Region::Valid ? "valid elements" : "elements";
  return Refusal{fmt::format("{} {} cannot be compared with {}", shape_text(rows, cols), what,
                             shape_text(b.rows_of(options.region), b.cols_of(options.region))),
                 a.valid_rows != a.rows || a.valid_cols != a.cols
                     ? fmt::format("the tile is {}; give as many elements, or all {}", shape_text(a.rows, a.cols),
                                   shape_text(a.rows, a.cols))
                     : "both sides need the same rows and columns"};
}

std::size_t Comparing::place_in_b(std::uint32_t row, std::uint32_t col) const {
  return flat_ ? std::size_t{row} * cols_ + col : b_->index(row, col);
}

bool Comparing::both_undefined(std::uint64_t index) const {
  const auto row = static_cast<std::uint32_t>(index / cols_), col = static_cast<std::uint32_t>(index % cols_);
  const std::size_t in_b = place_in_b(row, col);
  return a_->worth_at(row, col) != Definedness::Written && !b_->worth.empty() &&
         b_->worth[in_b] != Definedness::Written;
}

std::optional<Difference> Comparing::difference(std::uint64_t index) const {
  Difference found{static_cast<std::uint32_t>(index / cols_), static_cast<std::uint32_t>(index % cols_)};
  const std::size_t in_b = place_in_b(found.row, found.col);
  found.a = a_->at(found.row, found.col);
  found.b = b_->bits[in_b];
  const bool a_written = a_->worth_at(found.row, found.col) == Definedness::Written;
  const bool b_written = b_->worth.empty() || b_->worth[in_b] == Definedness::Written;
  if (!a_written && !b_written) return {};
  found.undefined = !a_written || !b_written;
  if (found.undefined) {
    found.absolute = kInfinity;
    return found;
  }
  auto told = difference_of(*a_->format, found.a, *b_->format, found.b, options_);
  if (!told) return {};
  told->row = found.row;
  told->col = found.col;
  return told;
}

std::optional<Difference> Comparing::next(std::uint64_t index) const {
  for (; index < count(); ++index)
    if (auto found = difference(index)) return found;
  return {};
}

Comparison Comparing::all(const std::function<bool()>& go_on) const {
  Comparison result;
  StopQuestion stop(go_on);
  for (std::uint64_t index = 0; index < count() && !stop.stops(); ++index) {
    if (both_undefined(index)) {
      ++result.undefined;
      continue;
    }
    ++result.compared;
    const auto found = difference(index);
    if (!found) continue;
    ++result.count;
    if (!result.first) result.first = found;
    if (!result.worst || found->absolute > result.worst->absolute) result.worst = found;
    if (!result.worst_ulp || further(found->ulps, result.worst_ulp->ulps)) result.worst_ulp = found;
  }
  return result;
}

std::string difference_text(const Elements& a, const Elements& b, const Difference& difference) {
  std::string text = fmt::format("[{},{}]: {} is not {}", difference.row, difference.col, value_text(a, difference.a),
                                 value_text(b, difference.b));
  if (difference.undefined) return text + ", and was never given a value";
  if (difference.ulps) text += fmt::format(", {} {}", *difference.ulps, a.format->is_float() ? "ulp apart" : "apart");
  return text;
}

}  // namespace ts
