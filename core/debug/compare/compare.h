// Comparing elements one by one, with tolerances: how many differ, the first, the worst.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "core/debug/elements/elements.h"

namespace ts {

// Elements are the same when one of the tolerances lets them pass. Infinities are the same as themselves only.
struct CompareOptions {
  double abs = 0;         // |a - b|
  double rel = 0;         // |a - b| / |b|
  std::uint64_t ulp = 0;  // elements between them, in a's type; of integers |a - b|
  bool nan_equal = true;  // any NaN is the same as any other
  Region region = Region::Valid;
};

struct Difference {
  std::uint32_t row = 0, col = 0;
  std::uint64_t a = 0, b = 0;              // bits, each in its own type
  bool undefined = false;                  // one of the two has no value that anybody promised
  double absolute = 0;                     // infinite where it cannot be said
  std::optional<std::uint64_t> ulps = {};  // nothing: further than any number of them
};

struct Comparison {
  std::uint64_t compared = 0, count = 0;  // elements, differences
  std::uint64_t undefined = 0;            // of the elements: undefined on both sides, and so neither same nor different
  std::optional<Difference> first, worst, worst_ulp;  // worst by absolute
  bool ok() const { return count == 0; }
};

// Of two written elements; nothing when they are the same.
std::optional<Difference> difference_of(const ElementFormat& format_a, std::uint64_t a, const ElementFormat& format_b,
                                        std::uint64_t b, const CompareOptions& options);

// What is compared with what: the region of `a` with as many elements of `b`. `b` has a's shape, or that of its region,
// or is one row of as many elements. Both must outlive this.
class Comparing {
 public:
  static std::variant<Comparing, Refusal> make(const Elements& a, const Elements& b, const CompareOptions& options);

  std::uint64_t count() const { return std::uint64_t{rows_} * cols_; }
  // Of element number `index`, row by row; nothing when the two are the same.
  std::optional<Difference> difference(std::uint64_t index) const;
  // The first one from `index` on.
  std::optional<Difference> next(std::uint64_t index) const;
  std::uint64_t index_of(const Difference& difference) const {
    return std::uint64_t{difference.row} * cols_ + difference.col;
  }
  // `go_on` is asked now and then; false: the rest is not compared.
  Comparison all(const std::function<bool()>& go_on = {}) const;

 private:
  Comparing(const Elements& a, const Elements& b, const CompareOptions& options) : a_(&a), b_(&b), options_(options) {}
  std::size_t place_in_b(std::uint32_t row, std::uint32_t col) const;
  bool both_undefined(std::uint64_t index) const;

  const Elements* a_;
  const Elements* b_;
  CompareOptions options_;
  std::uint32_t rows_ = 0, cols_ = 0;
  bool flat_ = false;  // b is one row
};

// "[2,3]: 1.5 (0x3fc00000) is not 2 (0x40000000), 4194304 ulp apart"
std::string difference_text(const Elements& a, const Elements& b, const Difference& difference);

}  // namespace ts
