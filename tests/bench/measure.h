// Two works that are done in turns, and how one compares with the other.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace ts::bench {

struct Ratio {
  double value = 0, spread = 0;  // the median of the rounds; half of the way between their quartiles, as a share of it
  double mine = 0;               // seconds of one call of mine, median
};

// Both are warm and paged in before; then they take turns, so that a change of the machine's speed hits both, and each
// round is a ratio of its own.
Ratio measure(const std::function<void()>& mine, const std::function<void()>& rival);

// The yardstick: as many bytes copied or filled. Where the two places are a few bytes apart in their pages, memcpy is up to
// fifteen times slower on some processors; here they are half a page apart.
class Yardstick {
 public:
  explicit Yardstick(std::size_t bytes);
  void copy();
  void fill();

 private:
  std::size_t bytes_;
  std::vector<std::byte> room_;
  std::byte *from_, *to_;
};

// Of numbers, one a round.
Ratio ratio_of_rounds(std::vector<double> rounds);

}  // namespace ts::bench
